"""A member's checkout: ordinary git work goes on inside it, and nothing of it reaches the original."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from drumline.errors import BadInput, Conflict, Refused, Unknown
from drumline.runtimes import checkout
from drumline.runtimes.confine import launcher
from drumline.runtimes.inspecting import state_of
from drumline.team.confinement import Confinement
from tests.runtimes.cell import needs, tree
from tests.runtimes.clones import IDENTITY, ada, commit, eventually, git, original

__all__ = [
    "IDENTITY",
    "ada",
    "git",
    "original",
]  # fixtures of the folder, and git for its neighbours


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
def test_a_worktrees_own_configuration_stays_the_leads_and_empty(ada: Path):
    assert (ada / ".git/config.worktree").read_text() == ""
    assert inside(ada, "echo '[alias]' >> .git/config.worktree").returncode != 0
    assert inside(ada, "rm .git/config.worktree").returncode != 0
    assert (ada / ".git/config.worktree").read_text() == ""


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


BEGIN = "import sys; sys.path[:0] = {path!r}; from pathlib import Path; from drumline.runtimes import checkout"
CLONE = f"{BEGIN}; checkout.clone(Path(sys.argv[1]), Path(sys.argv[2]), 'ada')"


def test_a_checkout_cut_short_is_never_taken_for_a_whole_one(original: Path, tmp_path: Path):
    """A filter stops git while it writes the files; then who started it is killed."""
    folder = tmp_path.resolve() / "cut" / "ada"
    commit(original, ".gitattributes", "first filter=stop\n")
    home = tmp_path / "home"
    home.mkdir()
    stop = "sh -c 'echo $$ > .git/half; mv .git/half .git/stopped; exec sleep 600'"
    (home / ".gitconfig").write_text(f'[filter "stop"]\n\tsmudge = "{stop}"\n')
    with subprocess.Popen(
        [sys.executable, "-c", CLONE.format(path=sys.path), str(original), str(folder)],
        env=os.environ | {"HOME": str(home)},
    ) as process:
        try:
            (stopped,) = eventually(lambda: list(folder.parent.glob(".ada.making-*/.git/stopped")))
            left = int(stopped.read_text())
        finally:
            process.kill()
    assert not folder.exists()
    checkout.clone(original, folder, "ada")
    os.kill(left, signal.SIGKILL)
    assert (folder / "first").read_text() == "text\n"
    assert state_of(folder).changed == ()
    assert list(folder.parent.glob(".ada.making-*")) == []


def test_two_who_make_one_checkout_at_once_make_one(original: Path, tmp_path: Path):
    folder = tmp_path.resolve() / "both" / "ada"
    words = [sys.executable, "-c", CLONE.format(path=sys.path), str(original), str(folder)]
    both = [subprocess.Popen(words, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    told = [each.communicate(timeout=60)[1] for each in both]
    assert sorted(each.returncode for each in both) == [0, 1]
    assert "is there already" in "".join(told)
    assert state_of(folder).changed == ()


def test_a_state_is_the_commit_the_branch_and_what_is_uncommitted(ada: Path):
    clean = state_of(ada)
    assert clean == (git(ada, "rev-parse", "HEAD"), "drumline/ada/work", ())
    (ada / "first").write_text("changed\n")
    (ada / "new file").write_text("new\n")
    (ada / "staged").write_text("staged\n")
    git(ada, "add", "staged")
    (ada / "staged").unlink()
    assert state_of(ada).changed == ("first", "new file", "staged")


HIDING = {
    "assumed unchanged": "git update-index --assume-unchanged first; echo x > first",
    "left out of the tree": "git update-index --skip-worktree first; echo x > first",
    "same size and times": "touch -d @1 first; git add first; echo TEXT > first; touch -d @1 first",
    "a replaced commit": "echo x > first; git add first; git replace HEAD $(git commit-tree -m x $(git write-tree))",
}


@needs("landlock")
@pytest.mark.parametrize("way", HIDING)
def test_no_mark_of_the_members_hides_a_change(ada: Path, way):
    done = inside(ada, HIDING[way])
    assert done.returncode == 0, done.stderr
    assert state_of(ada).changed == ("first",)


@needs("landlock")
@pytest.mark.parametrize(
    "setting", ["core.fsmonitor", "filter.evil.clean", "filter.evil.process", "core.sshCommand"]
)
def test_looking_at_a_hostile_checkout_changes_nothing_outside(ada: Path, tmp_path: Path, setting):
    outside = tmp_path.resolve() / "outside"
    outside.mkdir()
    evil = tmp_path.resolve() / "evil"
    evil.write_text(f"#!/bin/sh\ntouch {outside}/reached {ada}/reached\ncat\n")
    evil.chmod(0o755)
    git(ada, "config", setting, str(evil))
    (ada / ".git" / "info" / "attributes").write_text("* filter=evil\n")
    (ada / "first").write_text("other\n")
    assert "first" in state_of(ada).changed
    assert list(outside.iterdir()) == []
    assert not (ada / "reached").exists()


def test_a_checkout_that_lost_its_git_folder_is_not_taken_for_the_one_around_it(original: Path):
    folder = original / ".drumline" / "checkouts" / "ada"
    checkout.clone(original, folder, "ada")
    (folder / ".git").rename(folder / "gone")
    with pytest.raises(Refused, match="git status failed"):
        state_of(folder)


def test_a_new_task_starts_from_the_commit_named(original: Path, ada: Path):
    tip = commit(original, "second")
    checkout.start_from(original, ada, "ada", tip)
    assert state_of(ada) == (tip, "drumline/ada/work", ())
    assert (ada / "second").read_text() == "text\n"


@needs("landlock")
@pytest.mark.parametrize("mark", ["--assume-unchanged", "--skip-worktree"])
def test_no_mark_of_the_members_keeps_a_file_as_it_was(original: Path, ada: Path, mark):
    assert inside(ada, f"git update-index {mark} first").returncode == 0
    tip = commit(original, "first", "theirs\n")
    checkout.start_from(original, ada, "ada", tip)
    assert (ada / "first").read_text() == "theirs\n"
    assert state_of(ada).changed == ()


def test_a_new_task_brings_the_leads_files_too(original: Path, ada: Path):
    (original / ".claude").mkdir()
    tip = commit(original, ".claude/rules", "1\n")
    checkout.start_from(original, ada, "ada", tip)
    assert (ada / ".claude" / "rules").read_text() == "1\n"
    git(original, "rm", "-q", ".claude/rules")
    git(original, "commit", "-qm", "gone")
    checkout.start_from(original, ada, "ada", git(original, "rev-parse", "HEAD"))
    assert [hole for hole in checkout.holes_in(ada) if not os.path.lexists(hole)] == []


UNCOMMITTED = {
    "changed": "echo mine > first",
    "new": "echo mine > mine",
    "staged": "echo mine > mine; git add mine; rm mine",
    "deleted": "rm first",
    "hidden": "git update-index --assume-unchanged first; echo mine > first",
}


@needs("landlock")
@pytest.mark.parametrize("way", UNCOMMITTED)
@pytest.mark.parametrize("verb", ["start_from", "remove"])
def test_uncommitted_work_is_never_overwritten_nor_deleted(original: Path, ada: Path, way, verb):
    tip = commit(original, "first", "theirs\n")
    assert inside(ada, UNCOMMITTED[way]).returncode == 0
    before = tree(ada)
    more = (tip,) if verb == "start_from" else ()
    with pytest.raises(Refused, match=r"first|mine"):
        getattr(checkout, verb)(original, ada, "ada", *more)
    assert tree(ada) == before


@pytest.mark.parametrize("name", ["drumline/ada/work/parser", "drumline/ada", "drumline"])
def test_a_work_branch_by_another_name_is_out_of_the_way_of_a_new_task(
    original: Path, ada: Path, name
):
    git(ada, "branch", "-m", name)
    git(original, "fetch", "-q", str(ada), f"+HEAD:refs/fetched/{commit(ada, 'mine')}")
    tip = commit(original, "second")
    checkout.start_from(original, ada, "ada", tip)
    assert state_of(ada) == (tip, "drumline/ada/work", ())


def test_an_ignored_file_is_not_overwritten_either(original: Path, ada: Path):
    (ada / ".git" / "info" / "exclude").write_text("kept\n")
    (ada / "kept").write_text("mine\n")
    tip = commit(original, "kept", "theirs\n")
    with pytest.raises(Refused, match="checkout failed"):
        checkout.start_from(original, ada, "ada", tip)
    assert (ada / "kept").read_text() == "mine\n"


def test_commits_nobody_fetched_are_not_left_behind(original: Path, ada: Path):
    tip = commit(original, "second")
    mine = commit(ada, "mine")
    with pytest.raises(Refused, match=mine):
        checkout.start_from(original, ada, "ada", tip)
    assert state_of(ada).head == mine


UNFETCHED = {
    "its branch": "git commit -q --allow-empty -m mine",
    "another branch": "git switch -qc drumline/ada/side; git commit -q --allow-empty -m mine; git switch -q -",
    "no branch": "git switch -q --detach; git commit -q --allow-empty -m mine",
    "a tag": "git commit -q --allow-empty -m mine; git tag kept; git reset -q --hard HEAD~1",
    "a stash": "echo mine > first; git stash -q",
}


@needs("landlock")
@pytest.mark.parametrize("way", UNFETCHED)
def test_a_checkout_with_unfetched_commits_is_never_deleted(original: Path, ada: Path, way):
    assert inside(ada, UNFETCHED[way]).returncode == 0
    with pytest.raises(Refused, match="never fetched"):
        checkout.remove(original, ada, "ada")
    assert (ada / "first").exists()


def test_an_older_stash_counts_too(original: Path, ada: Path):
    for text in ("older\n", "newer\n"):
        (ada / "first").write_text(text)
        git(ada, "stash", "-q")
    git(original, "fetch", "-q", str(ada), "refs/stash:refs/heads/kept")
    with pytest.raises(Refused, match="never fetched"):
        checkout.remove(original, ada, "ada")
    git(ada, "stash", "drop", "-q", "stash@{1}")
    checkout.remove(original, ada, "ada")


def test_a_clean_checkout_can_be_removed_with_all_it_borrowed(original: Path, ada: Path):
    checkout.remove(original, ada, "ada")
    assert [path.name for path in ada.parent.iterdir() if "ada" in path.name] == [".ada.lock"]
    assert git(original, "for-each-ref", "refs/drumline") == ""
    checkout.remove(original, ada, "ada")  # once more is no error


def test_a_commit_the_repository_does_not_have_is_refused(original: Path, ada: Path):
    with pytest.raises(Unknown):
        checkout.start_from(original, ada, "ada", "0123456789" * 4)
    with pytest.raises(BadInput):
        checkout.start_from(original, ada, "ada", "main")


def test_what_is_kept_already_is_not_written_again(original: Path):
    checkout.pin(original, "ada")
    [kept] = (original / ".git/refs/drumline/ada/pins").iterdir()
    kept.with_name(f"{kept.name}.lock").touch()  # whoever writes it is refused
    git(original, "branch", "another")
    new = commit(original, "second")
    checkout.pin(original, "ada")
    assert kept.with_name(new).exists()


@pytest.mark.requirement("RUN-05")
@pytest.mark.parametrize("left", ["as it was", "gone", "a pipe", "a link"])
def test_a_checkout_follows_a_repository_that_was_moved(original, ada, left):
    lent = ada / ".git" / "objects" / "info" / "alternates"
    outside = original.parent / "outside"
    moved = original.rename(original.parent / "moved")
    if left != "as it was":
        lent.unlink()
    if left == "a pipe":
        os.mkfifo(lent)
    if left == "a link":
        lent.symlink_to(outside)
    checkout.follow_repository(moved, ada)
    assert state_of(ada).changed == ()
    assert not outside.exists()
