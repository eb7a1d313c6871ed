"""Merge commits into the team's branch with no working tree: the user's files, index and branch stay as they are."""

import shlex
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import NamedTuple

from drumline.errors import InTheWay, Refused
from drumline.runtimes.bounded import Done
from drumline.runtimes.checkout import current_commit
from drumline.runtimes.fetching import is_in_the_way
from drumline.runtimes.git import Asking, attempt, commit_named, git, readable, require

MERGED = "refs/heads/drumline/merged"
TRIES = 50
NOT_THERE = ""


class Author(NamedTuple):
    """Whose work a merge brings."""

    name: str
    email: str


OURS = Author("drumline", "drumline@localhost")


class Merged(NamedTuple):
    """The branch now holds the commit; this is where it stands."""

    commit: str


class Disapproved(NamedTuple):
    """The merge would be this commit, and whoever looked at it does not want it; the branch is as it was."""

    commit: str


class Conflicted(NamedTuple):
    """These files were changed on both sides; the branch is as it was."""

    files: tuple[str, ...]


class Work(NamedTuple):
    """What is to be merged, in whose name, and what is said of it."""

    commit: str
    message: str
    author: Author


Approve = Callable[[str, str], bool]  # of what the branch would hold, and of what it held before
Turn = Callable[[], AbstractContextManager[None]]


def merge(
    repository: Path,
    work: Work,
    into: str = MERGED,
    approve: Approve = lambda _new, _base: True,
    turn: Turn = nullcontext,
) -> Merged | Conflicted | Disapproved:
    """Merge a commit into a branch, which begins at the repository's own commit.

    What the branch already holds changes nothing. The branch moves only to what was approved; when
    somebody else moves it meanwhile, all is done anew, in `turn` with others who were late, though not with
    those who come new: of twenty who approve at once nineteen do it in vain.
    """
    require(2, 38, "merge without a working tree")
    commit_named(repository, work.commit)
    last = ""
    with ExitStack() as waiting:
        for tried in range(TRIES):
            if tried == 1:
                waiting.enter_context(turn())
            found = _tried(repository, work, into, approve)
            if not isinstance(found, _Late):
                return found
            last = found.why
    raise Refused(f"{into} could not be moved in {TRIES} tries", why=last, next="try again")


class _Late(NamedTuple):
    """Somebody else moved the branch meanwhile."""

    why: str


def _tried(
    repository: Path, work: Work, into: str, approve: Approve
) -> Merged | Conflicted | Disapproved | _Late:
    old = standing(repository, into)
    base = old or current_commit(repository)
    new = joined(repository, base, work)
    if isinstance(new, Conflicted):
        return new
    if not approve(new, base):
        return Disapproved(new)
    if new == old:
        return Merged(new)
    refuse_in_the_way(repository)
    _refuse_if_checked_out(repository, into)
    moved = attempt(repository, "update-ref", "-m", "drumline: merge", into, new, old)
    return _Late(readable(moved.err)) if moved.code else Merged(new)


def joined(repository: Path, tip: str, work: Work) -> str | Conflicted:
    """The tip with a commit in it."""
    if holds(repository, tip, work.commit):
        return tip
    tree, conflicting = _merged_tree(repository, tip, work.commit)
    if conflicting:
        return Conflicted(conflicting)
    return _committed(repository, tree, (tip, work.commit), work.message, work.author)


def tip_of(repository: Path) -> str:
    """Where the team's work stands: at the user's own commit until something was merged."""
    return standing(repository, MERGED) or current_commit(repository)


def with_all(repository: Path, tip: str, commits: Iterable[str]) -> tuple[str, set[str]]:
    """The tip with some commits in it and nothing else, and the files in which they conflict."""
    conflicting: set[str] = set()
    for commit in commits:
        tree, files = _merged_tree(repository, tip, commit)
        conflicting.update(files)
        tip = _committed(repository, tree, (tip, commit), "expected\n", OURS)
    return tip, conflicting


def standing(repository: Path, into: str) -> str:
    """The commit a branch stands at, empty where there is no such branch."""
    return _fact(repository, into, "%(objectname)")


def refuse_in_the_way(repository: Path) -> None:
    """Refuse to go on where the user has a branch that keeps the team from any of its own."""
    if is_in_the_way(repository):
        raise InTheWay(
            f"{repository} has a branch called drumline",
            why="the team's branches are drumline/…, and git keeps none below the name of another",
            next=f"git -C {shlex.quote(str(repository))} branch -m drumline ANOTHER-NAME",
        )


def _refuse_if_checked_out(repository: Path, into: str) -> None:
    where = _fact(repository, into, "%(worktreepath)")
    if where:
        raise InTheWay(
            f"{into} is checked out in {where}",
            why="it would move under the files there, which then look changed",
            next=f"git -C {shlex.quote(where)} switch --detach",
        )


def _fact(repository: Path, name: str, form: str) -> str:
    told = git(repository, "for-each-ref", f"--format=%(refname) {form}", name)
    found = dict(line.split(" ", 1) for line in told.splitlines())
    return found.get(name, NOT_THERE)


def holds(repository: Path, tip: str, commit: str) -> bool:
    """Whether a commit is, or comes before, another."""
    done = attempt(repository, "merge-base", "--is-ancestor", commit, tip)
    if done.code not in {0, 1}:
        raise _refused(done, commit)
    return done.code == 0


def _merged_tree(repository: Path, tip: str, commit: str) -> tuple[str, tuple[str, ...]]:
    """What a merge comes to, and the files in which it conflicts, which then hold both sides."""
    done = attempt(repository, "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", tip, commit)  # fmt: skip
    if done.cut or done.code not in {0, 1}:
        raise _refused(done, commit)
    tree, *files = done.out.decode("utf-8", "backslashreplace").rstrip("\0").split("\0")
    return tree, tuple(dict.fromkeys(files))


def _committed(
    repository: Path, tree: str, parents: tuple[str, str], message: str, author: Author
) -> str:
    who = {
        f"GIT_{role}_{part.upper()}": value
        for role, person in (("AUTHOR", author), ("COMMITTER", OURS))
        for part, value in person._asdict().items()
    }
    words = [word for parent in parents for word in ("-p", parent)]
    how = Asking(settings=("i18n.commitEncoding=UTF-8",), said=message, variables=who)
    return git(repository, "commit-tree", tree, *words, "-F", "-", how=how).strip()


def _refused(done: Done, commit: str) -> Refused:
    return Refused(
        f"{commit} cannot be merged",
        why=done.cut or readable(done.err) or f"exit {done.code}",
        next="git's own words say what to mend",
    )
