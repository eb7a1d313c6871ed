"""Namespaces: mounts and processes of one's own, by right or as a user of one's own.

In a namespace of processes the first one is everybody's parent: the kernel ends all with it.
"""

# ruff: noqa: PTH123  # pathlib costs every start 10 ms

from __future__ import annotations

import os

from drumline.runtimes import kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NEW_MOUNTS, NEW_USER, NEW_PROCESSES = 0x00020000, 0x10000000, 0x20000000
NO_SUID, NO_DEVICES, NO_PROGRAMS = 0x2, 0x4, 0x8
ALL_BELOW, PRIVATE = 0x4000, 1 << 18


def unshare(what: int) -> None:
    """Leave these to others; a user namespace, with this very user in it, only for who must."""
    try:
        kernel.function("unshare", what)
    except PermissionError:
        user, group = os.geteuid(), os.getegid()
        kernel.function("unshare", what | NEW_USER)
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{user} {user} 1"),
            ("gid_map", f"{group} {group} 1"),
        ):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)


def show_own_processes() -> None:
    """Mounts of one's own, in which /proc tells of this process's namespace and no other."""
    kernel.function("unshare", NEW_MOUNTS)
    kernel.function("mount", b"none", b"/", None, ALL_BELOW | PRIVATE, None)
    flags = NO_SUID | NO_DEVICES | NO_PROGRAMS
    kernel.function("mount", b"proc", b"/proc", b"proc", flags, None)


def absent(then: Callable[[], object] = lambda: None) -> str:
    """Why no processes of one's own can be had here, and this done then; empty where they can.

    Forks: ask it in a single thread.
    """
    return kernel.foreign() or tried(lambda: _try_processes(then))


def tried(act: Callable[[], object]) -> str:
    """What a process of its own says when it does this: empty when nothing failed."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            act()
        except OSError as error:
            os.write(writer, str(error).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        said = answer.read().decode()
    os.waitpid(child, 0)
    return said


def _try_processes(then: Callable[[], object]) -> None:
    def inside() -> None:
        show_own_processes()
        then()

    unshare(NEW_PROCESSES)
    if said := tried(inside):
        raise OSError(said)
