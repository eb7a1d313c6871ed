"""A member's own word from the command line, and what waits for it."""

from __future__ import annotations

from datetime import timedelta

import click

from drumline.control import reports
from drumline.errors import BadInput
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.kinds import SPAN
from drumline.surfaces.cli.output import show
from drumline.surfaces.cli.place import placed
from drumline.surfaces.cli.task import member_option
from drumline.team.actor import Actor, Role
from drumline.team.report import Saying, Stands

STATES = [state.value for state in Stands]


@click.command()
@click.argument("state", required=False, type=click.Choice(STATES))
@click.argument("why", default="")
@click.option("--for", "lease", type=SPAN, help="How long it holds, from 1m to 60m.")
@member_option
@placed
def command(
    state: str | None, why: str, lease: timedelta | None, member: str, *, as_json: bool
) -> None:
    """Say that you are working, blocked (and WHY) or done; without a word, see what waits for you.

    Whoever said how it stands is left alone about what it has before it until that is over.
    """
    store = desk.store()
    actor = desk.speaking(store, member)
    name = _whose(actor, member)
    if state is None:
        found = store.do(reports.ask, actor, name)
    else:
        found = store.do(reports.report, actor, name, Saying(Stands(state), why, lease))
    show(found.facts(), _lines(found), as_json=as_json)


def _whose(actor: Actor, member: str) -> str:
    if member or actor.role is not Role.PERSON:
        return member or actor.name
    raise BadInput("whose agenda?", next="name the member: --member NAME")


def _lines(found: reports.Answer) -> list[str]:
    said = found.report
    words = f": {said.words}" if said and said.words else ""
    head = [f"{found.member}  {said.stands} until {said.until:%H:%M} UTC{words}"] if said else []
    return [*head, *(found.agenda.lines() or ["nothing waits"])]
