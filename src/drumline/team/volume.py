"""Where files lie, and whether many processes can append and lock there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

REMOTE = "locks and appends of several hosts or programs may not exclude each other there"
_SHARED = """
    9p afs beegfs ceph cifs coda drvfs gpfs lustre ncpfs nfs nfs4 prl_fs smb2 smb3 smbfs v9fs vboxsf
    virtiofs vmhgfs
"""
SHARED_KINDS = frozenset(_SHARED.split())


class Mount(NamedTuple):
    """A place in the tree and the kind of file system behind it."""

    point: str
    kind: str


class Volume(NamedTuple):
    """What a path lies on; `why` says what is wrong with a volume that is not local."""

    kind: str
    local: bool
    why: str = ""


def mounts(text: str) -> list[Mount]:
    """What the kernel's list of mounts says, in its order."""
    found = []
    for line in text.splitlines():
        before, dash, after = line.partition(" - ")
        fields = before.split(" ")
        if dash and len(fields) > 4 and after:  # noqa: PLR2004 - the fifth field is the mount point
            found.append(Mount(_unescaped(fields[4]), after.split(" ")[0]))
    return found


def kind_of(path: str, known: Iterable[Mount]) -> str:
    """The kind of file system an absolute path lies on; later mounts hide earlier ones."""
    best = Mount("", "unknown")
    for mount in known:
        if _holds(mount.point, path) and len(mount.point) >= len(best.point):
            best = mount
    return best.kind


def judged(kind: str) -> Volume:
    """Whether a kind of file system is one host's own."""
    if kind in SHARED_KINDS or kind.partition(".")[0] in {"fuse", "fuseblk"}:
        return Volume(kind, local=False, why=REMOTE)
    return Volume(kind, local=True)


def _holds(point: str, path: str) -> bool:
    return point in {"/", path} or path.startswith(f"{point}/")


def _unescaped(word: str) -> str:
    """Blanks in a mount point are written in octal."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), word)
