"""The plane from the command line: start it, or find it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from drumline.control import duties
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.output import one_line, show
from drumline.surfaces.cli.place import placed
from drumline.team.duty import plane_of
from drumline.wiring import machine, planes
from drumline.wiring.endpoints import Endpoint, told_by

if TYPE_CHECKING:
    from drumline.control.ports import Store
    from drumline.settings import Settings
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
        from drumline.surfaces.web.beside import endpoint  # noqa: PLC0415 - only a plane pays for it

        planes.be_plane(settings, store, partial(endpoint, settings))
        return
    fresh = plane_here(store) is None
    if fresh:
        planes.start_plane(settings)
        planes.wait_for(lambda: plane_here(store) is not None, "the plane does not come up")
    found = plane_here(store)
    holder = found.holder if found else ""
    told = told_by(holder, settings)
    data = {"plane": holder or None, "started": fresh, "endpoint": told.facts()}
    lines = [f"{'up' if fresh else 'up already'}: {holder}", _endpoint_line(told)]
    show(data, lines, as_json=as_json)
    _warn_of_volumes(settings)


def _warn_of_volumes(settings: Settings) -> None:
    from drumline.wiring.checkups import shared_volumes  # noqa: PLC0415 - beside the answer

    for line in shared_volumes(settings):
        click.echo(one_line(f"warning: {line.what}: {line.says}; next: {line.fix}"), err=True)


def _endpoint_line(told: Endpoint) -> str:
    if told.url:
        return f"endpoint: {told.url}   token: {told.token_file}"
    why = f" ({told.why})" if told.why else ""
    way_out = f"; next: {told.next}" if told.next else ""
    return one_line(f"no endpoint: {told.refused}{why}{way_out}")


def plane_here(store: Store) -> Duty | None:
    """This host's plane, if one is up."""
    name = plane_of(machine.host())
    held = (duty for duty in store.ask(duties.held) if duty.name == name)
    return next((duty for duty in held if machine.is_up(duty.holder)), None)
