"""The project's own hooks judge what is handed in: those of the user's repository, confined, on what is new."""

from pathlib import Path

import pytest

from drumline.errors import InTheWay, NotAllowed
from drumline.runtimes.delivering import deliver
from drumline.runtimes.merging import OURS, Work, merge
from drumline.runtimes.project_command import Terms
from drumline.runtimes.project_hooks import (
    MOST_MESSAGES,
    ON_HAND_IN,
    Bench,
    Joined,
    hooks_of,
    refuse_changed_hooks,
    refuse_delivery,
    run_hooks,
)
from tests.runtimes.cell import needs
from tests.runtimes.clones import ada, commit, git, original

__all__ = ["ada", "original"]  # fixtures of the folder


def hook(repository: Path, name: str, script: str, folder: str = ".git/hooks") -> Path:
    path = repository / folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def judged(original: Path, ada: Path, name: str = "new"):
    """What the hooks say of a commit of ada's, which adds a file."""
    base = git(original, "rev-parse", "HEAD")
    new = commit(ada, name)
    git(original, "fetch", "--quiet", str(ada), "HEAD")
    bench = Bench(repository=original, folder=ada, terms=Terms())
    return run_hooks(ON_HAND_IN, Joined(new, base, new), bench)


@pytest.mark.requirement("PIPE-12")
def test_a_hook_sees_exactly_what_is_new_as_staged(original: Path, ada: Path):
    hook(original, "pre-commit", "git diff --cached --name-only; exit 1")
    failed = judged(original, ada)
    assert failed is not None
    assert (failed.hook, failed.ran.code, failed.ran.tail) == ("pre-commit", 1, "new")


@pytest.mark.requirement("PIPE-12")
def test_hooks_that_find_nothing_wrong_let_work_in_and_leave_nothing(original: Path, ada: Path):
    for name in ON_HAND_IN:
        hook(original, name, "touch left-behind; exit 0")
    assert judged(original, ada) is None
    assert not (original / "left-behind").exists()
    assert not (ada / "left-behind").exists()
    assert [each.name for each in ada.parent.iterdir() if "fresh" in each.name] == []


@pytest.mark.requirement("PIPE-12")
def test_each_message_of_a_member_is_judged(original: Path, ada: Path):
    hook(original, "commit-msg", 'grep -q "^fix:" "$1" || { cat "$1"; exit 2; }')
    failed = judged(original, ada)
    assert failed is not None
    assert failed.about == git(ada, "rev-parse", "HEAD")
    assert (failed.hook, failed.ran.code) == ("commit-msg", 2)


@pytest.mark.requirement("PIPE-12")
def test_no_message_escapes_its_judge_behind_many_others(original: Path, ada: Path):
    hook(original, "commit-msg", "exit 0")
    for _ in range(MOST_MESSAGES):
        git(ada, "commit", "--quiet", "--allow-empty", "--message=fix: nothing")
    with pytest.raises(NotAllowed, match="more than 100 commits"):
        judged(original, ada)


@pytest.mark.requirement("PIPE-12")
def test_hooks_are_found_where_the_repository_says(original: Path):
    hook(original, "pre-commit", "exit 1", folder=".githooks")
    assert not hooks_of(original)
    git(original, "config", "core.hooksPath", ".githooks")
    assert list(hooks_of(original)) == ["pre-commit"]


@pytest.mark.requirement("PIPE-12")
def test_what_is_not_executable_is_no_hook(original: Path):
    hook(original, "pre-commit", "exit 1").chmod(0o644)
    assert not hooks_of(original)


@pytest.mark.requirement("PIPE-12")
def test_the_hooks_of_a_members_checkout_judge_nothing(original: Path, ada: Path):
    hook(original, "pre-commit", "exit 1")
    (ada / ".git" / "hooks").mkdir(exist_ok=True)
    hook(ada, "pre-commit", "exit 0")
    assert judged(original, ada) is not None


@needs("landlock")
@pytest.mark.requirement("PIPE-12")
def test_a_hook_writes_nowhere_but_in_its_own_checkout(original: Path, ada: Path):
    hook(original, "pre-commit", f"echo x > inside; echo x > {original}/escaped || exit 7")
    failed = judged(original, ada)
    assert failed is not None
    assert failed.ran.code == 7
    assert not (original / "escaped").exists()


@pytest.mark.parametrize("path", [".githooks/pre-commit", ".pre-commit-config.yaml"])
@pytest.mark.requirement("PIPE-12")
def test_no_work_changes_what_it_is_judged_by(original: Path, path: str):
    hook(original, "pre-commit", "exit 0", folder=".githooks")
    git(original, "config", "core.hooksPath", ".githooks")
    with pytest.raises(NotAllowed, match="judged by"):
        refuse_changed_hooks(original, [path])
    refuse_changed_hooks(original, ["src/a.py"])


@pytest.mark.requirement("PIPE-12")
def test_without_hooks_their_files_are_files_like_others(original: Path):
    refuse_changed_hooks(original, [".pre-commit-config.yaml"])


@pytest.mark.requirement("PIPE-12")
def test_a_delivery_that_the_users_hook_refuses_stands_in_the_way(original: Path, ada: Path):
    hook(original, "pre-merge-commit", "echo not today; exit 1")
    new = commit(ada, "new")
    git(original, "fetch", "--quiet", str(ada), "HEAD")
    merge(original, Work(new, "T-1\n", OURS))
    bench = Bench(repository=original, folder=ada, terms=Terms())

    def refuse(joined: str, base: str) -> None:
        refuse_delivery(Joined(joined, base), bench)

    before = git(original, "rev-parse", "HEAD")
    with pytest.raises(InTheWay) as refused:
        deliver(original, "run-1", "run-1", refuse=refuse)
    assert refused.value.why == "not today"
    assert git(original, "rev-parse", "HEAD") == before
    (original / ".git/hooks/pre-merge-commit").unlink()
    assert deliver(original, "run-1", "run-1", refuse=refuse) == git(original, "rev-parse", "HEAD")
