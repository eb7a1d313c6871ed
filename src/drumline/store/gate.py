"""A fair queue in front of SQLite's write lock.

SQLite's own busy-retry sleeps and starves: a writer can wait while others pass again and again. A file
lock wakes its waiters at once, and whoever leaves steps aside, where it is crowded, so that one of them
goes next. The gate only orders the queue: SQLite's lock still protects the file, and the kernel opens
the gate of a killed process.
"""

import fcntl
import os
import queue
import signal
import struct
import threading
from contextlib import suppress

PASSED = 16  # turns of others, on the average, before whoever leaves steps aside
LONGEST = 1000
MANY = 2**62
_TURNS = struct.Struct("<qq")  # turns taken so far, and how many a waiter lets pass, on the average


class Gate:
    """One process's (or thread's) place in the queue."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._porter: _Porter | None = None
        self._turn = self._passed = 0

    def enter(self, patience: float) -> bool:
        """Wait for the turn, at most `patience` seconds: a stopped process may stand in the gate."""
        waited = False
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not self._wait(patience):
                return False
            waited = True
        with suppress(OSError):  # a gate that cannot count still orders the queue
            self._count(waited=waited)
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
        if threading.current_thread() is threading.main_thread():
            return _wait_with_alarm(self._file, patience)
        if self._porter is None:
            self._porter = _Porter(self._file)
        return self._porter.wait(patience)

    def leave(self) -> None:
        """Step aside when those who wait are passed by too many; else go on with a warm page cache."""
        fcntl.flock(self._file, fcntl.LOCK_UN)
        if self._passed > PASSED:
            os.sched_yield()

    def close(self) -> None:
        if self._porter is not None:
            self._porter.dismiss()
        elif self._file >= 0:
            os.close(self._file)
        self._file, self._porter = -1, None


def _wait_with_alarm(file: int, patience: float) -> bool:
    """The quick way to cut a wait short, which only a main thread has."""

    def give_up(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, give_up)
    left, every = signal.setitimer(signal.ITIMER_REAL, patience)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
    except TimeoutError:
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, left, every)
        signal.signal(signal.SIGALRM, before)
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
