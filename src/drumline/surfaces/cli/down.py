"""The plane from the command line: stop it, and the members here."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import click

from drumline.control import lives, postings
from drumline.errors import NotAllowed
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.output import show
from drumline.surfaces.cli.place import placed
from drumline.surfaces.cli.up import plane_here
from drumline.team.posting import Wanted
from drumline.wiring import machine, planes

if TYPE_CHECKING:
    from drumline.control.ports import Store
    from drumline.team.life import Life

PATIENCE = 90.0  # seconds for members to end


@click.command(name="down")
@click.option("--members/--plane-only", default=True, help="Stop the members here as well.")
@placed
def command(*, members: bool, as_json: bool) -> None:
    """Stop this host's plane, then its members."""
    desk.refuse_teammates("stop the plane")
    store = desk.store_as_it_was()
    stopped, planes_were_up = [], False
    for each in (
        store,
        *desk.stores_left(store),
    ):  # a team that was renamed runs on under its old name
        planes_were_up |= _stop_plane(each)  # first: a run that it drives lets members begin
        stopped += _stop_members(each) if members else []
    planes.tidy(desk.here_as_it_was())
    lines = [f"stopped  {name}" for name in stopped]
    lines.append("down" if planes_were_up else "no plane was up")
    show({"stopped": stopped, "plane": planes_were_up}, lines, as_json=as_json)


def _stop_plane(store: Store) -> bool:
    """Stop this host's plane and wait for its end; whether there was one."""
    plane = plane_here(store)
    if plane is None:
        return False
    holder = plane.holder
    planes.stop_plane(holder)
    planes.wait_for(
        lambda: plane_here(store) is None and not machine.is_up(holder), "the plane does not stop"
    )
    return True


def _stop_members(store: Store) -> list[str]:
    actor, here, place = desk.speaking(store), machine.host(), desk.here_as_it_was()
    said = store.ask(postings.wanted_here, here)
    wanted = [each.member for each in said if each.wanted is not Wanted.STOPPED]
    living = _living(store, here)
    for name in dict.fromkeys([*wanted, *(life.member for life in living)]):
        with suppress(NotAllowed):  # who was removed from the team ends by itself
            store.do(postings.want, actor, name, Wanted.STOPPED)

    passing = planes.stand_in(place, store)

    def ended() -> bool:
        passing()
        left = any(planes.is_there(place, store, life.process) for life in living)
        return not left and not _living(store, here)

    if living:
        planes.wait_for(ended, "members do not end", seconds=PATIENCE)
    return [life.member for life in living]


def _living(store: Store, here: str) -> list[Life]:
    return [life for life in store.ask(lives.living) if life.process.host == here]
