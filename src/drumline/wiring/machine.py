"""This machine, as lives and duties name it, and whether who holds a duty on it is there."""

from __future__ import annotations

import os
from functools import cache
from hashlib import sha256

OUTERMOST = "pid:[4026531836]"


@cache
def host() -> str:
    """This machine, as its lives and duties name it.

    A name is not enough: two machines may share one, and so do a machine and a container on it, whose
    process numbers mean other processes.
    """
    name = os.uname().nodename
    told = _first_line("/etc/machine-id") + _inner_processes()
    return f"{name}-{sha256(told.encode()).hexdigest()[:4]}" if told else name


def _inner_processes() -> str:
    """Which process numbers are ours, where they are not the machine's own."""
    try:
        found = os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""
    return "" if found == OUTERMOST else found


def _first_line(path: str) -> str:
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return file.readline().strip()
    except OSError:
        return ""


def is_up(holder: str) -> bool:
    """Whether the process that holds a duty is there."""
    from drumline.runtimes import plane

    return plane.is_up(holder, host())
