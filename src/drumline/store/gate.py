"""A fair queue in front of SQLite's write lock.

SQLite's own busy-retry sleeps and starves: a writer can wait while others pass again and again. Here a
writer naps a few times and looks; then it stands in the queue of a file lock, which wakes its waiters at
once, and whoever leaves steps aside, where it is crowded, so that one of them goes next. The gate only
orders the queue: SQLite's lock still protects the file, and the kernel opens the gate of a killed process.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
import weakref
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drumline.store.waiting import Porter

PASSED = 16  # turns of others, on the average, before whoever leaves steps aside
LONGEST = 1000
NAPS = (0.002, 0.008, 0.016)  # seconds, before whoever waits stands in the queue
SHORTEST = 0.001  # no alarm can be set for less than some time
MANY = 2**62
NUMBER = 8  # bytes each: turns taken so far, and how many a waiter lets pass, on the average
_OPEN: weakref.WeakSet[Gate] = weakref.WeakSet()


class Gate:
    """One process's (or thread's) place in the queue."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._porter: Porter | None = None
        self._turn = self._passed = 0
        self._open()
        _OPEN.add(self)

    def _open(self) -> None:
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def enter(self, patience: float) -> bool:
        """Wait for the turn, at most `patience` seconds: a stopped process may stand in the gate."""
        if self._file < 0:
            self._open()
        try:
            waited = not self._free()
            if waited and not self._wait(time.monotonic() + patience):
                return False
            with suppress(OSError):  # a gate that cannot count still orders the queue
                self._count(waited=waited)
        except BaseException:  # whoever interrupts the wait does not know whether it was over
            fcntl.flock(self._file, fcntl.LOCK_UN)
            raise
        return True

    def _free(self) -> bool:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _wait(self, end: float) -> bool:
        if self._napped(end):
            return True
        while not self._queued(max(end - time.monotonic(), SHORTEST)):
            if time.monotonic() >= end:  # else another's alarm was heard
                return False
        return True

    def _napped(self, end: float) -> bool:
        """Whether it opened to one who only looked again and again.

        Each hand-over from the queue wakes a processor, and doubles what a claim takes: those who nap let
        whoever is inside come again. After that they stand in the queue, and get their turn.
        """
        for nap in NAPS:
            time.sleep(max(min(nap, end - time.monotonic()), 0))
            if self._free():
                return True
        return False

    def _count(self, *, waited: bool) -> None:
        """Take a turn's number, and remember how many passed whoever waited."""
        kept = os.pread(self._file, 2 * NUMBER, 0)
        turn, passed = _number(kept[:NUMBER]), _number(kept[NUMBER:])
        if waited and self._turn:  # whoever never had a turn cannot tell how many passed it
            passed = (7 * passed + min(max(turn - self._turn, 0), LONGEST)) // 8
        self._turn, self._passed = turn + 1, passed
        words = self._turn.to_bytes(NUMBER, "little") + passed.to_bytes(NUMBER, "little")
        os.pwrite(self._file, words, 0)

    def _queued(self, patience: float) -> bool:
        from drumline.store.waiting import Porter, wait_with_alarm  # noqa: PLC0415 - who waits has time

        if threading.active_count() == 1 and threading.current_thread() is threading.main_thread():
            return wait_with_alarm(self._file, patience)
        self._porter = porter = self._porter or Porter(self._file)
        opened = False
        try:
            opened = porter.wait(patience)
        finally:
            if not opened:  # it stands in the queue still, and would take and leave our next turn
                porter.dismiss()
                self._porter = None
                self._open()
        return opened

    def leave(self) -> None:
        """Step aside when those who wait are passed by too many; else go on with a warm page cache."""
        if self._file < 0:
            return
        fcntl.flock(self._file, fcntl.LOCK_UN)
        if self._passed > PASSED:
            os.sched_yield()

    def part(self) -> None:
        """In a forked child: let go of the parent's lock, which ours would keep beyond its death."""
        if self._file >= 0:
            os.close(self._file)
        self._file, self._porter = -1, None

    def close(self) -> None:
        if self._porter is not None:
            self._porter.dismiss()
        elif self._file >= 0:
            os.close(self._file)
        self._file, self._porter = -1, None


def _number(kept: bytes) -> int:
    number = int.from_bytes(kept, "little")
    return number if number < MANY else 0


def _part_from_parent() -> None:
    for gate in list(_OPEN):
        gate.part()


os.register_at_fork(after_in_child=_part_from_parent)
