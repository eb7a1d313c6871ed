"""What an event says of the turn that ended, for each runtime, and that nothing else gets through."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.team.settled import (
    LONGEST,
    UNREAD,
    UNSETTLED,
    Filed,
    Hints,
    SettledTurn,
    Why,
    begun_turn,
    kept,
    provider_of,
    settled_turn,
)
from tests.spooling import SAID, SESSION, hint, stop

pytestmark = pytest.mark.requirement("SYNC-03")

NAME = "20260101T120000Z-7-0b9e1c7e.claude.json"
CODEX = {
    "session_id": "01a1e193-c022-7981-bba6-58a6c132d6c3",
    "turn_id": "01a1e193-c04c-7c91-9cc6-9be169617b04",
    "transcript_path": "/codex/sessions/2026/11/15/rollout-x.jsonl",
    "cwd": "/repo",
    "hook_event_name": "Stop",
    "model": "fake-model",
    "stop_hook_active": False,
    "last_assistant_message": SAID,
}
NOTIFY = {
    "type": "agent-turn-complete",
    "thread-id": "01a1e193-cd2b-7c11-8364-2b3fab8878fa",
    "turn-id": "01a1e193-cd54-7760-864f-92732785a2f7",
    "cwd": "/repo",
    "client": "codex_exec",
    "input-messages": ["do it"],
    "last-assistant-message": SAID,
}


def read(event, provider="claude", name=NAME):
    raw = event if isinstance(event, bytes) else json.dumps(event).encode()
    return settled_turn(provider, name, raw)


def test_claude_code_names_the_session_and_the_prompt():
    turn = read(stop(prompt_id="p-1"))
    assert (turn.provider, turn.session, turn.turn, turn.cwd) == ("claude", SESSION, "p-1", "/repo")
    assert turn.transcript.endswith(f"{SESSION}.jsonl")


def test_codex_tells_it_by_its_hook_and_by_its_notice():
    told, noticed = read(CODEX, "codex"), read(NOTIFY, "codex")
    assert (told.session, told.turn) == (CODEX["session_id"], CODEX["turn_id"])
    assert (noticed.session, noticed.turn) == (NOTIFY["thread-id"], NOTIFY["turn-id"])
    assert noticed.cwd == "/repo"
    assert noticed.transcript == ""


def test_any_other_runtime_tells_it_in_the_usual_form():
    assert read({**CODEX, "transcript_path": None}, "gemini").transcript == ""
    assert read(CODEX, "gemini").turn == CODEX["turn_id"]
    assert read(NOTIFY, "gemini") is Why.EVENT


@pytest.mark.parametrize(
    ("event", "why"),
    [
        pytest.param(stop(hook_event_name="SubagentStop"), Why.EVENT, id="a subagent's end"),
        pytest.param(stop(hook_event_name="StopFailure"), Why.EVENT, id="a turn that failed"),
        pytest.param(stop(hook_event_name="TeammateIdle"), Why.EVENT, id="an idle teammate"),
        pytest.param(stop(hook_event_name=None), Why.EVENT, id="no event"),
        pytest.param(stop(hook_event_name=["Stop"]), Why.EVENT, id="a list of events"),
        pytest.param(NOTIFY, Why.EVENT, id="another runtime's notice"),
        pytest.param([stop()], Why.MALFORMED, id="a list"),
        pytest.param("Stop", Why.MALFORMED, id="a word"),
        pytest.param(None, Why.MALFORMED, id="null"),
        pytest.param(b"", Why.MALFORMED, id="nothing"),
        pytest.param(b'{"hook_event_name":"Stop"', Why.MALFORMED, id="half of one"),
        pytest.param(b'{"hook_event_name":"Stop"} {}', Why.MALFORMED, id="two"),
        pytest.param(b"\xff\xfe{\x00}\x00", Why.MALFORMED, id="not UTF-8"),
        pytest.param(b"[" * 200_000, Why.MALFORMED, id="deep"),
        pytest.param(b'{"n":' + b"9" * 9_000 + b"}", Why.MALFORMED, id="a number without end"),
        pytest.param(b" " * (LONGEST + 1), Why.OVERSIZE, id="too long"),
    ],
)
def test_only_the_end_of_a_turn_is_taken(event, why):
    assert read(event) is why


def test_an_event_without_a_session_is_still_one():
    turn = read({"hook_event_name": "Stop"})
    assert isinstance(turn, SettledTurn)
    assert (turn.session, turn.turn, turn.transcript, turn.cwd) == ("", "", "", "")


def test_the_same_event_has_the_same_id_and_another_one_another():
    event = stop(prompt_id="p-1")
    assert read(event).id == read(event).id == read(event, name=NAME.replace("-7-", "-8-")).id
    assert read(event).id != read({**event, "stop_hook_active": True}).id
    assert read(event).id != read({**event, "prompt_id": "p-2"}).id
    assert read(CODEX, "codex").id != read(CODEX, "gemini").id


def test_turns_that_a_runtime_does_not_name_are_told_apart_by_how_they_came():
    event = stop(prompt_id=None)
    assert read(event).id == read(event).id
    assert read(event).id != read(event, name=NAME.replace("-7-", "-8-")).id


def test_the_id_holds_neither_path_nor_words():
    turn = read(stop(prompt_id=SAID, session_id="/home/kim", cwd="/secret"))
    assert (turn.session, turn.turn) == ("", "")
    assert "/" not in turn.id
    assert " " not in turn.id


@pytest.mark.parametrize(
    "word", ["a b", "a/b", "é", "x" * 200, "", 7, None, {"a": 1}, "a\nb", "-a"]
)
def test_a_session_that_is_no_name_is_none(word):
    assert read(stop(session_id=word)).session == ""


@pytest.mark.parametrize(
    "path", ["relative", "/a\nb", "/a\0b", "/\ud800", "/" + "x" * 5000, 7, None]
)
def test_a_path_that_is_none_is_none(path):
    turn = read(stop(cwd=path, transcript_path=path))
    assert (turn.cwd, turn.transcript) == ("", "")


def test_what_the_agent_said_is_nowhere():
    for event, provider in ((stop(), "claude"), (CODEX, "codex"), (NOTIFY, "codex")):
        turn = read(event, provider)
        assert SAID not in repr(turn)
        assert SAID not in json.dumps(kept(turn, Filed(turn.id, NAME, Why.WOKE, "ada")))


@pytest.mark.parametrize(
    ("line", "hints"),
    [
        (hint("ada", "atlas", "3"), Hints("atlas", "ada", 3)),
        (hint("ada"), Hints("", "ada")),
        (hint("ada", life="x"), Hints("", "ada")),
        ("", Hints()),
    ],
)
def test_the_hint_of_the_hook_is_no_part_of_the_event(line, hints):
    event = json.dumps(stop(prompt_id="p")).encode()
    turn = read(event + line.encode())
    assert turn.hints == hints
    assert turn.id == read(event).id


@pytest.mark.parametrize(
    "line",
    ['\n{"drumline":{"member":"ada"}}\n', '\n{"drumline":7}', f"{hint('ada')} ", hint("a" * 65)],
)
def test_what_is_not_the_hooks_own_line_spoils_the_event(line):
    assert read(json.dumps(stop()).encode() + line.encode()) is Why.MALFORMED


def test_what_was_filed_is_the_same_turn_when_it_comes_again():
    turn = read(json.dumps(stop()).encode() + hint("ada", "atlas", "3").encode())
    record = kept(turn, Filed(turn.id, NAME, Why.UNKNOWN))
    assert read(record) == turn
    other = NAME.replace("-7-", "-8-")
    assert read(record, name=other) is Why.MALFORMED
    assert read(record, "codex") is Why.MALFORMED
    for broken in ({"settled": {}}, {"settled": {**record["settled"], "digest": "/"}}):
        assert read(broken) is Why.MALFORMED


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (NAME, "claude"),
        ("00000000T000000Z-1-2.codex.json", "codex"),
        ("oversize-12-34ab.claude.json", Why.OVERSIZE),
        ("20260101T120000Z-7-0b9e.claude.json.tmp", Why.NAME),
        ("20260101T120000Z-7-0b9e.claude.json\n", Why.NAME),
        ("20260101T120000Z-7-0b9e.CLAUDE.json", Why.NAME),
        ("20260101T120000Z-7-../x.claude.json", Why.NAME),
        (".turn-1-2", Why.NAME),
        ("", Why.NAME),
    ],
)
def test_a_name_says_the_runtime_and_nothing_else(name, says):
    assert provider_of(name) == says


def test_everything_that_can_become_of_an_event_is_one_of_three():
    assert set(Why) == UNREAD | set(UNSETTLED) | {Why.WOKE, Why.DUPLICATE}


@given(st.binary(max_size=300), st.sampled_from(["claude", "codex", "gemini"]))
def test_no_bytes_can_break_it(raw, provider):
    assert isinstance(settled_turn(provider, NAME, raw), SettledTurn | Why)


LETTERS = st.text("aZ0./-_ \n\0\ud800é", max_size=6)
ANYTHING = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | LETTERS
    | st.lists(LETTERS, max_size=2)
    | st.dictionaries(st.sampled_from(["member", "life", "digest"]), LETTERS | st.integers())
)
FIELDS = st.sampled_from([*stop(), *NOTIFY, "settled", "hints", "digest", "arrival"])


@given(st.dictionaries(FIELDS, ANYTHING, max_size=8))
def test_no_object_can_break_it(facts):
    found = settled_turn("claude", NAME, json.dumps({**facts, "hook_event_name": "Stop"}).encode())
    if isinstance(found, SettledTurn):
        assert found.id.isascii()
        assert found.id.isprintable()


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"provider": 5, "session": {}, "transcript": [], "cwd": None, "hints": "ada"},
        {"provider": "../x", "session": "a b", "transcript": "no/path", "cwd": "\n"},
        {"hints": {"team": 5, "member": "a b", "life": True}},
    ],
)
def test_of_a_turn_that_begins_only_what_fits_is_read(facts):
    assert begun_turn(facts) == SettledTurn("", "", "")


def test_a_turn_that_begins_is_read_as_one_that_was_filed():
    hints = {"team": "atlas", "member": "ada", "life": 3}
    told = {"provider": "codex", "session": "s-1", "transcript": "/t.jsonl", "cwd": "/w"}
    assert begun_turn({**told, "hints": hints}) == SettledTurn(
        "codex", "", "", "s-1", "", "/t.jsonl", "/w", Hints("atlas", "ada", 3)
    )
