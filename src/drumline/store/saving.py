"""A file that an editor is just saving: empty at first, then half, and whole a moment later.

The kernel tells whether anybody has a file open to write it: whoever asks for a lease on one that
somebody has is refused. Where it does not tell, a file that was just written is taken for half.
"""

import errno
import fcntl
import os
import signal
import time
from pathlib import Path
from typing import NamedTuple

from drumline.store.regular import NotReadable, opened_regular, read_all

QUIET = 0.1  # seconds without a write after which a file is taken for whole, where nobody can tell
PATIENCE = 2.0  # seconds after its last write that we wait for a file to be whole
STEP = 0.01


class Reading(NamedTuple):
    """What a file held at one moment; `stamp` changes when somebody writes into it.

    It is `half` when it is being written, for all we know; `open` is what the kernel says of that, if it does;
    `at` is when it was written last.
    """

    raw: bytes = b""
    stamp: str = ""
    half: bool = False
    open: bool | None = False
    at: float = 0.0


def read_now(path: Path, *, cap: int) -> Reading:
    """A file as it is now, half or whole; one that is not there is empty, and whole."""
    try:
        with opened_regular(path) as handle:
            written = _is_written(handle)
            raw, facts = read_all(handle, cap + 1), os.fstat(handle)
            if written is False:
                fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except NotReadable as trouble:
        if path.is_symlink() or not _was_gone(path, trouble):
            raise
        return Reading()
    recent = written is None and abs(time.time() - facts.st_mtime) < QUIET
    half = bool(not raw or recent or written)
    return Reading(raw, stamp_of(facts), half, written, facts.st_mtime)


def _was_gone(path: Path, trouble: NotReadable) -> bool:
    """Whether no file was there, even if an editor that had moved it aside has put one back since."""
    return isinstance(trouble.__cause__, FileNotFoundError) or not os.path.lexists(path)


def read_whole(path: Path, *, cap: int, known: str, until: float) -> Reading:
    """A file when it is whole, or when the patience is over; one that looks as we know it needs none."""
    while True:
        found = read_now(path, cap=cap)
        stalled = time.monotonic() >= until or abs(time.time() - found.at) > PATIENCE
        if not found.half or found.stamp == known or stalled:
            return found
        time.sleep(STEP)


def stamp_of(facts: os.stat_result) -> str:
    """What changes when somebody writes into a file."""
    return f"{facts.st_ino} {facts.st_size} {facts.st_mtime_ns}"


def _is_written(handle: int) -> bool | None:
    """Whether somebody may be writing into a file; where nobody is, nobody begins before we let it go."""
    if not hasattr(fcntl, "F_SETLEASE"):
        return None
    try:
        fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)  # told of who waits, we need do nothing
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        return True if error.errno == errno.EAGAIN else None
    return False
