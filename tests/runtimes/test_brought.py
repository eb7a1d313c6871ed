"""Which files commits change: nothing git can do to a file hides it."""

import subprocess

import pytest

from drumline.runtimes.brought import between, brought, looked_into
from drumline.team.trespass import Change


@pytest.fixture
def git(tmp_path):
    def run(*words):
        done = subprocess.run(["git", *words], cwd=tmp_path, capture_output=True, text=True, check=True)  # fmt: skip
        return done.stdout.strip()

    run("init", "-q", "-b", "main")
    run("config", "user.name", "kim")
    run("config", "user.email", "kim@localhost")
    run("config", "diff.ignoreSubmodules", "all")
    run("config", "log.showRoot", "false")
    for name in ("one", "two", "three"):
        (tmp_path / name).write_text(f"{name}\n" * 9)
    run("add", "-A")
    run("commit", "-qm", "start")
    return run


def told(changes):
    """The changes, whichever versions of a file they lie between."""
    return {each._replace(versions=()) for each in changes}


def test_a_rename_a_mode_and_what_was_taken_back_are_all_told(tmp_path, git):
    start = git("rev-parse", "HEAD")
    git("mv", "one", "moved")
    (tmp_path / "two").chmod(0o755)
    (tmp_path / "brief").write_text("x")
    git("add", "-A")
    git("commit", "-qm", "a")
    git("rm", "-q", "brief")
    git("commit", "-qm", "b")
    found = brought(tmp_path, [git("rev-parse", "HEAD")], [start])
    assert {each.path for each in found} == {"one", "moved", "two", "brief"}
    assert Change("one", how="delete") in found


def test_a_merge_tells_what_it_changes_by_itself(tmp_path, git):
    start = git("rev-parse", "HEAD")
    git("switch", "-qc", "side")
    (tmp_path / "side").write_text("side")
    git("add", "-A")
    git("commit", "-qm", "side")
    git("switch", "-q", "main")
    git("merge", "-q", "--no-ff", "--no-commit", "side")
    (tmp_path / "three").write_text("changed in the merge")
    git("add", "-A")
    git("commit", "-qm", "merge")
    found = brought(tmp_path, ["main"], [start, git("rev-parse", "side")])
    assert told(found) == {Change("three")}
    assert told(between(tmp_path, start, "main")) == {Change("three"), Change("side")}


def test_a_new_link_to_another_repository_is_told_and_one_that_moves_on_is_a_change(tmp_path, git):
    start = git("rev-parse", "HEAD")
    git("update-index", "--add", "--cacheinfo", f"160000,{start},lib")
    git("commit", "-qm", "link", "--allow-empty")
    linked = git("rev-parse", "HEAD")
    git("update-index", "--cacheinfo", f"160000,{linked},lib")
    git("commit", "-qm", "on", "--allow-empty")
    assert brought(tmp_path, [linked], [start]) == {Change("lib", submodule=True)}
    assert brought(tmp_path, ["main"], [linked]) == {Change("lib")}


def test_a_history_of_its_own_is_told_from_its_first_commit(tmp_path, git):
    start = git("rev-parse", "HEAD")
    other = git("commit-tree", "HEAD^{tree}", "-m", "other")
    assert {each.path for each in brought(tmp_path, [other], [start])} == {"one", "two", "three"}


ONE = "one\n" * 9
WAYS = {
    "added at its end": (lambda file: file.write_text(f"{ONE}more"), "append"),
    "added in its midst": (lambda file: file.write_text(f"one\nmore\n{ONE[4:]}"), "write"),
    "cut short": (lambda file: file.write_text(ONE[:-4]), "write"),
    "made a program": (lambda file: file.chmod(0o755), "write"),
    "made a link": (lambda file: (file.unlink(), file.symlink_to(f"{ONE}more")), "write"),
}


@pytest.mark.requirement("GUARD-11")
@pytest.mark.parametrize(("change", "how"), WAYS.values(), ids=WAYS)
def test_only_what_was_added_at_the_end_of_a_file_is_an_append(tmp_path, git, change, how):
    start = git("rev-parse", "HEAD")
    change(tmp_path / "one")
    git("commit", "-qam", "changed")
    found = looked_into(tmp_path, brought(tmp_path, ["main"], [start]))
    assert told(found) == {Change("one", how=how)}


@pytest.mark.requirement("GUARD-11")
def test_a_file_that_is_rewritten_and_put_back_is_told_as_written(tmp_path, git):
    start = git("rev-parse", "HEAD")
    for text in ("forged", ONE, f"{ONE}more"):
        (tmp_path / "one").write_text(text)
        git("commit", "-qam", "changed")
    found = looked_into(tmp_path, brought(tmp_path, ["main"], [start]))
    assert Change("one", how="write") in told(found)


@pytest.mark.requirement("GUARD-11")
def test_a_file_that_nobody_had_is_begun_by_an_append(tmp_path, git):
    start = git("rev-parse", "HEAD")
    (tmp_path / "new").write_text("first")
    git("add", "-A")
    git("commit", "-qm", "new")
    found = looked_into(tmp_path, brought(tmp_path, ["main"], [start]))
    assert told(found) == {Change("new", how="append")}
