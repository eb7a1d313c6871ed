"""Signals as something to read: they are held back, and wait behind a descriptor."""

from __future__ import annotations

import ctypes
import os
import struct

from drumline.runtimes import kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

HANG_UP, INTERRUPT, QUIT, KILL, TERMINATE, CHILD_ENDED = 1, 2, 3, 9, 15, 17
HOLD_BACK, EXACTLY = 0, 2
LENGTH = 128  # of a set of signals in the C library, and of what is read for one
BY_THE_KERNEL = 0x80


def hold_back(numbers: Iterable[int]) -> tuple[int, bytes]:
    """A descriptor these signals wait behind from now on, and what was held back before."""
    wanted = sum(1 << (number - 1) for number in numbers).to_bytes(LENGTH, "little")
    before = ctypes.create_string_buffer(LENGTH)
    kernel.function("sigprocmask", HOLD_BACK, wanted, before)
    ears = kernel.function("signalfd", -1, wanted, os.O_NONBLOCK | os.O_CLOEXEC)
    return ears, before.raw


def let_through(before: bytes) -> None:
    """Hold back what was held back before, and nothing else."""
    kernel.function("sigprocmask", EXACTLY, before, None)


def heard(ears: int) -> list[tuple[int, bool]]:
    """The signals that came to this process, each with whether the kernel itself sent it."""
    found: list[tuple[int, bool]] = []
    while True:
        try:
            told = os.read(ears, LENGTH)
        except BlockingIOError:
            return found
        number, _, code = struct.unpack_from("Iii", told)
        found.append((number, code == BY_THE_KERNEL))
