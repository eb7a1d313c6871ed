"""What a scenario may say, what is said about one that may not, and how a turn becomes responses."""

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import drumline.runtimes
import drumline.team
from drumline.errors import BadInput
from drumline.store.manifests import read_file, read_text
from drumline.team.document import Node, Reading
from drumline.team.scenario import (
    End,
    Expect,
    Fault,
    Prompt,
    Say,
    Scenario,
    Structured,
    Think,
    ToolCall,
    Tools,
    Turn,
    Usage,
    Verb,
    Wait,
    When,
    accepted,
    chosen,
    read_scenario,
    schema,
)
from drumline.team.scenario_rounds import (
    TOOL_USE,
    Result,
    Round,
    filled,
    filled_call,
    first_task,
    last_fence,
    rounds,
    unmet,
)
from tests.trying import tries

SHIPPED = Path(drumline.team.__file__).with_name("scenario.schema.json")
EXAMPLES = sorted((Path(drumline.runtimes.__file__).parent / "scenarios").glob("*.yaml"))
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "scenarios.md"
CHECK = jsonschema.Draft202012Validator(schema())

FULL = """\
scenario: all-of-it
description: Everything a scenario can say.
prompt: Begin with T-1.
schema: {type: object}
before:
  - init --yes
  - [task, add, "Two words"]
members:
  ada:
    - when: {contains: T-1, matches: 'T-\\d', task: T-1, turn: 1, subagent: false}
      again: true
      steps:
        - think: hm
        - say: I begin.
        - usage: {input: 10, output: 5, cache_read: 3, cache_write: 2}
        - wait: 0.5
        - tool: {name: Bash, input: {command: ls}}
          expect: ok
        - tool:
            - {name: Read, input: {file_path: a, limit: 3}, expect: failed}
            - {name: TodoRead}
          expect: {result: refused, contains: no, lacks: yes it is}
        - verb: task claim "T-1"
        - verb: [mail, send, "a 'b'"]
          expect: ok
        - fault: {kind: 429, times: 2, retry_after: 1}
        - structured: {n: [1, 2.5, null, true, {deep: x}]}
        - end: max_tokens
        - end: stop
  any:
    - when: hello
      steps: [{say: hi}]
"""


def scenario(text: str) -> Scenario:
    return accepted(read_text(text), "s.yaml")


def problems(text: str) -> list[str]:
    with pytest.raises(BadInput) as refused:
        scenario(text)
    return refused.value.why.splitlines()


def with_steps(*steps: str) -> str:
    lines = "".join(f"        - {step}\n" for step in steps)
    return f"scenario: s\nmembers:\n  ada:\n    - steps:\n{lines}"


def turn(*steps: str) -> Turn:
    return scenario(with_steps(*steps)).members["ada"][0]


def test_everything_a_scenario_can_say_is_read():
    read = scenario(FULL)
    assert (read.name, read.prompt, read.schema) == (
        "all-of-it",
        "Begin with T-1.",
        {"type": "object"},
    )
    assert read.before == (("init", "--yes"), ("task", "add", "Two words"))
    assert read.members["any"][0] == Turn(steps=(Say("hi"),), when=When(contains="hello"))
    first = read.members["ada"][0]
    assert first.again
    assert first.when == When(contains="T-1", matches=r"T-\d", task="T-1", turn=1)
    refusal = Expect(result="refused", contains="no", lacks="yes it is")
    assert first.steps == (
        Think("hm"),
        Say("I begin."),
        Usage(input=10, output=5, cache_read=3, cache_write=2),
        Wait(0.5),
        Tools((ToolCall("Bash", {"command": "ls"}, Expect(result="ok")),)),
        Tools(
            (
                ToolCall("Read", {"file_path": "a", "limit": 3}, Expect(result="failed")),
                ToolCall("TodoRead", {}, refusal),
            )
        ),
        Verb(("task", "claim", "T-1")),
        Verb(("mail", "send", "a 'b'"), Expect(result="ok")),
        Fault("429", 2, 1),
        Structured({"n": [1, 2.5, None, True, {"deep": "x"}]}),
        End("max_tokens"),
        End("stop"),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("", ["s.yaml:1: found an empty document"], id="nothing"),
        pytest.param("scenario: s\n", ["s.yaml:1: members: found nothing"], id="no members"),
        pytest.param(
            "scenario: s\nmembers: {}\n", ["s.yaml:2: members: found a mapping"], id="nobody"
        ),
        pytest.param(
            "scenario: s\nmembers:\n  Ada Lovelace:\n    - steps: [{say: x}]\n",
            ["s.yaml:3: members.'Ada Lovelace': found 'Ada Lovelace'"],
            id="a name that is none",
        ),
        pytest.param(
            with_steps("sey: hello"),
            ["s.yaml:5: members.ada[0].steps[0]: found sey; allowed: one of say", "mean say?"],
            id="a word misspelt",
        ),
        pytest.param(
            with_steps("{say: a, think: b}"),
            ["s.yaml:5: members.ada[0].steps[0]: found say, think in one step"],
            id="two things in one step",
        ),
        pytest.param(
            with_steps("{say: a, expect: ok}"),
            ["s.yaml:5: members.ada[0].steps[0].expect: found an unknown field"],
            id="expecting of words",
        ),
        pytest.param(
            with_steps("say: a", "hello"),
            ["s.yaml:6: members.ada[0].steps[1]: found 'hello'; allowed: a mapping with one of"],
            id="a step that is a text",
        ),
        pytest.param(
            with_steps("end: stop", "say: a"),
            ["s.yaml:6: members.ada[0].steps[1]: found a step after end: stop"],
            id="words after the end",
        ),
        pytest.param(
            with_steps("tool: {name: Bash, input: {when: 2026-01-02}}"),
            ["s.yaml:5: members.ada[0].steps[0].tool.input.when: found the date 2026-01-02"],
            id="a date is no JSON",
        ),
        pytest.param(
            with_steps("tool: {name: Bash, input: [.nan]}", "tool: {name: Bash, input: {x: .nan}}"),
            ["tool.input: found a list of 1", "tool.input.x: found nan"],
            id="what JSON cannot say",
        ),
        pytest.param(
            with_steps("fault: {kind: 418}", "fault: {kind: true}", "fault: {times: 0}"),
            ["s.yaml:5: ", "fault.kind: found 418; allowed: 400 | 401", "found true", "times"],
            id="faults nobody knows",
        ),
        pytest.param(
            with_steps("wait: 31", "wait: 0", "usage: {input: -1}"),
            ["wait: found 31", "s.yaml:6: ", "usage.input: found -1"],
            id="out of bounds",
        ),
        pytest.param(
            with_steps("verb: 'a \"b'", "verb: []"),
            ["s.yaml:5: members.ada[0].steps[0].verb: found", "an empty list"],
            id="verbs without words",
        ),
        pytest.param(
            "scenario: s\nmembers:\n  ada:\n    - when: {matches: '('}\n      steps: [{say: x}]\n",
            ["s.yaml:4: members.ada[0].when.matches: found '('; allowed: a regular expression"],
            id="a broken expression",
        ),
        pytest.param(
            with_steps("tool: {name: Bash}", "expect: maybe"),
            ["s.yaml:6: members.ada[0].steps[1]: found expect; allowed: one of"],
            id="expecting of nothing",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text, said):
    found = "\n".join(problems(text))
    assert [part for part in said if part not in found] == []


def test_every_problem_is_told_at_once_in_the_order_of_lines():
    lines = problems(with_steps("wait: 99", "end: never", "say: ''"))
    assert [line.split(":")[1] for line in lines] == ["5", "6", "7"]


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        pytest.param(["say: a"], [Round(said=("a",))], id="words"),
        pytest.param(
            ["say: a", "tool: {name: B}", "say: b"],
            [Round(said=("a",), calls=(ToolCall("B"),), end=TOOL_USE), Round(said=("b",))],
            id="words, tool, words",
        ),
        pytest.param(
            ["tool: {name: B}"],
            [Round(calls=(ToolCall("B"),), end=TOOL_USE), Round()],
            id="a tool last is followed by silence",
        ),
        pytest.param(
            ["verb: task ready", "end: stop"],
            [Round(calls=(Verb(("task", "ready")),), end=TOOL_USE), Round()],
            id="a verb",
        ),
        pytest.param(
            ["say: a", "end: max_tokens", "say: b"],
            [Round(said=("a",), end="max_tokens"), Round(said=("b",))],
            id="cut by length",
        ),
        pytest.param(
            ["structured: {n: 1}", "structured: {n: 2}", "end: stop"],
            [
                Round(structured={"n": 1}, end=TOOL_USE),
                Round(structured={"n": 2}, end=TOOL_USE),
                Round(),
            ],
            id="two answers",
        ),
        pytest.param(
            ["fault: {kind: 500}", "wait: 1", "wait: 2", "usage: {output: 9}", "think: t"],
            [Round(thoughts=("t",), fault=Fault("500"), wait=3.0, usage=Usage(output=9))],
            id="what belongs to a response",
        ),
        pytest.param(["end: refusal"], [Round(end="refusal")], id="refusal"),
    ],
)
def test_a_turn_becomes_responses(steps, expected):
    assert list(rounds(turn(*steps))) == expected


@pytest.mark.parametrize(
    ("kind", "times", "status"),
    [
        ("429", None, 429),
        ("hang", None, 200),
        ("malformed_tool_input", 1, 200),
        ("overloaded_then_ok", 1, 529),
    ],
)
def test_a_fault_lasts_for_the_turn_unless_it_is_one_that_passes(kind, times, status):
    (fault,) = turn(f"fault: {{kind: {kind}}}").steps
    assert isinstance(fault, Fault)
    assert (fault.times, fault.status) == (times, status)


VALUES = {"task": "T-1", "member": "ada", "last_result": "it's; rm -rf x", "fence": "3"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{task} by {member}", "T-1 by ada"),
        ("{{task}} stays", "{task} stays"),
        ("{unknown} {0} {} {task", "{unknown} {0} {} {task"),
        ('{"task": "{task}"}', '{"task": "T-1"}'),
        ("{branch}", ""),
        ({"a": ["{task}", 3, {"b": "{member}"}]}, {"a": ["T-1", 3, {"b": "ada"}]}),
    ],
)
def test_placeholders_are_filled_and_nothing_else(text, expected):
    assert filled(text, VALUES) == expected


def test_what_a_tool_printed_stays_one_word_of_a_verb():
    call = filled_call(Verb(("mail", "send", "{last_result}")), VALUES)
    assert call.name == "Bash"
    assert call.input["command"] == """drumline mail send 'it'"'"'s; rm -rf x'"""


@pytest.mark.parametrize(
    ("expect", "result", "said"),
    [
        (Expect(), Result("x", ok=False, refused=True), ""),
        (Expect(result="ok"), Result("x"), ""),
        (Expect(result="ok"), Result("x", ok=False), "expected ok, found failed: x"),
        (Expect(result="failed"), Result("x", ok=False, refused=True), "expected failed, found re"),
        (Expect(result="refused"), Result("x", ok=False, refused=True), ""),
        (Expect(contains="ab"), Result("cabd"), ""),
        (Expect(contains="ab"), Result("cd"), "expected 'ab' in the result, found: cd"),
        (Expect(lacks="ab"), Result("cabd"), "expected no 'ab' in the result, found: cabd"),
        (Expect(contains="x" * 999), Result("y\n" * 999), "…"),
    ],
)
def test_what_was_expected_and_did_not_come_is_said(expect, result, said):
    found = unmet(expect, result)
    assert said in found
    assert bool(found) is bool(said)
    assert len(found) < 500


TURNS = (
    Turn(steps=(), when=When(contains="hello")),
    Turn(steps=(), when=When(task="T-2"), again=True),
    Turn(steps=(), when=When(turn=3)),
    Turn(steps=(), when=When(subagent=True)),
    Turn(steps=(), when=When(matches=r"\bb[ae]r\b")),
)


@pytest.mark.parametrize(
    ("prompt", "played", "expected"),
    [
        pytest.param(Prompt(text="oh hello"), (), 0, id="contains"),
        pytest.param(Prompt(text="oh hello"), (0,), None, id="once only"),
        pytest.param(Prompt(text="x", task="T-2"), (1,), 1, id="again"),
        pytest.param(Prompt(text="x", turn=3), (), 2, id="third"),
        pytest.param(Prompt(text="hello", subagent=True), (), 3, id="a subagent's"),
        pytest.param(Prompt(text="foo bar"), (), 4, id="matches"),
        pytest.param(Prompt(text="foobar"), (), None, id="nothing answers"),
    ],
)
def test_the_first_turn_that_answers_is_chosen(prompt, played, expected):
    assert chosen(TURNS, frozenset(played), prompt) == expected


def test_a_members_own_turns_come_before_those_of_anybody():
    read = scenario(FULL)
    assert read.turns("ada") == (*read.members["ada"], *read.members["any"])
    assert read.turns("brook") == read.members["any"] == read.turns("any")


@pytest.mark.parametrize(
    ("text", "task", "fence"),
    [
        ("T-12 held by ada  fence 7  for 15m", "T-12", "7"),
        ("see NOT-1, T-0, PT-3, T-4-x and T-5.", "T-5", ""),
        ("offence 3", "", ""),
    ],
)
def test_tasks_and_fences_are_found_in_words(text, task, fence):
    assert (first_task(text), last_fence(text)) == (task, fence)


def test_the_shipped_schema_is_the_one_the_code_generates():
    assert json.loads(SHIPPED.read_text("utf-8")) == schema()


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(schema())


texts = st.one_of(
    st.text("ab {}T-1\n\x00", max_size=6).filter(lambda text: not text.endswith("\n")),
    st.sampled_from(["ok", "stop", "hang", "task claim", "ada", "any", "T-2", "x" * 65]),
)
values = st.recursive(
    st.one_of(
        texts,
        st.none(),
        st.booleans(),
        st.integers(-2, 600),
        st.floats(allow_nan=False, allow_infinity=False),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2),
        st.dictionaries(
            st.sampled_from(["name", "input", "kind", "times", "result", "contains", "output"]),
            inner,
            max_size=3,
        ),
    ),
    max_leaves=4,
)
ACTIONS = ["say", "think", "tool", "verb", "structured", "usage", "wait", "fault", "end", "other"]
WHENS = ["contains", "task", "turn", "subagent", "other"]


def node(value: object) -> Node:
    if isinstance(value, dict):
        return Node({name: node(inner) for name, inner in value.items()}, 1)
    if isinstance(value, list):
        return Node(tuple(node(inner) for inner in value), 1)
    assert value is None or isinstance(value, str | int | float | bool)
    return Node(value, 1)


def agree(document: object) -> bool:
    read, _ = read_scenario(Reading(node(document)))
    return (read is not None) is CHECK.is_valid(document)


def of(**turn: object) -> dict:
    return {"scenario": "s", "members": {"ada": [turn]}}


@settings(max_examples=tries(600), deadline=None)
@given(st.dictionaries(st.sampled_from([*ACTIONS, "expect"]), values, min_size=1, max_size=2))
def test_check_and_schema_agree_about_a_step(step):
    unquoted = isinstance(step.get("verb"), str)  # a schema cannot count a shell's quotes
    if not unquoted or "'" not in step["verb"]:
        assert agree(of(steps=[step]))


@settings(max_examples=tries(300), deadline=None)
@given(st.dictionaries(st.sampled_from(WHENS), values, max_size=2), values, texts)
def test_check_and_schema_agree_about_the_rest(when, value, name):
    assert agree(of(steps=[{"say": "x"}], when=when))
    assert agree(of(steps=[{"say": "x"}], again=value))
    assert agree({"scenario": name, "members": {name: [{"steps": [{"say": "x"}]}]}})
    assert agree({"scenario": "s", "members": value})


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_scenarios_we_ship_can_be_played(path):
    assert accepted(read_file(path), path.name).name == path.stem


def test_the_page_about_scenarios_shows_one_that_can_be_played():
    shown = PAGE.read_text("utf-8").split("```yaml\n")[1].split("```")[0]
    assert len(accepted(read_text(shown), "scenarios.md").members) > 1


def test_the_page_about_scenarios_names_every_field():
    page = PAGE.read_text("utf-8")
    steps = schema()["properties"]["members"]["additionalProperties"]["items"]["properties"]
    named = {*schema()["properties"], *steps, *ACTIONS[:-1]}
    named |= set(steps["when"]["anyOf"][1]["properties"])
    assert [name for name in named if f"`{name}`" not in page] == []
