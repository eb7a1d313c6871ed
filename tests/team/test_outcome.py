"""How runs of the agent CLIs end, judged from the records the real ones left."""

import json
import re
from pathlib import Path

import pytest

from drumline.team.outcome import Ending, Outcome, last_record, outcome

FACTS = Path(__file__).parents[3] / "shared" / "runtime-facts" / "fixtures"

CLAUDE = {
    "api_400": Ending.REFUSED,
    "api_401": Ending.REFUSED,
    "api_429": Ending.RETRY,
    "api_500": Ending.RETRY,
    "api_529": Ending.RETRY,
    "background_agent_result_index_1": Ending.SUCCESS,
    "error_max_budget_usd": Ending.BUDGET,
    "error_max_structured_output_retries": Ending.RETRY,
    "error_max_turns": Ending.BUDGET,
    "hook_stopped": Ending.REFUSED,
    "json_schema_model_never_called_tool": Ending.RETRY,
    "json_schema_ok": Ending.SUCCESS,
    "permission_denied_dontAsk": Ending.SUCCESS,
    "refusal": Ending.REFUSED,
    "sigint": Ending.INTERRUPTED,
    "stop_hook_block_cap": Ending.REFUSED,
    "success": Ending.SUCCESS,
    "tool_deferred": Ending.INTERRUPTED,
    "user_prompt_blocked": Ending.REFUSED,
}
CODEX = {
    "api-error-400": Ending.REFUSED,
    "apply_patch": Ending.SUCCESS,
    "basic": Ending.SUCCESS,
    "compact": Ending.SUCCESS,
    "mcp": Ending.SUCCESS,
    "rollout-budget-exceeded": Ending.BUDGET,
    "stop-blocked": Ending.SUCCESS,
    "subagents-v1": Ending.SUCCESS,
    "subagents-v2": Ending.SUCCESS,
}
GOOD = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "terminal_reason": "completed",
    "result": "done",
    "permission_denials": [],
}
DONE = {"type": "turn.completed", "usage": {"input_tokens": 9}, "message": "done"}


def fixture(*parts: str) -> str:
    path = FACTS.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"no recorded facts beside this clone: {path}")
    return path.read_text("utf-8")


@pytest.mark.parametrize(("name", "ending"), CLAUDE.items())
def test_every_recorded_end_of_claude_means_the_right_thing(name, ending):
    told = json.loads(fixture("claude", "results", f"{name}.json"))
    code = re.search(r"exit code (\d+)", told["_note"])
    assert code
    asked = name.startswith("json_schema")
    assert outcome(told["result"], int(code[1]), asked=asked).ending is ending


def test_every_recorded_end_of_claude_is_in_the_table():
    fixture("claude", "results", "success.json")
    assert {path.stem for path in (FACTS / "claude" / "results").glob("*.json")} == CLAUDE.keys()


@pytest.mark.parametrize(("name", "ending"), CODEX.items())
def test_every_recorded_end_of_codex_means_the_right_thing(name, ending):
    record = last_record(fixture("codex", f"exec-json.{name}.jsonl").splitlines())
    assert record
    assert outcome(record, int(record["type"] == "turn.failed")).ending is ending


@pytest.mark.parametrize(
    ("changed", "ending"),
    [
        pytest.param({}, Ending.SUCCESS, id="good"),
        pytest.param(
            {"is_error": True, "terminal_reason": "api_error"}, Ending.RETRY, id="no code"
        ),
        pytest.param({"is_error": True}, Ending.CRASHED, id="an error nobody knows"),
        pytest.param({"result": ""}, Ending.REFUSED, id="no words"),
        pytest.param({"terminal_reason": None}, Ending.REFUSED, id="no reason"),
        pytest.param(
            {"permission_denials": ["odd", {"tool_name": "Bash"}]}, Ending.SUCCESS, id="x"
        ),
        pytest.param(
            {"is_error": True, "terminal_reason": "aborted_streaming"}, Ending.INTERRUPTED, id="int"
        ),
        pytest.param(
            {"is_error": True, "terminal_reason": "api_error", "api_error_status": 404},
            Ending.REFUSED,
            id="404",
        ),
    ],
)
def test_a_claude_record_is_a_success_only_when_all_of_it_is(changed, ending):
    assert outcome({**GOOD, **changed}, 0).ending is ending


def test_denied_tools_are_told():
    denials = [{"tool_name": "Bash"}, {"tool_name": "Write"}]
    told = outcome({**GOOD, "permission_denials": denials}, 0)
    assert told == Outcome(Ending.SUCCESS, "completed", ("Bash", "Write"))
    assert told.succeeded


@pytest.mark.parametrize("record", [GOOD, DONE])
def test_a_good_record_with_a_bad_exit_code_is_no_success(record):
    assert outcome(record, 1).ending is Ending.CRASHED
    assert outcome(record, 143).ending is Ending.INTERRUPTED
    assert outcome(record, -9).ending is Ending.CRASHED


@pytest.mark.parametrize(
    ("code", "signal", "ending"),
    [
        pytest.param(143, 0, Ending.INTERRUPTED, id="claude, SIGTERM"),
        pytest.param(129, 0, Ending.INTERRUPTED, id="claude, SIGHUP"),
        pytest.param(137, 0, Ending.CRASHED, id="a shell says SIGKILL"),
        pytest.param(-15, 0, Ending.INTERRUPTED, id="codex, SIGTERM"),
        pytest.param(-9, 0, Ending.CRASHED, id="SIGKILL"),
        pytest.param(-11, 0, Ending.CRASHED, id="SIGSEGV"),
        pytest.param(1, 2, Ending.INTERRUPTED, id="codex, SIGINT"),
        pytest.param(1, 0, Ending.CRASHED, id="a bad flag"),
        pytest.param(0, 0, Ending.CRASHED, id="silence"),
        pytest.param(-9, 9, Ending.CRASHED, id="killed by us"),
    ],
)
def test_without_a_record_only_a_polite_signal_is_no_crash(code, signal, ending):
    assert outcome(None, code, signal).ending is ending


@pytest.mark.parametrize(
    ("message", "ending"),
    [
        ("unexpected status 401 Unauthorized: x", Ending.REFUSED),
        ("unexpected status 502 Bad Gateway: x", Ending.RETRY),
        ("exceeded retry limit, last status: 429 Too Many Requests", Ending.RETRY),
        ("Currently experiencing high demand", Ending.RETRY),
        ("Selected model is at capacity. Please try a different model.", Ending.RETRY),
        ("stream disconnected before completion: Transport error", Ending.RETRY),
        (
            "stream disconnected before completion: Incomplete response, reason: content_filter",
            Ending.REFUSED,
        ),
        ("You've hit your usage limit. Try again at 3 PM.", Ending.RETRY),
        ("shared rollout token budget exhausted", Ending.BUDGET),
        ("ran out of room in the model's context window", Ending.REFUSED),
        ("", Ending.REFUSED),
    ],
)
def test_codex_says_why_in_words_only(message, ending):
    failed = {"type": "turn.failed", "error": {"message": message}}
    assert outcome(failed, 1).ending is ending


def test_a_prompt_codex_did_not_take_is_no_success():
    empty = {"type": "turn.completed", "usage": {"input_tokens": 0}, "message": ""}
    assert outcome(empty, 0).ending is Ending.REFUSED


@pytest.mark.parametrize(("message", "ending"), [("{}", "success"), ("words", "retry")])
def test_an_answer_asked_of_codex_must_be_one(message, ending):
    assert outcome({**DONE, "message": message}, 0, asked=True).ending == ending


def test_the_last_turn_is_the_one_that_counts():
    lines = [
        '{"type":"item.completed","item":{"type":"agent_message","text":"old"}}',
        '{"type":"turn.completed","usage":{"input_tokens":1}}',
        "not json",
        "[1]",
        '{"type":"turn.started"}',
    ]
    assert last_record(lines) is None
    assert last_record(lines[:2]) == {
        "type": "turn.completed",
        "usage": {"input_tokens": 1},
        "message": "old",
    }
    assert last_record([*lines, json.dumps(GOOD)]) == GOOD
