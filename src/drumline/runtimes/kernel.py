"""Calls of the Linux kernel that Python has no word for; each raises OSError with the call's name."""

from __future__ import annotations

import ctypes
import os
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    Word = int | bytes | ctypes.Array[ctypes.c_char] | None

SEND_SIGNAL_TO_DESCRIPTOR = 424
OPEN_TREE, MOVE_MOUNT, OPENAT2, MOUNT_SETATTR = 428, 429, 437, 442
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
HERE, NO_LINKS = -100, 0x4
LIBRARY = ctypes.CDLL(None, use_errno=True)  # one for all calls: to make it costs more than a call
MACHINES = frozenset({"x86_64", "aarch64"})  # where these numbers were read and mean this


def foreign() -> str:
    """Why none of these calls can be made on this machine; empty when they can."""
    system, machine = os.uname().sysname, os.uname().machine
    if system != "Linux":
        return f"{system} has no such layer"
    if machine not in MACHINES:
        return f"no table of kernel calls for {machine}"
    return "" if sys.maxsize > 1 << 32 else "this Python is a 32-bit program"


def call(number: int, *words: Word) -> int:
    """A kernel call by its number."""
    return function("syscall", number, *words)


def function(name: str, *words: Word) -> int:
    """A call by the name the C library gives it."""
    said = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    answer = int(getattr(LIBRARY, name)(*said))
    if answer < 0:
        number = ctypes.get_errno()
        label = f"call {words[0]!r}" if name == "syscall" else name
        raise OSError(number, f"{label}: {os.strerror(number)}")
    return answer


def open_place(path: str) -> int:
    """A descriptor for what a path names, if no part of it is a link: one may be swapped any time."""
    how = struct.pack("QQQ", os.O_PATH | os.O_CLOEXEC, 0, NO_LINKS)
    try:
        return call(OPENAT2, HERE, os.fsencode(path), how, len(how))
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
