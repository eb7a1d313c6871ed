"""The plane from the command line: start it, or find it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from drumline.control import duties
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.output import show
from drumline.surfaces.cli.place import placed
from drumline.team.duty import plane_of
from drumline.wiring import planes

if TYPE_CHECKING:
    from drumline.control.ports import Store
    from drumline.team.duty import Duty


@click.command(name="up")
@click.option("--foreground", is_flag=True, help="Stay, and be the plane.")
@placed
def command(*, foreground: bool, as_json: bool) -> None:
    """Look after this team's members on this host."""
    settings = desk.here()
    desk.refuse_teammates("start a plane")
    store = desk.store()
    if foreground:
        planes.be_plane(settings, store)
        return
    fresh = plane_here(store) is None
    if fresh:
        planes.start_plane(settings)
        planes.wait_for(lambda: plane_here(store) is not None, "the plane does not come up")
    found = plane_here(store)
    said = f"{'up' if fresh else 'up already'}: {found.holder if found else ''}"
    show({"plane": found.holder if found else None, "started": fresh}, [said], as_json=as_json)


def plane_here(store: Store) -> Duty | None:
    """This host's plane, if one is up."""
    name = plane_of(planes.host())
    held = (duty for duty in store.ask(duties.held) if duty.name == name)
    return next((duty for duty in held if planes.is_up(duty.holder)), None)
