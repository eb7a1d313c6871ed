"""What the codex runtime reads out of words and files: no Codex is needed, and none of it is believed."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from drumline.errors import BadInput
from drumline.runtimes.codex_launch import Way, added, schema_file, variables, words
from drumline.runtimes.codex_limits import is_limit, lifted_at, zone_of
from drumline.runtimes.codex_schema import given, strict
from drumline.runtimes.codex_transcript import Transcript, usage_of
from drumline.runtimes.codex_turn import Turn
from drumline.runtimes.conforming import checked_schema, flaws
from drumline.runtimes.runtime import Answer, Called, Entered, Given, Said, Start
from drumline.runtimes.witnessed import MOST_SESSIONS, Heard, Refusal, Witnessed
from drumline.team import reflection
from drumline.team.charge import MOST, Usage
from drumline.team.confinement import Confinement

pytestmark = pytest.mark.requirement("RUN-04")

SESSION = "01a1e369-c42a-7043-857a-a2b2a63f4dde"
NIGHT = datetime(2026, 11, 16, 23, 30, tzinfo=UTC)


class Allowing:
    """A guard that refuses what says no, and verbs that serve nothing."""

    def before(self, event):
        refused = "no" in str(event.get("tool_input"))
        return {"decision": "deny" if refused else "allow", "what": "saying no"}

    def after(self, event):
        pass

    def run(self, words, stdin="", cwd=""):  # noqa: ARG002 - the interface's words
        return Answer(1, "", "")


def start(folder: Path, **more) -> Start:
    return Start(
        member="ada",
        work=folder / "work",
        home=folder / "home",
        temporary=folder,
        leash=folder / "leash",
        confinement=Confinement(writable=[str(folder / "work")]),
        guard=Allowing(),
        verbs=Allowing(),
        variables={"PATH": "/bin", "HOME": "/home/u"},
        **more,
    )


def written(home: Path, *lines: object) -> Path:
    """A transcript of the session with these lines added."""
    folder = home / "sessions" / "2026" / "11" / "16"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"rollout-2026-11-16T08-12-01-{SESSION}.jsonl"
    with path.open("a") as file:
        file.writelines(
            (each if isinstance(each, str) else json.dumps(each)) + "\n" for each in lines
        )
    return path


def tokens(read: int, cached: int, out: int) -> dict[str, int]:
    return {"input_tokens": read, "cached_input_tokens": cached, "output_tokens": out}


def counted(read: int, cached: int = 0, out: int = 0) -> dict:
    return {
        "timestamp": "2026-11-16T08:12:02.344Z",
        "type": "token_usage_record",
        "payload": {"thread_token_usage": tokens(read, cached, out)},
    }


def limits(**windows) -> dict:
    return {
        "timestamp": "2026-11-16T08:12:02.344Z",
        "type": "event_msg",
        "payload": {"type": "token_count", "info": None, "rate_limits": windows},
    }


def test_a_transcript_tells_tokens_and_model_as_they_come(tmp_path):
    transcript = Transcript(tmp_path)
    transcript.follow(SESSION)
    assert not transcript.is_there
    written(tmp_path, {"type": "turn_context", "payload": {"model": "m-1"}}, counted(100, 40, 7))
    transcript.follow(SESSION)
    transcript.read()
    assert (transcript.model, transcript.usage) == ("m-1", Usage(60, 40, 7))
    written(tmp_path, counted(300, 40, 9))
    transcript.read()
    assert transcript.usage == Usage(260, 40, 9)


def test_a_resumed_transcript_is_read_from_where_it_stood(tmp_path):
    written(tmp_path, counted(100))
    transcript = Transcript(tmp_path, SESSION)
    transcript.read()
    assert transcript.usage == Usage()
    written(tmp_path, counted(300))
    transcript.read()
    assert transcript.usage == Usage(300)


def test_half_a_line_is_read_when_it_is_whole(tmp_path):
    path = written(tmp_path, counted(100))
    transcript = Transcript(tmp_path)
    transcript.follow(SESSION)
    whole = json.dumps(counted(300)) + "\n"
    with path.open("a") as file:
        file.write(whole[:40])
        file.flush()
        transcript.read()
        assert transcript.usage == Usage(100)
        file.write(whole[40:])
    transcript.read()
    assert transcript.usage == Usage(300)


def test_a_meter_in_a_transcript_does_not_run_backwards(tmp_path):
    written(tmp_path, counted(300, 0, 9), counted(100), counted(400))
    transcript = Transcript(tmp_path)
    transcript.follow(SESSION)
    transcript.read()
    assert transcript.usage == Usage(400, 0, 9)


def test_a_forged_line_in_a_transcript_does_not_stop_its_meter(tmp_path):
    written(tmp_path, counted(100, 90, 1), counted(300, 0, 9))
    transcript = Transcript(tmp_path)
    transcript.follow(SESSION)
    transcript.read()
    assert transcript.usage.output == 9
    assert transcript.usage.input >= 300 - 90


NOISE = [
    "no json",
    "[1]",
    "[" * 100_000,
    {"type": "token_usage_record", "payload": 3},
    {"type": "token_usage_record", "payload": {"thread_token_usage": {"input_tokens": "x"}}},
    {"type": "event_msg", "payload": {"type": "token_count", "info": [], "rate_limits": []}},
    limits(primary={"used_percent": 100, "resets_at": 1e300}),
    {"type": "turn_context", "payload": {"model": None}},
]


def test_noise_in_a_transcript_is_passed_over(tmp_path):
    written(tmp_path, *NOISE, counted(100))
    transcript = Transcript(tmp_path)
    transcript.follow(SESSION)
    transcript.read()
    assert (transcript.usage, transcript.model, transcript.resets_at) == (Usage(100), "", None)


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_only_a_regular_file_is_a_transcript(tmp_path, kind):
    path = written(tmp_path, counted(100))
    kept = path.rename(tmp_path / "elsewhere")
    {"link": lambda: path.symlink_to(kept), "pipe": lambda: os.mkfifo(path), "folder": path.mkdir}[
        kind
    ]()
    transcript = Transcript(tmp_path)
    transcript.follow(SESSION)
    transcript.read()
    assert transcript.usage == Usage()


@pytest.mark.parametrize("name", ["", "*", "../../x", "[a-z]", SESSION.upper()])
def test_only_a_session_of_codex_names_a_transcript(tmp_path, name):
    written(tmp_path, counted(100))
    assert not Transcript(tmp_path, name).is_there


@pytest.mark.requirement("RUN-15")
def test_the_last_window_that_is_used_up_says_when_it_begins_again(tmp_path):
    full = {"used_percent": 100.0, "resets_at": 1_794_834_749}
    later = {"used_percent": 101, "resets_at": 1_795_248_749}
    half = {"used_percent": 50, "resets_at": 1_799_999_999}
    written(tmp_path, limits(primary=full, secondary=half), limits(primary=full, secondary=later))
    transcript = Transcript(tmp_path)
    transcript.follow(SESSION)
    transcript.read()
    assert transcript.resets_at == datetime.fromtimestamp(1_795_248_749, UTC)


@pytest.mark.parametrize(
    "told", [None, 3, {"input_tokens": -1}, {"output_tokens": True}, {"input_tokens": MOST + 1}]
)
def test_tokens_that_cannot_be_counted_are_none(told):
    assert usage_of(told) is None


@pytest.mark.requirement("RUN-15")
@pytest.mark.parametrize(
    ("said", "zone", "until"),
    [
        ("try again at 11:45 PM.", UTC, datetime(2026, 11, 16, 23, 45, tzinfo=UTC)),
        ("try again at 1:12 PM.", UTC, datetime(2026, 11, 17, 13, 12, tzinfo=UTC)),
        ("Try again at 12:05 AM.", UTC, datetime(2026, 11, 17, 0, 5, tzinfo=UTC)),
        (
            "try again at 2:00 AM.",
            ZoneInfo("Europe/Vienna"),
            datetime(2026, 11, 17, 1, 0, tzinfo=UTC),
        ),
        ("try again at Nov 21st, 2026 8:12 AM.", UTC, datetime(2026, 11, 21, 8, 12, tzinfo=UTC)),
        ("try again in 1 day 2 hours 5 minutes.", UTC, datetime(2026, 11, 18, 1, 35, tzinfo=UTC)),
        ("Try again later.", UTC, None),
        ("try again at Feb 31st, 2026 8:12 AM.", UTC, None),
        ("try again at Xyz 1st, 2026 8:12 AM.", UTC, None),
        ("try again in 99999999999 days", UTC, None),
    ],
)
def test_words_about_a_limit_name_a_time(said, zone, until):
    assert lifted_at(said, NIGHT, zone) == until


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("You have hit your usage limit. Try again later.", True),
        ("Quota exceeded. Check your plan and billing details.", True),
        ("exceeded retry limit, last status: 429 Too Many Requests", False),
        ("the context window is full", False),
    ],
)
def test_only_a_used_up_account_is_a_limit(said, expected):
    assert is_limit(said) is expected


def test_a_zone_nobody_knows_is_that_of_this_machine():
    assert zone_of("Europe/Vienna") == ZoneInfo("Europe/Vienna")
    assert zone_of("Nowhere/At All") is zone_of("") is None


OPTIONAL = {
    "type": "object",
    "properties": {
        "n": {"type": "integer", "minimum": 1},
        "why": {"type": "string", "maxLength": 5},
        "kind": {"enum": ["a", "b"]},
        "maybe": {"type": ["string", "null"]},
        "list": {
            "type": "array",
            "items": {"type": "object", "properties": {"x": {"type": "string"}}},
        },
    },
    "required": ["n"],
}


def test_a_strict_schema_requires_everything_and_asks_for_null_instead():
    asked = strict(OPTIONAL)
    assert asked["required"] == list(OPTIONAL["properties"])
    assert asked["additionalProperties"] is False
    assert asked["properties"]["n"] == {"type": "integer"}
    assert asked["properties"]["why"] == {"type": ["string", "null"]}
    assert asked["properties"]["kind"] == {"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]}
    assert asked["properties"]["list"]["items"]["required"] == ["x"]


def test_nulls_that_only_say_left_out_are_taken_back():
    answer = {"n": 1, "why": None, "kind": None, "maybe": None, "list": [{"x": None}]}
    found = given(answer, OPTIONAL)
    assert found == {"n": 1, "maybe": None, "list": [{}]}
    assert flaws(found, OPTIONAL) == []


def test_a_null_that_is_wrong_stays_wrong():
    assert flaws(given({"n": None}, OPTIONAL), OPTIONAL) != []


def test_a_reflection_can_be_asked_of_codex():
    schema = checked_schema(reflection.schema())
    asked = strict(schema)
    assert set(asked["required"]) == set(schema["properties"])
    words_in = json.dumps(asked)
    assert '"pattern":' not in words_in
    assert '"maxLength":' not in words_in


def test_a_turn_is_told_by_words_that_hold_its_settings(tmp_path):
    member = start(tmp_path, system='Be "kind".\n', model="m-1")
    said = words(member, Way(program="/bin/codex", guard=["/bin/guard"]), SESSION, "/tmp/s.json")
    assert said[:3] == ["/bin/codex", "exec", "--json"]
    assert "--sandbox=danger-full-access" in said
    assert 'developer_instructions="Be \\"kind\\".\\n"' in said
    assert 'model="m-1"' in said
    assert said[-5:] == ["--output-schema", "/tmp/s.json", "resume", SESSION, "-"]


@pytest.mark.requirement("GUARD-21", "RUN-12")
@pytest.mark.parametrize(
    ("more", "off"),
    [
        ({"tools": ["Read"]}, True),
        ({"tools": ["WebSearch"]}, False),
        ({"tools": ["WebSearch"], "bound": True}, True),
    ],
)
def test_the_providers_own_search_is_for_who_has_it_listed_and_needs_no_server(tmp_path, more, off):
    said = words(start(tmp_path, **more), Way(program="/bin/codex", guard=["/bin/guard"]), "", "")
    assert ('web_search="disabled"' in said) is off


@pytest.mark.requirement("RUN-12")
def test_servers_are_told_with_what_they_keep_secret_on_no_command_line(tmp_path):
    file = tmp_path / "lab.json"
    at = Given(name="maps", file=file, url="http://x", headers={"Authorization": "Bearer hunter2"})
    lab = Given(name="lab", file=file, words=("python", "start.py", str(file)), needed=True)
    found = start(tmp_path, servers=(lab, at))
    way = Way(program="/bin/codex", guard=["/bin/guard"])
    line = " ".join(words(found, way, "", ""))
    assert f'mcp_servers.lab={{command="python",args=["start.py","{file}"]' in line
    assert (
        'mcp_servers.maps={url="http://x",env_http_headers={Authorization="MCP_TOKEN_maps_0"}'
        in line
    )
    assert "hunter2" not in line
    assert "Bearer hunter2" in variables(found).values()


def test_codex_has_its_own_sandbox_where_ours_is_not(tmp_path):
    way = Way(program="/bin/codex", guard=["/bin/guard"], confined=False)
    said = words(start(tmp_path), way, "", "")
    assert "--sandbox=workspace-write" in said
    roots = json.dumps([str(tmp_path / "work"), str(tmp_path / "work" / ".git")])
    assert f"sandbox_workspace_write.writable_roots={roots.replace(', ', ',')}" in said
    assert said[-1] == "-"


def test_what_the_operator_adds_cannot_undo_what_we_say(tmp_path):
    member = start(tmp_path, settings={"arguments": '["-c", "allow_login_shell=true"]'})
    said = words(member, Way(program="/bin/codex", guard=["/bin/guard"]), "", "")
    assert said.index("allow_login_shell=true") < said.index("allow_login_shell=false")


@pytest.mark.parametrize("said", ["no", "{}", "[1]", '"-c"'])
def test_what_the_operator_adds_is_a_list_of_words(tmp_path, said):
    with pytest.raises(BadInput):
        added(start(tmp_path, settings={"arguments": said}))


def test_codex_and_its_tools_are_at_home_in_the_members_folder(tmp_path):
    home = str(tmp_path / "home")
    own = {"HOME": home, "CODEX_HOME": home, "TMPDIR": str(tmp_path)}
    assert variables(start(tmp_path)) == {"PATH": "/bin", **own}


def test_a_schema_is_in_a_new_file_while_it_is_needed(tmp_path):
    with schema_file(start(tmp_path), OPTIONAL) as path:
        assert json.loads(Path(path).read_text()) == strict(OPTIONAL)
        assert Path(path).parent == tmp_path
    assert not Path(path).exists()
    with schema_file(start(tmp_path), None) as path:
        assert path == ""


@pytest.fixture
def turn(tmp_path) -> Turn:
    return Turn("", Transcript(tmp_path), Witnessed(Allowing()))


def item(kind: str, **more) -> dict:
    return {"type": "item.completed", "item": {"id": "1", "type": kind, **more}}


LINES = [
    ({"type": "thread.started", "thread_id": SESSION}, [Entered(SESSION)]),
    (item("agent_message", text="hello"), [Said("hello")]),
    (item("agent_message"), []),
    (item("reasoning", text="hm"), []),
    (item("error", message="a warning"), []),
    (
        item("command_execution", command="/bin/bash -lc 'a b'", exit_code=0, status="completed"),
        [Called("Bash", "a b", "ok")],
    ),
    (
        item("command_execution", command="it's", exit_code=1, status="failed"),
        [Called("Bash", "it's", "failed")],
    ),
    (
        item("command_execution", command="/bin/sh -c x", status="declined"),
        [Called("Bash", "x", "refused")],
    ),
    (
        item("file_change", changes=[{"path": "/a"}, {"path": "/b"}, 3], status="completed"),
        [Called("apply_patch", "/a, /b", "ok")],
    ),
    (
        item("mcp_tool_call", server="team", tool="inbox", arguments={"a": 1}, error={"m": 1}),
        [Called("mcp__team__inbox", '{"a": 1}', "failed")],
    ),
    (item("web_search", query="moon"), [Called("web_search", "moon", "ok")]),
    ({"type": "item.completed", "item": 3}, []),
    ({"type": "item.completed"}, []),
    ({"type": 3}, []),
    ({}, []),
]


@pytest.mark.parametrize(("line", "facts"), LINES)
def test_a_line_of_codex_means_these_facts(turn, line, facts):
    assert list(turn.take(line)) == facts


def test_a_warning_is_not_the_models_first_word(turn):
    list(turn.take(item("error", message="a warning")))
    assert not turn.has_begun
    list(turn.take(item("reasoning", text="hm")))
    assert turn.has_begun


def test_a_call_that_was_cut_off_is_told_at_the_end(turn):
    begun = {"id": "7", "type": "command_execution", "command": "x", "status": "in_progress"}
    assert list(turn.take({"type": "item.started", "item": begun})) == []
    assert list(turn.closing("m-1")) == [Called("Bash", "x", "failed")]


def test_a_witness_remembers_starts_and_refusals_by_session():
    witness = Witnessed(Allowing())
    witness.after({"hook_event_name": "SessionStart", "session_id": "a"})
    witness.after({"hook_event_name": "PostToolUse", "session_id": "a"})
    witness.before({"session_id": "a", "tool_name": "Bash", "tool_input": {"command": "no"}})
    witness.before({"session_id": "a", "tool_name": "Bash", "tool_input": {"command": "yes"}})
    assert witness.heard("a") == Heard(1, (Refusal("Bash", "saying no"),))
    assert witness.heard("b") == Heard()


def test_a_witness_forgets_the_oldest_of_too_many_sessions():
    witness = Witnessed(Allowing())
    for number in range(MOST_SESSIONS + 1):
        witness.after({"hook_event_name": "SessionStart", "session_id": str(number)})
    assert witness.heard("0") == Heard()
    assert witness.heard(str(MOST_SESSIONS)) == Heard(1)


CHECKED = [
    ({"type": "integer"}, 3, True),
    ({"type": "integer"}, 3.0, True),
    ({"type": "integer"}, True, False),
    ({"type": "number"}, 3.5, True),
    ({"type": ["string", "null"]}, None, True),
    ({"type": "array", "items": {"type": "string"}}, ["a", 1], False),
    ({"type": "object", "required": ["a"]}, {}, False),
    ({"properties": {"a": {"const": 1}}}, {"a": True}, False),
    ({"properties": {"a": {}}, "additionalProperties": False}, {"b": 1}, False),
    ({"additionalProperties": {"type": "string"}}, {"b": 1}, False),
    ({"enum": ["a", None]}, None, True),
    ({"enum": [1]}, True, False),
    ({"minimum": 1, "maximum": 3}, 3, True),
    ({"exclusiveMaximum": 3}, 3, False),
    ({"minLength": 2}, "a", False),
    ({"maxItems": 1}, [1, 2], False),
    ({"uniqueItems": True}, [1, True], True),
    ({"uniqueItems": True}, [[1], [1]], False),
    ({"pattern": "^a+$"}, "ab", False),
    ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 3, False),
    ({"oneOf": [{"minimum": 1}, {"minimum": 2}]}, 3, False),
    ({"allOf": [{"minimum": 1}, {"maximum": 2}]}, 3, False),
    ({"$defs": {"n": {"type": "integer"}}, "items": {"$ref": "#/$defs/n"}}, [1, "x"], False),
    ({"$ref": "#/$defs/gone"}, 1, False),
    ({"description": "anything", "format": "date"}, "no date", True),
]


@pytest.mark.parametrize(("schema", "value", "follows"), CHECKED)
def test_an_answer_is_checked_as_the_standard_says(schema, value, follows):
    assert (flaws(value, checked_schema(schema)) == []) is follows


@pytest.mark.parametrize(
    "schema",
    [
        {"propertyNames": {}},
        {"properties": {"a": {"not": {}}}},
        {"anyOf": [{"if": {}}]},
        {"$ref": "http://elsewhere/schema"},
    ],
)
def test_a_schema_that_cannot_be_checked_is_refused(schema):
    with pytest.raises(BadInput):
        checked_schema(schema)


def test_a_circle_of_references_ends():
    assert flaws({}, {"$ref": "#"}) != []
