"""The leash of a life: while its runner holds it, the life's processes may live."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from drumline.runtimes import processes
from drumline.runtimes.confine import on_leash

OF_THE_RUN = Path("/proc/the-leash-of-this-run")  # no such place: without a run, nothing starts
FARTHEST = 4096  # generations
HOLDS = (b"NoNewPrivs:", b"Seccomp:", b"Seccomp_filters:")  # what nobody ever gets rid of


def hold(path: Path) -> int:
    """Make a new leash at a path and hold it: a descriptor, and when it is closed all of them end.

    It closes with this process however that ends, and no program started from here inherits it.
    An older leash of the same name is let go, so that nobody's life is ever held by its successor.
    """
    made = path.with_name(f".{path.name}.{os.getpid()}")
    made.unlink(missing_ok=True)
    os.mkfifo(made, 0o600)
    held = os.open(made, os.O_RDWR | os.O_CLOEXEC)  # to write only would wait for a reader
    made.replace(path)
    return held


@contextmanager
def of_one_run() -> Iterator["Nameless"]:
    """A leash for what runs now and is waited for; it is let go at the latest when we end, however we end.

    It has no name on any disk: nobody else can take it up, and nothing of it is ever left behind.
    """
    reader, writer = os.pipe()
    os.close(reader)
    try:
        yield Nameless(writer)
    finally:
        os.close(writer)


class Nameless(NamedTuple):
    """A leash that only its holder knows; who is started on it is told OF_THE_RUN, and then its path."""

    writer: int

    def put_into(self, words: Iterable[str]) -> list[str]:
        """The words of a command, with the path of this leash wherever one of the run is asked for."""
        path = f"/proc/{os.getpid()}/fd/{self.writer}"
        return [word.replace(str(OF_THE_RUN), path) for word in words]

    def cut(self) -> None:
        """End what lives on it; who takes it up late finds no other leash under its number."""
        nothing = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
        os.dup2(nothing, self.writer, inheritable=False)
        os.close(nothing)


def is_on(process: int, path: Path) -> bool:
    """Whether a process lives on a leash that we hold: it descends from a launcher of ours with this leash.

    Only we start processes below ourselves: whoever loses its parent in there is never given to us.
    """
    ours, at = os.getpid(), process
    for _ in range(FARTHEST):
        told = processes.parent_and_start(at)
        if told is None or told[0] == 0:
            return False
        if told[0] == ours:
            return _is_launcher(at, path)
        at = told[0]
    return False


def _is_launcher(child: int, path: Path) -> bool:
    """Whether a child of ours is a launcher on this leash, by the words it was started with.

    Who is confined can rewrite the words of all who share its confinement: a child that is held by
    more than we are is never believed. What follows our own words may be anybody's.
    """
    ours = [os.fsencode(word) for word in on_leash(path)]
    told = _read(child, "cmdline").split(b"\0")
    return told[: len(ours)] == ours and _held(child) == _held(os.getpid())


def _held(process: int) -> list[bytes]:
    return [line for line in _read(process, "status").splitlines() if line.startswith(HOLDS)]


def _read(process: int, what: str) -> bytes:
    try:
        return Path(f"/proc/{process}/{what}").read_bytes()
    except OSError:
        return b""
