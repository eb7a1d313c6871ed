"""What a teammate may not do it asks for; the lead does one thing at a time, and the asker hears."""

import json
import subprocess

import pytest

from tests.forking import stand_in
from tests.surfaces.console import drumline, write

pytestmark = pytest.mark.requirement("GUARD-17")

MANIFEST = """\
team: atlas
description: A team to test with
members:
  - {name: ada, role: Builds, tools: [Read, Write], owns: ["src/**"]}
  - {name: brook, role: Reviews, tools: [Read], owns: []}
"""
PUSH = ("git", "push", "origin", "HEAD:refs/heads/main")


@pytest.fixture
def at(repository, tmp_path):
    """A repository with a commit, a remote and a team that a human leads."""
    write(repository, ".claude/team.yaml", MANIFEST)
    remote = tmp_path / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", str(remote)], check=True)
    git = ["git", "-C", str(repository), "-c", "user.name=t", "-c", "user.email=t@t"]
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "one"], check=True)
    subprocess.run([*git, "remote", "add", "origin", str(remote)], check=True)
    assert drumline("status", at=repository).code == 0
    return repository


@pytest.fixture
def as_member(monkeypatch, at):
    def run(name, *words):
        with monkeypatch.context() as inside:
            inside.setenv("DRUMLINE_MEMBER", name)
            return drumline(*words, at=at)

    return run


def judged(at, command: str) -> dict:
    row = {"tool": "Bash", "input": {"command": command}, "role": "teammate", "cwd": str(at)}
    answer = subprocess.run(
        stand_in("policy", "judge"),
        cwd=at,
        input=json.dumps(row),
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(json.loads(answer.stdout))


def pushed(tmp_path) -> bool:
    remote = str(tmp_path / "remote.git")
    found = subprocess.run(["git", "-C", remote, "branch"], capture_output=True, check=True)
    return b"main" in found.stdout


def test_a_refused_push_is_asked_for_carried_out_and_answered(at, as_member, tmp_path):
    ruling = judged(at, " ".join(PUSH))
    assert (ruling["decision"], ruling["constraint"]) == ("deny", "C-TEAM-004")
    filed = as_member("ada", "request", "add", "--constraint", ruling["constraint"], "--", *PUSH)
    assert filed.code == 0
    assert "R-1 is asked of you by ada" in drumline("mail", "inbox", at=at).out
    assert as_member("ada", "request", "run", "R-1").code == 1
    assert not pushed(tmp_path)
    assert drumline("request", "run", "--next", at=at).code == 0
    assert pushed(tmp_path)
    (letter,) = as_member("ada", "mail", "inbox", "--json").json
    assert letter["body"].startswith("R-1 is done: git push origin HEAD:refs/heads/main\n")
    assert "> exit 0" in letter["body"]


def test_asking_is_allowed_where_doing_is_refused(at):
    for command in ("git push", "br close 1", "echo x > .run/state.json", "touch .claude/x"):
        assert judged(at, command)["decision"] == "deny"
        assert judged(at, f"drumline request add -- {json.dumps(command)}")["decision"] == "allow"


def test_the_refusal_of_a_tracker_command_names_the_way_out(at):
    assert "drumline request add -- COMMAND" in judged(at, "br close 1")["next"]


def test_the_lead_carries_out_one_request_at_a_time(at, as_member):
    as_member("ada", "request", "add", "touch one")
    as_member("brook", "request", "add", "touch two")
    drumline("request", "take", "R-1", at=at)
    busy = drumline("request", "run", "R-2", at=at)
    assert busy.code == 1
    assert busy.err.startswith("refused: R-1 is taken by person:")
    assert not (at / "two").exists()
    drumline("request", "done", "R-1", at=at)
    assert drumline("request", "run", "R-2", at=at).code == 0
    assert (at / "two").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("request", "decline", "R-1", "not before the release"), "R-1 was declined: false\n"),
        (("request", "run", "R-1"), "R-1 failed: false\n"),
    ],
    ids=["declined", "failed"],
)
def test_a_requester_hears_a_no_as_well(at, as_member, words, said):
    as_member("ada", "request", "add", "--", "false")
    drumline(*words, at=at)
    (letter,) = as_member("ada", "mail", "inbox", "--json").json
    assert letter["body"].startswith(said)
