"""The event log from the command line."""

from __future__ import annotations

import select
import sys
import time
from typing import TYPE_CHECKING

import click

from drumline.control import views
from drumline.errors import StoreTrouble
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.caller import caller
from drumline.surfaces.cli.output import one_line, show
from drumline.surfaces.cli.place import placed
from drumline.surfaces.facts import written
from drumline.team.journal import Event

if TYPE_CHECKING:
    from drumline.control.ports import Store

PATIENCE = 1.0
MISSES = 30


@click.command()
@click.option("--follow", is_flag=True, help="Go on with what happens next, one line each.")
@click.option(
    "--after", "cursor", default="", metavar="CURSOR", help="Only what came after this place."
)
@click.option(
    "--most",
    type=click.IntRange(1, 100_000),
    default=50,
    show_default=True,
    help="How many at most.",
)
@placed
def command(cursor: str, most: int, *, follow: bool, as_json: bool) -> None:
    """What happened, oldest first; with --follow as JSON lines when asked for JSON.

    A member is not shown the rows, which hold others' letters.
    """
    store = desk.library()
    found, place = (
        store.ask(views.events, cursor=cursor, most=most)
        if cursor
        else store.ask(views.last_events, most=most)
    )
    if follow:
        _print(found, as_json=as_json)
        _follow(store, place, as_json=as_json)
    shown = [event._replace(changes=()) for event in found] if caller() else found
    data = {"events": [views.event_facts(event) for event in shown], "cursor": place}
    show(data, [_line(event) for event in found] or ["nothing happened yet"], as_json=as_json)


def _follow(store: Store, place: str, *, as_json: bool) -> None:
    """Go on until stopped, or until nobody reads any more; a store that is away is asked again."""
    misses = 0
    while not _reader_left():
        try:
            found, place = store.ask(views.events, cursor=place, most=1000)
            misses = 0
            _print(found, as_json=as_json)
            if not found:
                store.changed(PATIENCE)
        except StoreTrouble:
            misses += 1
            if misses > MISSES:
                raise
            time.sleep(PATIENCE)
        except KeyboardInterrupt:
            break
    raise click.exceptions.Exit(0)


def _reader_left() -> bool:
    """Whether the other end of our pipe is closed: without an event we would never notice."""
    watch = select.poll()
    watch.register(sys.stdout.fileno(), 0)
    return any(what & select.POLLERR for _, what in watch.poll(0))


def _print(events: list[Event], *, as_json: bool) -> None:
    for event in events:
        click.echo(written(views.event_facts(event)) if as_json else _line(event))


def _line(event: Event) -> str:
    return one_line(f"{event.at:%H:%M:%S}  {event.verb:<16}  {event.subject:<8}  {event.actor}")
