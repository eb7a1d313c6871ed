"""What a life may have left behind, found by its mark in the environment, and ended without mistake."""

import os
import select
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

from drumline.errors import BadInput
from drumline.runtimes import processes

MARK = "DRUMLINE_LIFE"
FARTHEST = 4096  # generations, and a bound should /proc ever tell of a circle
TRIES = 100
PATIENCE = 2.0  # seconds for a killed process to be gone


@dataclass(frozen=True, slots=True)
class Proc:
    """One process and no later one of the same number."""

    pid: int
    started: int


def leftovers(marker: str) -> list[Proc]:
    """The processes whose environment names this life, or one below it: `home/ada` has `home/ada/3`.

    Never this process nor one it descends from. Not found: who threw its environment away, which is
    why a namespace is better, and whom this user may not look at.
    """
    return list(marked(marker))


def marked(marker: str) -> dict[Proc, str]:
    """The same, each with the mark of its own life."""
    if not marker.strip("/"):
        raise BadInput("no life is named", why="all would be meant", next="name a life")
    spared = {os.getpid(), *(each.pid for each in _line(os.getpid()))}
    found = (_marked(pid, marker.rstrip("/")) for pid in processes.everyone() if pid not in spared)
    return dict(each for each in found if each)


def end(procs: Iterable[Proc]) -> list[Proc]:
    """Kill exactly these, and wait for their end: those that were there and have been killed."""
    spared = {os.getpid(), *(each.pid for each in _line(os.getpid()))}
    killed: dict[int, Proc] = {}
    try:
        for each in procs:
            if each.pid not in spared:
                with suppress(PermissionError):  # it has become another user's
                    ending = processes.kill(each.pid, each.started)
                    if ending is not None:
                        killed[ending] = each
        _await(set(killed))
    finally:
        for ending in killed:
            os.close(ending)
    return list(killed.values())


def sweep(marker: str) -> list[Proc]:
    """End what a life left behind, and what that started meanwhile: all that were ended."""
    ended: list[Proc] = []
    for _ in range(TRIES):
        now = end(leftovers(marker))
        if not now:
            break
        ended += now
    return ended


def _line(pid: int) -> Iterator[Proc]:
    """A process, its parent, and so on up to the first; each began no later than the one before."""
    latest = None
    for _ in range(FARTHEST):
        told = processes.parent_and_start(pid) if pid else None
        if told is None or (latest is not None and told[1] > latest):
            return
        yield Proc(pid, told[1])
        pid, latest = told


def _marked(pid: int, marker: str) -> tuple[Proc, str] | None:
    """The start is read on both sides of the environment: both are then of one process."""
    wanted = os.fsencode(f"{MARK}={marker}")
    if wanted not in _environ(pid):
        return None  # nearly everyone: a machine has hundreds
    told = processes.parent_and_start(pid)
    variables = _environ(pid).split(b"\0")
    again = processes.parent_and_start(pid)
    if told is None or again is None or told[1] != again[1]:
        return None
    for each in variables:
        if each == wanted or each.startswith(wanted + b"/"):
            return Proc(pid, told[1]), os.fsdecode(each.partition(b"=")[2])
    return None


def _environ(pid: int) -> bytes:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:  # noqa: PTH123 - pathlib takes twice as long
            return file.read()
    except OSError:
        return b""


def _await(endings: set[int]) -> None:
    waiting, until = select.poll(), monotonic() + PATIENCE
    for ending in endings:
        waiting.register(ending, select.POLLIN)
    left = set(endings)
    while left and monotonic() < until:
        for ending, _ in waiting.poll(max(0, (until - monotonic()) * 1000)):
            waiting.unregister(ending)
            left.discard(ending)
