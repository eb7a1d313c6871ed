"""A member's checkout: ordinary git work goes on inside it, and nothing of it reaches the original."""

import os
import subprocess
from pathlib import Path

import pytest

from drumline.errors import Conflict, Refused
from drumline.runtimes import checkout
from drumline.runtimes.confine import launcher
from drumline.team.confinement import Confinement
from tests.runtimes.cell import needs

IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "ada"), ("EMAIL", "ada@example.com"))
}


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *words],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | IDENTITY,
    )
    return done.stdout.strip()


def commit(folder: Path, name: str, text: str = "text\n") -> str:
    (folder / name).write_text(text)
    git(folder, "add", name)
    git(folder, "commit", "-qm", name)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def original(tmp_path: Path) -> Path:
    """A repository with one commit on main."""
    folder = tmp_path.resolve() / "original"
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    commit(folder, "first")
    return folder


@pytest.fixture
def ada(original: Path) -> Path:
    """Ada's checkout of it."""
    folder = original.parent / "ada"
    checkout.clone(original, folder, "ada")
    return folder


def inside(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a checkout, with nothing but the checkout writable."""
    held = Confinement(writable=[str(folder)], holes=checkout.holes_in(folder))
    return subprocess.run(
        [*launcher(held), "sh", "-ec", script],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | IDENTITY | {"HOME": str(folder), "TMPDIR": str(folder)},
    )


def state(repository: Path) -> dict[str, bytes]:
    """Every file git keeps of a repository."""
    return {
        str(path.relative_to(repository)): path.read_bytes()
        for path in sorted((repository / ".git").rglob("*"))
        if path.is_file()
    }


def test_a_checkout_borrows_every_object(original: Path, ada: Path):
    assert git(ada, "branch", "--show-current") == "drumline/ada/work"
    assert (ada / "first").read_text() == "text\n"
    assert git(ada, "count-objects").startswith("0 objects")
    assert (ada / ".git/objects/info/alternates").read_text().strip() == f"{original}/.git/objects"


WORK = {
    "add and commit": "echo x > new; git add new; git commit -qm new",
    "amend": "git commit -q --amend --allow-empty -m again",
    "branch": "git switch -qc drumline/ada/other; git switch -q -; git branch -d drumline/ada/other",
    "tracking nothing": "git switch -qc drumline/ada/next origin/main",
    "fetch": "git fetch -q origin; git cat-file -e origin/main:second",
    "merge": "git commit -q --allow-empty -m mine; git fetch -q; git merge -q --no-edit origin/main; test -f second",
    "rebase": "echo x > new; git add new; git commit -qm new; git fetch -q; git rebase -q origin/main; test -f second",
    "stash": "echo x > first; git stash -q; git stash pop -q; grep -q x first",
    "reset": "git commit -q --allow-empty -m x; git reset -q --hard HEAD~1",
    "cherry-pick": "git fetch -q; git cherry-pick origin/main > /dev/null; test -f second",
    "tag": "git tag -a v1 -m v1; git tag -d v1",
    "pack": "echo x > new; git add new; git commit -qm new; git gc -q; git fsck --connectivity-only",
    "bisect": "git bisect start > /dev/null; git bisect reset",
    "worktree": "git worktree add -q inner -b drumline/ada/inner; git worktree remove inner",
    "restore and clean": "rm first; git restore first; touch junk; git clean -fq; test ! -e junk",
    "apply": "echo x >> first; git diff > p; git checkout -q first; git apply p; grep -q x first",
}


@pytest.mark.requirement("GUARD-16")
@needs("landlock")
@pytest.mark.parametrize("work", WORK)
def test_ordinary_work_goes_on_inside(original: Path, ada: Path, work):
    commit(original, "second")
    before = state(original)
    done = inside(ada, WORK[work])
    assert done.returncode == 0, done.stderr
    assert state(original) == before


REACHING_OUT = {
    "commit there": "cd {original}; git commit -q --allow-empty -m x",
    "add there": "echo x | git -C {original} hash-object -w --stdin",
    "push its branch": "git push -q origin HEAD",
    "push to main": "git push -q origin HEAD:main",
    "push by path": "git push -q {original} HEAD:refs/heads/forged",
    "move main": "git -C {original} update-ref refs/heads/main $(git rev-parse HEAD~1)",
    "delete main": "git -C {original} update-ref -d refs/heads/main",
    "write the ref": "git rev-parse HEAD~1 > {original}/.git/refs/heads/main",
    "pack its refs": "git -C {original} pack-refs --all",
    "configure it": "git -C {original} config core.fsmonitor /tmp/evil",
    "give it a hook": "echo x > {original}/.git/hooks/pre-commit",
    "tidy it": "git -C {original} gc -q --prune=now",
    "drop its objects": "rm -rf {original}/.git/objects",
    "write through the borrowed objects": "cp /etc/hostname $(cat .git/objects/info/alternates)/pack/x",
    "make a worktree of it": "git -C {original} worktree add -q $PWD/inner",
    "work with its folder": "GIT_DIR={original}/.git git commit -q --allow-empty -m x",
}


@pytest.mark.requirement("GUARD-16")
@needs("landlock")
@pytest.mark.parametrize("way", REACHING_OUT)
def test_nothing_reaches_the_original(original: Path, ada: Path, way):
    git(ada, "commit", "-q", "--allow-empty", "-m", "mine")
    before = state(original)
    done = inside(ada, REACHING_OUT[way].format(original=original))
    assert done.returncode != 0
    assert state(original) == before


@pytest.mark.requirement("GUARD-16")
@needs("landlock", "mounts")
@pytest.mark.parametrize(
    "way",
    [
        "git config core.fsmonitor /tmp/evil",
        "echo '[core]' >> .git/config",
        "git remote set-url origin /tmp/evil",
        "echo x > .git/hooks/pre-commit",
        "mv .git/hooks .git/hooks-gone",
        "mv .git .git-gone",
        "rm -f .git/config",
        "echo '*.py filter=evil' > .git/info/attributes",
        "echo src > .git/info/exclude",
        "mv .git/info .git/info-gone",
    ],
)
def test_configuration_and_hooks_stay_the_leads(ada: Path, way):
    before = (ada / ".git" / "config").read_bytes()
    assert inside(ada, way).returncode != 0
    assert (ada / ".git" / "config").read_bytes() == before
    assert list((ada / ".git" / "hooks").iterdir()) == []


@pytest.mark.requirement("GUARD-16")
@needs("landlock", "mounts")
@pytest.mark.parametrize(
    "way",
    [
        "echo '{}' > drumline/policy.json",
        "mkdir -p drumline/pipelines; echo x > drumline/pipelines/ship.yaml",
        "mv drumline mine",
        "rmdir drumline",
    ],
)
def test_the_rules_and_pipelines_stay_the_leads(ada: Path, way):
    assert inside(ada, way).returncode != 0
    assert list((ada / "drumline").iterdir()) == []
    assert git(ada, "status", "--porcelain") == ""


@pytest.mark.requirement("GUARD-16")
@needs("landlock", "mounts")
def test_a_worktrees_own_configuration_stays_the_leads_where_there_is_one(ada: Path):
    assert str(ada / ".git/config.worktree") not in checkout.holes_in(ada)
    (ada / ".git/config.worktree").write_text("[core]\n")
    assert inside(ada, "echo '[alias]' >> .git/config.worktree").returncode != 0
    assert (ada / ".git/config.worktree").read_text() == "[core]\n"


def test_tidying_the_original_drops_nothing_that_was_borrowed(original: Path, ada: Path):
    git(original, "switch", "-q", "-c", "topic")
    late = commit(original, "late")
    checkout.pin(original, "ada")
    git(ada, "fetch", "-q", "origin", "topic")
    git(original, "switch", "-q", "main")
    git(original, "branch", "-qD", "topic")
    git(original, "commit", "-q", "--amend", "-m", "rewritten")
    _prune(original)
    assert git(ada, "cat-file", "-t", late) == "commit"
    assert git(ada, "fsck", "--connectivity-only", "--no-dangling") == ""
    checkout.release(original, "ada")
    _prune(original)
    assert git(original, "for-each-ref", "refs/drumline") == ""
    with pytest.raises(subprocess.CalledProcessError):
        git(ada, "cat-file", "-t", late)  # what the pins were for


def _prune(repository: Path) -> None:
    git(repository, "reflog", "expire", "--expire=now", "--all")
    git(repository, "gc", "-q", "--prune=now")


def test_a_checkout_is_never_made_over_another(original: Path, ada: Path):
    with pytest.raises(Conflict):
        checkout.clone(original, ada, "ada")


def test_a_repository_without_a_commit_is_refused(tmp_path: Path):
    subprocess.run(["git", "init", "-q", str(tmp_path / "empty")], check=True)
    with pytest.raises(Refused) as refused:
        checkout.clone(tmp_path / "empty", tmp_path / "ada", "ada")
    assert refused.value.next
    assert not (tmp_path / "ada").exists()


def test_a_worktree_can_be_borrowed_from_too(original: Path):
    tree = original.parent / "tree"
    git(original, "worktree", "add", "-q", str(tree), "-b", "side")
    assert checkout.clone(tree, original.parent / "brook", "brook") == "drumline/brook/work"
    assert git(original.parent / "brook", "log", "--format=%s") == "first"


@pytest.mark.requirement("GUARD-16")
@needs("landlock", "mounts")
def test_a_merge_that_changes_the_leads_files_is_the_leads(original: Path):
    (original / ".claude").mkdir()
    commit(original, ".claude/settings.json", "1\n")
    folder = original.parent / "ada"
    checkout.clone(original, folder, "ada")
    commit(original, ".claude/settings.json", "2\n")
    done = inside(folder, "git fetch -q; git merge -q origin/main")
    assert "Read-only file system" in done.stderr
    assert (folder / ".claude" / "settings.json").read_text() == "1\n"
    assert inside(folder, "git reset -q --hard; git status --porcelain").stdout == ""
