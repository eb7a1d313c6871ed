"""Follow a run: a screen on a terminal, else a line for each thing that happens, until it is over or waits."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from drumline.control import runs, views
from drumline.surfaces.cli.output import safe
from drumline.team.run import RunState
from drumline.wiring.beginning import is_up

if TYPE_CHECKING:
    from drumline.control.ports import Store
    from drumline.team.journal import Event

PACE = 1.0
SHOWN = (
    *("run.", "gate.", "judgement.", "question.asked", "question.answered", "nudge.delivered"),
    *("task.claimed", "task.completed", "task.failed", "task.verified", "task.handed-in"),
    *("understanding.", "context.published", "handoff.", "life.began", "life.ended"),
)
Tell = Callable[[str], None]


def watch(store: Store, name: str, *, quiet: bool) -> None:
    """Say what happens until the run is over, or a person must say something."""
    try:
        _follow(store, name, quiet=quiet)
    except KeyboardInterrupt:  # who only looks stops nothing, and may think so
        words = f"{name} goes on: drumline run watch {name}   # or: drumline run stop {name}"
        click.echo(words, err=True)
        raise


def _follow(store: Store, name: str, *, quiet: bool) -> None:
    _, cursor = store.ask(views.last_events, most=1)
    with _view(store, name, quiet=quiet) as (tell, draw):
        while True:
            found, cursor = store.ask(views.events, cursor=cursor, most=500)
            for event in found:
                if event.verb.startswith(SHOWN):
                    tell(_line(event))
            draw()
            run = store.ask(runs.find, name)
            if run.state is not RunState.WORKING or not is_up(store):
                return
            if not found and (
                store.ask(runs.unanswered, name) or store.ask(runs.needs_person, name)
            ):
                return
            store.changed(PACE)


@contextmanager
def _view(store: Store, name: str, *, quiet: bool) -> Iterator[tuple[Tell, Callable[[], None]]]:
    """How it is shown: not at all, on a screen, or as lines."""
    if quiet:
        yield (lambda _: None), (lambda: None)
    elif sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        from drumline.control.run_views import scene  # noqa: PLC0415 - only a screen shows it
        from drumline.surfaces.cli.run_screen import Screen  # noqa: PLC0415 - rich is for terminals

        with Screen() as screen:
            yield screen.tell, lambda: screen.draw(store.ask(scene, name))
    else:
        yield click.echo, (lambda: None)


def _line(event: Event) -> str:
    return safe(f"{event.at:%H:%M:%S}  {event.verb:<22} {event.subject}  ({event.actor})")
