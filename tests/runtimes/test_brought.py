"""Which files commits change: nothing git can do to a file hides it."""

import subprocess

import pytest

from drumline.runtimes.brought import between, brought
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
    assert Change("one", deleted=True) in found


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
    assert found == {Change("three")}
    assert between(tmp_path, start, "main") == {Change("three"), Change("side")}


def test_a_new_link_to_another_repository_is_told_and_one_that_moves_on_is_a_change(tmp_path, git):
    start = git("rev-parse", "HEAD")
    git("update-index", "--add", "--cacheinfo", f"160000,{start},lib")
    git("commit", "-qm", "link", "--allow-empty")
    linked = git("rev-parse", "HEAD")
    git("update-index", "--cacheinfo", f"160000,{linked},lib")
    git("commit", "-qm", "on", "--allow-empty")
    assert brought(tmp_path, [linked], [start]) == {Change("lib", link=True)}
    assert brought(tmp_path, ["main"], [linked]) == {Change("lib")}


def test_a_history_of_its_own_is_told_from_its_first_commit(tmp_path, git):
    start = git("rev-parse", "HEAD")
    other = git("commit-tree", "HEAD^{tree}", "-m", "other")
    assert {each.path for each in brought(tmp_path, [other], [start])} == {"one", "two", "three"}
