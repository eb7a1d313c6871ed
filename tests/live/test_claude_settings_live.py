"""The real Claude Code, given our settings: the guard is asked, and cannot be switched off."""

import json
import shlex
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from drumline.runtimes.claude_schema import flaws
from drumline.runtimes.claude_settings import (
    CROSS_SESSION_TOOLS,
    fragment,
    launch_arguments,
    launch_arguments_beside,
    plugin,
)
from tests.live.agent_cli import ADA, CRASHING, Outcome, StandIn, binary, run
from tests.live.scripted_model import scripted_model
from tests.once import once

pytestmark = pytest.mark.requirement("GUARD-12")

ALL_SOURCES = ("user", "project", "local")
OFF = json.dumps({"disableAllHooks": True})
ENVIRONMENT = {
    "ANTHROPIC_API_KEY": "dummy",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_MAX_RETRIES": "0",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_TELEMETRY": "1",
    "IS_SANDBOX": "1",
}


class Told(NamedTuple):
    """A finished session: how it ended, what tools answered, which tools it offered."""

    outcome: Outcome
    results: list[str]
    tools: set[str]


def session(folder: Path, arguments: list[str], *commands: str) -> Told:
    """A session whose model runs these commands one by one."""
    folder.mkdir(exist_ok=True)
    program = binary("claude")
    with scripted_model(*commands) as model:
        command = [
            program,
            "-p",
            "--output-format=json",
            "--permission-mode=bypassPermissions",
            "--strict-mcp-config",
            *arguments,
            "go",
        ]
        outcome = run(command, folder, {**ENVIRONMENT, "ANTHROPIC_BASE_URL": model.url})
    assert outcome.code == 0, outcome
    assert json.loads(outcome.out)["result"] == "done"
    last = model.requests[-1]
    blocks = [
        block
        for message in last["messages"]
        if isinstance(message["content"], list)
        for block in message["content"]
    ]
    results = [str(block["content"]) for block in blocks if block["type"] == "tool_result"]
    return Told(outcome, results, {tool.get("name", "") for tool in last["tools"]})


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def guard(tmp_path: Path) -> StandIn:
    return StandIn(tmp_path / "ours")


def users(hook: StandIn, event: str = "PreToolUse", **settings) -> dict:
    program, *words = hook.command
    run_it = {"type": "command", "command": program, "args": words}
    return {"hooks": {event: [{"matcher": "Bash", "hooks": [run_it]}]}, **settings}


def until_noticed(guard: StandIn) -> str:
    """Shell words that wait until Claude Code has seen its settings change."""
    seen = shlex.quote(str(guard.state / "seen.jsonl"))
    word = "Config[C]hange"  # so that the record of this very command is not taken for the event
    return f"for n in $(seq 200); do grep -q {word} {seen} && break; sleep 0.05; done"


def guarded(folder: Path) -> dict[str, Any]:
    """A session with our settings, in which a push is tried among other commands."""
    guard = StandIn(folder / "ours")
    arguments = launch_arguments(fragment(guard.command))
    told = session(folder / "work", arguments, "touch made", "git push origin main", "false")
    return {
        "made": (folder / "work" / "made").exists(),
        "results": told.results,
        "tools": sorted(told.tools),
        "events": guard.events(),
    }


@pytest.fixture
def ours(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    found: dict[str, Any] = once(tmp_path_factory, "claude-with-our-settings", guarded)
    return found


def test_a_push_is_refused_and_the_rest_goes_on_and_is_recorded(ours):
    assert ours["made"]
    assert ours["results"][1] == "PreToolUse:Bash hook error: push is the lead's"
    assert ours["events"] == [
        "SessionStart",
        "PreToolUse",
        "PostToolUse",
        "PreToolUse",
        "PreToolUse",
        "PostToolUseFailure",
        "Stop",
    ]


def test_the_users_own_hook_is_asked_too(tmp_path, work, guard):
    own = StandIn(tmp_path / "theirs", "import sys; open(sys.argv[1] + '/seen.jsonl', 'w')")
    settings = fragment(guard.command, user=users(own))
    session(work, launch_arguments(fragment(guard.command, user=settings)), "touch made")
    assert (own.state / "seen.jsonl").exists()
    assert guard.events().count("PreToolUse") == 1


def test_a_repository_cannot_switch_our_hooks_off(work, guard):
    (work / ".claude").mkdir()
    (work / ".claude" / "settings.json").write_text(OFF)
    told = session(
        work, launch_arguments(fragment(guard.command), sources=ALL_SOURCES), "git push origin main"
    )
    assert told.results == ["PreToolUse:Bash hook error: push is the lead's"]
    assert (work / ".claude" / "settings.json").read_text() == OFF


def test_an_agent_cannot_switch_our_hooks_off(work, guard):
    (work / ".claude").mkdir()
    (work / ".claude" / "settings.json").write_text("{}")
    told = session(
        work,
        launch_arguments(fragment(guard.command), sources=ALL_SOURCES),
        f"echo '{OFF}' > .claude/settings.json; {until_noticed(guard)}",
        "git push origin main",
    )
    assert "ConfigChange" in guard.events()
    assert "push is the lead's" in told.results[1]


@pytest.mark.requirement("GUARD-20")
def test_neither_a_repository_nor_an_agent_changes_who_it_is(work, guard):
    (work / ".claude").mkdir()
    leads = json.dumps({"env": {"DRUMLINE_ROLE": "lead", "LOA_CURRENT_MODEL": "opus"}})
    (work / ".claude" / "settings.json").write_text(leads)
    session(
        work,
        launch_arguments(fragment(guard.command, who=ADA), sources=ALL_SOURCES),
        "export DRUMLINE_MEMBER=lead",
        f"echo '{leads}' > .claude/settings.local.json; {until_noticed(guard)}",
        "true",
    )
    assert len(guard.calls()) > 6
    assert guard.asked_by() == {ADA}


CRASHES = (CRASHING, "raise SystemExit(3)", "import os; os.kill(os.getpid(), 9)")
EACH_CRASH = f"""
import sys
call, ways = sys.stdin.read(), {CRASHES!r}
exec(next((way for number, way in enumerate(ways) if f"made-{{number}}" in call), ways[0]))
"""


def crashed(folder: Path) -> dict[str, list[Any]]:
    """A session whose guard crashes at each call in another way; by the way, its result and what was made."""
    broken = StandIn(folder / "broken", EACH_CRASH)
    names = [f"made-{number}" for number in range(len(CRASHES))]
    arguments = launch_arguments(fragment(broken.command))
    told = session(folder / "work", arguments, *(f"touch {name}" for name in names))
    made = [(folder / "work" / name).exists() for name in names]
    return {way: list(found) for way, *found in zip(CRASHES, told.results, made, strict=True)}


@pytest.mark.parametrize("script", CRASHES)
def test_a_guard_that_crashes_refuses(tmp_path_factory, script):
    result, made = once(tmp_path_factory, "claude-whose-guard-crashes", crashed)[script]
    assert not made
    assert 'blocking because onFailure is "block"' in result


def test_a_guard_that_is_gone_refuses(work, guard):
    settings = fragment(["/nowhere/python3", *guard.command[1:]])
    session(work, launch_arguments(settings), "touch made")
    assert not (work / "made").exists()


def test_a_settings_file_and_our_plugin_both_reach_the_session(tmp_path, work, guard):
    own = StandIn(tmp_path / "theirs", "import sys; open(sys.argv[1] + '/seen.jsonl', 'w')")
    file = tmp_path / "their settings.json"
    file.write_text(json.dumps(users(own)))
    (work / ".claude").mkdir()
    (work / ".claude" / "settings.json").write_text(OFF)
    folder = tmp_path / "plugin"
    for name, text in plugin(guard.command).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    arguments = launch_arguments_beside(str(file), str(folder))
    told = session(work, arguments, "git push origin main")
    assert told.results == ["PreToolUse:Bash hook error: push is the lead's"]
    assert (own.state / "seen.jsonl").exists()
    assert guard.events()[0] == "SessionStart"


def test_tools_that_reach_other_sessions_are_gone_where_asked(work, guard, ours):
    assert {*ours["tools"]} & set(CROSS_SESSION_TOOLS)
    without = launch_arguments(fragment(guard.command), without=CROSS_SESSION_TOOLS)
    assert not session(work, without).tools & set(CROSS_SESSION_TOOLS)


BROKEN_HOOKS = {
    "unknown type": {"type": "webhook", "command": "true"},
    "no type": {"command": "true"},
    "no command": {"type": "command"},
    "no time": {"type": "command", "command": "true", "timeout": 0},
    "unknown failure": {"type": "command", "command": "true", "onFailure": "stop"},
    "no object": "true",
}


@pytest.mark.parametrize(
    ("user", "asked"),
    [
        pytest.param({"hooks": {"PreToolUse": [{"hooks": [hook]}]}}, False, id=name)
        for name, hook in BROKEN_HOOKS.items()
    ]
    + [
        pytest.param({"hooks": {"PreToolUse": [{"matcher": "Bash"}]}}, False, id="no hooks"),
        pytest.param({"hooks": {"PreToolUse": [3]}}, False, id="no entry"),
        pytest.param({"hooks": {"PreToolUse": {}}}, False, id="no list"),
        pytest.param({"hooks": "x"}, False, id="no table"),
        pytest.param({"permissions": "x"}, False, id="permissions"),
        pytest.param({"env": "x"}, False, id="env"),
        pytest.param({"model": 3}, False, id="model"),
        pytest.param({"hooks": {"Stop": [3], "Nonsense": 3}}, True, id="broken elsewhere"),
        pytest.param({"nonsense": 3}, True, id="unknown setting"),
    ],
)
def test_what_we_call_a_flaw_is_what_keeps_claude_from_asking(work, guard, user, asked):
    settings = fragment(guard.command, user=user)
    session(work, ["--settings", json.dumps(settings)], "touch made")
    assert ("PreToolUse" in guard.events()) is asked
    assert (not flaws(settings, ["PreToolUse"])) is asked
