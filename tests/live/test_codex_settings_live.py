"""The real Codex, given our arguments: the guard runs without the dangerous switch, and can refuse."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from drumline.runtimes.codex_settings import Hook, launch_arguments, trusted_hash
from drumline.runtimes.toml_value import toml_value
from drumline.team.identity import environment
from tests.live.agent_cli import ADA, CRASHING, Outcome, StandIn, binary, run
from tests.live.scripted_model import scripted_model

pytestmark = pytest.mark.requirement("GUARD-12")

NOTHING: Mapping[str, str] = {}


class Told(NamedTuple):
    """A finished turn: how it ended and what tools answered."""

    outcome: Outcome
    results: list[str]


def turn(
    folder: Path, arguments: list[str], *commands: str, environ: Mapping[str, str] = NOTHING
) -> Told:
    """One turn whose model runs these commands one by one."""
    program = binary("codex")
    with scripted_model(*commands) as model:
        provider = {
            "name": "scripted",
            "base_url": f"{model.url}/v1",
            "env_key": "SCRIPTED_KEY",
            "wire_api": "responses",
            "request_max_retries": 1,
            "stream_max_retries": 1,
        }
        command = [
            program,
            "exec",
            "--json",
            "--skip-git-repo-check",
            "--sandbox=danger-full-access",
            f"-cmodel_providers.scripted={toml_value(provider)}",
            "-cmodel_provider=scripted",
            "-cmodel=scripted-model",
            *arguments,
            "go",
        ]
        home = {"CODEX_HOME": str(folder.parent / "home"), "SCRIPTED_KEY": "dummy"}
        outcome = run(command, folder, {**home, **environ})
    assert outcome.code == 0, outcome
    assert json.loads(outcome.out.splitlines()[-1])["type"] == "turn.completed"
    answers = [
        item for item in model.requests[-1]["input"] if item["type"] == "function_call_output"
    ]
    return Told(outcome, [str(answer["output"]) for answer in answers])


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def guard(tmp_path: Path) -> StandIn:
    return StandIn(tmp_path / "ours")


def configure(work: Path, text: str) -> Path:
    """The user's own configuration, in the home of this test."""
    home = work.parent / "home"
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text(text)
    return home / "config.toml"


def test_a_push_is_refused_and_the_rest_goes_on_and_is_recorded(work, guard):
    told = turn(work, launch_arguments(guard.command), "touch made", "git push origin main")
    assert (work / "made").exists()
    assert "Command blocked by PreToolUse hook: push is the lead's" in told.results[1]
    assert guard.events() == [
        "SessionStart",
        "PreToolUse",
        "PostToolUse",
        "PreToolUse",
        "Stop",
        "SessionEnd",
    ]


def test_without_its_trust_no_hook_runs(work, guard):
    arguments = [
        word.replace("sha256:", "sha256:0") if word.startswith("hooks.state") else word
        for word in launch_arguments(guard.command)
    ]
    turn(work, arguments, "touch made")
    assert guard.events() == []


def test_the_users_configuration_cannot_switch_our_hooks_off(work, guard):
    configure(work, "[features]\nhooks = false\n")
    turn(work, launch_arguments(guard.command), "git push origin main")
    assert guard.events()[:2] == ["SessionStart", "PreToolUse"]


def test_the_users_own_trusted_hook_runs_too(tmp_path, work, guard):
    log = tmp_path / "theirs"
    command = f"touch {log}"
    file = configure(work, "")
    key = f"{file}:pre_tool_use:0:0"
    state = {key: {"trusted_hash": trusted_hash(Hook(event="PreToolUse", command=command))}}
    hooks = [{"hooks": [{"type": "command", "command": command}]}]
    file.write_text(f"[hooks]\nPreToolUse={toml_value(hooks)}\nstate={toml_value(state)}\n")
    turn(work, launch_arguments(guard.command), "touch made")
    assert log.exists()
    assert "PreToolUse" in guard.events()


@pytest.mark.parametrize(
    "script", [CRASHING, "raise SystemExit(3)", "import os; os.kill(os.getpid(), 9)"]
)
def test_a_guard_that_crashes_refuses(tmp_path, work, script):
    broken = StandIn(tmp_path / "broken", script)
    told = turn(work, launch_arguments(broken.command), "touch made")
    assert not (work / "made").exists()
    assert "the drumline guard did not answer" in told.results[0]


def test_a_guard_that_is_gone_refuses(work, guard):
    turn(work, launch_arguments(["/nowhere/python3", *guard.command[1:]]), "touch made")
    assert not (work / "made").exists()


def test_tools_see_who_they_are_and_no_keys(work, guard):
    told = turn(
        work,
        launch_arguments(guard.command),
        "env | cut -d= -f1 | sort",
        environ={"DRUMLINE_MEMBER": "ada", "A_SECRET": "x", "MY_TOKEN": "x"},
    )
    seen = told.results[0].split()
    assert "DRUMLINE_MEMBER" in seen
    assert not {"SCRIPTED_KEY", "A_SECRET", "MY_TOKEN"} & set(seen)


@pytest.mark.requirement("GUARD-20")
def test_an_agent_does_not_change_who_it_is(work, guard):
    turn(
        work,
        launch_arguments(guard.command),
        "export DRUMLINE_MEMBER=lead",
        "true",
        environ=environment(ADA),
    )
    assert len(guard.calls()) > 6
    assert guard.asked_by() == {ADA}


def test_a_second_listener_at_one_event_is_trusted_too(tmp_path, work, guard):
    listener = StandIn(tmp_path / "listener")
    turn(work, launch_arguments(guard.command, listeners={"Stop": listener.command}), "true")
    assert listener.events() == ["Stop"]
    assert "Stop" in guard.events()
