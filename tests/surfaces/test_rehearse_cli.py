"""`drumline rehearse`: what a person and a program are told of a rehearsal."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from drumline.errors import BadInput, DrumlineError, Unknown
from drumline.runtimes import programs
from drumline.surfaces.cli.rehearse import command
from drumline.team.scenario import schema

GOOD = {"type": "result", "is_error": False, "terminal_reason": "completed", "result": "done"}
SCENARIO = "scenario: s\nmembers:\n  ada:\n    - steps: [{say: done}]\n"


def run(*words: str) -> Result:
    return CliRunner().invoke(command, words)


def refused(*words: str) -> DrumlineError:
    found = run(*words).exception
    assert isinstance(found, DrumlineError)
    return found


@pytest.fixture
def scenario(tmp_path: Path) -> str:
    path = tmp_path / "s.yaml"
    path.write_text(SCENARIO)
    return str(path)


@pytest.fixture
def cli(tmp_path: Path) -> str:
    path = tmp_path / "cli"
    path.write_text(f"#!/bin/sh\necho '{json.dumps(GOOD)}'\n")
    path.chmod(0o755)
    return str(path)


def test_a_person_is_told_one_fact_a_line(scenario, cli):
    done = run(scenario, "--cli", cli)
    assert done.output.splitlines() == [
        "result    as rehearsed",
        "ending    success: completed",
        "runtime   claude, exit code 0",
        "asked     0 times",
        "called    nothing",
        "unplayed  ada turn 1",
    ]
    assert done.exit_code == 0


def test_a_rehearsal_that_fails_exits_1(scenario):
    done = run(scenario, "--cli", "/bin/false", "--json")
    assert done.exit_code == 1
    assert json.loads(done.output)["ending"] == "crashed"


def test_a_named_folder_is_kept(scenario, cli, tmp_path):
    run(scenario, "--cli", cli, "--folder", str(tmp_path / "kept"), "--member", "brook")
    head = (tmp_path / "kept" / "work" / ".git" / "HEAD").read_text()
    assert head == "ref: refs/heads/drumline/brook/work\n"


def test_what_is_wrong_with_a_scenario_is_told_with_its_line(tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text(SCENARIO.replace("say", "shout"))
    error = refused(str(path))
    assert isinstance(error, BadInput)
    assert f"{path}:4: members.ada[0].steps[0]: found shout" in error.why


def test_a_scenario_nobody_has_is_refused_with_those_we_have():
    assert refused("nothing").next == "name a file, or one of any-task, one-task, three-tasks"


def test_without_a_cli_the_way_to_one_is_told(scenario, monkeypatch):
    monkeypatch.setattr(programs, "bundled", lambda _runtime: "")
    monkeypatch.setenv("PATH", "/nowhere")
    error = refused(scenario, "--runtime", "codex")
    assert isinstance(error, Unknown)
    assert error.next == "name the program: --cli PATH"


def test_a_program_named_beats_one_found():
    assert programs.program("claude", "/x/claude") == "/x/claude"
    assert programs.bundled("command") == ""


def test_the_schema_is_printed():
    assert json.loads(run("--schema").output) == schema()


def test_a_scenario_must_be_named():
    assert run().exit_code == 2
