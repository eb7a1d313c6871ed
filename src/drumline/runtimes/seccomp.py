"""Kernel calls a confined process is refused by their arguments: what no path or port rule can see.

A filter is a list of blocks. Each asks for one call and for conditions on its arguments, and refuses
when all hold; what no block refuses is allowed.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from drumline.runtimes import kernel
from drumline.team.confinement import NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Condition = tuple[int, int, bool, int]  # argument, mask, whether it must equal, value
    Block = tuple[str, Sequence[Condition], int]

SET_FILTER, MODE_FILTER = 22, 2
LOAD, MASK, EQUAL, AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
X32 = 0x40000000  # calls of a second numbering, which the blocks below would not recognise

NUMBERS = {
    "x86_64": {
        "ioctl": 16, "socket": 41, "sendto": 44, "sendmsg": 46, "setsockopt": 54,
        "prlimit64": 302, "sendmmsg": 307, "io_uring_setup": 425,
    },
    "aarch64": {
        "ioctl": 29, "socket": 198, "sendto": 206, "sendmsg": 211, "setsockopt": 208,
        "prlimit64": 261, "sendmmsg": 269, "io_uring_setup": 425,
    },
}  # fmt: skip
ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

WHOLE = 0xFFFFFFFF
TYPE_KEYS, TYPE_INTO_CONSOLE = 0x5412, 0x541C  # TIOCSTI and TIOCLINUX write into a person's shell
UNIX, INTERNET, NETLINK, INTERNET_6 = 1, 2, 16, 10
STREAM, DATAGRAM, KIND = 1, 2, 0xF
TCP, UDP = 6, 17
FAST_OPEN = 0x20000000
UPPER_PROTOCOL = 31


def absent() -> str:
    """Why no filter can be set here; empty where it can."""
    if said := kernel.foreign():
        return said
    try:
        kernel.function("prctl", SET_FILTER, MODE_FILTER, None, 0, 0)
    except OSError as error:
        return "" if error.errno == errno.EFAULT else f"the kernel says: {error.strerror}"
    return "the kernel takes a filter that is none"


def blocks(ports: Iterable[int] | None) -> list[Block]:
    """What is refused: a hand at others' terminals and limits, and ways round listed ports."""
    found: list[Block] = [
        ("ioctl", [(1, WHOLE, True, TYPE_KEYS)], errno.EPERM),
        ("ioctl", [(1, WHOLE, True, TYPE_INTO_CONSOLE)], errno.EPERM),
        ("prlimit64", [(0, WHOLE, False, 0)], errno.EPERM),
    ]
    return found if ports is None else found + _ways_round(datagrams=NAMES in ports)


def _ways_round(*, datagrams: bool) -> list[Block]:
    """Landlock knows plain TCP only: everything else that leaves the machine is refused here."""
    families = (UNIX, INTERNET, INTERNET_6, NETLINK)
    found: list[Block] = [
        ("socket", [(0, WHOLE, False, family) for family in families], errno.EAFNOSUPPORT),
        ("setsockopt", [(1, WHOLE, True, TCP), (2, WHOLE, True, UPPER_PROTOCOL)], errno.EPERM),
        ("io_uring_setup", [], errno.ENOSYS),
    ]
    kinds = ((STREAM, TCP), (DATAGRAM, UDP)) if datagrams else ((STREAM, TCP),)
    for family in (INTERNET, INTERNET_6):
        internet = (0, WHOLE, True, family)
        others = [(1, KIND, False, kind) for kind, _ in kinds]
        found.append(("socket", [internet, *others], errno.EACCES))
        for kind, protocol in kinds:
            strange = [(2, WHOLE, False, 0), (2, WHOLE, False, protocol)]
            found.append(
                ("socket", [internet, (1, KIND, True, kind), *strange], errno.EPROTONOSUPPORT)
            )
    for name, flags in (("sendto", 3), ("sendmsg", 2), ("sendmmsg", 3)):
        found.append((name, [(flags, FAST_OPEN, False, 0)], errno.EOPNOTSUPP))
    return found


def program(found: Sequence[Block], machine: str) -> bytes:
    """The filter as the kernel reads it; programs for another kind of processor are refused whole."""
    guard = [
        _step(LOAD, 4),
        _step(EQUAL, ARCHITECTURE[machine], yes=1),
        _step(RETURN, REFUSE | errno.ENOSYS),
        _step(LOAD, 0),
        _step(AT_LEAST, X32, no=1),
        _step(RETURN, REFUSE | errno.ENOSYS),
    ]
    body = [step for block in found for step in _compiled(block, NUMBERS[machine])]
    return b"".join([*guard, *body, _step(RETURN, ALLOW)])


def _compiled(block: Block, numbers: dict[str, int]) -> list[bytes]:
    """One block, built from its end: each condition that fails jumps behind the refusal."""
    name, conditions, refusal = block
    steps = [_step(RETURN, REFUSE | refusal)]
    for argument, mask, equal, value in reversed(conditions):
        away = len(steps)
        test = _step(EQUAL, value, no=away) if equal else _step(EQUAL, value, yes=away)
        steps = [_step(LOAD, 16 + 8 * argument), _step(MASK, mask), test, *steps]
    return [_step(LOAD, 0), _step(EQUAL, numbers[name], no=len(steps)), *steps]


def _step(code: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("HBBI", code, yes, no, value)


def refuse(ports: Iterable[int] | None) -> None:
    """From here on this process, and all it starts, is refused these calls."""
    text = program(blocks(ports), os.uname().machine)
    held = ctypes.create_string_buffer(text, len(text))
    wish = struct.pack("HxxxxxxP", len(text) // 8, ctypes.addressof(held))
    kernel.function("prctl", SET_FILTER, MODE_FILTER, wish, 0, 0)
