"""A fair queue in front of SQLite's write lock.

SQLite's own busy-retry sleeps and starves: a writer can wait while others pass again and again. A file
lock wakes its waiters at once, and whoever leaves steps aside, where it is crowded, so that one of them
goes next. The gate only orders the queue: SQLite's lock still protects the file, and the kernel opens
the gate of a killed process.
"""

from __future__ import annotations

import fcntl
import os
import queue
import signal
import struct
import threading
import weakref
from contextlib import suppress

PASSED = 16  # turns of others, on the average, before whoever leaves steps aside
LONGEST = 1000
MANY = 2**62
_TURNS = struct.Struct("<qq")  # turns taken so far, and how many a waiter lets pass, on the average
_SIGNALS = {signal.SIGALRM, signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
_OPEN: weakref.WeakSet[Gate] = weakref.WeakSet()


class Gate:
    """One process's (or thread's) place in the queue."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._porter: _Porter | None = None
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
            if waited and not self._wait(patience):
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

    def _count(self, *, waited: bool) -> None:
        """Take a turn's number, and remember how many passed whoever waited."""
        kept = os.pread(self._file, _TURNS.size, 0).ljust(_TURNS.size, b"\0")
        turn, passed = (number if 0 <= number < MANY else 0 for number in _TURNS.unpack(kept))
        if waited and self._turn:  # whoever never had a turn cannot tell how many passed it
            passed = (7 * passed + min(turn - self._turn, LONGEST)) // 8
        self._turn, self._passed = turn + 1, passed
        os.pwrite(self._file, _TURNS.pack(self._turn, passed), 0)

    def _wait(self, patience: float) -> bool:
        if threading.active_count() == 1:
            return _wait_with_alarm(self._file, patience)
        self._porter = porter = self._porter or _Porter(self._file)
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


def _part_from_parent() -> None:
    for gate in list(_OPEN):
        gate.part()


os.register_at_fork(after_in_child=_part_from_parent)


class _GaveUp(BaseException):
    """Only the alarm says this."""


def _give_up(*_: object) -> None:
    raise _GaveUp


def _wait_with_alarm(file: int, patience: float) -> bool:
    """The quick way to cut a wait short, which only a lone thread has: its mask holds signals off."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    before = signal.signal(signal.SIGALRM, _give_up)
    left, every = signal.setitimer(signal.ITIMER_REAL, patience)
    try:
        return _wait_open_to_signals(file, mask - {signal.SIGALRM})
    finally:
        if not signal.setitimer(signal.ITIMER_REAL, 0)[0]:
            signal.signal(signal.SIGALRM, signal.SIG_IGN)  # takes back an alarm not yet heard
        signal.signal(signal.SIGALRM, before or signal.SIG_DFL)
        if left:
            signal.setitimer(signal.ITIMER_REAL, left, every)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _wait_open_to_signals(file: int, mask: set[int | signal.Signals]) -> bool:
    try:
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            fcntl.flock(file, fcntl.LOCK_EX)
        finally:
            signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # those it has heard strike here
    except _GaveUp:
        fcntl.flock(file, fcntl.LOCK_UN)  # the gate may have opened in the same instant
        return False
    return True


class _Call:
    """One wait: taken by the caller, or given up."""

    def __init__(self) -> None:
        self.settled = threading.Lock()
        self.opened = threading.Event()
        self.given_up = False


class _Porter(threading.Thread):
    """Waits in another thread's place, so that the other can stop waiting."""

    def __init__(self, file: int) -> None:
        super().__init__(daemon=True, name="drumline gate")
        self._file = file
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        self.start()

    def wait(self, patience: float) -> bool:
        call = _Call()
        self._calls.put(call)
        try:
            if call.opened.wait(patience):
                return True
        except BaseException:
            if not self._give_up(call):
                fcntl.flock(self._file, fcntl.LOCK_UN)
            raise
        return not self._give_up(call)

    def dismiss(self) -> None:
        self._calls.put(None)

    def run(self) -> None:
        while (call := self._calls.get()) is not None:
            fcntl.flock(self._file, fcntl.LOCK_EX)
            with call.settled:
                if call.given_up:
                    fcntl.flock(self._file, fcntl.LOCK_UN)
                call.opened.set()
        os.close(self._file)

    def _give_up(self, call: _Call) -> bool:
        """Stop waiting; false when the gate opened in the same instant, which is then ours."""
        with call.settled:
            call.given_up = not call.opened.is_set()
            return call.given_up
