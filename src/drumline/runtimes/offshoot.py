"""Our own long-lived processes, forked off one that has read our modules instead of reading them all again.

Reading them takes half a second and tens of megabytes, which forks share. Only a process with one thread
may fork: what another thread holds at that moment, a lock of SQLite's say, nobody would let go in the child.
"""

import atexit
import ctypes
import importlib
import os
import select
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple, NoReturn, Protocol

from drumline.runtimes import streams

# -P: what lies in the repository is not ours to import
OURSELVES = (sys.executable, "-P", "-m", "drumline")
WORDS_AND_ENVIRONMENT = slice(45, 49)  # where both lie in memory, counted from the state
NOTHING, LOG = 0, (1, 2)


class Birth(NamedTuple):
    """One of our commands that is to live by itself: its words, its place, and the file it talks into."""

    words: Sequence[str]
    folder: str
    environ: Mapping[str, str]
    log: str


class Child(Protocol):
    """A process we began."""

    def poll(self) -> int | None: ...
    def kill(self) -> None: ...
    def wait(self) -> object: ...


class Offshoot:
    """A forked process, held so that a later one of the same number is never meant."""

    def __init__(self, pid: int, held: int) -> None:
        self.pid, self.held = pid, held
        self._ending = select.poll()
        self._ending.register(held, select.POLLIN)

    def poll(self) -> int | None:
        """Nothing while it runs; how it ended, nobody here asks."""
        return self._ended(0)

    def kill(self) -> None:
        with suppress(ProcessLookupError):  # whoever began it may bury it at any moment
            signal.pidfd_send_signal(self.held, signal.SIGKILL)

    def wait(self) -> None:
        self._ended(None)

    def _ended(self, patience: int | None) -> int | None:
        if not self._ending.poll(patience):
            return None
        with suppress(ChildProcessError):  # only its parent can bury it
            os.waitid(os.P_PIDFD, self.held, os.WEXITED)
        return 0

    def __del__(self) -> None:
        os.close(self.held)


def begin(birth: Birth) -> Child:
    """Begin a process in a session of its own, which nobody's end ends."""
    log = os.open(birth.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        return fork_off(birth, log) if is_alone() else start_anew(birth, log)
    finally:
        os.close(log)


def is_alone() -> bool:
    """Whether this process has one thread; Python does not count those that libraries begin."""
    return len(os.listdir("/proc/self/task")) == 1  # noqa: PTH208 - names are all that is wanted


def start_anew(birth: Birth, log: int) -> Child:
    """The same by a fresh interpreter, for who cannot fork."""
    return subprocess.Popen(  # noqa: S603 - our own words
        [*OURSELVES, *birth.words],
        cwd=birth.folder,
        env=birth.environ,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        start_new_session=True,
    )


def fork_off(birth: Birth, log: int) -> Offshoot:
    """Fork a process off this one, which must have no other thread."""
    child = fork_quietly()
    if not child:
        _be(birth, log)
    try:
        return Offshoot(child, os.pidfd_open(child))
    except OSError:
        os.kill(child, signal.SIGKILL)  # nobody could hold it
        os.waitpid(child, 0)
        raise


def fork_quietly() -> int:
    """Fork with nothing left unsaid, else both would say it."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.flush()
    return os.fork()


def rename(words: Sequence[str]) -> None:
    """Let whoever lists processes see what this one is now; best after its environment was set anew.

    The kernel shows the memory that the first words lie in. What does not fit runs on into the old
    environment, and is then shown up to its first zero: so its words are parted by spaces.
    """
    with open("/proc/self/stat", "rb") as file:  # noqa: PTH123 - pathlib is not needed for one line
        told = file.read().rpartition(b")")[2].split()
    start, end, more, last = map(int, told[WORDS_AND_ENVIRONMENT])
    if not 0 < start < end:
        return  # the kernel does not tell
    room = max(end, last) if more == end else end  # without an environment they have but their own
    text = b"\0".join(map(os.fsencode, words)) + b"\0"
    if len(text) > end - start:
        text = text[:-1].replace(b"\0", b" ")[: room - start - 1] + b"\0"
    ctypes.memset(start, 0, end - start)
    ctypes.memmove(start, text, len(text))


def take_over(environ: Mapping[str, str]) -> None:
    """Have these variables and no others, in memory of our own; one without a name nobody can set."""
    for name in filter(None, [*os.environ]):
        del os.environ[name]
    os.environ.update({name: value for name, value in environ.items() if name})


def _be(birth: Birth, log: int) -> NoReturn:
    """The new process, from its first step to its end: it never goes back to what its parent was doing."""
    code: object = 1
    try:
        _settle_in(birth, log)
        sys.argv = ["drumline", *birth.words]
        importlib.import_module("drumline.__main__").main()
    except SystemExit as stop:
        code = stop.code
    except BaseException:  # noqa: BLE001 - said where its log is, as an interpreter does at its end
        traceback.print_exc()
    finally:
        try:
            _finish()
        finally:
            os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def _finish() -> None:
    """What an interpreter does at its end, but for taking its modules apart."""
    threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001 - threads are waited for
    atexit._run_exitfuncs()  # noqa: SLF001 - nobody else would run them
    sys.stdout.flush()


def _settle_in(birth: Birth, log: int) -> None:
    """Leave nothing of the parent but what it has read."""
    os.setsid()
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    _talk_into(log)
    streams.close_all_but(())
    foreign = {"", _called_from(), birth.folder}
    sys.path[:] = [each for each in sys.path if each not in foreign]
    os.chdir(birth.folder)
    take_over(birth.environ)
    rename([*OURSELVES, *birth.words])


def _called_from() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - a name among names
    except FileNotFoundError:
        return ""  # it is gone


def _talk_into(log: int) -> None:
    for number in LOG:
        os.dup2(log, number)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, NOTHING)  # last: where nothing was open, the log is it
    for number in (
        NOTHING,
        *LOG,
    ):  # where one was closed, it was given the very number, for itself alone
        os.set_inheritable(number, True)  # noqa: FBT003 - as the system calls it
    sys.stdin = open(NOTHING, closefd=False)  # noqa: SIM115 - it stays open
    sys.stdout, sys.stderr = (
        open(number, "w", buffering, closefd=False, errors=errors)  # noqa: SIM115 - as above
        for number, buffering, errors in zip(
            LOG, (-1, 1), ("strict", "backslashreplace"), strict=True
        )
    )
