"""Namespaces: mounts and processes of one's own, by right or as a user of one's own.

In a namespace of processes the first one is everybody's parent: the kernel ends all with it.
"""

# ruff: noqa: PTH123  # pathlib costs every start 10 ms

from __future__ import annotations

import errno
import os

from drumline.runtimes import kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Forked = tuple[int, dict[str, str]]

NEW_MOUNTS, NEW_USER, NEW_PROCESSES = 0x00020000, 0x10000000, 0x20000000
CLONE = {"x86_64": 56, "aarch64": 220}
TELLS_OF_ITS_END = 17
CROWDED = (errno.EAGAIN, errno.ENOMEM)  # no process to be had now: that is no missing layer
NO_SUID, NO_DEVICES, NO_PROGRAMS = 0x2, 0x4, 0x8
ALL_BELOW, PRIVATE = 0x4000, 1 << 18


def unshare(what: int) -> None:
    """Leave these to others; a user namespace, with this very user in it, only for who must."""
    try:
        kernel.function("unshare", what)
    except PermissionError:
        user = _this_user()
        kernel.function("unshare", what | NEW_USER)
        become(user)


def fork_first() -> Forked:
    """Fork the first process of a namespace, and leave ours as they are.

    Its number, 0 in itself, and whom it must `become` before all else. Single-threaded callers only:
    no `fork` can ask for namespaces, and whoever calls `unshare` instead can never go back.
    """
    try:
        return _clone(NEW_PROCESSES), {}
    except PermissionError:
        user = _this_user()
        return _clone(NEW_PROCESSES | NEW_USER), user


def _clone(what: int) -> int:
    number = CLONE[os.uname().machine]
    try:
        return kernel.call(number, what | TELLS_OF_ITS_END, None, None, None, None)
    except OSError as error:
        code = error.errno or 0
        raise OSError(code, f"clone: {os.strerror(code)}") from None


def _this_user() -> dict[str, str]:
    """What a new user namespace is to be told, so that this very user is in it."""
    user, group = os.geteuid(), os.getegid()
    return {"setgroups": "deny", "uid_map": f"{user} {user} 1", "gid_map": f"{group} {group} 1"}


def become(user: dict[str, str]) -> None:
    """Be in this process's user namespace who one was outside; nothing to do for who stayed there."""
    for name, text in user.items():
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

    def inside() -> None:
        show_own_processes()
        then()

    try:
        return kernel.foreign() or tried(inside, fork_first)
    except OSError as error:
        if error.errno in CROWDED:
            raise
        return str(error)


def tried(act: Callable[[], object], fork: Callable[[], Forked] = lambda: (os.fork(), {})) -> str:
    """What a process of its own says when it does this: empty when nothing failed."""
    reader, writer = os.pipe()
    try:
        child, user = fork()
    except OSError:
        os.close(reader)
        os.close(writer)
        raise
    if child == 0:
        try:
            become(user)
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
