"""Our own long-lived processes, forked off one that has read our modules instead of reading them all again.

Reading them takes half a second and tens of megabytes, which forks share. Only a process with one thread
may fork: what another thread holds at that moment, a lock of SQLite's say, nobody would let go in the child.
"""

import ctypes
import fcntl
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
        """Nothing while it runs; how it ended, only its parent is told."""
        return 0 if self._ending.poll(0) else None

    def kill(self) -> None:
        if self.poll() is None:
            signal.pidfd_send_signal(self.held, signal.SIGKILL)

    def wait(self) -> None:
        self._ending.poll()

    def __del__(self) -> None:
        os.close(self.held)


def begin(birth: Birth) -> Child:
    """Begin a process in a session of its own, which nobody's end ends."""
    return fork_off(birth) if threading.active_count() == 1 else start_anew(birth)


def start_anew(birth: Birth) -> Child:
    """The same by a fresh interpreter, for who cannot fork."""
    with open(birth.log, "ab") as written:  # noqa: PTH123 - as the other way does it
        return subprocess.Popen(  # noqa: S603 - our own words
            [*OURSELVES, *birth.words],
            cwd=birth.folder,
            env=birth.environ,
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=written,
            start_new_session=True,
        )


def fork_off(birth: Birth) -> Offshoot:
    """Fork a process off this one, which must have no other thread."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.flush()  # else both would say it
    child = os.fork()
    if not child:
        _be(birth)
    return Offshoot(child, os.pidfd_open(child))


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


def _be(birth: Birth) -> NoReturn:
    """The new process, from its first step to its end: it never goes back to what its parent was doing."""
    code: object = 1
    try:
        _settle_in(birth)
        sys.argv = ["drumline", *birth.words]
        importlib.import_module("drumline.__main__").main()
    except SystemExit as stop:
        code = stop.code
    except BaseException:  # noqa: BLE001 - said where its log is, as an interpreter does at its end
        traceback.print_exc()
    finally:
        with suppress(OSError):  # whatever is full, nobody goes back
            sys.stdout.flush()
        os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def _settle_in(birth: Birth) -> None:
    """Leave nothing of the parent but what it has read."""
    os.setsid()
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    _talk_into(birth.log)
    streams.close_all_but(())
    sys.path[:] = [each for each in sys.path if each not in {"", os.getcwd(), birth.folder}]  # noqa: PTH109 - a name among names
    os.chdir(birth.folder)
    take_over(birth.environ)
    rename([*OURSELVES, *birth.words])


def _talk_into(log: str) -> None:
    for path, flags, numbers in (
        (os.devnull, os.O_RDONLY, (NOTHING,)),
        (log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, LOG),
    ):
        opened = os.open(path, flags, 0o600)
        for number in numbers:
            os.dup2(opened, number)
            fcntl.fcntl(number, fcntl.F_SETFD, 0)  # where it was closed, both are one
    sys.stdin = open(NOTHING, closefd=False)  # noqa: SIM115 - it stays open
    sys.stdout, sys.stderr = (
        open(number, "w", buffering, closefd=False, errors=errors)  # noqa: SIM115 - as above
        for number, buffering, errors in zip(
            LOG, (-1, 1), ("strict", "backslashreplace"), strict=True
        )
    )
