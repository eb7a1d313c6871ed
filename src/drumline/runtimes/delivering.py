"""Delivery: the team's branch becomes one merge on the user's own, which can be taken back as one.

The merge is made without a working tree, then the user's branch moves to it as git itself would move it:
what the user changed meanwhile stays, and what would be overwritten stands in the way.
"""

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path

from drumline.errors import Conflict, InTheWay
from drumline.runtimes.bounded import Done
from drumline.runtimes.checkout import current_commit
from drumline.runtimes.git import AS_USER, Asking, attempt, git, readable
from drumline.runtimes.merging import (
    MERGED,
    OURS,
    Author,
    Conflicted,
    Work,
    holds,
    joined,
    standing,
)

TRAILER = "Run"
NOWHERE = "no branch"
TRIES = 3  # hooks take minutes: who commits during each of them is told so
OWN = ".drumline"  # where the team's state is kept, should nobody have told git to ignore it


def branch_here(repository: Path) -> str:
    """The branch the user is on."""
    if (here := _where(repository)) == NOWHERE:
        raise InTheWay(
            f"{repository} is on no branch",
            why="a run is delivered onto the branch it was begun on",
            next=f"git -C {shlex.quote(str(repository))} switch --create NAME",
        )
    if f"refs/heads/{here}" == MERGED:
        raise InTheWay(
            f"you are on {here}, the team's own branch",
            why="members' work is merged there while they are at it, and delivered onto yours",
            next=f"git -C {shlex.quote(str(repository))} switch the branch that is to have it",
        )
    return here


def make_ready(repository: Path) -> None:
    """Let the team's branch begin where the user stands; work that nobody took in stands in the way."""
    tip, here = standing(repository, MERGED), current_commit(repository)
    if not tip or tip == here:
        return
    if not holds(repository, here, tip):
        name, there = MERGED.removeprefix("refs/heads/"), shlex.quote(str(repository))
        raise InTheWay(
            f"{name} holds work that is not in your branch",
            why="it would be delivered with the run; an earlier run left it, or tasks outside of runs",
            next=f"git -C {there} merge {name}   # or set it aside: git branch -m {name} left-over",
        )
    git(repository, "update-ref", "-m", "drumline: begin", MERGED, here, tip)


def uncommitted(repository: Path) -> list[str]:
    """What the user has changed or added and not committed; what is ours is left out."""
    done = attempt(repository, "status", "--porcelain", "-z", "--no-renames", how=AS_USER)
    told = done.out.decode("utf-8", "backslashreplace").split("\0")
    return [line[3:] for line in told if line and not line[3:].startswith(f"{OWN}/")]


def tree_with(repository: Path, branch: str) -> Path:
    """The one of the user's working trees that has a branch checked out; this one where none has."""
    if not branch or _where(repository) == branch:
        return repository
    blocks = git(repository, "worktree", "list", "--porcelain").split("\n\n")
    found = [
        lines for each in blocks if f"branch refs/heads/{branch}" in (lines := each.split("\n"))
    ]
    trees = [Path(lines[0].removeprefix("worktree ")) for lines in found]
    return next((tree for tree in trees if tree.is_dir()), repository)


def refuse_elsewhere(repository: Path, branch: str) -> None:
    """Refuse to deliver onto another branch than the one a run was begun on."""
    if branch and (here := _where(repository)) != branch:
        raise InTheWay(
            f"you are on {here}, and the run was begun on {branch}",
            why="what it made belongs there",
            next=f"git -C {shlex.quote(str(repository))} switch {shlex.quote(branch)}",
        )


def _where(repository: Path) -> str:
    """What the user is on, in a word: a branch, or none of them."""
    done = attempt(repository, "symbolic-ref", "--quiet", "--short", "HEAD")
    return done.out.decode("utf-8", "backslashreplace").strip() or NOWHERE


def refuse_lost(repository: Path, merged: Mapping[str, str]) -> None:
    """Refuse to deliver less than was done: what was merged for a task is on the team's branch, or on the user's."""
    tips = [standing(repository, MERGED), current_commit(repository)]
    there, name = shlex.quote(str(repository)), MERGED.removeprefix("refs/heads/")
    for task, commit in merged.items():
        if not any(holds(repository, tip, commit) for tip in tips if tip):
            bring = f"merge {commit}   # on {name}" if tips[0] else f"branch {name} {commit}"
            raise InTheWay(
                f"the work of {task} is not on {name} any more",
                why=f"it was merged there as {commit[:12]}; the branch was moved, renamed or deleted since",
                next=f"git -C {there} {bring}",
            )


def refuse_beside(repository: Path, branch: str, commit: str) -> None:
    """Refuse to take a run back out of another branch, while the one it was delivered to has it."""
    tip = standing(repository, f"refs/heads/{branch}") if branch else ""
    if tip and holds(repository, tip, commit):
        refuse_elsewhere(repository, branch)


def deliver(
    repository: Path,
    run: str,
    message: str,
    since: str = "",
    refuse: Callable[[str, str], None] = lambda _new, _base: None,
) -> str:
    """The merge that brings a run's work into the user's branch, made once however often it is asked for.

    since    what the user stood on when the run began
    refuse   raises where the merge, made onto what the user stands on, is not to be
    """
    if made := delivered(repository, run, since):
        return made
    _refuse_amid_another(repository, "a run is delivered")
    tip = standing(repository, MERGED)
    for _ in range(TRIES):
        base = current_commit(repository)
        if not tip or holds(repository, base, tip):
            return base  # nobody changed anything
        work = Work(tip, f"{message}\n\n{TRAILER}: {run}\n", _user(repository))
        new = _onto(repository, base, work)
        refuse(new, base)
        if current_commit(repository) == base:  # else the user committed while somebody looked
            _move(repository, new)
            return new
    raise InTheWay(
        "your branch moved each time while the merge was looked at",
        why=f"the merge is made onto what you stand on, and you stood elsewhere {TRIES} times",
        next="let it stand until the run is delivered",
    )


def moved_meanwhile(repository: Path, base: str) -> bool:
    """Whether the user stands on what the team's branch has not: the merge is then what nobody verified."""
    return not holds(repository, standing(repository, MERGED), base)


def _onto(repository: Path, base: str, work: Work) -> str:
    """The merge of a run's work onto what the user stands on."""
    new = joined(repository, base, work)
    if isinstance(new, Conflicted):
        raise InTheWay(
            f"what was done meanwhile on your branch conflicts in {', '.join(new.files[:20])}",
            why="the team's work was made on an earlier commit",
            next=f"git -C {shlex.quote(str(repository))} merge {MERGED.removeprefix('refs/heads/')}",
        )
    return new


def delivered(repository: Path, run: str, since: str = "") -> str:
    """The merge by which a run was delivered; empty where it was not, or was undone by other means.

    What was there when the run began is another team's run of that name: a new store counts from one again.
    """
    words = (
        "log",
        "--first-parent",
        "--merges",
        "--format=%H",
        f"--grep=^{TRAILER}: {run}$",
        "--ignore-missing",
        "HEAD",
        *([f"^{since}"] if since else []),
    )
    return git(repository, *words).partition("\n")[0].strip()


def revert(repository: Path, run: str, commit: str, since: str = "") -> str:
    """Take a delivered run back out: one commit that undoes its merge."""
    if not _is_delivery(repository, run, commit, since):
        raise Conflict(
            f"{run} brought no change by a merge of ours, so there is nothing to take back",
            why="it changed nothing, or you merged its work yourself",
            next=f"git -C {shlex.quote(str(repository))} log --merges   # git revert -m 1 yours",
        )
    if not holds(repository, current_commit(repository), commit):
        raise Conflict(
            f"{run} is not in the branch you are on",
            why=f"it was delivered as {commit[:12]}",
            next=f"git -C {shlex.quote(str(repository))} switch the branch that has it",
        )
    if undone := taken_back(repository, commit):
        return undone
    _refuse_amid_another(repository, "a run is taken back")
    user = _user(repository)
    who = {
        f"GIT_{role}_{part.upper()}": value
        for role in ("AUTHOR", "COMMITTER")
        for part, value in user._asdict().items()
    }
    how = Asking(variables=who)
    done = attempt(repository, "revert", "--no-edit", "--mainline", "1", commit, how=how)
    if done.code:
        empty = not attempt(repository, "diff", "--cached", "--quiet", "HEAD").code
        if _stands_at(repository, "REVERT_HEAD") == commit:
            attempt(repository, "revert", "--abort")
        raise _not_taken_back(repository, run, commit, done, empty=empty)
    return current_commit(repository)


def _not_taken_back(
    repository: Path, run: str, commit: str, done: Done, *, empty: bool
) -> Conflict | InTheWay:
    """Why git took nothing back: nothing was left of it, or something stood in the way."""
    if empty and b"nothing " in done.out:
        return Conflict(
            f"nothing that {run} brought is left to take back",
            why="your branch undid it already, by other commits",
            next=f"git -C {shlex.quote(str(repository))} log {commit[:12]}..",
        )
    return InTheWay(
        f"{run} cannot be taken back",
        why=readable(done.err) or readable(done.out),
        next="commit or put away what you changed, or undo by hand what came after it",
    )


def taken_back(repository: Path, commit: str) -> str:
    """The commit that took a delivery back already, by whomever; empty where it holds, also once more."""
    words = ("log", "--max-count=1", "--format=%H", f"--grep=^This reverts commit {commit}")
    undone = git(repository, *words, f"{commit}..HEAD").strip()
    return "" if not undone or taken_back(repository, undone) else undone


def _is_delivery(repository: Path, run: str, commit: str, since: str) -> bool:
    """Whether a commit is the merge that a run made; where it brought nothing it is one of the user's own."""
    words = ("log", "--max-count=1", "--merges", f"--grep=^{TRAILER}: {run}$", "--format=%H")
    older = ["--ignore-missing", f"^{since}"] if since else []
    return git(repository, *words, *older, commit).strip() == commit


def _refuse_amid_another(repository: Path, what: str) -> None:
    """Whoever is half-way through something of the kind would lose what they resolved so far."""
    for name in ("REVERT_HEAD", "CHERRY_PICK_HEAD", "MERGE_HEAD"):
        if _stands_at(repository, name):
            doing = name.removesuffix("_HEAD").lower().replace("_", "-")
            raise InTheWay(
                f"a {doing} of your own is not finished here",
                why=f"{what} by a commit on a branch that nothing else is under way on",
                next=f"git -C {shlex.quote(str(repository))} {doing} --continue   # or --abort",
            )


def _stands_at(repository: Path, name: str) -> str:
    """The commit a name of git's own stands for; empty where there is none."""
    done = attempt(repository, "rev-parse", "--verify", "--quiet", name)
    return "" if done.code else done.out.decode("ascii", "replace").strip()


def brought(repository: Path, commit: str) -> list[str]:
    """What a delivery changed, a file a line."""
    return git(repository, "diff", "--stat", f"{commit}^1", commit).splitlines()


def _move(repository: Path, new: str) -> None:
    done = attempt(repository, "merge", "--ff-only", "--quiet", new)
    if done.code and b".lock'" in done.err:
        raise InTheWay(
            "another git is at work in your checkout, or was killed there",
            why=readable(done.err),
            next="let it end, or remove the lock that it left",
        )
    if done.code:
        raise InTheWay(
            "your checkout has changes that the team's work would overwrite",
            why=readable(done.err) or readable(done.out),
            next=f"git -C {shlex.quote(str(repository))} stash --include-untracked   # or commit them",
        )


def _user(repository: Path) -> Author:
    """Whoever commits here; we do where nobody said."""
    name, email = (
        attempt(repository, "config", key, how=AS_USER).out for key in ("user.name", "user.email")
    )
    if name.strip() and email.strip():
        return Author(
            name.decode("utf-8", "replace").strip(), email.decode("utf-8", "replace").strip()
        )
    return OURS
