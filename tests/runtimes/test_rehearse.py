"""One rehearsal from its folder to its report, with programs that stand in for the real CLIs."""

import json
import os
import shlex
import sys
from pathlib import Path

import pytest

from drumline.errors import BadInput, Conflict, Unknown
from drumline.runtimes.rehearsal.launch import Cli, Options, launch
from drumline.runtimes.rehearsal.scratch import Scratch
from drumline.runtimes.rehearsal.stage import rehearse
from drumline.store.manifests import read_text
from drumline.team.outcome import Ending
from drumline.team.scenario import Scenario, accepted

GOOD = {"type": "result", "is_error": False, "terminal_reason": "completed", "result": "done"}
DONE = f"echo '{json.dumps(GOOD)}'"


def scenario(steps: str = "[{say: done}]", head: str = "", member: str = "ada") -> Scenario:
    text = f"scenario: s\n{head}members:\n  {member}:\n    - steps: {steps}\n"
    return accepted(read_text(text), "s.yaml")


def program(folder: Path, *lines: str) -> str:
    path = folder / "cli"
    path.write_text("\n".join(("#!/bin/sh", *lines)) + "\n")
    path.chmod(0o755)
    return str(path)


ASK = """
import json, os, sys, urllib.request
body = json.dumps({"messages": [{"role": "user", "content": "go"}]}).encode()
url = os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages"
for _ in range(int(sys.argv[1])):
    urllib.request.urlopen(url, body).read()
"""


def asking(times: int = 1) -> str:
    """Shell words of a CLI that asks its model."""
    return shlex.join((sys.executable, "-c", ASK, str(times)))


@pytest.fixture
def stage(tmp_path: Path) -> Path:
    return tmp_path / "stage"


def test_a_good_record_is_a_success(tmp_path, stage):
    done = rehearse(scenario(), program(tmp_path, asking(2), DONE), "claude", stage)
    assert done.succeeded
    assert (done.requests, done.exit_code, done.unplayed) == (2, 0, ())
    assert done.record == GOOD
    assert json.loads(json.dumps(done.facts()))["ending"] == "success"


def test_an_exit_code_alone_is_no_success(tmp_path, stage):
    done = rehearse(scenario(), program(tmp_path, "echo oh >&2"), "claude", stage)
    assert not done.succeeded
    assert done.outcome.ending is Ending.CRASHED
    assert (done.exit_code, done.errors, done.unplayed) == (0, "oh\n", ("ada turn 1",))


def test_an_expectation_not_met_is_no_success(tmp_path, stage):
    wanting = scenario("[{tool: {name: Bash}, expect: ok}]")
    done = rehearse(wanting, program(tmp_path, asking(), DONE), "claude", stage)
    assert done.outcome.succeeded
    assert not done.succeeded
    assert done.called == ("Bash",)
    assert [each.what for each in done.failures] == ["no result came back"]


def test_nothing_of_our_environment_reaches_the_cli(tmp_path, stage, monkeypatch):
    monkeypatch.setenv("SECRET_OF_OURS", "x")
    cli = program(tmp_path, "env > seen; pwd >> seen; git branch --show-current >> seen", DONE)
    rehearse(scenario(), cli, "claude", stage, Options(environ={"MORE": "1"}))
    seen = (stage / "work" / "seen").read_text()
    assert "SECRET_OF_OURS" not in seen
    assert {f"HOME={stage}/home", "DRUMLINE_MEMBER=ada", "MORE=1"} <= set(seen.splitlines())
    assert seen.splitlines()[-2:] == [str(stage / "work"), "drumline/ada/work"]


def test_our_own_command_is_on_the_path_and_runs_before(tmp_path, stage):
    before = "before: [init --yes --name atlas, [task, add, Say hello]]\n"
    cli = program(tmp_path, "drumline task list > board", DONE)
    rehearse(scenario(head=before), cli, "claude", stage, Options(guarded=False))
    board = (stage / "work" / "board").read_text()
    assert board.split() == ["T-1", "pending", "Say", "hello"]


@pytest.mark.parametrize(("runtime", "switch"), [("claude", "--settings"), ("codex", "-c")])
def test_where_there_is_a_team_the_guard_stands_before_every_call(stage, runtime, switch):
    made = Scratch(stage, "ada")
    cli, url = Cli("/x/cli", runtime), "http://127.0.0.1:1/ada"
    without = launch(cli, scenario(), made, url, Options(member="ada"))
    made.operate(("init", "--yes", "--name", "atlas"))
    guarded = launch(cli, scenario(), made, url, Options(member="ada"))
    unguarded = launch(cli, scenario(), made, url, Options(member="ada", guarded=False))
    assert without.argv == unguarded.argv
    more = guarded.argv[len(without.argv) - 2 : -2]
    assert switch in more
    assert "hooks/guard.py" in " ".join(more)


def test_the_prompt_is_never_taken_for_a_switch(stage):
    told = scenario(head="prompt: --dangerous\nschema: {type: object}\n")
    started = launch(Cli("/x", "codex"), told, Scratch(stage, "ada"), "http://x", Options())
    assert started.argv[-2:] == ["--", "--dangerous"]
    file = started.argv[started.argv.index("--output-schema") + 1]
    assert json.loads(Path(file).read_text()) == {"type": "object"}


def test_a_cli_past_its_time_is_interrupted(tmp_path, stage):
    cli = program(tmp_path, "exec sleep 60")
    done = rehearse(scenario(), cli, "claude", stage, Options(seconds=0.3))
    assert done.outcome.ending is Ending.INTERRUPTED


def test_a_cli_that_does_not_listen_is_killed_with_all_of_its_group(tmp_path, stage, monkeypatch):
    monkeypatch.setattr("drumline.runtimes.rehearsal.stage.GRACE", 0.2)
    cli = program(tmp_path, "trap '' INT", "sleep 60 & echo $! > child", "wait", "wait")
    done = rehearse(scenario(), cli, "claude", stage, Options(seconds=0.5))
    assert done.outcome.ending is Ending.CRASHED
    child = int((stage / "work" / "child").read_text())
    state = Path(f"/proc/{child}/stat")
    assert not state.exists() or state.read_text().split()[2] == "Z"


def test_a_line_too_long_to_be_a_record_is_no_record(tmp_path, stage, monkeypatch):
    monkeypatch.setattr("drumline.runtimes.rehearsal.stage.LONGEST_LINE", 20)
    done = rehearse(scenario(), program(tmp_path, DONE), "claude", stage)
    assert done.record is None


def test_a_scenario_for_anybody_is_played_by_somebody(tmp_path, stage):
    done = rehearse(scenario(member="any"), program(tmp_path, asking(), DONE), "claude", stage)
    assert (done.member, done.succeeded) == ("member", True)


def test_what_cannot_be_rehearsed_is_refused(tmp_path, stage):
    with pytest.raises(Unknown, match="cannot be started"):
        rehearse(scenario(), "/nowhere/claude", "claude", stage)
    with pytest.raises(Conflict, match="is not empty"):
        rehearse(scenario(), "/bin/true", "claude", stage)
    with pytest.raises(BadInput, match="no rehearsal for the runtime"):
        rehearse(scenario(), "/bin/true", "gemini", tmp_path / "second")
    with pytest.raises(BadInput, match="drumline task list") as refused:
        rehearse(scenario(head="before: [task list]\n"), "/bin/true", "claude", tmp_path / "third")
    assert "no team here" in refused.value.why
    assert not os.path.lexists(tmp_path / "third" / "out.jsonl")
