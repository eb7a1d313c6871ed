"""Which files commits change, told by git with nothing left out: no rename, submodule or merge hides one."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from drumline.runtimes.git import attempt, git
from drumline.team.trespass import Change

ALL_OF_IT = ("--raw", "-z", "--no-renames", "--no-abbrev", "--no-relative", "--ignore-submodules=none")  # fmt: skip
GONE, SUBMODULE, FILES = "000000", "160000", ("100644", "100755")
COMPARED = 100  # files: who changes more of others' than that did not just add to them


def brought(repository: Path, commits: Sequence[str], but: Sequence[str]) -> set[Change]:
    """What each of some commits changes, those of `but` left out; of a merge what no parent of it has."""
    words = ("log", "--format=", "--no-show-signature", "--root", "-c", *ALL_OF_IT)
    return set(_read(git(repository, *words, *commits, "--not", *but, "--")))


def between(repository: Path, old: str, new: str) -> set[Change]:
    """What differs from one commit to another."""
    return set(_read(git(repository, "diff-tree", "-r", *ALL_OF_IT, old, new, "--")))


def looked_into(repository: Path, changes: Iterable[Change]) -> list[Change]:
    """The same changes; those that only add to the end of a file are told as that."""
    found = list(changes)
    closer = [
        each._replace(how="append") if _adds(repository, each.versions) else each
        for each in found[:COMPARED]
    ]
    return closer + found[COMPARED:]


def _adds(repository: Path, versions: Sequence[str]) -> bool:
    """Whether what a file was in a parent is how it begins; the other parents were looked at by themselves."""
    if not versions:
        return False
    *before, now = versions
    if "" in before:
        return True
    new = _content(repository, now)
    return new is not None and any(
        old is not None and new.startswith(old)
        for old in (_content(repository, each) for each in before)
    )


def _content(repository: Path, blob: str) -> bytes | None:
    """What git keeps under a name; nothing where that is too much to compare."""
    done = attempt(repository, "cat-file", "blob", blob)
    return None if done.code or done.cut else done.out


def _read(told: str) -> Iterator[Change]:
    """Each file stands behind a line of modes and names, one for every parent and one for the result."""
    tokens = iter(told.split("\0"))
    for token in tokens:
        line = token.lstrip("\n")
        if not line:
            continue
        sides = len(line) - len(line.lstrip(":")) + 1
        words = line.lstrip(":").split(" ")
        modes, names = words[:sides], words[sides : 2 * sides]
        *before, now = modes
        plain = now in FILES and {*before} <= {now, GONE}
        yield Change(
            next(tokens),
            how="delete" if now == GONE else "write",
            submodule=now == SUBMODULE and SUBMODULE not in before,
            versions=tuple(name.strip("0") and name for name in names) if plain else (),
        )
