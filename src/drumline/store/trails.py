"""The audit trail's files: read back, measured for seals, and made hard to change."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import BinaryIO

from drumline.control.trail import Page, Place
from drumline.errors import StoreTrouble
from drumline.store.volumes import volume_of
from drumline.team.seal import Measure
from drumline.team.segment import CURRENT, DIGITS, LOCK, kept_number, name_of, number_of
from drumline.team.trail import Entry, Wanted, entry
from drumline.team.volume import Volume

CHUNK = 1024 * 1024
TAIL = 128 * 1024  # longer than any line of ours
SLACK = timedelta(minutes=1)  # a line may wait for its turn after it was stamped
_SAFE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class AuditFiles:
    """One repository's trail; hooks write it, and `rotate` is their way to turn it over."""

    def __init__(self, folder: str, *, home: str, rotate: Callable[[str], bool]) -> None:
        self.folder, self.home = folder, home
        self._folder, self._rotate = Path(folder), rotate

    def rotate(self) -> bool:
        return self._rotate(self.folder)

    def volume(self) -> Volume:
        return volume_of(self._folder)

    def segments(self) -> list[str]:
        """The finished segments that are there, oldest first."""
        try:
            return sorted(path.name for path in self._folder.iterdir() if number_of(path.name))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise _unreadable(self._folder, error) from error

    def highest(self) -> int:
        """The highest number a segment ever had."""
        with self._opened(LOCK) as file:
            kept = kept_number(file.read(DIGITS)) if file else 0
        return max([kept, *map(number_of, self.segments())])

    def measure(self, segment: str) -> Measure | None:
        """What a segment is now; None when no regular file has its name."""
        with self._opened(segment) as file:
            if file is None:
                return None
            digest, lines, size = hashlib.sha256(), 0, 0
            while chunk := file.read(CHUNK):
                digest.update(chunk)
                lines, size = lines + chunk.count(b"\n"), size + len(chunk)
            return Measure(digest.hexdigest(), lines, size)

    def harden(self, segment: str) -> None:
        """Let a segment survive a power cut, and nobody write it by accident."""
        with self._opened(segment) as file, suppress(PermissionError):
            if file is not None:
                os.fsync(file.fileno())
                os.fchmod(file.fileno(), 0o400)

    def growing_lines(self) -> int:
        growing = self.measure(CURRENT)
        return growing.lines if growing else 0

    def newest(self, wanted: Wanted, most: int) -> Page:
        """The last lines that are wanted, and the place after the last line of all."""
        numbers = self._numbers(wanted.since)
        found: list[Entry] = []
        place, unreadable = Place(numbers[-1], 0), 0
        for number in reversed(numbers):
            page = self._read(Place(number, 0), wanted, most - len(found))
            found[:0] = page.entries
            place, unreadable = max(place, page.place), unreadable + page.unreadable
            if len(found) >= most:
                break
        return Page(found, place, unreadable)

    def after(self, place: Place, wanted: Wanted) -> Page:
        """What was added after a place, through any number of rotations."""
        found: list[Entry] = []
        unreadable = 0
        for number in self._numbers(None):
            if number < place.number:
                continue
            page = self._read(max(place, Place(number, 0)), wanted, None)
            found += page.entries
            place, unreadable = page.place, unreadable + page.unreadable
        return Page(found, place, unreadable)

    def entries(self, wanted: Wanted) -> Iterator[Entry]:
        """Every wanted line, oldest first."""
        for number in self._numbers(wanted.since):
            for line, _ in self._lines(Place(number, 0)):
                found = entry(line)
                if found and wanted.takes(found):
                    yield found

    def _read(self, place: Place, wanted: Wanted, most: int | None) -> Page:
        """The last wanted lines of one file, at most so many."""
        kept: deque[Entry] = deque(maxlen=most)
        unreadable = 0
        for line, offset in self._lines(place):
            place = Place(place.number, offset)
            found = entry(line)
            if found is None:
                unreadable += 1
            elif wanted.takes(found):
                kept.append(found)
        return Page(list(kept), place, unreadable)

    def _lines(self, place: Place) -> Iterator[tuple[bytes, int]]:
        """Every closed line after a place in its file, with the offset behind it."""
        with self._numbered(place.number) as file:
            if file is None:
                return
            offset = file.seek(place.offset)
            for line in file:
                if line.endswith(b"\n"):
                    offset += len(line)
                    yield line, offset

    def _numbers(self, since: datetime | None) -> list[int]:
        """The files to read, oldest first, the growing one last; none that ended before `since`."""
        growing = self.highest() + 1
        numbers = [growing]
        for number in reversed([number_of(name) for name in self.segments()]):
            last = self._last_moment(number) if since else None
            if since and last and last < since - SLACK:
                break
            if number < growing:
                numbers.append(number)
        return numbers[::-1]

    def _last_moment(self, number: int) -> datetime | None:
        """When a file's last line was written, if that can be told."""
        with self._numbered(number) as file:
            if file is None:
                return None
            file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
            last = entry(file.read(TAIL).rstrip(b"\n").rpartition(b"\n")[2])
            return last.at if last else None

    def _numbered(self, number: int) -> AbstractContextManager[BinaryIO | None]:
        """A file by its number: a segment, or the growing one as long as it has no name of its own."""
        name = name_of(number)
        if number <= self.highest():
            return self._opened(name)
        growing = self._opened(CURRENT)
        if not os.path.lexists(self._folder / name):
            return growing
        with growing:  # it became a segment between the two looks
            return self._opened(name)

    def _opened(self, name: str) -> AbstractContextManager[BinaryIO | None]:
        """A regular file of this folder, to be read; None when there is none of that name."""
        path = self._folder / name
        try:
            handle = os.open(path, _SAFE)
        except OSError as error:
            if error.errno in {errno.ENOENT, errno.ELOOP}:
                return nullcontext()
            raise _unreadable(path, error) from error
        if stat.S_ISREG(os.fstat(handle).st_mode):
            return os.fdopen(handle, "rb")
        os.close(handle)
        return nullcontext()


def _unreadable(path: Path, error: OSError) -> StoreTrouble:
    return StoreTrouble(
        f"{path} cannot be read",
        why=error.strerror or str(error),
        next="read it as the user who owns it",
    )
