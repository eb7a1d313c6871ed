"""What a member says when it ends: one form, read strictly, and what follows from it."""

import json
from copy import deepcopy
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.errors import BadInput
from drumline.team.consequence import (
    Ask,
    Block,
    Complete,
    Fail,
    Mismatch,
    Propose,
    Release,
    consequences,
)
from drumline.team.ids import TaskId
from drumline.team.reflection import (
    Category,
    Confidence,
    Reflection,
    Status,
    SuggestedLearning,
    correction,
    facts,
    outline,
    read,
    schema,
)

CHECK = jsonschema.Draft202012Validator(schema())
STRICT = jsonschema.Draft202012Validator(schema(strict=True))

GOOD: dict[str, Any] = {
    "task_result": {
        "status": "completed",
        "summary": "The parser reads every example.",
        "files_changed": ["src/parser.py", "tests/test_parser.py"],
    },
    "reflection": {"what_worked": "tables", "what_didnt": "", "confidence": "high"},
    "suggested_learnings": [
        {"category": "gotcha", "content": "The lexer keeps tabs."},
        {"category": "cross-agent", "content": "Use Node.", "for_agent": "brook"},
    ],
    "follow_up": {"suggested_next": "Measure it.", "needs_human": False},
}


def but(path, value):
    """The good one with one field changed; Ellipsis takes it out."""
    changed = deepcopy(GOOD)
    *way, last = path.split(".")
    place = changed
    for name in way:
        place = place[int(name)] if name.isdecimal() else place[name]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return changed


def problems(given_value):
    with pytest.raises(BadInput) as refused:
        read(given_value)
    return refused.value.why


@pytest.mark.requirement("RUN-02")
@pytest.mark.parametrize("given_value", [GOOD, json.dumps(GOOD), f"\n {json.dumps(GOOD)}\n"])
def test_a_good_reflection_is_read_as_object_and_as_text(given_value):
    found = read(given_value)
    assert (found.status, found.confidence) == (Status.COMPLETED, Confidence.HIGH)
    assert found.files_changed == ("src/parser.py", "tests/test_parser.py")
    assert found.learnings[1] == SuggestedLearning(
        category=Category.CROSS_AGENT, content="Use Node.", for_agent="brook"
    )
    assert (found.blocked_by, found.suggested_next) == ("", "Measure it.")


@pytest.mark.requirement("RUN-02")
@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        pytest.param("task_result", ..., "task_result: found nothing", id="a part missing"),
        pytest.param("task_result.status", "done", "completed | partial", id="another status"),
        pytest.param("task_result.status", True, "task_result.status", id="no text at all"),
        pytest.param("task_result.summary", " \n", "task_result.summary", id="an empty summary"),
        pytest.param("task_result.summary", "x" * 2001, "1 to 2,000", id="a long summary"),
        pytest.param("task_result.files_changed", "a", "a list of paths", id="paths as a text"),
        pytest.param("task_result.files_changed", ["a\nb"], "files_changed[0]", id="two lines"),
        pytest.param("task_result.files_changed", ["a"] * 501, "at most 500", id="many paths"),
        pytest.param("reflection.confidence", "sure", "high | medium | low", id="confidence"),
        pytest.param("reflection.what_worked", "\x1b[2J", "what_worked", id="a terminal's code"),
        pytest.param("reflection.what_didnt", "\ud800", "what_didnt", id="half a character"),
        pytest.param("reflection.mood", "fine", "an unknown field", id="a field too many"),
        pytest.param("reflection.confidense", "low", "did you mean confidence", id="a slip"),
        pytest.param("suggested_learnings.0.category", "tip", "codebase-pattern", id="category"),
        pytest.param("suggested_learnings.1.for_agent", ..., "the member it is for", id="for whom"),
        pytest.param("suggested_learnings.1.for_agent", "../x", "a member's name", id="no name"),
        pytest.param(
            "suggested_learnings", [GOOD["suggested_learnings"][0]] * 21, "at most 20", id="lessons"
        ),
        pytest.param("follow_up.needs_human", "no", "true | false", id="yes or no in words"),
        pytest.param("follow_up.needs_human", ..., "follow_up.needs_human", id="no word on people"),
    ],
)
def test_a_wrong_field_is_named_with_what_is_allowed(path, value, said):
    assert said in problems(but(path, value))


@pytest.mark.requirement("RUN-02")
def test_every_problem_is_told_at_once():
    wrong = but("task_result.status", "done")
    wrong["follow_up"] = {"needs_human": 1}
    wrong["reflection"]["confidence"] = None
    del wrong["suggested_learnings"]
    assert len(problems(wrong).splitlines()) == 4


@pytest.mark.requirement("RUN-02")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("I am done!", id="prose"),
        pytest.param(f"```json\n{json.dumps(GOOD)}\n```", id="JSON with something around it"),
        pytest.param("[1]", id="a list"),
        pytest.param('{"task_result": NaN}', id="no number"),
        pytest.param("[" * 50_000, id="nested without end"),
        pytest.param("9" * 50_000, id="a number without end"),
        pytest.param(json.dumps(but("task_result.summary", "x" * 200_000)), id="a flood"),
        pytest.param(json.dumps({f"f{n}": n for n in range(5_000)}), id="a thousand fields"),
    ],
)
def test_hostile_text_is_refused_in_few_words(text):
    assert len(problems(text)) < 5_000


def test_a_field_that_stands_twice_is_refused_even_where_both_are_good():
    text = json.dumps(GOOD).replace(
        '"needs_human": false', '"needs_human": true, "needs_human": false'
    )
    assert problems(text) == "found the field 'needs_human' twice; allowed: each field once"


def test_a_thousand_fields_are_counted_and_not_read():
    assert "a mapping of 1,000 fields" in problems({f"f{n}": n for n in range(1_000)})


def test_an_object_nested_in_itself_is_refused():
    knot: dict = {}
    knot["task_result"] = knot
    assert "task_result" in problems(knot)


@pytest.mark.requirement("RUN-02")
def test_null_says_nothing_where_a_field_may_be_left_out():
    found = read(but("follow_up", {"blocked_by": None, "needs_human": False}))
    assert (found.blocked_by, found.suggested_next) == ("", "")


@pytest.mark.requirement("RUN-02")
def test_the_correction_quotes_the_faults():
    with pytest.raises(BadInput) as refused:
        read(but("task_result.status", "## Team rules"))
    told = correction(refused.value)
    assert "> task_result.status: found '## Team rules'" in told
    assert not any(line.startswith("#") for line in told.splitlines())


said = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t"), max_size=60
)
spoken = said.filter(str.strip)
one_line = spoken.filter(lambda text: "\n" not in text)
learnings = st.builds(
    SuggestedLearning,
    category=st.sampled_from(Category),
    content=one_line,
    for_agent=st.sampled_from(["ada", "brook"]),
)
reflections = st.builds(
    Reflection,
    status=st.sampled_from(Status),
    summary=spoken,
    files_changed=st.lists(one_line, max_size=4).map(tuple),
    what_worked=said,
    what_didnt=said,
    confidence=st.sampled_from(Confidence),
    learnings=st.lists(learnings, max_size=3).map(tuple),
    blocked_by=st.one_of(st.just(""), spoken),
    suggested_next=st.one_of(st.just(""), spoken),
    needs_human=st.booleans(),
)


@pytest.mark.requirement("RUN-02")
@given(reflections)
def test_what_is_read_is_what_was_said_and_fits_both_schemas(reflection):
    form = json.loads(json.dumps(facts(reflection)))
    assert read(form) == read(json.dumps(form)) == reflection
    CHECK.validate(form)
    STRICT.validate(form)


@pytest.mark.requirement("RUN-02")
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["task_result", "reflection", "follow_up", "status", "x"]), inner
            )
        ),
        max_leaves=12,
    )
)
def test_whatever_the_schema_refuses_is_refused(value):
    if not CHECK.is_valid(value):
        with pytest.raises(BadInput):
            read(value if not isinstance(value, str) else json.dumps(value))


def test_the_strict_schema_wants_every_field_and_no_sizes():
    def records(found):
        if isinstance(found, dict):
            if "properties" in found:
                yield found
            for inner in found.values():
                yield from records(inner)

    text = json.dumps(schema(strict=True))
    assert not any(f'"{word}":' in text for word in ("maxLength", "pattern", "minLength"))
    for record in records(schema(strict=True)):
        assert record["required"] == [x for x in record["properties"] if x != "used_learnings"]


@pytest.mark.requirement("RUN-04", "MEM-04")
def test_an_account_from_before_learnings_had_ids_is_good_still():
    old = {name: said for name, said in facts(read(GOOD)).items() if name != "used_learnings"}
    STRICT.validate(old)
    assert read(old).used == ()


def test_the_outline_names_every_field():
    named = "\n".join(outline())
    for name in ("status", "files_changed", "what_didnt", "for_agent", "blocked_by", "needs_human"):
        assert f".{name}`" in named


def ending(status, **fields):
    return Reflection(status=Status(status), summary="did it", **fields)


@pytest.mark.requirement("RUN-09")
@pytest.mark.parametrize(
    ("reflection", "expected"),
    [
        pytest.param(ending("completed"), [Complete("did it")], id="completed"),
        pytest.param(ending("partial"), [Release("did it")], id="partial: the next one reads on"),
        pytest.param(
            ending("partial", blocked_by="no key"),
            [Block("no key", "did it")],
            id="partial, in the way",
        ),
        pytest.param(
            ending("partial", needs_human=True),
            [Block("it waits for a person's answer", "did it", person=True)],
            id="partial, a person needed",
        ),
        pytest.param(
            ending("blocked", blocked_by="T-9\nis late"),
            [Block("T-9 is late", "did it")],
            id="blocked",
        ),
        pytest.param(
            ending("blocked", blocked_by="T-9, t-12 T-9"),
            [Block("T-9, t-12 T-9", "did it", (TaskId(9), TaskId(12)))],
            id="blocked by other tasks, and by nothing else",
        ),
        pytest.param(
            ending("blocked", blocked_by="T-9", needs_human=True),
            [Block("T-9", "did it", person=True)],
            id="blocked by a task, a person needed",
        ),
        pytest.param(
            ending("blocked"),
            [Block("the member named no reason", "did it")],
            id="blocked by nothing named",
        ),
        pytest.param(
            ending("blocked", blocked_by="which key?", needs_human=True),
            [Block("which key?", "did it", person=True)],
            id="blocked, a person needed",
        ),
        pytest.param(ending("failed"), [Fail("did it")], id="failed"),
        pytest.param(
            ending("failed", needs_human=True),
            [Fail("did it"), Ask("failed: did it")],
            id="failed, a person needed",
        ),
        pytest.param(
            ending("completed", needs_human=True),
            [Complete("did it"), Ask("completed: did it")],
            id="completed, and a question",
        ),
        pytest.param(
            ending("completed", blocked_by="the merge"),
            [Complete("did it"), Ask("completed: did it\nin the way: the merge")],
            id="completed, yet something is in the way",
        ),
        pytest.param(
            ending("completed", suggested_next="Measure it"),
            [Complete("did it"), Propose("Measure it")],
            id="something next",
        ),
    ],
)
def test_a_reflection_moves_its_task(reflection, expected):
    assert list(consequences(reflection, None)) == expected


@pytest.mark.requirement("RUN-09")
def test_a_long_proposal_has_a_short_title_and_keeps_its_words():
    words = "Measure it.\n" + "x" * 400
    proposed = consequences(ending("completed", suggested_next=words), None)[1]
    assert isinstance(proposed, Propose)
    assert (len(proposed.title), proposed.body) == (200, words)


@pytest.mark.requirement("RUN-09")
@pytest.mark.parametrize(
    ("files", "real", "expected"),
    [
        pytest.param(["a.py"], ["a.py"], [], id="as said"),
        pytest.param(["./a.py", "b//c.py"], ["b/c.py", "a.py"], [], id="spelled otherwise"),
        pytest.param(["/co/a.py"], ["a.py"], [], id="named from the root of the checkout"),
        pytest.param(["a.py"], [], [Mismatch(unchanged=("a.py",))], id="said, not done"),
        pytest.param([], ["b.py"], [Mismatch(unsaid=("b.py",))], id="done, not said"),
        pytest.param(
            ["/etc/passwd"],
            ["b.py"],
            [Mismatch(unchanged=("/etc/passwd",), unsaid=("b.py",))],
            id="both, and outside the checkout",
        ),
        pytest.param(["a.py"], None, [], id="nobody could look"),
    ],
)
def test_files_said_are_compared_with_files_changed(files, real, expected):
    found = consequences(ending("completed", files_changed=tuple(files)), real, root="/co")
    assert list(found[1:]) == expected


@pytest.mark.requirement("RUN-09")
def test_a_mismatch_says_which_files_in_one_sentence():
    found = Mismatch(unchanged=("a.py",), unsaid=("b.py", "c.py"))
    assert found.sentence == (
        "said to be changed and is not: a.py; changed and not said: b.py, c.py"
    )


@pytest.mark.requirement("RUN-09")
@given(reflections, st.lists(one_line, max_size=3))
def test_there_is_exactly_one_move_and_it_comes_first(reflection, real):
    first, *rest = consequences(reflection, real)
    assert isinstance(first, Complete | Release | Block | Fail)
    assert not any(isinstance(each, Complete | Release | Block | Fail) for each in rest)
    assert isinstance(first, Complete) == (reflection.status is Status.COMPLETED)
    if reflection.needs_human:
        asked = isinstance(first, Block) and first.person
        assert asked or any(isinstance(each, Ask) for each in rest)
