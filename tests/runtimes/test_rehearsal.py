"""The rehearsal on the wire: both shapes, every fault, many conversations at once."""

import http.client
import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from drumline.errors import BadInput
from drumline.runtimes.rehearsal import server as server_module
from drumline.runtimes.rehearsal import wire
from drumline.runtimes.rehearsal.server import Rehearsal
from drumline.store.manifests import read_text
from drumline.team.scenario import Scenario, accepted

MESSAGES, RESPONSES = "/v1/messages?beta=true", "/v1/responses"
BASH = {"type": "function", "name": "exec_command"}
CODE = {
    "type": "additional_tools",
    "tools": [
        {"type": "namespace", "name": "functions", "tools": [{"type": "custom", "name": "exec"}]}
    ],
}


class Reply(NamedTuple):
    """What came back: status, headers, and the body as events or as one value."""

    status: int
    headers: dict[str, str]
    events: list[dict[str, Any]]
    value: Any


def scenario(*steps: str, more: str = "") -> Scenario:
    lines = "".join(f"        - {step}\n" for step in steps)
    return accepted(
        read_text(f"scenario: s\nmembers:\n  ada:\n    - steps:\n{lines}{more}"), "s.yaml"
    )


def post(rehearsal: Rehearsal, path: str, body: object, member: str = "ada", **headers) -> Reply:
    place = urlsplit(rehearsal.url(member))
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with closing(http.client.HTTPConnection(str(place.hostname), place.port, timeout=20)) as line:
        line.request("POST", place.path + path, raw, named)
        return reply(line.getresponse())


def reply(response: http.client.HTTPResponse) -> Reply:
    headers = {name.lower(): value for name, value in response.getheaders()}
    raw = response.read().decode()
    if headers["content-type"] == "text/event-stream":
        return Reply(response.status, headers, list(events(raw)), None)
    return Reply(response.status, headers, [], json.loads(raw))


def events(raw: str) -> Iterator[dict[str, Any]]:
    assert raw.endswith("\n\n")
    for block in raw.removesuffix("\n\n").split("\n\n"):
        name, told = block.split("\n")
        event = json.loads(told.removeprefix("data: "))
        assert name == f"event: {event['type']}"
        yield event


class Claude:
    """A caller that keeps its conversation as Claude Code does."""

    path = MESSAGES

    def __init__(self, rehearsal: Rehearsal, member: str = "ada", **headers: str) -> None:
        self.rehearsal, self.member, self.headers = rehearsal, member, headers
        self.messages: list[dict[str, Any]] = []
        self.tools = [{"name": "Bash"}, {"name": "StructuredOutput"}]

    def hear(self, text: str) -> None:
        self.messages.append({"role": "user", "content": text})

    def results(self, message: dict[str, Any], *texts: str, failed: bool = False) -> None:
        uses = [block for block in message["content"] if block["type"] == "tool_use"]
        self.messages.append({"role": "assistant", "content": message["content"]})
        told = [
            {"type": "tool_result", "tool_use_id": use["id"], "content": text, "is_error": failed}
            for use, text in zip(uses, texts, strict=True)
        ]
        self.messages.append({"role": "user", "content": told})

    def body(self, **more: Any) -> dict[str, Any]:
        return {"model": "m", "messages": self.messages, "tools": self.tools, **more}

    def ask(self, *, stream: bool = True) -> Reply:
        body = self.body(stream=stream)
        return post(self.rehearsal, self.path, body, self.member, **self.headers)

    def say(self, text: str) -> dict[str, Any]:
        """One question; the message its stream adds up to."""
        self.hear(text)
        return message(self.ask().events)


def message(told: list[dict[str, Any]]) -> dict[str, Any]:
    """The message a stream adds up to, checked for the order a client relies on."""
    start, *middle, delta, stop = told
    assert [start["type"], delta["type"], stop["type"]] == [
        "message_start",
        "message_delta",
        "message_stop",
    ]
    found = {**start["message"], "content": [], "stop_reason": delta["delta"]["stop_reason"]}
    for event in middle:
        index = event["index"]
        match event["type"]:
            case "content_block_start":
                assert index == len(found["content"])
                found["content"].append({**event["content_block"], "said": ""})
            case "content_block_delta":
                assert index == len(found["content"]) - 1
                pieces = [str(v) for k, v in event["delta"].items() if k != "type"]
                if event["delta"]["type"] != "signature_delta":
                    found["content"][index]["said"] += "".join(pieces)
            case other:
                assert other == "content_block_stop"
    return {**found, "content": [block(each) for each in found["content"]]}


def block(each: dict[str, Any]) -> dict[str, Any]:
    said = each.pop("said")
    match each["type"]:
        case "text":
            return {**each, "text": said}
        case "thinking":
            return {**each, "thinking": said}
        case _:
            return {**each, "input": json.loads(said)}


class Codex:
    """A caller that keeps its conversation as Codex does."""

    path = RESPONSES

    def __init__(self, rehearsal: Rehearsal, *first: dict[str, Any], **headers: str) -> None:
        self.rehearsal, self.headers = rehearsal, headers
        self.input: list[dict[str, Any]] = [*first]
        self.tools: list[dict[str, Any]] = [BASH]

    def hear(self, text: str) -> None:
        told = [{"type": "input_text", "text": text}]
        self.input.append({"type": "message", "role": "user", "content": told})

    def ask(self, *, stream: bool = True, path: str = RESPONSES) -> Reply:
        body = {"model": "m", "input": self.input, "tools": self.tools, "stream": stream}
        return post(self.rehearsal, path, body, **self.headers)

    def take(self, response: dict[str, Any], *outputs: Any) -> None:
        """Keep what the model said, and give back what its tools did."""
        self.input += response["output"]
        calls = [item for item in response["output"] if "call_id" in item]
        self.input += [
            {"type": f"{call['type']}_output", "call_id": call["call_id"], "output": output}
            for call, output in zip(calls, outputs, strict=True)
        ]


def response(told: list[dict[str, Any]]) -> dict[str, Any]:
    """The response a stream adds up to, checked for the order a client relies on."""
    assert [event["type"] for event in told[:2]] == ["response.created", "response.in_progress"]
    assert [event["sequence_number"] for event in told] == list(range(len(told)))
    done, open_item, said = [], None, ""
    for event in told[2:-1]:
        match event["type"]:
            case "response.output_item.added":
                assert open_item is None
                open_item, said = event["item"], ""
            case "response.output_item.done":
                assert open_item
                assert open_item["id"] == event["item"]["id"]
                assert said in json.dumps(event["item"]) or json.dumps(said)[1:-1] in json.dumps(
                    event["item"]
                )
                done.append(event["item"])
                open_item = None
            case _:
                assert event["item_id"] == open_item["id"] if open_item else False
                said += event["delta"]
    last = told[-1]["response"]
    assert last["output"] == done
    return dict(last)


def test_a_turn_of_tools_is_played_to_claude():
    steps = (
        "think: hm",
        "say: I look.",
        "usage: {input: 7, output: 3, cache_read: 2, cache_write: 1}",
        "tool: [{name: Bash, input: {command: ls}}, {name: Read, input: {file_path: a}}]",
        "say: Found {last_result}.",
    )
    with Rehearsal(scenario(*steps)) as rehearsal:
        claude = Claude(rehearsal)
        first = claude.say("go")
        assert [each["type"] for each in first["content"]] == [
            "thinking",
            "text",
            "tool_use",
            "tool_use",
        ]
        assert first["stop_reason"] == "tool_use"
        assert first["usage"]["cache_read_input_tokens"] == 2
        claude.results(first, "a b", "line")
        last = message(claude.ask().events)
        assert (last["content"], last["stop_reason"]) == (
            [{"type": "text", "text": "Found line."}],
            "end_turn",
        )
        assert first["content"][2]["id"] != first["content"][3]["id"]
        assert rehearsal.failures() == []
        assert [record.called for record in rehearsal.records()] == [("Bash", "Read"), ()]


def test_the_same_answer_comes_whole_when_it_is_not_streamed():
    steps = ("say: a", "tool: {name: Bash, input: {command: ls}}")
    with Rehearsal(scenario(*steps)) as rehearsal:
        claude = Claude(rehearsal)
        claude.hear("go")
        streamed = message(claude.ask().events)
        assert claude.ask(stream=False).value == streamed  # asked twice, answered the same
        codex = Codex(rehearsal, thread_id="other")
        codex.hear("go")
        assert codex.ask(stream=False).value == response(codex.ask().events)


def test_long_texts_come_in_pieces():
    with Rehearsal(scenario(f"say: {'x' * 4500}")) as rehearsal:
        claude = Claude(rehearsal)
        claude.hear("go")
        told = claude.ask().events
        assert sum(event["type"] == "content_block_delta" for event in told) == 5
        assert message(told)["content"][0]["text"] == "x" * 4500


@pytest.mark.parametrize("path", [RESPONSES, "/responses"])
def test_a_turn_of_tools_is_played_to_codex(path):
    steps = (
        "think: hm",
        "tool: {name: Bash, input: {command: ls}}",
        "tool: {name: Write, input: {file_path: a, content: 'one'}}",
        "say: Found {last_result}.",
    )
    with Rehearsal(scenario(*steps)) as rehearsal:
        codex = Codex(rehearsal)
        codex.hear("go")
        first = response(codex.ask(path=path).events)
        thought, call = first["output"]
        assert thought["type"] == "reasoning"
        assert json.loads(call["arguments"])["cmd"] == "ls"
        output = "Chunk ID: 1\nWall time: 0 seconds\nProcess exited with code 0\nOutput:\nb\n"
        codex.take(first, output)
        second = response(codex.ask(path=path).events)
        command = json.loads(second["output"][0]["arguments"])["cmd"]
        assert command.startswith("apply_patch <<")
        assert "*** Add File: a\n+one\n" in command
        codex.take(second, "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.")
        last = response(codex.ask(path=path).events)
        assert last["output"][0]["content"][0]["text"] == "Found Success.."
        assert last["usage"]["total_tokens"] == 120


CODED = [
    ("Bash, input: {command: 'a \"b\"'}", 'tools.exec_command({"cmd": "a \\"b\\""'),
    ("Read, input: {file_path: a b}", "cat -- 'a b'"),
    ("Edit, input: {file_path: a, old_string: x, new_string: y}", "@@\\n-x\\n+y\\n"),
    ("mcp__team__inbox, input: {n: 1}", 'tools.mcp__team__inbox({"n": 1})'),
]


@pytest.mark.parametrize(("tool", "script"), CODED)
def test_codex_with_its_own_models_is_given_scripts(tool, script):
    with Rehearsal(scenario(f"tool: {{name: {tool}}}")) as rehearsal:
        codex = Codex(rehearsal, CODE)
        codex.hear("go")
        (call,) = response(codex.ask().events)["output"]
        assert (call["type"], call["name"]) == ("custom_tool_call", "exec")
        assert script in call["input"]


SPACES = [{"type": "namespace", "name": "mcp__team", "tools": [{"type": "function", "name": "in"}]}]


def test_codex_finds_a_tool_in_the_namespace_it_is_offered_in():
    with Rehearsal(scenario("tool: {name: mcp__team__in, input: {n: 1}}")) as rehearsal:
        codex = Codex(rehearsal)
        codex.tools = SPACES
        codex.hear("go")
        (call,) = response(codex.ask().events)["output"]
        assert (call["name"], call["namespace"]) == ("in", "mcp__team")


def test_codex_gets_a_patch_as_a_patch_where_it_takes_one():
    with Rehearsal(scenario("tool: {name: apply_patch, input: {command: xyz}}")) as rehearsal:
        codex = Codex(rehearsal)
        codex.tools = [{"type": "custom", "name": "apply_patch"}]
        codex.hear("go")
        (call,) = response(codex.ask().events)["output"]
        assert (call["type"], call["name"], call["input"]) == (
            "custom_tool_call",
            "apply_patch",
            "xyz",
        )


SHELL = "Chunk ID: 1\nWall time: 0 seconds\nProcess exited with code {}\nOutput:\n{}"
SCRIPT = "Script completed\nWall time 0.1 seconds\nOutput:\n"


@pytest.mark.parametrize(
    ("output", "word", "text"),
    [
        pytest.param(SHELL.format(0, "a\n"), "ok", "a", id="shell"),
        pytest.param(SHELL.format(3, "Output:\nx"), "failed", "Output:\nx", id="shell failed"),
        pytest.param(SHELL.format(1, "refused: no"), "refused", "refused: no", id="we refused"),
        pytest.param(SHELL.format(0, "Exit code: 1"), "ok", "Exit code: 1", id="only words"),
        pytest.param("Command blocked by PreToolUse hook: no", "refused", "no", id="hook"),
        pytest.param("unsupported call: x", "failed", "unsupported", id="no such tool"),
        pytest.param("failed to parse function arguments: EOF", "failed", "EOF", id="not JSON"),
        pytest.param(
            [{"text": SCRIPT}, {"text": '{"exit_code":2,"output":"a"}'}], "failed", "a", id="script"
        ),
        pytest.param([{"text": SCRIPT}, {"text": "{}"}], "ok", "{}", id="patch by script"),
        pytest.param([{"text": SCRIPT}, {"text": "words"}], "ok", "words", id="script's words"),
        pytest.param(
            [{"text": SCRIPT}, {"text": '{"content":[{"text":"in"}],"isError":true}'}],
            "failed",
            "in",
            id="mcp by script",
        ),
        pytest.param(
            "Script failed\nWall time 1\nOutput:\n\nScript error:\nCommand blocked by PreToolUse hook: no",
            "refused",
            "no",
            id="hook by script",
        ),
    ],
)
def test_what_codex_gives_back_is_understood(output, word, text):
    steps = (f"{{tool: {{name: Bash}}, expect: {{result: {word}, contains: {json.dumps(text)}}}}}",)
    with Rehearsal(scenario(*steps)) as rehearsal:
        codex = Codex(rehearsal)
        codex.hear("go")
        codex.take(response(codex.ask().events), output)
        codex.ask()
        assert rehearsal.failures() == []


REFUSALS = [
    "PreToolUse:Bash hook error: no",
    "Permission to use Bash has been denied because …",
    '[callback]: failed; blocking because onFailure is "block"',
    "Exit code 1\nrefused: not yours",
]


@pytest.mark.parametrize(
    ("text", "failed", "word"),
    [("fine", False, "ok"), ("Exit code 1", True, "failed"), ("hook error: x", False, "ok")]
    + [(text, True, "refused") for text in REFUSALS],
)
def test_what_claude_gives_back_is_understood(text, failed, word):
    with Rehearsal(scenario(f"{{tool: {{name: Bash}}, expect: {word}}}")) as rehearsal:
        claude = Claude(rehearsal)
        claude.results(claude.say("go"), text, failed=failed)
        claude.ask()
        assert rehearsal.failures() == []


def test_what_was_expected_and_did_not_come_is_told_once():
    steps = (
        "{tool: {name: Bash}, expect: {result: ok, contains: 'of {member}'}}",
        "{tool: {name: Read}, expect: ok}",
    )
    with Rehearsal(scenario(*steps)) as rehearsal:
        claude = Claude(rehearsal)
        claude.results(claude.say("go"), "nothing")
        claude.ask()
        claude.ask()
        told = rehearsal.failures()
        assert [(each.member, each.where) for each in told] == [("ada", "Bash"), ("ada", "Read")]
        assert told[0].what == "expected 'of ada' in the result, found: nothing"
        assert told[1].what == "no result came back"


STATUSES = [400, 401, 403, 404, 413, 429, 500, 503, 529]


@pytest.mark.parametrize("caller", [Claude, Codex])
@pytest.mark.parametrize("status", STATUSES)
def test_a_status_is_answered_as_often_as_the_scenario_says(caller, status):
    steps = (f"fault: {{kind: {status}, times: 2, retry_after: 3}}", "say: done")
    with Rehearsal(scenario(*steps)) as rehearsal:
        asking = caller(rehearsal)
        asking.hear("go")
        expected = 503 if caller is Codex and status == 529 else status
        for _ in range(2):
            told = asking.ask()
            assert (told.status, told.headers["retry-after"]) == (expected, "3")
            assert told.value["error"]["message"]
        assert asking.ask().status == 200
        assert [record.status for record in rehearsal.records()] == [expected, expected, 200]


def test_a_fault_without_a_number_lasts_until_the_next_prompt():
    more = "    - steps: [{say: better}]\n"
    with Rehearsal(scenario("fault: {kind: 500}", more=more)) as rehearsal:
        claude = Claude(rehearsal)
        claude.hear("go")
        assert {claude.ask().status for _ in range(12)} == {500}
        assert claude.say("and now?")["content"][0]["text"] == "better"


def test_overloaded_then_ok_passes_by_itself():
    with Rehearsal(scenario("fault: {kind: overloaded_then_ok}", "say: a")) as rehearsal:
        claude = Claude(rehearsal)
        claude.hear("go")
        assert [claude.ask().status for _ in range(3)] == [529, 200, 200]


@pytest.mark.parametrize("kind", ["fault: {kind: refusal}", "end: refusal"])
def test_a_refusal_stays_one_when_claude_insists(kind):
    with Rehearsal(scenario(kind)) as rehearsal:
        claude = Claude(rehearsal)
        first = claude.say("go")
        again = claude.say("Your response above was stopped by a safety classifier.")
        assert (first["content"], first["stop_reason"]) == ([], "refusal")
        assert (again["content"], again["stop_reason"]) == ([], "refusal")
        assert rehearsal.failures() == []


@pytest.mark.parametrize(
    ("step", "reason"),
    [("end: max_tokens", "max_output_tokens"), ("end: refusal", "content_filter")],
)
def test_codex_is_told_that_a_response_is_incomplete(step, reason):
    with Rehearsal(scenario("say: a", step)) as rehearsal:
        codex = Codex(rehearsal)
        codex.hear("go")
        last = codex.ask().events[-1]
        assert last["type"] == "response.incomplete"
        assert last["response"]["incomplete_details"] == {"reason": reason}


def test_max_tokens_is_followed_by_the_rest():
    with Rehearsal(scenario("say: a", "end: max_tokens", "say: b")) as rehearsal:
        claude = Claude(rehearsal)
        first = claude.say("go")
        assert first["stop_reason"] == "max_tokens"
        claude.messages.append({"role": "assistant", "content": first["content"]})
        assert claude.say("go on")["content"][0]["text"] == "b"


def test_malformed_tool_input_comes_once_and_then_mended():
    steps = ("fault: {kind: malformed_tool_input}", "tool: {name: Bash, input: {command: ls}}")
    with Rehearsal(scenario(*steps)) as rehearsal:
        claude = Claude(rehearsal)
        claude.hear("go")
        broken = claude.ask().events
        (said,) = [
            event["delta"]["partial_json"]
            for event in broken
            if event["type"] == "content_block_delta"
        ]
        with pytest.raises(json.JSONDecodeError):
            json.loads(said)
        claude.messages.append({"role": "assistant", "content": "…"})
        mended = claude.say("that was not JSON")
        assert mended["content"][0]["input"] == {"command": "ls"}


def test_codex_gets_malformed_arguments_too():
    steps = ("fault: {kind: malformed_tool_input}", "tool: {name: Bash, input: {command: ls}}")
    with Rehearsal(scenario(*steps)) as rehearsal:
        codex = Codex(rehearsal)
        codex.hear("go")
        first = response(codex.ask().events)
        with pytest.raises(json.JSONDecodeError):
            json.loads(first["output"][0]["arguments"])
        codex.take(first, "failed to parse function arguments")
        assert json.loads(response(codex.ask().events)["output"][0]["arguments"])["cmd"] == "ls"


@pytest.mark.parametrize("caller", [Claude, Codex])
@pytest.mark.parametrize("stream", [True, False])
def test_a_cut_answer_ends_in_the_middle(caller, stream):
    with Rehearsal(scenario("fault: {kind: cut_stream, times: 1}", "say: a")) as rehearsal:
        asking = caller(rehearsal)
        asking.hear("go")
        with pytest.raises(http.client.IncompleteRead):
            asking.ask(stream=stream)
        assert asking.ask(stream=stream).status == 200


@pytest.mark.parametrize(("caller", "last"), [(Claude, "error"), (Codex, "response.failed")])
def test_an_error_can_come_in_the_middle_of_a_stream(caller, last):
    with Rehearsal(scenario("fault: {kind: error_in_stream, times: 1}", "say: a")) as rehearsal:
        asking = caller(rehearsal)
        asking.hear("go")
        assert asking.ask().events[-1]["type"] == last
        assert asking.ask().events[-1]["type"] != last


def test_a_hanging_answer_ends_with_its_time():
    hanging = Rehearsal(scenario("fault: {kind: hang, times: 1}", "say: a"), longest_hang=0.2)
    with hanging as rehearsal:
        claude = Claude(rehearsal)
        claude.hear("go")
        with pytest.raises(http.client.RemoteDisconnected):
            claude.ask()
        assert message(claude.ask().events)["content"][0]["text"] == "a"


def test_stopping_ends_every_answer_that_hangs():
    rehearsal = Rehearsal(scenario("fault: {kind: hang}")).start()
    claude = Claude(rehearsal)
    claude.hear("go")
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(claude.ask)
        assert rehearsal.wait(1, 10)
        rehearsal.stop()
        rehearsal.stop()
        with pytest.raises((ConnectionError, http.client.HTTPException)):
            asked.result(timeout=10)


def test_structured_answers_take_the_form_of_each_cli():
    with Rehearsal(scenario("structured: {n: 1}", "structured: {n: 2}")) as rehearsal:
        claude = Claude(rehearsal)
        first = claude.say("go")
        assert (first["content"][0]["name"], first["content"][0]["input"]) == (
            "StructuredOutput",
            {"n": 1},
        )
        claude.results(first, "does not match", failed=True)
        assert message(claude.ask().events)["content"][0]["input"] == {"n": 2}
        without = Claude(rehearsal, x_claude_code_session_id="other")
        without.tools = []
        last = without.say("go")
        assert (last["content"], last["stop_reason"]) == (
            [{"type": "text", "text": '{"n": 1}'}],
            "end_turn",
        )
        codex = Codex(rehearsal, session_id="third")
        codex.hear("go")
        assert response(codex.ask().events)["output"][0]["content"][0]["text"] == '{"n": 1}'


TWO_TURNS = "    - when: {subagent: true}\n      steps: [{say: a child}]\n  any:\n    - steps: [{say: 'I am {member}'}]\n"


def test_members_sessions_and_subagents_are_told_apart():
    with Rehearsal(scenario("say: '{member} of {prompt}'", more=TWO_TURNS)) as rehearsal:

        def said(member: str, **headers: str) -> str:
            return str(Claude(rehearsal, member, **headers).say("go")["content"][0]["text"])

        assert said("ada", x_claude_code_session_id="1") == "ada of go"
        assert said("ada", x_claude_code_session_id="2") == "ada of go"
        child = {"x_claude_code_session_id": "1", "x_claude_code_agent_id": "a7"}
        assert said("ada", **child) == "a child"
        assert said("brook", x_claude_code_session_id="1") == "I am brook"
        assert rehearsal.unplayed() == []


def test_codex_threads_are_told_apart():
    with Rehearsal(scenario("say: root", more=TWO_TURNS)) as rehearsal:

        def said(**headers: str) -> str:
            codex = Codex(rehearsal, **headers)
            codex.hear("go")
            return str(response(codex.ask().events)["output"][0]["content"][0]["text"])

        assert said(session_id="1", thread_id="1") == "root"
        assert said(session_id="1", thread_id="2", x_codex_parent_thread_id="1") == "a child"
        assert said(session_id="1", thread_id="1", x_codex_turn_metadata="{}") == "root"
        about = json.dumps({"request_kind": "compaction"})
        assert said(session_id="1", thread_id="1", x_codex_turn_metadata=about) == "Summary."


def test_a_prompt_nothing_answers_is_a_failure():
    with Rehearsal(scenario("say: a")) as rehearsal:
        claude = Claude(rehearsal)
        first = claude.say("go")
        claude.messages.append({"role": "assistant", "content": first["content"]})
        assert "no turn" in claude.say("and then?")["content"][0]["text"]
        claude.ask()
        assert [each.what for each in rehearsal.failures()] == ["no turn answers: and then?"]


def test_an_interrupted_turn_is_not_gone_on_with():
    more = "    - steps: [{say: second}]\n"
    with Rehearsal(scenario("tool: {name: Bash}", "say: first", more=more)) as rehearsal:
        claude = Claude(rehearsal)
        claude.results(claude.say("go"), "stopped")
        claude.hear("[Request interrupted by user for tool use]")
        assert claude.say("do this instead")["content"][0]["text"] == "second"


def test_what_claude_adds_about_the_surroundings_is_not_the_prompt():
    with Rehearsal(scenario("say: '{task}|{prompt}'")) as rehearsal:
        claude = Claude(rehearsal)
        claude.messages.append({"role": "system", "content": "T-1 is in the log"})
        claude.hear("<system-reminder>\nT-2\n</system-reminder>")
        assert claude.say("Do T-3.")["content"][0]["text"] == "T-3|Do T-3."


def test_what_a_background_task_reports_begins_a_turn():
    more = "    - when: It is round\n      steps: [{say: I see}]\n"
    with Rehearsal(scenario("say: a", more=more)) as rehearsal:
        claude = Claude(rehearsal)
        first = claude.say("go")
        claude.messages.append({"role": "assistant", "content": first["content"]})
        told = claude.say("<system-reminder>\n<result>It is round</result>\n</system-reminder>")
        assert told["content"][0]["text"] == "I see"


def test_waiting_is_over_when_the_rehearsal_is():
    with Rehearsal(scenario("wait: 0.05", "say: a")) as rehearsal:
        assert Claude(rehearsal).say("go")["content"]
    late = Rehearsal(scenario("wait: 30", "say: a")).start()
    claude = Claude(late)
    claude.hear("go")
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(claude.ask)
        assert late.wait(1, 10)
        late.stop()
        with pytest.raises((ConnectionError, http.client.HTTPException)):
            asked.result(timeout=10)


def played(rehearsal: Rehearsal, number: int) -> str:
    """A whole conversation of its own."""
    claude = Claude(rehearsal, x_claude_code_session_id=f"s{number}")
    heard = claude.say(f"go T-{number}")
    while heard["stop_reason"] == "tool_use":
        claude.results(heard, f"result {number}")
        heard = message(claude.ask().events)
    return str(heard["content"][0]["text"])


def test_twenty_conversations_at_once_do_not_mix():
    tool = "tool: {name: Bash, input: {command: 'echo {task}'}}"
    steps = [tool] * 5 + ["say: '{task} {last_result}'"]
    with Rehearsal(scenario(*steps)) as rehearsal, ThreadPoolExecutor(20) as pool:
        numbers = range(1, 21)
        told = list(pool.map(lambda number: played(rehearsal, number), numbers))
        assert told == [f"T-{number} result {number}" for number in numbers]
        assert rehearsal.requests() == 20 * 6
        assert rehearsal.failures() == []


def connection(rehearsal: Rehearsal) -> http.client.HTTPConnection:
    place = urlsplit(rehearsal.url("ada"))
    return http.client.HTTPConnection(str(place.hostname), place.port, timeout=20)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("HEAD", "/", 200),
        ("HEAD", "/ada/v1/messages", 200),
        ("GET", "/ada/v1/models", 200),
        ("GET", "/ada/elsewhere", 404),
        ("POST", "/ada/elsewhere", 404),
        ("POST", "/v1/messages", 400),  # a member named v1 asks nothing
        ("POST", "/A/v1/messages", 404),
        ("PUT", "/ada/v1/messages", 501),
    ],
)
def test_who_only_looks_is_answered(method, path, status):
    with Rehearsal(scenario("say: a")) as rehearsal, closing(connection(rehearsal)) as line:
        line.request(method, path, b"{}" if method == "POST" else None)
        assert line.getresponse().status == status
        assert rehearsal.requests() == 0


def test_tokens_are_counted():
    with Rehearsal(scenario("say: a")) as rehearsal:
        told = post(rehearsal, "/v1/messages/count_tokens", {"messages": ["x" * 400]})
        assert told.value["input_tokens"] > 100


@pytest.mark.parametrize("path", [MESSAGES, RESPONSES])
@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        pytest.param(b"{", {}, 400, id="no JSON"),
        pytest.param(b"[" * 100_000, {}, 400, id="deep"),
        pytest.param([1], {}, 400, id="a list"),
        pytest.param({"messages": 1, "input": 1}, {}, 400, id="no messages"),
        pytest.param({"messages": [1], "input": [1]}, {}, 400, id="odd messages"),
        pytest.param(b"{}", {"content_length": "x"}, 411, id="no length"),
        pytest.param(b"{}", {"content_length": str(1 << 40)}, 413, id="too long"),
        pytest.param(b"{}", {"content_encoding": "zstd"}, 415, id="packed"),
    ],
)
def test_what_no_model_could_read_is_refused(path, body, headers, status):
    with Rehearsal(scenario("say: a")) as rehearsal:
        assert post(rehearsal, path, body, **headers).status == status
        assert rehearsal.requests() == 0


@pytest.mark.parametrize("content", [None, 3, [3], [{"type": "tool_result", "content": [3]}]])
def test_odd_content_is_no_reason_to_stop(content):
    with Rehearsal(scenario("say: a")) as rehearsal:
        odd = {"role": "user", "content": content}
        assert post(rehearsal, MESSAGES, {"messages": [odd], "tools": [3]}).status == 200
        assert post(rehearsal, RESPONSES, {"input": [odd], "tools": [3]}).status == 200


def test_a_body_that_ends_early_or_comes_too_slowly_is_given_up(monkeypatch):
    monkeypatch.setattr(wire, "LONGEST_READ", 0.0)
    with Rehearsal(scenario("say: a")) as rehearsal:
        place = urlsplit(rehearsal.url("ada"))
        with socket.create_connection((str(place.hostname), place.port or 0), timeout=10) as line:
            line.sendall(b"POST /ada/v1/messages HTTP/1.1\r\nContent-Length: 9\r\n\r\n{")
            line.shutdown(socket.SHUT_WR)
            assert b" 408 " in line.recv(1000) or b" 400 " in line.recv(1000)


def test_connections_and_records_are_bounded(monkeypatch):
    monkeypatch.setattr(server_module, "MOST_CONNECTIONS", 2)
    monkeypatch.setattr(server_module, "MOST_RECORDS", 3)
    with Rehearsal(scenario("say: a")) as rehearsal:
        with closing(connection(rehearsal)) as one, closing(connection(rehearsal)) as two:
            for line in (one, two):
                line.request("HEAD", "/")
                line.getresponse().read()
            with closing(connection(rehearsal)) as third:
                third.request("HEAD", "/")
                with pytest.raises((ConnectionError, http.client.HTTPException)):
                    third.getresponse()
            claude = {"messages": [{"role": "user", "content": "x" * 9_000}]}
            for _ in range(5):
                one.request("POST", f"/ada{MESSAGES}", json.dumps(claude))
                one.getresponse().read()
        assert rehearsal.requests() == 5
        assert [len(record.heard) for record in rehearsal.records()] == [4_000] * 3


def test_a_rehearsal_that_does_not_run_has_no_address():
    with pytest.raises(BadInput, match="not started"):
        Rehearsal(scenario("say: a")).url("ada")
    with Rehearsal(scenario("say: a")) as rehearsal, pytest.raises(BadInput, match="name"):
        rehearsal.url("../x")


def test_what_the_caller_gives_beats_our_own_placeholders():
    with Rehearsal(scenario("say: '{branch} {task}'"), values={"branch": "b"}) as rehearsal:
        assert Claude(rehearsal).say("T-1")["content"][0]["text"] == "b T-1"
