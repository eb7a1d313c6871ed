"""`drumline policy scan`: for people, hooks of git, and whoever merges."""

import subprocess
import sys

import pytest

from tests.hooks.gits import Git, new_git
from tests.surfaces.console import drumline
from tests.team.made_up import TOKEN

pytestmark = pytest.mark.requirement("GUARD-18")

SECRET = f"t = '{TOKEN}'\n"


@pytest.fixture
def git(tmp_path) -> Git:
    return new_git(tmp_path / "repo")


def scan(git: Git, *words: str):
    return drumline("policy", "scan", *words, at=git.root)


def test_what_is_staged_is_scanned_when_nothing_is_named(git):
    assert scan(git).out == "ok: no secrets and no protected files\n"
    git.write("x/b.py", f"a\n{SECRET}")
    git.write(".env", "A=1")
    git("add", "-A")
    for words in ((), ("--staged",)):
        said = scan(git, *words)
        assert (said.code, said.out) == (
            1,
            ".env      protected file\nx/b.py:2  GitHub token\n",
        )
        assert "drumline: allow-secret" in said.err
        assert TOKEN not in said.out + said.err


def test_it_answers_in_json(git):
    assert scan(git, "--json").json == {"ok": True, "hits": []}
    git.write("b.py", SECRET)
    git("add", "-A")
    said = scan(git, "--json")
    assert said.code == 1
    assert said.json == {
        "ok": False,
        "hits": [{"file": "b.py", "line": 1, "kind": "GitHub token"}],
    }


def test_a_range_is_scanned_commit_by_commit_or_at_once(git):
    git("checkout", "-q", "-b", "side")
    git.commit(b_py=SECRET)
    git.commit(b_py="clean")
    git.commit(c_py=SECRET)
    assert scan(git, "main..side").out == "b.py:1  GitHub token\nc.py:1  GitHub token\n"
    assert scan(git, "main...side").out == "c.py:1  GitHub token\n"
    assert scan(git, "main...").out == "c.py:1  GitHub token\n"
    assert scan(git, "side~2").out == "b.py:1  GitHub token\n"
    assert scan(git, "side~1").code == 0


@pytest.mark.parametrize("words", [["-am", "x"], ["-m", "x", "a.py"]], ids=["all", "a path"])
def test_as_a_hook_of_git_it_looks_at_what_this_commit_holds(git, words):
    run = f"{sys.executable} -m drumline policy scan"
    hook = git.write(".git/hooks/pre-commit", f"#!/bin/sh\nexec {run}\n")
    hook.chmod(0o755)
    git.write("a.py", SECRET)
    with pytest.raises(subprocess.CalledProcessError) as stopped:
        git("commit", *words)
    assert "a.py:1  GitHub token" in stopped.value.stdout + stopped.value.stderr
    git.write("a.py", "clean\n")
    git("commit", *words)


def test_files_are_scanned_as_they_stand(git):
    git.write("b.py", SECRET)
    git.write("sub/.env", "A=1")
    assert scan(git, "--files", "b.py", "a.py", "sub/.env").out == (
        "b.py:1    GitHub token\nsub/.env  protected file\n"
    )
    assert drumline("policy", "scan", "--files", ".env", at=git.root / "sub").out == (
        "sub/.env  protected file\n"
    )
    assert scan(git, "-C", "sub", "--files", ".env").code == 1


def test_the_teams_own_settings_decide(git):
    git.write(
        "drumline/policy.json", '{"version": "1.1.0", "settings": {"protected_files": ["v/**"]}}'
    )
    git.write(
        ".claude/team.yaml",
        "team: atlas\ndescription: x\nlead: ada\nmembers:\n"
        "  - {name: ada, role: Leads, tools: [Read], owns: []}\n",
    )
    git.write("v/x", "A=1")
    assert scan(git, "--files", "v/x", "a.py").out == "v/x  protected file\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["nowhere"], "nowhere is no commit here"),
        (["main...nowhere"], "nowhere is no commit here"),
        (["--files", "missing"], "missing is no file"),
    ],
)
def test_what_is_not_there_is_refused(git, words, why):
    said = scan(git, *words)
    assert (said.code, said.out) == (1, "")
    assert why in said.err


def test_outside_a_repository_it_is_refused(tmp_path):
    said = drumline("policy", "scan", at=tmp_path)
    assert said.code == 1
    assert "is in no repository" in said.err


@pytest.mark.parametrize("words", [["--staged", "x"], ["--files"], ["a", "b"]])
def test_one_thing_is_scanned_at_a_time(git, words):
    assert scan(git, *words).code == 2
