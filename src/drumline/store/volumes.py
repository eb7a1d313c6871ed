"""What a folder lies on, asked of the kernel and then tried out."""

from __future__ import annotations

import fcntl
import os
import tempfile
from pathlib import Path

from drumline.team.volume import Volume, judged, kind_of, mounts

MOUNTS = Path("/proc/self/mountinfo")


def volume_of(path: str | Path) -> Volume:
    """The volume a path lies on, or will lie on; whether it keeps appends and locks apart."""
    folder = _nearest(Path(os.path.realpath(path)))  # resolve() fails on a ring of links
    found = judged(kind_of(str(folder), mounts(_mountinfo())))
    if not found.local or not os.access(folder, os.W_OK):
        return found
    why = tried(folder)
    return Volume(found.kind, local=False, why=why) if why else found


def tried(folder: Path) -> str:
    """What goes wrong when two writers lock and append here; empty when nothing does."""
    try:
        with (
            tempfile.NamedTemporaryFile(prefix=".probe-", dir=folder) as first,
            Path(first.name).open("ab", buffering=0) as second,
        ):
            return _together(first.fileno(), second.fileno()) or _written(
                Path(first.name), second.fileno()
            )
    except OSError as error:
        return f"locking and appending fail there: {error.strerror or error}"


def _together(first: int, second: int) -> str:
    """Whether one lock can be held twice."""
    fcntl.flock(first, fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return ""
    return "two holders got one lock at the same time there"


def _written(path: Path, second: int) -> str:
    """Whether two that append write over each other."""
    with path.open("ab", buffering=0) as third:
        for writer in (third.fileno(), second) * 2:
            os.write(writer, b"line\n")
    return "" if path.read_bytes() == b"line\n" * 4 else "two appends wrote over each other there"


def _nearest(path: Path) -> Path:
    return next(folder for folder in (path, *path.parents) if folder.is_dir())


def _mountinfo() -> str:
    try:
        return MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""
