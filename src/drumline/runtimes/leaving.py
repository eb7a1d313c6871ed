"""Handoffs as files: what goes along is read from a checkout, and the tree is written from the store."""

import os
import shutil
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from drumline.errors import BadInput, StoreTrouble
from drumline.team.handoff import Kept
from drumline.team.handoff_text import FULL, files_in

FILE_CAP = 1024 * 1024
WHOLE_CAP = 8 * 1024 * 1024  # bytes of all files that go along with one handoff
_STEP = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_LAST = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def gather(root: Path, names: Iterable[str]) -> dict[str, bytes]:
    """The files that go along, read without following a link out of the checkout; all, or a refusal."""
    found: dict[str, bytes] = {}
    left = WHOLE_CAP
    for name in names:
        found[name] = _read(root, name, min(left, FILE_CAP))
        left -= len(found[name])
    return found


def write(state: Path, kept: Kept, full: Mapping[str, bytes]) -> Path:
    """Write a handoff's files, the same again however often."""
    folder = state / kept.folder
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _replace_full(folder / FULL, full)
        for name, text in files_in(kept).items():
            _put(folder / name, text.encode())
    except OSError as error:
        raise StoreTrouble(
            f"the files of the handoff of {kept.origin.task} cannot be written",
            why=f"{error.filename or folder}: {error.strerror or error}",
            next="make room, and hand off again; nothing was kept or sent",
        ) from error
    return folder


def _read(root: Path, name: str, cap: int) -> bytes:
    try:
        handle = _opened(root, name)
    except OSError as error:
        raise _unfit(name, f"it cannot be opened: {error.strerror}") from error
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise _unfit(name, "it is no regular file")
        with os.fdopen(handle, "rb", closefd=False) as file:
            found = file.read(cap + 1)
    finally:
        os.close(handle)
    if len(found) > cap:
        raise _unfit(name, f"it is over {FILE_CAP:,} bytes, or all together are over {WHOLE_CAP:,}")
    return found


def _opened(root: Path, name: str) -> int:
    """A file reached step by step from its root: no link on the way, or at its end, is followed."""
    *folders, last = name.split("/")
    at = os.open(root, _STEP)
    try:
        for folder in folders:
            inner = os.open(folder, _STEP, dir_fd=at)
            os.close(at)
            at = inner
        return os.open(last, _LAST, dir_fd=at)
    finally:
        os.close(at)


def _unfit(name: str, why: str) -> BadInput:
    return BadInput(
        f"{name[:200]!r} cannot go along with the handoff",
        why=f"{why}; links are not followed, and only files of the checkout are taken",
        next="mend it, or leave it out of `full`, and hand off again; nothing was kept or sent",
    )


def _replace_full(folder: Path, full: Mapping[str, bytes]) -> None:
    """The files of this version and no others; a handoff without any has no folder for them."""
    with suppress(FileNotFoundError):
        shutil.rmtree(folder)
    for name, content in full.items():
        place = folder / name
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _put(place, content)


def _put(path: Path, content: bytes) -> None:
    """A whole file or the one before, whatever happens meanwhile; one that is the same stays untouched."""
    with suppress(OSError):
        if path.read_bytes() == content:
            return
    beside = path.with_name(f".{path.name[:200]}.{token_hex(4)}")
    try:
        beside.touch(mode=0o600, exist_ok=False)
        beside.write_bytes(content)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
