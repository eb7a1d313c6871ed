"""A process of its own that drains a spool until it is killed, or until nothing is left.

python -m tests.crash.drainer URL SPOOL MINUTES STEP LONG

Its clock is MINUTES ahead. It is killed, as by kill -9, when it is about to touch files for the STEP-th time;
0 is never. A line of LONG is worth a hand.
"""

import os
import signal
import sys
from datetime import datetime, timedelta
from pathlib import Path

from drumline.runtimes import plane
from drumline.store import spool as spooling
from drumline.store.database import Database
from drumline.store.engine import Engine, WallClock
from drumline.store.postgres import Postgres
from drumline.store.sqlite import Sqlite
from tests.crash.worker import say
from tests.spooling import drainer

STEPS = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.scandir"}


class Ahead(WallClock):
    """A clock that is ahead, so that what a killed process claimed is old enough."""

    def __init__(self, minutes: int) -> None:
        self._ahead = timedelta(minutes=minutes)

    def now(self) -> datetime:
        return super().now() + self._ahead


def opened(url: str, minutes: int) -> Engine:
    if url.startswith("sqlite:///"):
        return Sqlite(url.removeprefix("sqlite:///"), Ahead(minutes))
    return Postgres(url, Ahead(minutes))


def die_at(step: int) -> None:
    """Be killed before the step-th thing that is done to a file from here on."""
    left = [step]

    def count(event: str, _: object) -> None:
        if event in STEPS:
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)


def main() -> None:
    url, spool, minutes, step, long = sys.argv[1:]
    spooling.LONG = int(long)
    store = Database(opened(url, int(minutes)), "atlas")
    draining = drainer(store, Path(spool), plane.holder_here("box", ""), here="box")
    die_at(int(step))
    while True:
        done = draining.batch()
        say(counts={why.value: count for why, count in done.counts.items()}, full=done.full)
        if not done.full:
            break


if __name__ == "__main__":
    main()
