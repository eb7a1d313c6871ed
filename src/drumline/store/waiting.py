"""Two ways to wait at the gate in front of SQLite's write lock, and to give up in time."""

import fcntl
import os
import queue
import signal
import threading

_SIGNALS = {signal.SIGALRM, signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
_AGAIN = 0.05  # seconds: an alarm that strikes just before the wait begins is not heard by it


class _GaveUp(BaseException):
    """Only the alarm says this."""


def _give_up(*_: object) -> None:
    raise _GaveUp


def wait_with_alarm(file: int, patience: float) -> bool:
    """The quick way to cut a wait short, which only a lone thread has: its mask holds signals off."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # one that came just before strikes here
        return _wait_and_restore(file, patience, mask - {signal.SIGALRM})
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _wait_and_restore(file: int, patience: float, mask: set[int | signal.Signals]) -> bool:
    before = signal.signal(signal.SIGALRM, _give_up)
    left, every = signal.setitimer(signal.ITIMER_REAL, patience, _AGAIN)
    try:
        return _wait_open_to_signals(file, mask)
    finally:
        if signal.setitimer(signal.ITIMER_REAL, 0)[0] <= _AGAIN:
            signal.signal(signal.SIGALRM, signal.SIG_IGN)  # takes back an alarm not yet heard
        signal.signal(signal.SIGALRM, before or signal.SIG_DFL)
        if left or every:  # one that is due this instant has nothing left, and comes again
            signal.setitimer(signal.ITIMER_REAL, left or every, every)


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
