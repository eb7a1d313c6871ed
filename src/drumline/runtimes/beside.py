"""What we keep beside a checkout, where its member cannot write: its lock, its mark, the unfinished."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from drumline.runtimes.confine import confine
from drumline.team.confinement import Confinement

LOCK = "lock"
MAKING, LANDING, FRESH, GOING = "making", "landing", "fresh", "going"
FURNISHED = "furnished"


def beside(folder: Path, what: str) -> Path:
    """The place of one such thing; no member's folder begins with a dot."""
    return folder.parent / f".{folder.name}.{what}"


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Be the only one of us at work on a checkout; the end of a process lets go of it too.

    What is found unfinished under the lock was left by one who was killed.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    lock = os.open(beside(folder, LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def clear(place: Path) -> None:
    """Remove a folder of ours and all that is in it, whatever modes were given to it."""
    if not os.path.lexists(place):
        return
    try:
        shutil.rmtree(place)
    except PermissionError:
        confine(["chmod", "-R", "u+rwX", str(place)], Confinement(writable=[str(place)]))
        shutil.rmtree(place)
