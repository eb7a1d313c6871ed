"""What we keep beside a checkout, where its member cannot write: its lock, its mark, the unfinished."""

import fcntl
import os
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from drumline.runtimes.confine import confine
from drumline.team.confinement import Confinement

LOCK = "lock"
MAKING, LANDING, FRESH, GOING = "making", "landing", "fresh", "going"
FURNISHED = "furnished"
UNFINISHED = re.compile(rf"\.(.+)\.({MAKING}|{LANDING}|{FRESH}|{GOING})-[0-9a-f]+")
TRIES = 5
PAUSE = 0.05  # seconds between two looks at a lock


def beside(folder: Path, what: str) -> Path:
    """The place of one such thing; no member's folder begins with a dot."""
    return folder.parent / f".{folder.name}.{what}"


@contextmanager
def alone(folder: Path, *, wait: bool = True) -> Iterator[None]:
    """Be the only one of us at work on a checkout; the end of a process lets go of it too.

    What is found unfinished under the lock was left by one who was killed. Who does not wait gets a
    BlockingIOError where another is at work.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    lock = os.open(beside(folder, LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(lock)


@contextmanager
def in_turn(folder: Path, *, seconds: float) -> Iterator[None]:
    """Be alone if that comes true within so many seconds; else go on beside who is at work."""
    end = time.monotonic() + seconds
    with ExitStack() as held:
        while time.monotonic() < end:
            try:
                held.enter_context(alone(folder, wait=False))
                break
            except BlockingIOError:
                time.sleep(PAUSE)
        yield


def free(folder: Path, what: str) -> Path:
    """A place nobody used before, the leftovers of its kind cleared away; ask under the lock.

    A name is never used twice: a git whose starter was killed may still be writing to the old one.
    """
    kind = f"{beside(folder, what).name}-"
    for left in [each for each in folder.parent.iterdir() if each.name.startswith(kind)]:
        clear(left)
    return folder.parent / f"{kind}{secrets.token_hex(4)}"


def tidy(checkouts: Path) -> None:
    """Clear what was left unfinished beside any checkout, but for those that somebody is at work on."""
    for left in checkouts.iterdir() if checkouts.is_dir() else ():
        if found := UNFINISHED.fullmatch(left.name):
            with suppress(BlockingIOError), alone(checkouts / found[1], wait=False):
                clear(left)


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
