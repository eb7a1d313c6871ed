"""Two ways to wait at the gate in front of SQLite's write lock, and to give up in time."""

import fcntl
import os
import queue
import signal
import threading
from typing import Any

_SIGNALS = {signal.SIGALRM, signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


class _GaveUp(BaseException):
    """Only the alarm says this."""


class _Alarm:
    """Cuts one wait short, and nothing that comes after it."""

    waiting = True

    def __call__(self, *_: object) -> None:
        if self.waiting:
            raise _GaveUp


def wait_with_alarm(file: int, patience: float) -> bool:
    """The quick way to cut a wait short, which only a lone thread has.

    Signals are held off until the alarm is set. Once the gate is open everybody else waits, so that an alarm
    which comes too late is deaf instead: to hold signals off again takes longer than the rest of it.
    """
    alarm = _Alarm()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    before = signal.signal(signal.SIGALRM, alarm)
    left, every = signal.setitimer(signal.ITIMER_REAL, patience)
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask - {signal.SIGALRM})
        fcntl.flock(file, fcntl.LOCK_EX)
    except _GaveUp:
        fcntl.flock(file, fcntl.LOCK_UN)  # the gate may have opened in the same instant
        return False
    finally:
        alarm.waiting = False
        if signal.SIGALRM in mask:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        _as_before(before, left, every)
    return True


def _as_before(heard: Any, left: float, every: float) -> None:
    """Give the alarm back to whom it was: every step is taken, even if a signal comes between two."""
    try:
        signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        try:
            signal.signal(signal.SIGALRM, heard or signal.SIG_DFL)
        finally:
            if left:
                signal.setitimer(signal.ITIMER_REAL, left, every)


class _Call:
    """One wait: taken by the caller, or given up."""

    def __init__(self) -> None:
        self.settled = threading.Lock()
        self.opened = threading.Event()
        self.given_up = False


class Porter(threading.Thread):
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
