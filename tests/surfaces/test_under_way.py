"""Long work says on a terminal what it is at, and leaves nothing of it behind; elsewhere it is silent."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from drumline import wiring
from drumline.control import board
from drumline.settings import find
from drumline.store.upkeep import STEP
from drumline.team.draft import NewTask
from tests.surfaces.console import drumline, write
from tests.words import BOSS

pytestmark = pytest.mark.requirement("SEE-06")

MANIFEST = """\
team: atlas
description: A team with much on its board
members:
  - {name: ada, role: Builds, tools: [Read], owns: []}
"""
CLEARED = "\r\x1b[K"
GOOD = {"type": "result", "is_error": False, "terminal_reason": "completed", "result": "done"}
SCENARIO = "scenario: s\nmembers:\n  ada:\n    - steps: [{say: done}]\n"
ASKS_ONCE = f"""#!{sys.executable}
import json, os, urllib.request
asked = {{"model": "m", "max_tokens": 9, "messages": [{{"role": "user", "content": "go"}}]}}
url = os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages"
headers = {{"content-type": "application/json"}}
urllib.request.urlopen(urllib.request.Request(url, json.dumps(asked).encode(), headers)).read()
print({json.dumps(GOOD)!r})
"""


@pytest.fixture
def at(repository: Path) -> Path:
    """A team with more on its board than is copied between two words."""
    write(repository, ".claude/team.yaml", MANIFEST)
    assert drumline("task", "add", "first", at=repository).code == 0
    store = wiring.open_store(find(str(repository)))

    def many(tx):
        for number in range(STEP):
            board.add(tx, BOSS, NewTask(title=f"task {number}"))

    store.do(many)
    store.close()
    return repository


def on_terminal(*words: str, at: Path) -> tuple[str, str]:
    """What a command answers, and what it says meanwhile to whoever watches."""
    ours, theirs = pty.openpty()
    done = subprocess.Popen(
        [sys.executable, "-P", "-m", "drumline", *words],
        cwd=at,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            shown += os.read(ours, 65536)
        except OSError:
            break
    os.close(ours)
    answer, _ = done.communicate()
    assert done.returncode == 0, shown
    return answer, shown.decode()


@pytest.mark.parametrize(
    ("words", "steps"),
    [
        pytest.param(("check",), ["checking pages", "reading events", "comparing tasks"]),
        pytest.param(("backup", "copy.db"), ["copying tasks", "copying events"]),
        pytest.param(
            ("migrate", "--store", "sqlite:///fresh.db"), ["applying 0001", "applying 0012"]
        ),
    ],
    ids=["check", "backup", "migrate"],
)
def test_on_a_terminal_work_on_a_store_says_what_it_is_at(at, words, steps):
    if words[0] == "migrate":
        (at / "fresh.db").touch()
    answer, shown = on_terminal("store", *words, at=at)
    assert [step for step in steps if f"{CLEARED}… {step}" not in shown] == []
    assert shown.endswith(CLEARED)
    assert "…" not in answer


def test_where_nobody_watches_only_the_answer_is_said(at):
    for words in (("check",), ("backup", "copy.db"), ("migrate",)):
        told = drumline("store", *words, at=at)
        assert (told.code, told.err) == (0, "")


def test_on_a_terminal_a_rehearsal_says_how_far_it_is(tmp_path):
    (tmp_path / "s.yaml").write_text(SCENARIO)
    cli = tmp_path / "cli"
    cli.write_text(ASKS_ONCE)
    cli.chmod(0o755)
    answer, shown = on_terminal("rehearse", "s.yaml", "--cli", str(cli), at=tmp_path)
    assert f"{CLEARED}… starting claude" in shown
    assert f"{CLEARED}… ada asked 1 times" in shown
    assert shown.endswith(CLEARED)
    assert "asked    1 times" in answer
