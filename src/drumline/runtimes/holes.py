"""A mount namespace of its own: everything read-only but the writable roots, and holes in those.

A read-only mount also refuses what Landlock has no rule for: modes, owners, times and attributes.
It must be made before Landlock, under which nothing can be mounted, and it holds only for a process
that has given up the right to mount.
"""

# ruff: noqa: PTH109, PTH112, PTH116, PTH123  # pathlib costs every start 10 ms

from __future__ import annotations

import os
import stat
import struct

from drumline.runtimes import kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

NEW_MOUNTS, NEW_USER = 0x00020000, 0x10000000
CLONE, CLOSE_ON_EXEC, WITH_ALL_BELOW = 0x1, 0x80000, 0x8000
ITSELF, BETWEEN_DESCRIPTORS = 0x1000, 0x4 | 0x40
READ_ONLY, PRIVATE = 0x1, 1 << 18
NO_SUID = 0x2

WRITABLE, PINNED, HOLE = "writable", "pinned", "hole"
SAMPLE = (("/proc",), ("/proc/sys",))  # a root and a hole that every machine has, to try it on
OWN_DEVICES = (  # programs need them, and the shared ones belong to everybody
    ("/dev/shm", "tmpfs", "mode=1777"),  # noqa: S108 - a mount point
    ("/dev/pts", "devpts", "newinstance,ptmxmode=0666,mode=0620"),
)


def absent() -> str:
    """Why no such namespace can be made here; empty where it can. Forks: ask it in a single thread."""
    if said := kernel.foreign():
        return said
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            enter(*SAMPLE)
        except OSError as error:
            os.write(writer, str(error).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        said = answer.read().decode()
    os.waitpid(child, 0)
    return said


def enter(writable: Iterable[str], holes: Iterable[str]) -> None:
    """Go where only the writable roots, less their holes, can be changed in any way."""
    places = plan(writable, holes)
    _unshare()
    _set(propagation=PRIVATE)
    clones = {path: _clone(path) for path in places}
    for path, kind in places.items():
        if kind == HOLE:
            _set(READ_ONLY, clone=clones[path])
    _set(READ_ONLY)
    for path, clone in clones.items():
        _put_back(clone, path)
    for path, kind, wish in OWN_DEVICES:
        if os.path.isdir(path):
            kernel.function("mount", b"none", path.encode(), kind.encode(), NO_SUID, wish.encode())
    os.chdir(os.getcwd())  # the folder we stand in still belongs to the mounts we left


def plan(writable: Iterable[str], holes: Iterable[str]) -> dict[str, str]:
    """What each place is mounted as, in the order of mounting: a folder before what is inside it.

    A folder between a root and its hole is pinned: moved away, it would take the hole with it.
    """
    roots = [path for path in writable if not _is_device(path)]
    places = dict.fromkeys(roots, WRITABLE)
    for hole in holes:
        inside = [root for root in roots if hole.startswith(f"{root}/")]
        if inside:
            places[hole] = HOLE
            for folder in _between(max(inside, key=len), hole):
                places.setdefault(folder, PINNED)
    return dict(sorted(places.items(), key=lambda place: place[0].count("/")))


def _between(root: str, hole: str) -> list[str]:
    inner = hole.removeprefix(f"{root}/").split("/")
    return ["/".join([root, *inner[:depth]]) for depth in range(1, len(inner))]


def _is_device(path: str) -> bool:
    """Whether it is written through its driver, which no read-only mount hinders."""
    try:
        return stat.S_ISCHR(os.stat(path).st_mode)
    except FileNotFoundError:
        return False


def _unshare() -> None:
    """A user namespace, with this very user in it, only for who may not mount otherwise."""
    try:
        kernel.function("unshare", NEW_MOUNTS)
    except PermissionError:
        user, group = os.geteuid(), os.getegid()
        kernel.function("unshare", NEW_MOUNTS | NEW_USER)
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{user} {user} 1"),
            ("gid_map", f"{group} {group} 1"),
        ):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)


def _clone(path: str) -> int:
    """The mounts from a path downwards as they are now, to be put back over the sealed ones."""
    place = kernel.open_place(path)
    how = CLONE | CLOSE_ON_EXEC | WITH_ALL_BELOW | ITSELF
    clone = kernel.call(kernel.OPEN_TREE, place, b"", how)
    os.close(place)
    return clone


def _put_back(clone: int, path: str) -> None:
    place = kernel.open_place(path)
    kernel.call(kernel.MOVE_MOUNT, clone, b"", place, b"", BETWEEN_DESCRIPTORS)
    os.close(place)
    os.close(clone)


def _set(flags: int = 0, *, propagation: int = 0, clone: int | None = None) -> None:
    """Change a cloned tree of mounts, or all there are."""
    wish = struct.pack("QQQQ", flags, 0, propagation, 0)
    where, path, how = (kernel.HERE, b"/", 0) if clone is None else (clone, b"", ITSELF)
    kernel.call(kernel.MOUNT_SETATTR, where, path, how | WITH_ALL_BELOW, wish, len(wish))
