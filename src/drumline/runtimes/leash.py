"""The leash of a life: while its runner holds it, the life's processes may live."""

import os
from pathlib import Path

from drumline.runtimes import processes

FARTHEST = 4096  # generations


def hold(path: Path) -> int:
    """Make a new leash at a path and hold it: a descriptor, and when it is closed all of them end.

    It closes with this process however that ends, and no program started from here inherits it.
    An older leash of the same name is let go, so that nobody's life is ever held by its successor.
    """
    made = path.with_name(f".{path.name}.{os.getpid()}")
    made.unlink(missing_ok=True)
    os.mkfifo(made, 0o600)
    held = os.open(made, os.O_RDWR | os.O_CLOEXEC)  # to write only would wait for a reader
    made.replace(path)
    return held


def is_on(process: int, path: Path) -> bool:
    """Whether a process lives on a leash that we hold: it descends from a launcher of ours with this leash.

    Only we start processes below ourselves: whoever loses its parent in there is never given to us.
    """
    ours, at = os.getpid(), process
    for _ in range(FARTHEST):
        told = processes.parent_and_start(at)
        if told is None or told[0] == 0:
            return False
        if told[0] == ours:
            return _has_words(at, "--leash", str(path))
        at = told[0]
    return False


def _has_words(process: int, *wanted: str) -> bool:
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    asked = [os.fsencode(word) for word in wanted]
    return any(words[at : at + len(asked)] == asked for at in range(len(words)))
