"""A mount namespace of its own: everything read-only but the writable roots, and holes in those.

A hidden folder is covered by an empty one, into which the writable and the shown are put back.

A read-only mount also refuses what Landlock has no rule for: modes, owners, times and attributes.
It must be made before Landlock, under which nothing can be mounted, and it holds only for a process
that has given up the right to mount.
"""

# ruff: noqa: PTH103, PTH109, PTH112, PTH116, PTH120  # pathlib costs every start 10 ms

from __future__ import annotations

import os
import stat
import struct

from drumline.runtimes import kernel, namespace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

CLONE, CLOSE_ON_EXEC, WITH_ALL_BELOW = 0x1, 0x80000, 0x8000
ITSELF, BETWEEN_DESCRIPTORS = 0x1000, 0x4 | 0x40
READ_ONLY, PRIVATE = 0x1, 1 << 18

COVER = namespace.NO_SUID | namespace.NO_DEVICES | namespace.NO_PROGRAMS
WRITABLE, PINNED, HOLE = "writable", "pinned", "hole"
HIDDEN, SHOWN = "hidden", "shown"
ANYWHERE = ("", WRITABLE, PINNED, HOLE, HIDDEN, SHOWN)
MEANT_IN = {  # what a place must be inside of to say something new; empty: in nothing that is named
    WRITABLE: ANYWHERE,
    HOLE: (WRITABLE, PINNED),
    HIDDEN: ("", WRITABLE, PINNED, HOLE, SHOWN),
    SHOWN: (HIDDEN,),
}
SAMPLE = (("/proc",), ("/proc/sys",))  # a root and a hole that every machine has, to try it on
OWN_DEVICES = (  # programs need them, and the shared ones belong to everybody
    ("/dev/shm", "tmpfs", "mode=1777"),  # noqa: S108 - a mount point
    ("/dev/pts", "devpts", "newinstance,ptmxmode=0666,mode=0620"),
)


def absent() -> str:
    """Why no such namespace can be made here; empty where it can. Forks: ask it in a single thread."""
    return kernel.foreign() or namespace.tried(lambda: enter(plan(*SAMPLE)))


def seal_a_sample() -> None:
    """Try it in a mount namespace of one's own, for whoever makes that anyway."""
    seal(plan(*SAMPLE))


def enter(places: dict[str, str]) -> None:
    """Go where only what is planned to be writable can be changed in any way."""
    namespace.unshare(namespace.NEW_MOUNTS)
    seal(places)


def seal(places: dict[str, str]) -> None:
    """The same in a mount namespace that is this process's own already."""
    _set(propagation=PRIVATE)
    clones = {path: _clone(path) for path, kind in places.items() if kind != HIDDEN}
    folders = {path for path, clone in clones.items() if stat.S_ISDIR(os.fstat(clone).st_mode)}
    for path, kind in places.items():
        if kind in (HOLE, SHOWN):
            _set(READ_ONLY, clone=clones[path])
    _set(READ_ONLY)
    for path, kind in places.items():
        if kind == HIDDEN:
            _cover(path, {inner: inner in folders for inner in _put_into(path, places)})
        else:
            _put_back(clones[path], path)
    for path, kind, wish in OWN_DEVICES:
        if os.path.isdir(path):
            _mount(path, kind, namespace.NO_SUID, wish)
    os.chdir(os.getcwd())  # the folder we stand in still belongs to the mounts we left


def plan(
    writable: Iterable[str],
    holes: Iterable[str],
    hidden: Iterable[str] = (),
    shown: Iterable[str] = (),
) -> dict[str, str]:
    """What each place is mounted as, in the order of mounting: a folder before what is inside it.

    A folder between a root and its hole is pinned: moved away, it would take the hole with it.
    """
    roots = [path for path in writable if not _is_device(path)]
    named: dict[str, str] = {}
    for kind, paths in ((SHOWN, shown), (WRITABLE, roots), (HOLE, holes), (HIDDEN, hidden)):
        named.update(dict.fromkeys(paths, kind))
    places: dict[str, str] = {}
    for path in sorted(named, key=_depth):
        kind, around = named[path], places.get(_around(path, places), "")
        if around not in MEANT_IN[kind]:
            continue
        if kind in (HOLE, HIDDEN) and around in (WRITABLE, PINNED):
            for folder in _between(_around(path, roots), path):
                places.setdefault(folder, PINNED)
        places[path] = kind
    return dict(sorted(places.items(), key=lambda place: _depth(place[0])))


def _depth(path: str) -> int:
    return path.count("/")


def _around(path: str, folders: Iterable[str]) -> str:
    """The innermost of these folders that a path is inside; empty when it is in none."""
    return max((each for each in folders if path.startswith(f"{each}/")), key=len, default="")


def _put_into(hidden: str, places: Iterable[str]) -> list[str]:
    """What a hidden folder must have a place for: all inside it but what is inside that again."""
    inside = [path for path in places if path.startswith(f"{hidden}/")]
    return [path for path in inside if not _around(path, inside)]


def _between(root: str, hole: str) -> list[str]:
    inner = hole.removeprefix(f"{root}/").split("/")
    return ["/".join([root, *inner[:depth]]) for depth in range(1, len(inner))]


def _is_device(path: str) -> bool:
    """Whether it is written through its driver, which no read-only mount hinders."""
    try:
        return stat.S_ISCHR(os.stat(path).st_mode)
    except FileNotFoundError:
        return False


def _cover(path: str, inner: dict[str, bool]) -> None:
    """Put an empty folder over this one that nobody can change, with places for what is put back."""
    place = kernel.open_place(path)
    _mount(f"/proc/self/fd/{place}", "tmpfs", COVER, "mode=0755")
    os.close(place)
    for name, is_folder in inner.items():
        os.makedirs(name if is_folder else os.path.dirname(name), exist_ok=True)
        if not is_folder:
            os.close(os.open(name, os.O_CREAT | os.O_WRONLY, 0o400))
    cover = kernel.open_place(path)
    _set(READ_ONLY, clone=cover)
    os.close(cover)


def _mount(path: str, kind: str, flags: int, wish: str) -> None:
    kernel.function("mount", b"none", os.fsencode(path), kind.encode(), flags, wish.encode())


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
