"""What long work is at, on one line of a terminal that is gone when it ends; nothing where nobody watches."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

import click

from drumline.surfaces.cli.output import one_line

PACE = 0.1  # seconds: nobody reads faster, and a terminal may be slow
CLEARED = "\r\x1b[K"


class Ticker:
    """One line on stderr, written over."""

    def __init__(self) -> None:
        self._watched = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._next, self._step = 0.0, ""

    def __call__(self, words: str) -> None:
        """Say what is done now; of one step, which ends at a colon, what comes too fast to be read is left out."""
        step, now = words.partition(":")[0], monotonic()
        if not self._watched or (step == self._step and now < self._next):
            return
        self._next, self._step = now + PACE, step
        room = shutil.get_terminal_size().columns - 3
        click.echo(f"{CLEARED}… {one_line(words)[:room]}", nl=False, err=True)

    def clear(self) -> None:
        """Leave the line as it was found."""
        if self._watched:
            click.echo(CLEARED, nl=False, err=True)


@contextmanager
def under_way() -> Iterator[Ticker]:
    """A line for what is under way, cleared before anything else is said."""
    ticker = Ticker()
    try:
        yield ticker
    finally:
        ticker.clear()
