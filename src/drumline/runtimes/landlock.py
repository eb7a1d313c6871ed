"""Landlock: an allow-list for writes, TCP ports and signals that a process can never widen again.

Reading and running stay free everywhere. Device nodes can be made nowhere: one made in a writable
folder would lead to the disk below all rules.
"""

from __future__ import annotations

import errno
import os
import stat
import struct

from drumline.runtimes import kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

WRITE_FILE, REMOVE_DIR, REMOVE_FILE = 1 << 1, 1 << 4, 1 << 5
MAKE_CHAR, MAKE_DIR, MAKE_REG, MAKE_SOCK = 1 << 6, 1 << 7, 1 << 8, 1 << 9
MAKE_FIFO, MAKE_BLOCK, MAKE_SYM = 1 << 10, 1 << 11, 1 << 12
REFER, TRUNCATE = 1 << 13, 1 << 14

FIRST = (
    WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_CHAR | MAKE_DIR | MAKE_REG
    | MAKE_SOCK | MAKE_FIFO | MAKE_BLOCK | MAKE_SYM
)  # fmt: skip
LATER = ((2, REFER), (3, TRUNCATE))  # the ABI a right came with
NODES = MAKE_CHAR | MAKE_BLOCK
ON_A_FILE = WRITE_FILE | TRUNCATE

MOVING, TRUNCATING, PORTS, SCOPES = 2, 3, 4, 6  # the first ABI that has each
BIND_AND_CONNECT = 3
ABSTRACT_SOCKETS_AND_SIGNALS = 3
VERSION, PATH_RULE, PORT_RULE = 1, 1, 2


def abi() -> int:
    """The version this kernel speaks; 0 where there is none."""
    try:
        return kernel.call(kernel.LANDLOCK_CREATE_RULESET, None, 0, VERSION)
    except OSError:
        return 0


def absent() -> str:
    """Why there is no Landlock here; empty where there is."""
    if said := kernel.foreign():
        return said
    try:
        kernel.call(kernel.LANDLOCK_CREATE_RULESET, None, 0, VERSION)
    except OSError as error:
        if error.errno == errno.EOPNOTSUPP:
            return "the kernel has Landlock but was started without it (lsm=)"
        if error.errno == errno.ENOSYS:
            return f"kernel {os.uname().release} has no Landlock (5.13 or later, built in)"
        return f"refused to this process: {error.strerror}"
    return ""


def rights(version: int) -> int:
    """Every kind of write this version can refuse."""
    return FIRST | sum(right for since, right in LATER if version >= since)


def restrict(opened: Iterable[int], ports: Iterable[int] | None, version: int) -> None:
    """From here on this process, and all it starts, writes and connects only where listed.

    A folder's descriptor stands for all below it; ports of None are all ports.
    """
    limited = ports is not None and version >= PORTS
    wish = struct.pack(
        "QQQ",
        rights(version),
        BIND_AND_CONNECT if limited else 0,
        ABSTRACT_SOCKETS_AND_SIGNALS if version >= SCOPES else 0,
    )
    ruleset = kernel.call(kernel.LANDLOCK_CREATE_RULESET, wish, len(wish), 0)
    for descriptor in opened:
        rule = struct.pack("=Qi", _allowed(descriptor, version), descriptor)
        kernel.call(kernel.LANDLOCK_ADD_RULE, ruleset, PATH_RULE, rule, 0)
    for port in (ports or ()) if limited else ():
        rule = struct.pack("QQ", BIND_AND_CONNECT, port)
        kernel.call(kernel.LANDLOCK_ADD_RULE, ruleset, PORT_RULE, rule, 0)
    kernel.call(kernel.LANDLOCK_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _allowed(descriptor: int, version: int) -> int:
    every = rights(version) & ~NODES
    return every if stat.S_ISDIR(os.fstat(descriptor).st_mode) else every & ON_A_FILE
