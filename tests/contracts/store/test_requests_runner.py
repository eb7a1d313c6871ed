"""kill -9 of whoever runs a request: it stays taken, nothing runs on, and it can be taken up again."""

import json
import os
import signal
import subprocess
import sys

import pytest

from drumline.store.database import Database
from drumline.store.upkeep import Caretaker
from tests.runtimes.facts import gone, written
from tests.surfaces.console import drumline, write

pytestmark = pytest.mark.requirement("GUARD-17")

MANIFEST = """\
team: atlas
description: A team to test with
members:
  - {name: ada, role: Builds, tools: [Read, Write], owns: ["src/**"]}
"""
ONCE_FOR_EVER = "test -e child && exit 0; sleep 1000 & echo $! > child; wait"


@pytest.fixture
def at(repository, wall_stores, monkeypatch):
    """A repository whose team lives on the store under test."""
    write(repository, ".claude/team.yaml", MANIFEST)
    monkeypatch.setenv("DRUMLINE_STORE", wall_stores.url)
    assert drumline("status", at=repository).code == 0
    return repository


def request(at, *words):
    return drumline("request", *words, "--json", at=at)


def test_a_killed_runner_leaves_its_request_taken_and_recoverable(at, wall_stores, monkeypatch):
    with monkeypatch.context() as inside:
        inside.setenv("DRUMLINE_MEMBER", "ada")
        assert request(at, "add", ONCE_FOR_EVER).code == 0
    runner = subprocess.Popen(
        [sys.executable, "-m", "drumline", "request", "run", "R-1"],
        cwd=at,
        stderr=subprocess.DEVNULL,
    )
    child = written(at / "child")
    os.kill(runner.pid, signal.SIGKILL)
    runner.wait()
    gone(child)
    assert request(at, "show", "R-1").json["state"] == "taken"
    assert json.loads(drumline("mail", "inbox", "ada", "--json", at=at).out) == []
    refused = request(at, "run", "R-1")
    assert (refused.code, refused.json["error"]) == (1, "NotReady")
    assert "drumline request release R-1" in refused.json["next"]
    assert request(at, "release", "R-1").json["state"] == "filed"
    again = request(at, "run", "R-1")
    assert (again.code, again.json["state"], again.json["fence"]) == (0, "done", 2)
    (letter,) = json.loads(drumline("mail", "inbox", "ada", "--json", at=at).out)
    assert letter["body"].startswith("R-1 is done: test -e child")
    assert list(Caretaker(Database(wall_stores.engine(), "atlas").engine).check()) == []
