"""The files of a team's memory: changed under a lock, and safe from editors that know of none.

Each change is put in the file's place in one step, and what stood there is looked at: where somebody wrote
meanwhile, the change is made again on that. The displaced version is kept for a while, because an editor
may still write into it; and so is the list of what came in, because an editor may save over it.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

from drumline.errors import Conflict, Refused
from drumline.store import saving
from drumline.store.displaced import Displaced
from drumline.store.exchanging import exchange, place_new
from drumline.store.links import inside
from drumline.store.regular import NotReadable
from drumline.store.saving import Reading
from drumline.team.learning import FOLDER
from drumline.team.settling import Late, whole_lines
from drumline.team.text import is_name

Change = Callable[[str], str]

CAP = 16_000_000  # bytes
STATE = ".drumline/memory"
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
READ_ONLY = "it is read-only"


class Place(NamedTuple):
    """Where a file really is, what is kept of it, and until when an editor that saves it is waited for."""

    target: Path
    kept: Displaced
    until: float


class Found(NamedTuple):
    """What stood in a file's place against expectation; where it is now, if something of ours is there."""

    text: str
    now: Path | None = None


class Notebooks:
    """The memory of one repository."""

    def __init__(self, root: str, now: Callable[[], float] = time.time) -> None:
        self._root, self._now = Path(root), now

    def read(self, path: str) -> str:
        """A file as it is; what was written late, or saved over, is taken in first."""
        place = self._place(path)
        if place.kept.is_quiet():
            return _text(place.target, _read(place.target, "", place.until))
        with self._locked(place):
            if _why_not(place.target):
                return place.kept.unsettled().brought_into(_last_text(place)[0])
            return _changed(place, lambda text: text)

    def edit(self, path: str, change: Change) -> str:
        """Change a file; `change` may be asked again, and finds then what it did before already there."""
        place = self._place(path)
        with self._locked(place):
            return _changed(place, change)

    def settle(self) -> None:
        """Take in what was written late, or saved over, in every file that we wrote of late."""
        with suppress(FileNotFoundError):
            for each in (self._root / STATE).iterdir():
                with suppress(Refused, OSError):  # whoever reads that file is told
                    self.read(unquote(each.name))

    def members(self) -> Sequence[str]:
        """Whose notebooks there are."""
        try:
            found = [each.name for each in (self._root / FOLDER / "agents").iterdir()]
        except OSError:
            return ()
        return sorted(name for name in found if is_name(name))

    def _place(self, path: str) -> Place:
        target = inside(self._root, path)
        kept = Displaced(self._folder(target), self._now, secrets.token_hex(6))
        return Place(target, kept, time.monotonic() + saving.PATIENCE)

    def _folder(self, target: Path) -> Path:
        """Where a file's versions are kept: on its own file system, else they could not be exchanged."""
        own = self._own(target)
        if _device(own) == _device(target):
            return own
        return target.with_name(f".{target.name}.drumline")

    def _own(self, target: Path) -> Path:
        """What we have of a file, whatever name it was called by."""
        return self._root / STATE / folder_of(str(target.relative_to(self._root.resolve())))

    @contextmanager
    def _locked(self, place: Place) -> Iterator[None]:
        own, folder = self._own(place.target), self._folder(place.target)
        own.mkdir(parents=True, exist_ok=True)
        handle = os.open(own / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            if folder != own:
                folder.mkdir(parents=True, exist_ok=True)
                (folder / ".gitignore").write_text("*\n")
            yield
        finally:
            os.close(handle)


def _changed(place: Place, change: Change) -> str:
    """What a file holds then: changed, on top of whatever anybody wrote meanwhile."""
    kept, todo = place.kept, place.kept.unsettled()
    text, stamp = _last_text(place)
    holds, redone = text, list[Found]()
    while (made := todo.made(change, text)).new != holds:
        _refuse_unwritable(place.target)
        stamp = ""
        with kept.watching(made):
            found = _put(place, holds, made.new)
        if found is None:
            break
        text = found.text
        if found.now:
            todo = todo.outrun(Late(holds, text), made)
            redone.append(found)
        holds = made.new if found.now else text
    else:
        if made.new != todo.last:
            kept.watch(made)
    if stamp:
        kept.know(stamp, text)
    for each in redone:
        kept.took(each.now, each.text)
    kept.settle()
    return made.new


def _put(place: Place, holds: str, new: str) -> Found | None:
    """Put a text in a file's place; what stood there, if that was not what it was taken for."""
    target, kept, until = place
    known, _ = kept.known()
    staged, stamp = kept.staged(holds, new, target)
    try:
        exchange(staged, target)
    except FileNotFoundError:
        if _put_new(kept, staged, target):
            kept.know(stamp, new)
            return None
        return Found(_last_text(place)[0])
    except OSError:
        kept.forget(staged)  # what is refused now is not to be found and written later
        raise
    kept.know(stamp, new)
    found = _read(staged, known, until)
    text = _text(staged, found)
    being_saved = found.open or not text  # its words come late
    return None if being_saved or text == holds else Found(text, staged)


def _put_new(kept: Displaced, staged: Path, target: Path) -> bool:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return place_new(staged, target)
    finally:
        kept.forget(staged)


def _last_text(place: Place) -> tuple[str, str]:
    """What a file holds, and how it looks where that is news; while it is saved, what it held before."""
    target, kept, until = place
    stamp, last = kept.known()
    found = _read(target, stamp, until)
    if found.stamp == stamp:
        return _text(target, found), ""
    if found.open:
        return last or whole_lines(_text(target, found)), ""
    return _text(target, found), found.stamp


def _read(target: Path, known: str, until: float) -> Reading:
    try:
        return saving.read_whole(target, cap=CAP, known=known, until=until)
    except NotReadable as error:
        raise Conflict(
            f"{target} is {error}",
            why="memory is kept in plain text files",
            next="move it away, then do this again",
        ) from error


def _text(target: Path, found: Reading) -> str:
    if len(found.raw) > CAP:
        raise Conflict(
            f"{target} has more than {CAP:,} bytes",
            why="a memory that nobody can read is none",
            next="move its older half to another file, then do this again",
        )
    if found.raw.startswith(UTF_16):
        raise Conflict(
            f"{target} is written in UTF-16",
            why="memory is UTF-8: nobody could read what is added to it",
            next="save it as UTF-8 in its editor, then do this again",
        )
    return found.raw.decode("utf-8", "surrogateescape")


def _refuse_unwritable(target: Path) -> None:
    if why := _why_not(target):
        what = target if why == READ_ONLY else target.parent
        raise Conflict(
            f"{target} is not written", why=why, next=f"chmod u+w {what}, then do this again"
        )


def _why_not(target: Path) -> str:
    """Why a file may not be written, though we could put another in its place."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return ""
    if not mode & 0o222 or not os.access(target, os.W_OK):
        return READ_ONLY
    return "" if os.access(target.parent, os.W_OK | os.X_OK) else "its folder is read-only"


def _device(path: Path) -> int:
    """Which file system a file is on, or will be."""
    while True:
        try:
            return path.stat().st_dev
        except (FileNotFoundError, NotADirectoryError):
            path = path.parent


def folder_of(path: str) -> str:
    """What the folder is called in which we keep what we have of a file."""
    return quote(path, safe="")
