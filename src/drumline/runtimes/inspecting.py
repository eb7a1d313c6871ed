"""Look at a member's checkout without believing it: what is uncommitted, what was never fetched.

A member may write its index, and an index can call a changed file unchanged. So the files are also
compared with the commit by an index of our own.
"""

import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from drumline.errors import NotClean, Refused
from drumline.runtimes.beside import scratch
from drumline.runtimes.git import (
    LOOK,
    LOOKING,
    PLAIN,
    Asking,
    attempt,
    git,
    git_inside,
    readable,
    script_inside,
    words,
)
from drumline.runtimes.looking import looking
from drumline.runtimes.pipes import refuse_pipes
from drumline.team.confinement import Confinement

STATUS = (
    "status",
    "--porcelain=v2",
    "--branch",
    "-z",
    "--untracked-files=all",
    "--ignore-submodules=dirty",  # what is inside one is configured by whoever may write there
    "--no-renames",
)
PATHS = ("--get-regexp", r"^submodule\..*\.path$")
MODULES = ".git/modules"
LINK = "160000"  # how a tree tells a submodule
FIELDS_BEFORE_THE_NAME = {"1": 8, "u": 10, "?": 1}
NAMED = 20
UNBORN, DETACHED = "(initial)", "(detached)"
TEAMS = "refs/heads/drumline"
BRANCH = "# team "  # begins a line of ours among those of git, whose own begin otherwise


class State(NamedTuple):
    """Where a checkout stands: its commit and branch, empty where there is none, and what is uncommitted."""

    head: str
    branch: str
    changed: tuple[str, ...]


class Standing(NamedTuple):
    """The same, with the team's branches as the checkout has them: each reference with its commit."""

    state: State
    branches: dict[str, str]


def state_of(folder: Path, seen: Confinement | None = None) -> State:
    """Where a checkout stands. A file counts as changed if its own index or ours says so.

    `seen` is what git finds in a folder that is only part of a checkout.
    """
    seen = seen or looking(folder)
    return _state(folder, _statuses(folder, seen), seen)


def standing_of(folder: Path) -> Standing:
    """Where a checkout and its branches stand, in one look."""
    seen = looking(folder)
    form = f"--format={BRANCH}%(refname) %(objectname)%00"
    told = _statuses(folder, seen, shlex.join(words("for-each-ref", form, TEAMS)))
    lines = (line.removeprefix("\n") for line in told.split("\0"))
    named = (line.removeprefix(BRANCH) for line in lines if line.startswith(BRANCH))
    branches = {name: commit for name, _, commit in (each.partition(" ") for each in named)}
    return Standing(_state(folder, told, seen), branches)


def _state(folder: Path, told: str, seen: Confinement) -> State:
    headers = dict(
        line.removeprefix("# branch.").split(" ", 1)
        for line in told.split("\0")
        if line.startswith("# branch.")
    )
    head = headers["oid"].replace(UNBORN, "")
    branch = headers["head"].replace(DETACHED, "")
    return State(head, branch, tuple(sorted({*_changed(told), *_changed_inside(folder, seen)})))


def refuse_dirty(folder: Path, state: State, why: str) -> None:
    """Refuse to go on over uncommitted work, naming it."""
    if state.changed:
        raise NotClean(str(folder), state.changed, listed(state.changed), why)


def unfetched(
    repository: Path,
    folder: Path,
    names: Sequence[str],
    seen: Confinement | None = None,
    asking: Asking = PLAIN,
) -> tuple[str, ...]:
    """The commits that stand behind these names of a checkout and behind no name of the repository."""
    form = "--format=%(objectname) %(refname)"
    held = git(repository, "for-each-ref", form, how=asking).splitlines()
    kept = [line.split()[0] for line in held if not line.split()[1].startswith("refs/drumline/")]
    head = attempt(repository, "rev-parse", "--verify", "--quiet", "HEAD", how=asking)
    kept += head.out.decode().split()
    if not {*names}.difference(kept):
        return ()  # each is a name there too: no git need be asked in the checkout
    asked = "".join(f"{name}\n" for name in (*names, *(f"^{each}" for each in kept)))
    how = Asking(said=asked, seconds=LOOKING)
    told = git_inside(folder, "rev-list", "--ignore-missing", "--stdin", held=seen, how=how)
    return tuple(told.split())


def made_here(folder: Path) -> tuple[str, ...]:
    """The commits of a checkout that no name of the repository it borrows from leads to."""
    words = ("rev-list", "HEAD", "--branches", "--not", "--alternate-refs", "--")
    return tuple(git_inside(folder, *words, held=looking(folder), how=LOOK).split())


def names_of(
    folder: Path, state: State, below: str = "refs/", seen: Confinement | None = None
) -> tuple[str, ...]:
    """What a checkout holds on to: where it stands, each reference below a name, and each stash there."""
    form = "--format=%(objectname) %(refname)"
    named = git_inside(folder, "for-each-ref", form, below, held=seen, how=LOOK).splitlines()
    held = [state.head, *(line.split()[0] for line in named)]
    if any(line.endswith(" refs/stash") for line in named):
        stashes = ("log", "-g", "--format=%H", "refs/stash", "--")
        held += git_inside(folder, *stashes, held=seen, how=LOOK).split()
    return tuple(dict.fromkeys(name for name in held if name))


def listed(names: Sequence[str]) -> str:
    """The first of many names, and how many more there are."""
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    shown = (name if name.isprintable() else repr(name) for name in names[:NAMED])
    return ", ".join(shown) + more


def submodules_of(folder: Path, seen: Confinement | None = None) -> Iterator[tuple[str, str]]:
    """The names and paths of the submodules that a checkout's commit lists."""
    told = ""
    if git_inside(folder, "ls-tree", "HEAD", "--", ".gitmodules", held=seen, how=LOOK):
        with suppress(Refused):  # git's answer for a file that lists none
            listed = ("config", "-z", "--blob", "HEAD:.gitmodules", *PATHS)
            told = git_inside(folder, *listed, held=seen, how=LOOK)
    yield from _names_and_paths(told)


def submodules_at(repository: Path, commit: str, asking: Asking) -> Iterator[tuple[str, str, str]]:
    """The names and paths of those that a commit of a repository lists, and the commit it names for each."""
    listed = ("config", "-z", "--blob", f"{commit}:.gitmodules", *PATHS)
    if not git(repository, "ls-tree", "--full-tree", commit, "--", ".gitmodules", how=asking):
        return
    told = attempt(repository, *listed, how=asking)
    if told.code and told.err:  # it says nothing of a file that lists none
        raise Refused(
            ".gitmodules of the work cannot be read",
            why=readable(told.err),
            next="mend it, commit that and hand in again",
        )
    tree = git(repository, "ls-tree", "-r", "-z", "--full-tree", commit, how=asking)
    entries = (entry.split(maxsplit=3) for entry in tree.split("\0"))
    named = {entry[3]: entry[2] for entry in entries if entry[:1] == [LINK]}
    for name, path in _names_and_paths(told.out.decode("utf-8", "backslashreplace")):
        if path in named:
            yield name, path, named[path]


def _names_and_paths(told: str) -> Iterator[tuple[str, str]]:
    for entry in filter(None, told.split("\0")):
        key, _, path = entry.partition("\n")
        name = key.removeprefix("submodule.").removesuffix(".path")
        if not {"..", "", ".git"} & {*name.split("/"), *path.split("/")}:  # a name may be absolute
            yield name, path


def _statuses(folder: Path, seen: Confinement, more: str = ":") -> str:
    """What git says by the checkout's own index, then by a new one, and then what more is asked."""
    refuse_pipes(folder, files_too=True)
    status, read = shlex.join(words(*STATUS)), shlex.join(words("read-tree"))
    with scratch() as place:
        new = f"export GIT_INDEX_FILE={shlex.quote(f'{place}/index')}"
        filled = f"{{ {read} HEAD || {read} --empty; }}"  # there may be no commit yet
        unlock = 'rm -f "$GIT_INDEX_FILE.lock"'  # of a try that was killed
        script = f"{status} && {new} && {unlock} && {filled} && {status} && {more}"
        return script_inside(folder, STATUS[0], script, seen.adding(writable=[str(place)]), LOOK)


def _changed_inside(folder: Path, seen: Confinement) -> Iterator[str]:
    """What is uncommitted in submodules, where there may be some: one keeps its own beside it."""
    if (folder / ".git").is_dir() and not (folder / MODULES).is_dir():
        return
    for _, path in submodules_of(folder, seen):
        inner = folder / path
        if (inner / ".git").exists():
            yield from (f"{path}/{name}" for name in state_of(inner, seen).changed)


def _changed(told: str) -> Iterator[str]:
    for line in told.split("\0"):
        if line[:1] in FIELDS_BEFORE_THE_NAME:
            yield line.split(" ", FIELDS_BEFORE_THE_NAME[line[:1]])[-1]
