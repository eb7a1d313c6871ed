"""Observations from the command line: what was noticed on the way, and what became of it."""

from __future__ import annotations

import click

from drumline.control import observations
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.output import columns, show
from drumline.surfaces.cli.place import placed
from drumline.surfaces.cli.task import member_option
from drumline.surfaces.cli.words import words
from drumline.team.handoff import Severity
from drumline.team.observation import Observation, numbered
from drumline.team.text import one_line

run_option = click.option("--run", default="", metavar="RUN", help="Another than the one at work.")
SHOWN = 100


@click.group()
def command() -> None:
    """What anybody noticed in a run: what is grave reaches the next wave of work, not the end."""


@command.command()
@click.argument("severity", type=click.Choice([each.value for each in Severity]))
@click.argument("text")
@run_option
@member_option
@placed
def add(severity: str, text: str, run: str, member: str, *, as_json: bool) -> None:
    """Say what you noticed, and how grave it is; - reads TEXT from stdin."""
    store = desk.store()
    actor = desk.speaking(store, member)
    found = store.do(observations.observe, actor, Severity(severity), words(text), run)
    show(found.facts(), [f"{found.name} is kept with its run"], as_json=as_json)


@command.command("list")
@run_option
@placed
def list_observations(run: str, *, as_json: bool) -> None:
    """What was noticed in a run, oldest first."""
    found = desk.library().ask(observations.listed, run)
    rows = [
        (each.name, each.severity.value, _stands(each), one_line(each.what, SHOWN))
        for each in found
    ]
    lines = columns(rows) or ["nothing was noticed"]
    show([each.facts() for each in found], lines, as_json=as_json)


@command.command()
@click.argument("name", metavar="OBSERVATION")
@click.argument("why")
@run_option
@placed
def settle(name: str, why: str, run: str, *, as_json: bool) -> None:
    """Say what became of an observation, such as O-3; WHY is kept with it."""
    store = desk.store()
    found = store.do(observations.settle, desk.speaking(store), numbered(name), words(why), run)
    show(found.facts(), [f"{found.name} is settled"], as_json=as_json)


def _stands(each: Observation) -> str:
    return "settled" if each.settled else f"told to {each.routed}" if each.routed else "open"
