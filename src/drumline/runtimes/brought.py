"""Which files commits change, told by git with nothing left out: no rename, submodule or merge hides one."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from drumline.runtimes.git import git
from drumline.team.trespass import Change

ALL_OF_IT = ("--raw", "-z", "--no-renames", "--no-abbrev", "--no-relative", "--ignore-submodules=none")  # fmt: skip
GONE, LINK = "000000", "160000"


def brought(repository: Path, commits: Sequence[str], but: Sequence[str]) -> set[Change]:
    """What each of some commits changes, those of `but` left out; of a merge what no parent of it has."""
    words = ("log", "--format=", "--no-show-signature", "--root", "-c", *ALL_OF_IT)
    return set(_read(git(repository, *words, *commits, "--not", *but, "--")))


def between(repository: Path, old: str, new: str) -> set[Change]:
    """What differs from one commit to another."""
    return set(_read(git(repository, "diff-tree", "-r", *ALL_OF_IT, old, new, "--")))


def _read(told: str) -> Iterator[Change]:
    """Each file stands behind a line of modes, one for every parent and one for the result."""
    tokens = iter(told.split("\0"))
    for token in tokens:
        line = token.lstrip("\n")
        if not line:
            continue
        parents = len(line) - len(line.lstrip(":"))
        *before, now = line.lstrip(":").split(" ")[: parents + 1]
        yield Change(next(tokens), deleted=now == GONE, link=now == LINK and LINK not in before)
