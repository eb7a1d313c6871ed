"""Handoffs: rendered from a call so that they are always in order, and checked line by line."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drumline.errors import BadInput
from drumline.store.manifests import read_text
from drumline.team.document import Reading
from drumline.team.handoff import FORM, Origin, Severity, facts, read_handoff, schema
from drumline.team.handoff_check import check_index, check_summary, compare
from drumline.team.handoff_signals import signals
from drumline.team.handoff_text import (
    INDEX_LINES,
    SUMMARY_LINES,
    folder_of,
    lines,
    refuse_oversize,
    render_index,
    render_summary,
)
from drumline.team.ids import TaskId
from drumline.team.json_tree import tree
from drumline.team.signal import MicroSignal, Outcome, ReadySignal, TaskSignal
from tests.trying import tries

pytestmark = pytest.mark.requirement("MAIL-07")

ORIGIN = Origin(TaskId(7), "ada", "r1", "2")
CALL = {
    "status": "PASS",
    "narrative": "Read the parser and measured it.",
    "files": ["src/a.py"],
    "decisions": ["One pass: two were slower."],
    "unresolved": [{"severity": "high", "what": "no test on Windows"}],
}
INDEX = """\
status: PASS
files:
  - src/a.py
decisions: []
unresolved: []
"""
SUMMARY = f"""\
---
{INDEX}---

# T-7

## Narrative

It went well.

## Findings

None.

## Blockers

None.

## Recommendations

None.

## Tools used

None.
"""

_HOSTILE = st.sampled_from(
    [
        "---",
        "## Findings",
        "```",
        "~~~",
        "<!--",
        "===",
        "&a [*a]",
        "- x: y",
        "\u2028x",
        "#",
        "{}",
        "\\",
    ]
)
_letters = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40)
one_line = st.one_of(_HOSTILE, _letters).filter(str.strip)
story = st.lists(st.one_of(one_line, st.just("")), min_size=1, max_size=8).map("\n".join)
several = st.lists(one_line, max_size=4)
paths = st.lists(
    st.from_regex(r"[a-z]{1,5}(/[a-z é:#\"']{1,5}[a-z])?\.py", fullmatch=True), max_size=4
)
calls = st.fixed_dictionaries(
    {
        "status": st.sampled_from([each.value for each in Outcome]),
        "narrative": story.filter(str.strip),
        "files": paths,
        "decisions": several,
        "unresolved": st.lists(
            st.fixed_dictionaries(
                {"severity": st.sampled_from([each.value for each in Severity]), "what": one_line}
            ),
            max_size=4,
        ),
    },
    optional={
        "interfaces": st.fixed_dictionaries({}, optional={"gives": several, "changes": several}),
        "findings": several,
        "blockers": several,
        "recommendations": several,
        "tools": several,
        "full": paths,
    },
)


def read(call):
    return read_handoff(Reading(tree(call)))


def told(checked):
    return [(each.line, each.sentence) for each in checked.problems]


@settings(max_examples=tries(300), deadline=None)
@given(calls)
def test_what_is_rendered_is_always_in_order(call):
    handoff = read(call)
    index, summary = render_index(handoff, ORIGIN), render_summary(handoff, ORIGIN)
    found, head = check_index(index, read_text), check_summary(summary, read_text)
    assert told(found) == told(head) == []
    assert compare(found.said, head.said) == []
    assert list(found.said["files"]) == call["files"]
    assert list(found.said["decisions"]) == call["decisions"]
    assert found.said["unresolved"] == tuple(call["unresolved"])


@given(calls)
def test_a_call_that_was_kept_is_the_same_call_again(call):
    handoff = read(call)
    assert read(json.loads(json.dumps(facts(handoff)))) == handoff


def test_the_index_is_a_few_lines_that_people_read():
    assert render_index(read(CALL), ORIGIN) == (
        'run: "r1"\nphase: "2"\nmember: "ada"\ntask: T-7\nstatus: PASS\nfiles:\n  - "src/a.py"\n'
        'decisions:\n  - "One pass: two were slower."\nunresolved:\n'
        '  - {severity: high, what: "no test on Windows"}\n'
    )


def test_the_summary_repeats_the_index_and_has_five_sections():
    found = render_summary(read({**CALL, "findings": ["It is fast."]}), ORIGIN)
    assert found.startswith(f"---\n{render_index(read(CALL), ORIGIN)}---\n\n# T-7 by ada\n")
    assert "## Findings\n\n- It is fast.\n\n## Blockers\n\nNone.\n" in found


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        pytest.param({"status": "fine"}, "status: found 'fine'", id="status"),
        pytest.param({"files": ["../x"]}, "files[0]: found '../x'", id="path out"),
        pytest.param({"files": ["/etc/passwd"]}, "files[0]", id="path from the root"),
        pytest.param({"full": [".git/config"]}, "full[0]", id="git's own"),
        pytest.param({"full": [".GIT/config"]}, "full[0]", id="git's own, in capitals"),
        pytest.param({"unresolved": [{"what": "x"}]}, "unresolved[0].severity", id="no severity"),
        pytest.param({"decisions": ["a\nb"]}, "decisions[0]", id="two lines"),
        pytest.param({"narrative": " "}, "narrative", id="no words"),
        pytest.param({"narrative": "\x1b[2J"}, "narrative", id="control characters"),
        pytest.param({"narrative": "x" * 20_001}, "narrative", id="too many words"),
        pytest.param({"mood": "good"}, "mood: found an unknown field", id="unknown field"),
        pytest.param({"signal": {"a": [1]}}, "signal.a", id="a list as a fact"),
        pytest.param({"findings": ["x"] * 101}, "findings", id="too many"),
    ],
)
def test_a_malformed_call_is_refused_with_every_problem(change, problem):
    with pytest.raises(BadInput) as refused:
        read({**CALL, **change})
    assert problem in refused.value.why
    with pytest.raises(BadInput, match="2 problems"):
        read({**CALL, **change, "other": 1})


def test_what_is_missing_is_named():
    with pytest.raises(BadInput, match="5 problems"):
        read({})


@pytest.mark.parametrize(
    ("change", "what"),
    [
        pytest.param({"decisions": ["x"] * 45}, "the index: found 55 lines", id="index"),
        pytest.param({"narrative": "x\n" * 180 + "x"}, "the summary", id="summary"),
    ],
)
def test_what_nobody_would_read_is_refused_with_where_to_put_it(change, what):
    with pytest.raises(BadInput) as refused:
        refuse_oversize(read({**CALL, **change}), ORIGIN)
    assert what in refused.value.why
    assert "name it in full" in refused.value.why


def test_the_caps_are_those_of_the_constitution():
    assert (INDEX_LINES, SUMMARY_LINES) == (50, 200)
    just = read({**CALL, "decisions": ["x"] * 40})
    assert lines(render_index(just, ORIGIN)) == INDEX_LINES
    refuse_oversize(just, ORIGIN)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(INDEX, [], id="in order"),
        pytest.param(INDEX.replace("PASS", "done"), [(1, "status: found 'done'")], id="status"),
        pytest.param(
            INDEX.replace("decisions: []\n", ""), [(1, "decisions: found nothing")], id="missing"
        ),
        pytest.param(
            INDEX.replace("unresolved: []", "unresolved:\n  - {severity: bad, what: x}"),
            [(6, "unresolved[0].severity: found 'bad'")],
            id="severity",
        ),
        pytest.param(INDEX + "extra: 1\n", [(6, "extra: found an unknown field")], id="unknown"),
        pytest.param(INDEX + "status: FAIL\n", [(6, "found 'status' twice")], id="twice"),
        pytest.param("a: [\n", [(2, "found broken YAML")], id="broken"),
        pytest.param("", [(1, "found an empty document")], id="empty"),
        pytest.param(INDEX + "# x\n" * 60, [(51, "found 65 lines")], id="too long"),
        pytest.param(
            INDEX.replace("- src/a.py", "- &a src/a.py\n  - *a"),
            [(3, "the anchor &a"), (4, "the alias *a"), (4, "files[1]")],
            id="anchors",
        ),
    ],
)
def test_every_violation_of_an_index_has_its_line(text, expected):
    found = told(check_index(text, read_text))
    assert len(found) == len(expected), found
    for (at, said), (line, words) in zip(found, expected, strict=True):
        assert at == line
        assert words in said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(SUMMARY, [], id="in order"),
        pytest.param(
            SUMMARY.replace("## Blockers", "## Blocked"), [(29, "Blockers: found no")], id="missing"
        ),
        pytest.param(
            SUMMARY.replace("It went well.", ""),
            [(11, "Narrative: found nothing")],
            id="empty section",
        ),
        pytest.param(
            SUMMARY + "\n## Findings\nx\n", [(31, "Findings: found a second")], id="twice"
        ),
        pytest.param(SUMMARY.replace("PASS", "ok"), [(2, "status: found 'ok'")], id="head"),
        pytest.param(SUMMARY.removeprefix("---\n"), [(1, "allowed: a head between")], id="no head"),
        pytest.param(
            SUMMARY.replace("It went well.", "```"),
            [(13, "never closed")] + [(29, "")] * 4,
            id="fence",
        ),
        pytest.param(SUMMARY + "x\n" * 200, [(201, "found 229 lines")], id="too long"),
        pytest.param("---\nstatus: PASS\n", [(1, "never ends")] + [(2, "")] * 5, id="endless head"),
        pytest.param("", [(1, "")] * 6, id="empty"),
    ],
)
def test_every_violation_of_a_summary_has_its_line(text, expected):
    found = told(check_summary(text, read_text))
    assert len(found) == len(expected), found
    for (at, said), (line, words) in zip(found, expected, strict=True):
        assert at == line, found
        assert words in said


def test_code_within_a_line_begins_no_block():
    text = SUMMARY.replace("It went well.", "```make``` passes.")
    assert told(check_summary(text, read_text)) == []


def test_a_heading_inside_code_is_no_section():
    text = SUMMARY.replace("It went well.", "```\n## Findings\n```")
    assert told(check_summary(text, read_text)) == []


@settings(max_examples=tries(200), deadline=None)
@given(st.text(max_size=200))
def test_no_text_at_all_breaks_the_checks(text):
    check_index(text, read_text)
    check_summary(text, read_text)
    check_summary(f"---\n{text}\n---\n", read_text)


def test_a_bomb_of_anchors_costs_nothing():
    bomb = "a: &a [x, x]\n" + "".join(
        f"{two}: &{two} [*{one}, *{one}]\n" for one, two in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert told(check_index(bomb, read_text))


def test_a_head_that_differs_from_the_index_is_told():
    other = check_index(INDEX.replace("PASS", "FAIL"), read_text).said
    found = compare(check_index(INDEX, read_text).said, other)
    assert [each.field for each in found] == ["status"]


@pytest.mark.parametrize(
    ("origin", "taken", "expected"),
    [
        pytest.param(ORIGIN, False, "runs/r1/phase-2/ada", id="first of a phase"),
        pytest.param(ORIGIN, True, "runs/r1/phase-2/ada.T-7", id="another task of the same phase"),
        pytest.param(Origin(TaskId(7), "ada"), False, "handoffs/T-7/ada", id="outside every run"),
    ],
)
def test_files_lie_by_run_phase_and_member(origin, taken, expected):
    assert folder_of(origin, taken=taken) == expected


@pytest.mark.requirement("MAIL-04")
def test_three_signals_are_composed_and_can_be_read_back():
    found = signals(
        read({**CALL, "signal": {"reqs": 6}}), TaskId(7), "p/L2-summary.md", ["findings"]
    )
    assert found.task.render() == "PASS|reqs:6|files:1|unresolved:1"
    assert found.lead.render() == "PASS|task:T-7|reqs:6|files:1|unresolved:1|ref:p/L2-summary.md"
    assert found.ready.render() == "READY|path:p/L2-summary.md|fields:findings"
    assert TaskSignal.parse(found.task.render()) == found.task
    assert MicroSignal.parse(found.lead.render()) == found.lead
    assert ReadySignal.parse(found.ready.render()) == found.ready


@pytest.mark.requirement("MAIL-04")
@pytest.mark.parametrize(
    "fact",
    [
        pytest.param({"note": "x" * 200}, id="over the cap"),
        pytest.param({"a b": "x"}, id="no key"),
        pytest.param({"note": "a|b"}, id="a bar"),
        pytest.param({"ref": "elsewhere"}, id="another file"),
        pytest.param({"task": "T-9"}, id="another task"),
        pytest.param({"note": "a\nb"}, id="two lines"),
    ],
)
def test_a_signal_that_would_be_malformed_is_refused(fact):
    with pytest.raises(BadInput):
        signals(read({**CALL, "signal": fact}), TaskId(7), "p", [])


def test_consumers_hear_what_is_in_it_where_the_plan_does_not_say():
    assert signals(read(CALL), TaskId(7), "p", []).ready.fields == (
        "files",
        "decisions",
        "unresolved",
    )


def test_agents_are_told_every_field_of_the_call():
    told_form = schema()
    assert set(told_form["properties"]) == {field.name for field in FORM.fields}
    assert told_form["required"] == ["status", "files", "decisions", "unresolved", "narrative"]
