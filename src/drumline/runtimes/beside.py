"""What we keep beside a checkout, where its member cannot write: its lock, its mark, the unfinished."""

import fcntl
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from drumline.runtimes.confine import confine
from drumline.team.confinement import Confinement

LOCK = "lock"
MAKING, LANDING, FRESH, GOING = "making", "landing", "fresh", "going"
FURNISHED = "furnished"
TRIES = 5


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


def free(folder: Path, what: str) -> Path:
    """A place nobody used before, the leftovers of its kind cleared away; ask under the lock.

    A name is never used twice: a git whose starter was killed may still be writing to the old one.
    """
    kind = f"{beside(folder, what).name}-"
    for left in [each for each in folder.parent.iterdir() if each.name.startswith(kind)]:
        clear(left)
    return folder.parent / f"{kind}{secrets.token_hex(4)}"


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for what somebody else may write, gone afterwards; no link in it is ever followed."""
    place = Path(os.path.realpath(tempfile.mkdtemp(prefix="drumline-")))
    try:
        yield place
    finally:
        clear(place)


def clear(place: Path) -> None:
    """Remove a folder of ours, whatever modes were given to it; what resists is left to the next."""
    for _ in range(TRIES):
        try:
            shutil.rmtree(place)
        except FileNotFoundError:
            return
        except PermissionError:
            confine(["chmod", "-R", "u+rwX", str(place)], Confinement(writable=[str(place)]))
        except OSError:  # somebody still writes there
            continue
