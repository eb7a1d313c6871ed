"""A member's own checkout: a clone that borrows the repository's objects and can change none of them."""

import os
import shlex
import stat
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from drumline.errors import Conflict, Refused
from drumline.runtimes.beside import FURNISHED, GOING, MAKING, alone, beside, clear, free
from drumline.runtimes.confine import confine
from drumline.runtimes.git import (
    Asking,
    attempt,
    commit_named,
    excludes,
    git,
    script_inside,
    upload_pack,
    words,
)
from drumline.runtimes.inspecting import (
    listed,
    names_of,
    refuse_dirty,
    standing_of,
    state_of,
    unfetched,
)
from drumline.runtimes.looking import writing
from drumline.runtimes.submodules import follow, left_behind
from drumline.team.confinement import Confinement
from drumline.team.text import checked_name

OF_THE_LEAD = (".claude", ".drumline", "drumline")
OF_GIT = (".git/config", ".git/hooks", ".git/info", ".git/config.worktree")
LOCKS = (  # of one who was killed: nobody works in it now
    ".git/index.lock",
    ".git/HEAD.lock",
    ".git/packed-refs.lock",
)
YOUNG = "+0.05"  # minutes: no git of a checkout keeps a lock for longer
A_FILE = ".git/config.worktree"  # git reads it where .git/config says so; empty, it says nothing
SETTINGS = (
    "repack.updateServerInfo=false",  # .git/info is not the member's to write
    "gc.auto=0",  # nothing tidies in the background of a member's turn
    "maintenance.auto=false",
    "branch.autoSetupMerge=false",  # a new branch need not write the configuration
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
)

WRITES = (  # as a new file: what stands there may be anything
    "import os, sys; path, text = sys.argv[1:]; os.path.lexists(path) and os.unlink(path);"
    " os.write(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644), os.fsencode(text))"
)


def branch_of(member: str) -> str:
    """The branch a member works on in its checkout."""
    return f"drumline/{member}/work"


def clone(repository: Path, folder: Path, member: str) -> str:
    """Make a member's checkout at the repository's current commit; its branch.

    Nothing is copied: what the clone borrows is pinned first, so that no tidying drops it. It is made
    beside its place and moved there whole.
    """
    checked_name(member, "the member")
    with alone(folder):
        if os.path.lexists(folder):
            raise Conflict(
                f"{folder} is there already",
                why="a checkout is never made over another",
                next="keep it, or move it away first",
            )
        making = free(folder, MAKING)
        beside(folder, FURNISHED).unlink(missing_ok=True)
        start = current_commit(repository)
        pin(repository, member)
        borrow(repository, making, start, branch_of(member))
        making.rename(folder)
    return branch_of(member)


def borrow(repository: Path, folder: Path, commit: str, branch: str = "") -> None:
    """A clone at a commit that borrows every object, on a branch of its own or on none."""
    settings = [word for setting in SETTINGS for word in ("--config", setting)]
    quiet = ("clone", "--quiet", "--shared", "--no-checkout", "--template=", upload_pack())
    git(repository, *quiet, *settings, "--", str(repository), str(folder))
    place = ("--no-track", "-b", branch) if branch else ("--detach",)
    move = words("checkout", "--quiet", *place, commit)
    script = f"{shlex.join(move)} && {_making_holes(folder)}"
    script_inside(folder, "checkout", script, _writing(folder))


def follow_repository(repository: Path, folder: Path) -> None:
    """Let a checkout borrow from where its repository is now, if that was moved since it was made."""
    lent = folder / ".git" / "objects" / "info" / "alternates"
    if (known := _line_in(lent)) and Path(known).is_dir():
        return
    asked = ("rev-parse", "--path-format=absolute", "--git-path", "objects")
    objects = git(repository, *asked).strip()
    writes = [sys.executable, "-I", "-S", "-c", WRITES, str(lent), f"{objects}\n"]
    if failed := confine(writes, _writing(folder)):
        raise Refused(
            f"{folder} cannot follow {repository}",
            why=f"{lent} could not be written: exit {failed}",
            next="move the checkout away; it is made anew",
        )


def start_from(
    repository: Path, folder: Path, member: str, commit: str, *, every: bool = False
) -> None:
    """Move a member's clean checkout to a commit, on its work branch.

    Refused, and nothing touched, while anything is uncommitted, or what it would leave was never fetched;
    with `every`, while any other branch of the member's was not.
    """
    branch = branch_of(checked_name(member, "the member"))
    with alone(folder):
        commit_named(repository, commit)
        state, there = standing_of(folder)
        refuse_dirty(folder, state, "a new task never overwrites uncommitted work")
        own = f"refs/heads/{branch}"
        excluding = {name: there[name] for name in there if excludes(name, own)}
        members = f"refs/heads/drumline/{member}/"
        others = [there[name] for name in there if every and name.startswith(members)]
        tips = (state.head, there.get(own, ""), *excluding.values(), *others)
        held = [*filter(None, tips)]
        _refuse_unfetched(repository, folder, held)
        pin(repository, member, held)  # a user may drop what holds it there: a stash, a place aside
        anew = words("read-tree", state.head or "--empty")  # an index without a member's marks
        move = ("checkout", "--quiet", "--no-track", "--no-overwrite-ignore", "-B", branch)
        steps = (_unlocking(locks_of(branch)), words("update-ref", "--stdin"), anew)
        done = [shlex.join(step) for step in (*steps, words(*move, commit, "--"))]
        script = " && ".join([*done, _making_holes(folder)])
        how = Asking(said=_left(state.head, excluding))
        script_inside(folder, "checkout", script, _writing(folder), how)
        follow(folder, holes_in(folder))


def unlock(folder: Path, member: str) -> None:
    """Take away what a git that was killed has locked: whoever is told to commit could not.

    A lock that is young may be of a git that works on in the background.
    """
    there = [name for name in locks_of(branch_of(member)) if os.path.lexists(folder / name)]
    if there:
        old = ("find", *there, "-maxdepth", "0", "-mmin", YOUNG, "-exec", *_unlocking(["{}"]), "+")
        with alone(folder):
            script_inside(folder, "unlock", f"{shlex.join(old)} || :", _writing(folder))


def locks_of(branch: str) -> tuple[str, ...]:
    return (*LOCKS, f".git/refs/heads/{branch}.lock")


def _unlocking(locks: Sequence[str]) -> tuple[str, ...]:
    return ("rm", "-rf", "--", *locks)


def _left(head: str, branches: Iterable[str]) -> str:
    """How git is told to stand at a commit by itself and to let go of branches."""
    if not (gone := "".join(f"delete {name}\n" for name in branches)):
        return ""
    stands = f"start\noption no-deref\nupdate HEAD {head}\ncommit\n" if head else ""
    return f"{stands}start\n{gone}commit\n"


def remove(repository: Path, folder: Path, member: str) -> None:
    """Remove a member's clean checkout, all of whose commits are fetched; what is ignored goes with it."""
    checked_name(member, "the member")
    with alone(folder):
        going = free(folder, GOING)
        if os.path.lexists(folder):
            state = state_of(folder)
            refuse_dirty(folder, state, "a dirty checkout is never deleted")
            _refuse_unfetched(repository, folder, names_of(folder, state))
            _refuse_left_behind(repository, folder)
            folder.rename(going)
        clear(going)
        beside(folder, FURNISHED).unlink(missing_ok=True)
        release(repository, member)


def current_commit(repository: Path) -> str:
    """The commit a repository stands at."""
    found = attempt(repository, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if found.code:
        raise Refused(
            f"{repository} has no commit to start from",
            why="a checkout needs a repository with at least one commit",
            next="commit something there first",
        )
    return found.out.decode().strip()


def pin(repository: Path, member: str, also: Iterable[str] = ()) -> int:
    """Keep every commit a branch or tag names now, and some more, while the member has its checkout.

    A clone that borrows objects breaks when the repository drops a branch and then prunes.
    """
    names = ("refs/heads", "refs/tags", "refs/remotes")
    told = git(
        repository, "for-each-ref", "--format=%(objectname) %(refname)", *names, _pins(member)
    )
    found = [line.split(" ", 1) for line in told.splitlines()]
    held = {tip for tip, name in found if name.startswith(_pins(member))}
    tips = {tip for tip, name in found if not name.startswith(_pins(member))}
    tips |= {current_commit(repository), *also}
    new = sorted(tips - held)  # a repository with many tags would pay for each, each time
    _update_refs(repository, [f"update {_pins(member)}{tip} {tip}" for tip in new])
    return len(tips)


def release(repository: Path, member: str) -> None:
    """Let go of what a member's checkout borrowed, once that is gone."""
    held = git(repository, "for-each-ref", "--format=%(refname)", _pins(member)).split()
    _update_refs(repository, [f"delete {name}" for name in held])


def holes_in(folder: Path) -> list[str]:
    """What stays the lead's in a checkout, whether it is there yet or not."""
    names = (*OF_THE_LEAD, *(OF_GIT if (folder / ".git").is_dir() else ()))
    return [str(folder / name) for name in names]


def _line_in(path: Path) -> str:
    """The first line of a plain file, nothing where it is something else: no pipe is waited for."""
    try:
        found = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ""
    with os.fdopen(found, encoding="utf-8", errors="surrogateescape") as file:
        plain = stat.S_ISREG(os.fstat(found).st_mode)
        return file.readline(4096).rstrip("\n") if plain else ""


def _refuse_unfetched(repository: Path, folder: Path, names: Iterable[str]) -> None:
    lost = unfetched(repository, folder, tuple(names))
    if lost:
        raise Refused(
            f"{folder} has commits that were never fetched: {listed(lost)}",
            why="nothing else holds them",
            next="fetch them first, or delete the branch or stash they are on",
        )


def _refuse_left_behind(repository: Path, folder: Path) -> None:
    lost = left_behind(repository, folder)
    if lost:
        raise Refused(
            f"{folder} has commits in submodules that are nowhere else: {listed(lost)}",
            why="only the checkout's own branches are fetched",
            next="fetch them into the repository's submodules by hand",
        )


def _making_holes(folder: Path) -> str:
    """One that is not there could be made by the member; made confined, since a folder may be a link."""
    wanted = holes_in(folder)
    files = [hole for hole in wanted if hole.endswith(A_FILE)]
    folders = [hole for hole in wanted if hole not in files]
    return f"{_making('mkdir -p', folders)} && {_making('touch', files)}"


def _making(program: str, names: Sequence[str]) -> str:
    """One start of a program for those that are not there, a link that leads nowhere being there."""
    absent = 'test -e "$name" || test -L "$name" || set -- "$@" "$name"'
    listed_all = f"set -- && for name in {shlex.join(names)}; do {absent}; done"
    return f'{listed_all} && {{ test $# = 0 || {program} -- "$@"; }}'


def _writing(folder: Path) -> Confinement:
    """What git itself may write: the lead's files too, which come with a commit; never its own rules."""
    return writing(folder, [str(folder / name) for name in OF_GIT])


def _pins(member: str) -> str:
    return f"refs/drumline/{member}/pins/"


def _update_refs(repository: Path, lines: Sequence[str]) -> None:
    if lines:
        said = "".join(f"{line}\n" for line in lines)
        git(repository, "update-ref", "--stdin", how=Asking(said=said))
