"""The real Claude Code, given our settings: the guard is asked, and cannot be switched off."""

import json
import shlex
from collections.abc import Sequence
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
from drumline.team.identity import environment
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


TAKES_NOTE = "import sys; open(sys.argv[1] + '/seen.jsonl', 'w')"


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


def until_noticed(guard: StandIn, name: str) -> str:
    """Shell words that wait until Claude Code has seen that its settings of this name changed."""
    seen = shlex.quote(str(guard.state / "seen.jsonl"))
    word = "Config[C]hange"  # so that the record of this very command is not taken for the event
    path = shlex.quote(f'"file_path": "[^"]*/{name}"')  # one change may be told twice: no counting
    noticed = f"grep {word} {seen} | grep -q {path}"
    return f"for n in $(seq 200); do {noticed} && break; sleep 0.05; done"


def guarded(folder: Path) -> dict[str, Any]:
    """A session with our settings beside a user's own, in which a push is tried among other commands."""
    guard, own = StandIn(folder / "ours"), StandIn(folder / "theirs", TAKES_NOTE)
    settings = fragment(guard.command, user=users(own))
    arguments = launch_arguments(fragment(guard.command, user=settings))  # ours is there already
    told = session(folder / "work", arguments, "touch made", "git push origin main", "false")
    return {
        "made": (folder / "work" / "made").exists(),
        "results": told.results,
        "tools": sorted(told.tools),
        "events": guard.events(),
        "theirs": (own.state / "seen.jsonl").exists(),
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


def test_the_users_own_hook_is_asked_too(ours):
    assert ours["theirs"]
    assert ours["events"].count("PreToolUse") == len(ours["results"]) == 3


def switched_off(folder: Path) -> dict[str, Any]:
    """A session in a repository that switches hooks off, without the tools that reach other sessions."""
    guard, settings = StandIn(folder / "ours"), folder / "work" / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(OFF)
    arguments = launch_arguments(
        fragment(guard.command), sources=ALL_SOURCES, without=CROSS_SESSION_TOOLS
    )
    told = session(folder / "work", arguments, "git push origin main")
    left = settings.read_text()
    return {"results": told.results, "tools": sorted(told.tools), "settings": left}


@pytest.fixture
def theirs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    found: dict[str, Any] = once(tmp_path_factory, "claude-in-their-repository", switched_off)
    return found


def test_a_repository_cannot_switch_our_hooks_off(theirs):
    assert theirs["results"] == ["PreToolUse:Bash hook error: push is the lead's"]
    assert theirs["settings"] == OFF


SHARED, LOCAL = "settings.json", "settings.local.json"
LEADS = json.dumps({"env": {"DRUMLINE_ROLE": "lead", "LOA_CURRENT_MODEL": "opus"}})


def changed(folder: Path) -> dict[str, Any]:
    """A session whose agent says in its settings that it is somebody else, and then that hooks are off."""
    guard, settings = StandIn(folder / "ours"), folder / "work" / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(LEADS)
    told = session(
        folder / "work",
        launch_arguments(fragment(guard.command, who=ADA), sources=ALL_SOURCES),
        "export DRUMLINE_MEMBER=lead",
        f"echo '{LEADS}' > .claude/settings.local.json; {until_noticed(guard, LOCAL)}",
        "true",
        f"echo '{OFF}' > .claude/settings.json; {until_noticed(guard, SHARED)}",
        "git push origin main",
    )
    asked_by = [environment(each) for each in guard.asked_by()]
    heard = {
        call["file_path"] for call in guard.calls() if call["hook_event_name"] == "ConfigChange"
    }
    return {
        "results": told.results,
        "events": guard.events(),
        "asked by": asked_by,
        "heard of": [str(settings.with_name(name)) in heard for name in (LOCAL, SHARED)],
    }


@pytest.fixture
def changing(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    found: dict[str, Any] = once(tmp_path_factory, "claude-whose-settings-change", changed)
    return found


def test_an_agent_cannot_switch_our_hooks_off(changing):
    assert changing["heard of"] == [True, True]
    assert "push is the lead's" in changing["results"][-1]


@pytest.mark.requirement("GUARD-20")
def test_neither_a_repository_nor_an_agent_changes_who_it_is(changing):
    assert len(changing["events"]) > 6
    assert changing["asked by"] == [environment(ADA)]


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
    own = StandIn(tmp_path / "theirs", TAKES_NOTE)
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


def test_tools_that_reach_other_sessions_are_gone_where_asked(ours, theirs):
    assert {*ours["tools"]} & set(CROSS_SESSION_TOOLS)
    assert "Bash" in theirs["tools"]
    assert not {*theirs["tools"]} & set(CROSS_SESSION_TOOLS)


BROKEN_HOOKS = {
    "unknown type": {"type": "webhook", "command": "true"},
    "no type": {"command": "true"},
    "no command": {"type": "command"},
    "no time": {"type": "command", "command": "true", "timeout": 0},
    "unknown failure": {"type": "command", "command": "true", "onFailure": "stop"},
    "no object": "true",
}


FLAWED = {
    **{name: {"hooks": {"PreToolUse": [{"hooks": [hook]}]}} for name, hook in BROKEN_HOOKS.items()},
    "no hooks": {"hooks": {"PreToolUse": [{"matcher": "Bash"}]}},
    "no entry": {"hooks": {"PreToolUse": [3]}},
    "no list": {"hooks": {"PreToolUse": {}}},
    "no table": {"hooks": "x"},
    "permissions": {"permissions": "x"},
    "env": {"env": "x"},
    "model": {"model": 3},
}
FLAWLESS = {
    "broken elsewhere": {"hooks": {"Stop": [3], "Nonsense": 3}},
    "unknown setting": {"nonsense": 3},
}
USERS = {**FLAWED, **FLAWLESS}
# Each place's settings are read for themselves: whatever is wrong in three, the fourth's guard is asked
FILES = (
    "home/.claude/settings.json",
    "work/.claude/settings.json",
    "work/.claude/settings.local.json",
)


def sessions() -> list[tuple[str, ...]]:
    """The rows that one session shows: three with a flaw, and one without, each time in another place."""
    names, found = list(FLAWED), []
    for number, at in enumerate(range(0, len(names), len(FILES))):
        row = names[at : at + len(FILES)]
        row.insert(number % (len(row) + 1), list(FLAWLESS)[number % len(FLAWLESS)])
        found.append(tuple(row))
    return found


def in_every_place(folder: Path, names: Sequence[str]) -> dict[str, list[str]]:
    """What the guards of as many settings heard in one session."""
    guards = {name: StandIn(folder / name) for name in names}
    told = {name: json.dumps(fragment(guards[name].command, user=USERS[name])) for name in names}
    for place, name in zip(FILES, names, strict=False):
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(told[name])
    given = ["--settings", told[names[-1]]] if len(names) > len(FILES) else []
    session(folder / "work", [*given, f"--setting-sources={','.join(ALL_SOURCES)}"], "touch made")
    return {name: guard.events() for name, guard in guards.items()}


@pytest.mark.parametrize("name", USERS)
def test_what_we_call_a_flaw_is_what_keeps_claude_from_asking(tmp_path_factory, name):
    number, names = next(each for each in enumerate(sessions()) if name in each[1])
    told = once(tmp_path_factory, f"claude-flaws-{number}", lambda at: in_every_place(at, names))
    asked = name in FLAWLESS
    assert ("PreToolUse" in told[name]) is asked
    assert [
        heard for each, heard in told.items() if each in FLAWLESS and "PreToolUse" not in heard
    ] == []
    settings = fragment(["/python3"], user=USERS[name])
    assert (not flaws(settings, ["PreToolUse"])) is asked
