"""Look at a member's checkout without believing it: what is uncommitted, what was never fetched.

A member may write its index, and an index can call a changed file unchanged. So the files are also
compared with the commit by an index of our own.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from drumline.errors import NotClean
from drumline.runtimes.git import Asking, attempt, git, git_inside
from drumline.team.confinement import Confinement

STATUS = (
    "status",
    "--porcelain=v2",
    "--branch",
    "-z",
    "--untracked-files=all",
    "--ignore-submodules=none",
    "--no-renames",
)
FIELDS_BEFORE_THE_NAME = {"1": 8, "u": 10, "?": 1}
NAMED = 20
UNBORN, DETACHED = "(initial)", "(detached)"


class State(NamedTuple):
    """Where a checkout stands: its commit and branch, empty where there is none, and what is uncommitted."""

    head: str
    branch: str
    changed: tuple[str, ...]


def state_of(folder: Path) -> State:
    """Where a checkout stands. A file counts as changed if its own index or ours says so."""
    told = git_inside(folder, *STATUS)
    headers = dict(
        line.removeprefix("# branch.").split(" ", 1)
        for line in told.split("\0")
        if line.startswith("# branch.")
    )
    head = headers["oid"].replace(UNBORN, "")
    branch = headers["head"].replace(DETACHED, "")
    ours = _by_an_index_of_our_own(folder) if head else ()
    return State(head, branch, tuple(sorted({*_changed(told), *ours})))


def refuse_dirty(folder: Path, state: State, why: str) -> None:
    """Refuse to go on over uncommitted work, naming it."""
    if state.changed:
        raise NotClean(str(folder), state.changed, listed(state.changed), why)


def unfetched(repository: Path, folder: Path, names: Sequence[str]) -> tuple[str, ...]:
    """The commits that stand behind these names of a checkout and behind no name of the repository."""
    held = git(repository, "for-each-ref", "--format=%(objectname) %(refname)").splitlines()
    kept = [line.split()[0] for line in held if not line.split()[1].startswith("refs/drumline/")]
    kept += attempt(repository, "rev-parse", "--verify", "--quiet", "HEAD").out.decode().split()
    asked = "".join(f"{name}\n" for name in (*names, *(f"^{each}" for each in kept)))
    return tuple(
        git_inside(
            folder, "rev-list", "--ignore-missing", "--stdin", how=Asking(said=asked)
        ).split()
    )


def names_of(folder: Path, state: State, below: str = "refs/") -> tuple[str, ...]:
    """What a checkout holds on to: where it stands, each reference below a name, and each stash there."""
    form = "--format=%(objectname) %(refname)"
    named = git_inside(folder, "for-each-ref", form, below).splitlines()
    held = [state.head, *(line.split()[0] for line in named)]
    if any(line.endswith(" refs/stash") for line in named):
        held += git_inside(folder, "log", "-g", "--format=%H", "refs/stash", "--").split()
    return tuple(dict.fromkeys(name for name in held if name))


def listed(names: Sequence[str]) -> str:
    """The first of many names, and how many more there are."""
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    shown = (name if name.isprintable() else repr(name) for name in names[:NAMED])
    return ", ".join(shown) + more


def _by_an_index_of_our_own(folder: Path) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="drumline-") as made:
        place = os.path.realpath(made)
        held = Confinement(writable=[place], ports=())
        how = Asking(variables={"GIT_INDEX_FILE": f"{place}/index"})
        git_inside(folder, "read-tree", "HEAD", held=held, how=how)
        yield from _changed(git_inside(folder, *STATUS, held=held, how=how))


def _changed(told: str) -> Iterator[str]:
    for line in told.split("\0"):
        if line[:1] in FIELDS_BEFORE_THE_NAME:
            yield line.split(" ", FIELDS_BEFORE_THE_NAME[line[:1]])[-1]
