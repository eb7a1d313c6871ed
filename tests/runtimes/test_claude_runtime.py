"""The Claude runtime without Claude: how it is started, when a turn is over, what messages tell."""

import asyncio
import json
import os
import stat
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from drumline.errors import Unknown
from drumline.runtimes import claude_launch
from drumline.runtimes.claude import ClaudeRuntime
from drumline.runtimes.claude_callbacks import Callbacks
from drumline.runtimes.claude_subagents import Subagents
from drumline.runtimes.claude_turn import Turn
from drumline.runtimes.leash import hold
from drumline.runtimes.runtime import Called, Entered, Limited, Said, Start
from drumline.team.charge import Usage
from drumline.team.confinement import Confinement
from drumline.team.outcome import Ending

GOOD = {"type": "result", "is_error": False, "terminal_reason": "completed", "result": "done"}
NONE = Subagents({}, Path("/nowhere"))
FAILED = {"type": "result", "is_error": True, "terminal_reason": "api_error", "result": "API Error"}


class Ruling:
    """A guard that says what it was given to say."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def before(self, _event: Mapping[str, Any]) -> Any:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer

    def after(self, event: Mapping[str, Any]) -> None:
        self.before(event)


def start(folder: Path, **different: Any) -> Start:
    for name in ("work", "home", "tmp", "own"):
        (folder / name).mkdir()
    given: dict[str, Any] = {
        "member": "ada",
        "work": folder / "work",
        "home": folder / "home",
        "temporary": folder / "tmp",
        "leash": folder / "own" / "leash",
        "confinement": Confinement(writable=[str(folder / "work")]),
        "guard": Ruling({"decision": "allow"}),
        "verbs": None,
        "variables": {"PATH": "/usr/bin:/bin", "DRUMLINE_MEMBER": "ada"},
    }
    return Start(**{**given, **different})


def cli(folder: Path, text: str) -> str:
    program = folder / "cli"
    program.write_text(f"#!/bin/sh\n{text}\n")
    program.chmod(0o755)
    return str(program)


def shimmed(folder: Path, begin: Start, text: str, *words: str) -> str:
    """What a program prints that the shim has become."""
    variables = claude_launch.environment(begin, "life")
    path = claude_launch.shim(begin, cli(folder, text), variables)
    held = hold(begin.leash)
    try:
        done = subprocess.run(
            [path, *words],
            env={**os.environ, "OUR_OWN": "x", **variables},
            capture_output=True,
            text=True,
            check=True,
        )
    finally:
        os.close(held)
    return done.stdout


def test_the_cli_gets_the_members_variables_and_none_of_ours(tmp_path):
    seen = dict(
        line.partition("=")[::2] for line in shimmed(tmp_path, start(tmp_path), "env").splitlines()
    )
    assert seen["DRUMLINE_MEMBER"] == "ada"
    assert seen["CLAUDE_CONFIG_DIR"] == str(tmp_path / "home")
    assert seen["TMPDIR"] == str(tmp_path / "tmp")
    assert seen["DISABLE_TELEMETRY"] == "1"
    assert "OUR_OWN" not in seen


def test_the_cli_gets_its_words_as_they_are(tmp_path):
    words = ["", "two words", "it's", '$HOME `x` "y"', "line\nline"]
    told = shimmed(tmp_path, start(tmp_path), """printf '<%s>' "$@" """, *words)
    assert told == "".join(f"<{word}>" for word in words)


@pytest.mark.parametrize(("secret", "variable"), claude_launch.HANDED_OVER.items())
def test_a_secret_is_read_from_a_pipe_once_and_is_in_no_environment(secret, variable, tmp_path):
    begin = start(tmp_path, variables={"PATH": "/usr/bin:/bin", secret: "hush"})
    pipe = f'"/dev/fd/${variable}"'
    text = f"env | grep -c hush; cat {pipe}; echo; cat {pipe}"
    assert shimmed(tmp_path, begin, text).split() == ["0", "hush"]
    assert "hush" not in (tmp_path / "own" / "claude").read_text()


def test_the_shim_is_for_its_owner_only(tmp_path):
    begin = start(tmp_path)
    path = claude_launch.shim(begin, "/bin/true", claude_launch.environment(begin, "life"))
    assert path.parent == begin.leash.parent
    assert stat.S_IMODE(path.stat().st_mode) == 0o700


def test_settings_keep_hooks_on_and_say_who_the_member_is():
    told = json.loads(claude_launch.settings({"PATH": "/bin", "DRUMLINE_MEMBER": "ada"}))
    assert told == {"disableAllHooks": False, "env": {"DRUMLINE_MEMBER": "ada"}}


def test_without_its_package_the_runtime_says_how_to_have_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "claude_agent_sdk", None)
    with pytest.raises(Unknown) as refused:
        asyncio.run(ClaudeRuntime().begin(start(tmp_path)))
    assert refused.value.next == "pip install 'drumline[claude]'"


def test_the_sdk_is_not_loaded_before_a_conversation():
    loaded = "import sys, drumline.runtimes.claude; print('claude_agent_sdk' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", loaded], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


@pytest.mark.parametrize(
    ("answer", "allowed"),
    [
        ({"decision": "allow"}, True),
        ({"decision": "deny", "what": "a push"}, False),
        ({"decision": "Allow"}, False),
        ({}, False),
        (None, False),
        (True, False),
        (LookupError("no such rule"), False),
    ],
    ids=str,
)
def test_only_a_clear_word_lets_a_call_through(answer, allowed):
    callbacks = Callbacks(Ruling(answer), 5, NONE)
    told = asyncio.run(callbacks.before({"tool_name": "Bash"}, "call", None))
    decision = told.get("hookSpecificOutput", {}).get("permissionDecision")
    assert decision == (None if allowed else "deny")
    assert callbacks.refused == (set() if allowed else {"call"})


def test_a_ruling_that_comes_too_late_is_a_refusal():
    late = Event()

    class Late(Ruling):
        def before(self, _event: Mapping[str, Any]) -> Any:
            late.wait(60)
            return self.answer

    callbacks = Callbacks(Late({"decision": "allow"}), 0.05, NONE)
    told = asyncio.run(callbacks.before({"tool_name": "Bash"}, "call", None))
    late.set()
    assert told["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_note_that_fails_stops_nothing():
    callbacks = Callbacks(Ruling(OSError("full")), 5, NONE)
    assert asyncio.run(callbacks.after({"tool_name": "Bash"}, "call", None)) == {}


def heard(turn: Turn, *said: str | Mapping[str, Any]) -> Turn:
    """A turn that has heard states, marks and results in this order."""
    for each in said:
        if isinstance(each, Mapping):
            turn.result(each)
        elif each in {"idle", "running"}:
            turn.state = each
        else:
            turn.echoed(turn.prompt if each == "prompt" else each)
    return turn


@pytest.mark.parametrize(
    ("said", "over"),
    [
        (("running", "prompt", GOOD, "idle"), True),
        (("running", "prompt", GOOD), False),
        (("running", "prompt", "idle", GOOD), True),
        (("prompt", GOOD), True),
        (("running", GOOD, "idle"), False),
        (("running", GOOD, "prompt", "idle"), False),
        (("running", GOOD, "prompt", GOOD, "idle"), True),
        (("running", "prompt", GOOD, "running", GOOD, "idle"), True),
    ],
    ids=[
        "answered and idle",
        "answered, and more comes",
        "idle before its result",
        "a session that tells no state",
        "a result of something else",
        "a result before the prompt",
        "another's result, then its own",
        "a background task behind it",
    ],
)
def test_a_turn_is_over_when_its_prompt_was_answered_and_the_session_is_idle(said, over):
    assert heard(Turn(with_schema=False), *said).over is over


def test_a_turn_waits_for_words_that_were_told():
    turn = Turn(with_schema=False)
    mark = turn.tells("M-1")
    heard(turn, "running", "prompt", GOOD, "idle")
    assert not turn.over
    assert turn.echoed(mark) == "M-1"
    assert turn.over


def test_an_interrupted_turn_waits_for_no_words():
    turn = Turn(with_schema=False)
    turn.tells("M-1")
    turn.interrupted = True
    assert heard(turn, "running", "prompt", FAILED, "idle").over


def test_the_last_result_tells_how_a_turn_ended():
    turn = heard(Turn(with_schema=False), "prompt", GOOD, FAILED)
    assert turn.ended().outcome.ending is Ending.RETRY


def test_an_answer_is_kept_when_a_later_result_has_none():
    turn = heard(Turn(with_schema=True), "prompt", {**GOOD, "structured_output": {"n": 3}}, GOOD)
    ended = turn.ended()
    assert (ended.answer, ended.outcome.ending) == ({"n": 3}, Ending.SUCCESS)


def test_an_answer_that_never_came_is_no_success():
    ended = heard(Turn(with_schema=True), "prompt", GOOD).ended()
    assert (ended.answer, ended.outcome.ending) == (None, Ending.RETRY)


@pytest.fixture
def events():
    pytest.importorskip("claude_agent_sdk", reason="no claude: install the extra of that name")
    from drumline.runtimes import claude_events  # noqa: PLC0415 - it loads the SDK

    return claude_events


def told(events, *raw: dict[str, Any], refused: set[str] | None = None) -> list[Any]:
    """The facts of messages as the CLI writes them."""
    from claude_agent_sdk._internal.message_parser import parse_message  # noqa: PLC0415

    reader = events.Reader(refused or set())
    return [fact for each in raw for fact in reader.facts(parse_message(each))]


def said(*blocks: dict[str, Any], **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "model": "m", "content": list(blocks)}
    return {"type": "assistant", "message": message, **more}


def returned(call: str, text: str, *, failed: bool) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": call, "content": text, "is_error": failed}
    return {"type": "user", "message": {"role": "user", "content": [block]}}


def init(session: str) -> dict[str, Any]:
    return {"type": "system", "subtype": "init", "session_id": session}


def test_a_conversation_is_entered_once(events):
    assert told(events, init("s-1"), init("s-1"), init("s-2")) == [Entered("s-1"), Entered("s-2")]


def test_only_the_members_own_words_are_said(events):
    words = {"type": "text", "text": "Hello."}
    facts = told(
        events, said(words), said(words, parent_tool_use_id="t"), said(words, error="server_error")
    )
    assert facts == [Said("Hello.")]


@pytest.mark.parametrize(
    ("text", "failed", "refused", "result"),
    [
        ("made", False, set(), "ok"),
        ("Exit code 1", True, set(), "failed"),
        ("some words", True, {"t"}, "refused"),
        ("Permission to use Bash has been denied", True, set(), "refused"),
    ],
)
def test_a_call_is_told_with_its_end(events, text, failed, refused, result):
    call = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "touch\n made"}}
    facts = told(events, said(call), returned("t", text, failed=failed), refused=refused)
    assert facts == [Called("Bash", "touch made", result)]


@pytest.mark.parametrize(
    ("more", "limits"),
    [
        ({"status": "rejected", "resetsAt": 1_900_000_000}, 1),
        ({"status": "allowed_warning", "resetsAt": 1_900_000_000}, 0),
        ({"status": "rejected", "resetsAt": 1_900_000_000, "overageStatus": "allowed"}, 0),
    ],
    ids=["reached", "near", "paid beyond it"],
)
def test_an_account_is_limited_only_when_it_cannot_be_used(events, more, limits):
    event = {"type": "rate_limit_event", "rate_limit_info": more, "uuid": "u", "session_id": "s"}
    until = datetime.fromtimestamp(1_900_000_000, UTC)
    facts = told(events, event)
    assert [fact.until for fact in facts if isinstance(fact, Limited)] == [until] * limits


def test_a_reading_is_the_total_of_all_models(events):
    used = {"inputTokens": 5, "cacheCreationInputTokens": 2, "cacheReadInputTokens": 3}
    told = {
        "total_cost_usd": 0.0024000000000000002,
        "modelUsage": {"big": {**used, "outputTokens": 7}, "small": {**used, "outputTokens": 1}},
    }
    report = events.reading("s-1", 4, told)
    assert report.total == Usage(input=14, cached=6, output=8, micros=2400)
    assert (report.source, report.number, report.model) == ("s-1", 4, "")


def test_a_reading_of_nothing_is_none(events):
    assert events.reading("s-1", 1, {"total_cost_usd": 0, "modelUsage": {}}) is None
