"""Whose processes we run under: what the parents of this process were started as."""

import os
from collections.abc import Iterator
from contextlib import suppress

from drumline.team.identity import identity

FARTHEST = 256
MARK = b"DRUMLINE_LIFE="


def members_above() -> set[str]:
    """The members named in the environment of any parent; empty where the system does not tell.

    A process may drop a variable of its own, but not of those that started it.
    """
    return {name for name in map(_member, _parents(os.getppid())) if name}


def in_a_life(process: int) -> bool:
    """Whether a process belongs to a life that a runner started, by its own mark or a parent's."""
    return any(_has_mark(each) for each in _parents(process))


def _parents(process: int) -> Iterator[int]:
    for _ in range(FARTHEST):
        if process <= 1:
            return
        yield process
        process = _parent(process)


def _parent(process: int) -> int:
    """The parent's number stands behind the name, which may itself hold spaces and parentheses."""
    with suppress(OSError, ValueError, IndexError):
        return int(_read(process, "stat").rpartition(b")")[2].split()[1])
    return 0


def _member(process: int) -> str:
    with suppress(OSError):
        pairs = (entry.partition(b"=") for entry in _read(process, "environ").split(b"\0"))
        stated = {os.fsdecode(name): os.fsdecode(value) for name, _, value in pairs}
        return identity(stated).member
    return ""


def _has_mark(process: int) -> bool:
    with suppress(OSError):
        return any(each.startswith(MARK) for each in _read(process, "environ").split(b"\0"))
    return False


def _read(process: int, name: str) -> bytes:
    with open(f"/proc/{process}/{name}", "rb") as file:  # noqa: PTH123 - pathlib costs every command 3 ms
        return file.read()
