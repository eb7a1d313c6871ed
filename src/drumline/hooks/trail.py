"""Appending to the audit trail: any number of processes, whole lines, and never in an agent's way.

Every write happens under one lock, so a tail without a line end can only be left by a killed writer; it
is closed before the next line. Nothing here raises: a trail that cannot be written is answered with
False, and the caller goes on.
"""

from __future__ import annotations

import fcntl
import os
import stat
import time

from drumline.team.segment import CURRENT, DIGITS, LIMIT, LOCK, kept_number, name_of, number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 2.0
FIRST_PAUSE, LONGEST_PAUSE = (
    0.001,
    0.002,
)  # shorter ones ask in vain, longer ones let some wait long
_SAFE = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK  # a planted link or pipe is refused at once


def append(folder: str, line: str, *, limit: int = LIMIT, patience: float = PATIENCE) -> bool:
    """Add one line, whole; False when that cannot be done now."""
    words = line.rstrip("\n").replace("\n", "\\n").encode("utf-8", "backslashreplace") + b"\n"
    return _alone(folder, patience, lambda place, lock: _add(place, lock, words, limit))


def rotate(folder: str, *, patience: float = PATIENCE) -> bool:
    """Finish the growing file as a segment, if there is anything in it; False when that failed."""
    return _alone(folder, patience, _finish)


def stamp() -> str:
    """This moment as a line's `ts`: UTC, to the millisecond."""
    seconds, rest = divmod(time.time_ns(), 1_000_000_000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{rest // 1_000_000:03d}Z"


def _alone(folder: str, patience: float, work: Callable[[int, int], None]) -> bool:
    """Do the work while nobody else writes; False when it failed or others kept us waiting."""
    try:
        place = _entered(folder)
        try:
            lock = os.open(LOCK, os.O_RDWR | os.O_CREAT | _SAFE, 0o600, dir_fd=place)
            try:
                return _wait(lock, patience) and _worked(place, lock, work)
            finally:
                os.close(lock)
        finally:
            os.close(place)
    except (OSError, ValueError):
        return False


def _entered(folder: str) -> int:
    """The folder, opened, and made when only it is missing."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    try:
        return os.open(folder, flags)
    except FileNotFoundError:
        _make(folder)
        return os.open(folder, flags)


def _make(folder: str) -> None:
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        return  # another was faster


def _wait(lock: int, patience: float) -> bool:
    """Ask again and again: no other wait can be cut short in any thread."""
    until, pause = time.monotonic() + patience, FIRST_PAUSE
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
        else:
            return True
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def _worked(place: int, lock: int, work: Callable[[int, int], None]) -> bool:
    try:
        work(place, lock)
    finally:
        fcntl.flock(lock, fcntl.LOCK_UN)  # closing is not enough while a forked child has it open
    return True


def _add(place: int, lock: int, words: bytes, limit: int) -> None:
    file = _opened(place)
    try:
        size = _mended(file)
        full = size and size + len(words) > limit
        if not full or not _turned_over(place, lock, file):
            _write(file, words, size)  # where no new file can be begun, the old one grows on
            return
    finally:
        os.close(file)
    _add(place, lock, words, limit)


def _finish(place: int, lock: int) -> None:
    file = _opened(place)
    try:
        if _mended(file) and not _turned_over(place, lock, file):
            raise OSError("the file kept its name")
    finally:
        os.close(file)


def _opened(place: int) -> int:
    """The growing file, made when there is none; anything but a file of its own is refused."""
    file = os.open(CURRENT, os.O_RDWR | os.O_APPEND | os.O_CREAT | _SAFE, 0o600, dir_fd=place)
    if stat.S_ISREG(os.fstat(file).st_mode):
        return file
    os.close(file)
    raise ValueError("not a regular file")


def _mended(file: int) -> int:
    """The size of the file, its last line closed."""
    size = os.fstat(file).st_size
    if size and os.pread(file, 1, size - 1) != b"\n":
        _write(file, b"\n", size)
        size += 1
    return size


def _write(file: int, words: bytes, size: int) -> None:
    """All of the words or none: half a line on a full disk is taken back."""
    left = memoryview(words)
    try:
        while left:
            left = left[os.write(file, left) :]
    except OSError:
        os.ftruncate(file, size)
        raise


def _turned_over(place: int, lock: int, file: int) -> bool:
    """Whether the growing file became the next segment.

    The name comes first: killed after any step, the next writer goes on, and whoever seals sets the
    mode. A growing file that is read-only would stop everyone.
    """
    number = 1 + max(kept_number(os.pread(lock, DIGITS, 0)), *map(number_of, os.listdir(place)))
    try:
        os.rename(CURRENT, name_of(number), src_dir_fd=place, dst_dir_fd=place)
    except OSError:
        return False
    try:
        os.pwrite(lock, b"%08d" % number, 0)
        os.fchmod(file, 0o400)
    except OSError:
        return True  # the names in the folder tell the number too
    return True
