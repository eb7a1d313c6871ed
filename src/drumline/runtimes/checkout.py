"""A member's own checkout: a clone that borrows the repository's objects and can change none of them."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from drumline.errors import Conflict, Refused, Unknown

OF_THE_LEAD = (".claude", ".drumline", "drumline")
OF_GIT = (".git/config", ".git/hooks", ".git/info")
IF_THERE = (".git/config.worktree",)  # git reads it only where .git/config says so
SETTINGS = (
    "repack.updateServerInfo=false",  # .git/info is not the member's to write
    "gc.auto=0",  # nothing tidies in the background of a member's turn
    "maintenance.auto=false",
    "branch.autoSetupMerge=false",  # a new branch need not write the configuration
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
)


def branch_of(member: str) -> str:
    """The branch a member works on in its checkout."""
    return f"drumline/{member}/work"


def clone(repository: Path, folder: Path, member: str) -> str:
    """Make a member's checkout at the repository's current commit; its branch.

    Nothing is copied: what the clone borrows is pinned first, so that no tidying drops it.
    """
    if folder.exists():
        raise Conflict(
            f"{folder} is there already",
            why="a checkout is never made over another",
            next="keep it, or move it away first",
        )
    start = _git(repository, "rev-parse", "--verify", "--quiet", "HEAD^{commit}").strip()
    pin(repository, member)
    settings = [word for setting in SETTINGS for word in ("--config", setting)]
    quiet = ("clone", "--quiet", "--shared", "--no-checkout", "--template=")
    _git(repository, *quiet, *settings, "--", str(repository), str(folder))
    _git(folder, "checkout", "--quiet", "--no-track", "-b", branch_of(member), start)
    for hole in holes_in(folder):
        if not os.path.lexists(hole):
            Path(hole).mkdir()  # one that is not there could be made by the member
    return branch_of(member)


def pin(repository: Path, member: str) -> int:
    """Keep every commit a branch or tag names now for as long as the member has its checkout.

    A clone that borrows objects breaks when the repository drops a branch and then prunes.
    """
    names = ("refs/heads", "refs/tags", "refs/remotes")
    listed = _git(repository, "for-each-ref", "--format=%(objectname)", *names).split()
    tips = sorted({*listed, *_git(repository, "rev-parse", "HEAD").split()})
    _update_refs(repository, (f"update {_pins(member)}{tip} {tip}" for tip in tips))
    return len(tips)


def release(repository: Path, member: str) -> None:
    """Let go of what a member's checkout borrowed, once that is gone."""
    held = _git(repository, "for-each-ref", "--format=%(refname)", _pins(member)).split()
    _update_refs(repository, (f"delete {name}" for name in held))


def holes_in(folder: Path) -> list[str]:
    """What stays the lead's in a checkout, whether it is there yet or not."""
    there = [name for name in IF_THERE if os.path.lexists(folder / name)]
    names = (*OF_THE_LEAD, *((*OF_GIT, *there) if (folder / ".git").is_dir() else ()))
    return [str(folder / name) for name in names]


def _pins(member: str) -> str:
    return f"refs/drumline/{member}/pins/"


def _update_refs(repository: Path, lines: Iterable[str]) -> None:
    _git(repository, "update-ref", "--stdin", said="".join(f"{line}\n" for line in lines))


def _git(folder: Path, *words: str, said: str = "") -> str:
    git = shutil.which("git")
    if git is None:
        raise Unknown("there is no git here", next="install git")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(  # noqa: S603 - fixed words, no shell
        [git, "-C", str(folder), *words],
        input=said,
        capture_output=True,
        text=True,
        check=False,
        env=clean,
    )
    if done.returncode:
        raise Refused(
            f"git {words[0]} failed in {folder}",
            why=done.stderr.strip() or f"exit {done.returncode}",
            next="a checkout needs a repository with at least one commit",
        )
    return done.stdout
