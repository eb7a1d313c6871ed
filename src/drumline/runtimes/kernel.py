"""Calls of the Linux kernel that Python has no word for; each raises OSError with the call's name.

What `ctypes` itself is made of is enough for them, and every confined start would pay for the rest.
"""

from __future__ import annotations

import os
import struct
import sys
from _ctypes import (
    FUNCFLAG_CDECL,
    FUNCFLAG_USE_ERRNO,
    Array,
    CFuncPtr,
    _SimpleCData,
    addressof,
    dlopen,
    dlsym,
    get_errno,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Word = int | bytes | Array[Any] | None

SEND_SIGNAL_TO_DESCRIPTOR = 424
OPEN_TREE, MOVE_MOUNT, OPENAT2, MOUNT_SETATTR = 428, 429, 437, 442
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
HERE, NO_LINKS = -100, 0x4
LIBRARY = dlopen(None, os.RTLD_NOW)  # type: ignore[arg-type]  # None is this very program
MACHINES = frozenset({"x86_64", "aarch64"})  # where these numbers were read and mean this


class Whole(_SimpleCData):  # type: ignore[type-arg]
    """An `int` of C, as calls answer."""

    _type_ = "i"


class Long(_SimpleCData):  # type: ignore[type-arg]
    """A `long` of C, in which any argument that is a number has room."""

    _type_ = "l"


class Letter(_SimpleCData):  # type: ignore[type-arg]
    """A `char` of C."""

    _type_ = "c"


class Function(CFuncPtr):
    """A function of the C library."""

    _flags_ = FUNCFLAG_CDECL | FUNCFLAG_USE_ERRNO
    _restype_ = Whole


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
    said = [Long(word) if isinstance(word, int) else word for word in words]
    answer = int(Function(dlsym(LIBRARY, name))(*said))
    if answer < 0:
        number = get_errno()
        label = f"call {words[0]!r}" if name == "syscall" else name
        raise OSError(number, f"{label}: {os.strerror(number)}")
    return answer


def room(text: bytes) -> Array[Any]:
    """Memory that holds a text, and that a call may write to."""
    kind = type("Room", (Array,), {"_type_": Letter, "_length_": len(text)})
    held: Any = kind()
    held.raw = text
    return held  # type: ignore[no-any-return]


def address(held: Array[Any]) -> int:
    """Where such memory lies, for as long as somebody holds it."""
    return addressof(held)


def open_place(path: str) -> int:
    """A descriptor for what a path names, if no part of it is a link: one may be swapped any time."""
    how = struct.pack("QQQ", os.O_PATH | os.O_CLOEXEC, 0, NO_LINKS)
    try:
        return call(OPENAT2, HERE, os.fsencode(path), how, len(how))
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
