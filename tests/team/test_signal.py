"""One-line signals: what is read is what was written, never over the cap."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drumline.errors import BadInput
from drumline.team.signal import MicroSignal, Outcome, ReadySignal, TaskSignal
from drumline.team.text import WRITE_TO_A_FILE

pytestmark = pytest.mark.requirement("MAIL-04")

Signal = TaskSignal | MicroSignal | ReadySignal
Sort = type[TaskSignal] | type[MicroSignal] | type[ReadySignal]

SORTS = [
    pytest.param(TaskSignal, id="task signal"),
    pytest.param(MicroSignal, id="micro-signal"),
    pytest.param(ReadySignal, id="ready-signal"),
]
every_sort = pytest.mark.parametrize("sort", SORTS)

SAID = [
    *(
        pytest.param(
            f"{outcome}|reqs:6|gaps:0",
            TaskSignal(outcome=outcome, facts=(("reqs", "6"), ("gaps", "0"))),
            id=f"task signal {outcome}",
        )
        for outcome in Outcome
    ),
    pytest.param(
        "PASS|at:10:30|ref:p2/a.md",
        MicroSignal(outcome=Outcome.PASS, facts=(("at", "10:30"),), ref="p2/a.md"),
        id="micro-signal",
    ),
    pytest.param(
        "FAIL|ref:a.md",
        MicroSignal(outcome=Outcome.FAIL, ref="a.md"),
        id="micro-signal of a ref alone",
    ),
    pytest.param(
        "READY|path:p2/a.md|fields:findings,file_refs",
        ReadySignal(path="p2/a.md", fields=("findings", "file_refs")),
        id="ready-signal",
    ),
]


@pytest.mark.parametrize(("text", "signal"), SAID)
def test_a_line_says(text: str, signal: Signal) -> None:
    assert type(signal).parse(text) == signal


@pytest.mark.parametrize(("text", "signal"), SAID)
def test_a_signal_is_written_in_its_canonical_form(text: str, signal: Signal) -> None:
    assert signal.render() == text


def test_blanks_around_the_parts_do_not_matter() -> None:
    spaced = " READY | path: a.md | fields: x , y \n"
    assert ReadySignal.parse(spaced) == ReadySignal(path="a.md", fields=("x", "y"))


MALFORMED = [
    pytest.param(TaskSignal, "DONE|reqs:6", "'DONE' is not one of", id="unknown status"),
    pytest.param(TaskSignal, "pass|reqs:6", "'pass' is not one of", id="status in small letters"),
    pytest.param(TaskSignal, "READY|reqs:6", "'READY' is not one of", id="ready is no status"),
    pytest.param(TaskSignal, "PASS", "it has no key:value", id="status alone"),
    pytest.param(TaskSignal, "PASS|reqs", "'reqs' is not key:value", id="no colon"),
    pytest.param(TaskSignal, "PASS|", "'' is not key:value", id="empty part"),
    pytest.param(TaskSignal, "PASS|:6", "key '' is not", id="no key"),
    pytest.param(TaskSignal, "PASS|a b:6", "key 'a b' is not", id="blank in a key"),
    pytest.param(TaskSignal, "PASS|reqs:", "reqs has no value", id="no value"),
    pytest.param(TaskSignal, "PASS|a:1|a:2", "key 'a' is there twice", id="key twice"),
    pytest.param(TaskSignal, "PASS|a:1\nb:2", "more than one line", id="two lines"),
    pytest.param(TaskSignal, "PASS|a:\x1b[2J", "control character 0x1b", id="control character"),
    pytest.param(
        MicroSignal, "PASS", "does not end with ref:path", id="micro-signal, status alone"
    ),
    pytest.param(MicroSignal, "PASS|a:1", "does not end with ref:path", id="no ref"),
    pytest.param(MicroSignal, "PASS|ref:x|a:1", "does not end with ref:path", id="ref not last"),
    pytest.param(MicroSignal, "PASS|ref:x|ref:y", "key 'ref' is there twice", id="ref twice"),
    pytest.param(MicroSignal, "PASS|ref:", "ref has no value", id="empty ref"),
    pytest.param(MicroSignal, "OK|ref:x", "'OK' is not one of", id="micro-signal, unknown status"),
    pytest.param(ReadySignal, "PASS|path:a|fields:b", "'PASS' is not READY", id="not ready"),
    pytest.param(ReadySignal, "READY|path:a", "it has 'path', not path and fields", id="no fields"),
    pytest.param(ReadySignal, "READY|fields:a", "it has 'fields', not", id="no path"),
    pytest.param(ReadySignal, "READY|path:a|fields:b|x:1", "'path, fields, x', not", id="one more"),
    pytest.param(ReadySignal, "READY|path:|fields:b", "path has no value", id="empty path"),
    pytest.param(ReadySignal, "READY|path:a|fields:b,,c", "field '' is not", id="empty field"),
    pytest.param(
        ReadySignal, "READY|path:a|fields:b c", "field 'b c' is not", id="blank in a field"
    ),
]


@pytest.mark.parametrize(("sort", "text", "reason"), MALFORMED)
def test_a_malformed_signal_is_refused_with_the_exact_reason(
    sort: Sort, text: str, reason: str
) -> None:
    with pytest.raises(BadInput) as caught:
        sort.parse(text)
    assert reason in caught.value.what


@every_sort
def test_a_refusal_shows_a_signal_that_would_be_taken(sort: Sort) -> None:
    with pytest.raises(BadInput) as caught:
        sort.parse("?|a:1")
    assert sort.parse(caught.value.next).render() == caught.value.next


def filled(sort: Sort, length: int) -> str:
    """Make a line of exactly so many characters."""
    start, end = {
        TaskSignal: ("PASS|a:", ""),
        MicroSignal: ("PASS|ref:", ""),
        ReadySignal: ("READY|path:", "|fields:a"),
    }[sort]
    return start + "x" * (length - len(start) - len(end)) + end


@pytest.mark.parametrize(
    ("sort", "cap"),
    [
        pytest.param(TaskSignal, 200, id="task signal"),
        pytest.param(MicroSignal, 500, id="micro-signal"),
        pytest.param(ReadySignal, 500, id="ready-signal"),
    ],
)
class TestTheCap:
    def test_a_signal_of_exactly_the_cap_is_taken(self, sort: Sort, cap: int) -> None:
        assert len(sort.parse(filled(sort, cap)).render()) == cap

    def test_a_signal_over_the_cap_is_sent_to_a_file(self, sort: Sort, cap: int) -> None:
        with pytest.raises(BadInput) as caught:
            sort.parse(filled(sort, cap + 1))
        assert caught.value.next == WRITE_TO_A_FILE


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: TaskSignal(outcome=Outcome.PASS, facts=(("a", "1|b:2"),)), id="bar in a value"),
        pytest.param(lambda: TaskSignal(outcome=Outcome.PASS, facts=(("a", " 1"),)), id="blank at an end"),
        pytest.param(lambda: TaskSignal(outcome=Outcome.PASS, facts=(("a:b", "1"),)), id="colon in a key"),
        pytest.param(lambda: TaskSignal(outcome=Outcome.PASS, facts=(("a", "x" * 200),)), id="over the cap"),
        pytest.param(lambda: MicroSignal(outcome=Outcome.PASS, facts=(("ref", "x"),), ref="y"), id="two refs"),
        pytest.param(lambda: ReadySignal(path="a|b", fields=("x",)), id="bar in a path"),
        pytest.param(lambda: ReadySignal(path="a", fields=()), id="no fields"),
        pytest.param(lambda: ReadySignal(path="a", fields=("x,y",)), id="comma in a field"),
    ],
)  # fmt: skip
def test_what_could_not_be_read_back_cannot_be_made(make: Callable[[], Signal]) -> None:
    with pytest.raises(BadInput):
        make()


PARTS = st.text(alphabet="ab:|, \n.é", max_size=6)
FACTS = st.lists(st.tuples(st.sampled_from(["a", "b", "ref", "a:"]), PARTS), max_size=3).map(tuple)
OUTCOMES = st.sampled_from(Outcome)
MADE: dict[Sort, st.SearchStrategy[dict[str, Any]]] = {
    TaskSignal: st.fixed_dictionaries({"outcome": OUTCOMES, "facts": FACTS}),
    MicroSignal: st.fixed_dictionaries({"outcome": OUTCOMES, "facts": FACTS, "ref": PARTS}),
    ReadySignal: st.fixed_dictionaries(
        {"path": PARTS, "fields": st.lists(PARTS, max_size=3).map(tuple)}
    ),
}


@every_sort
@settings(deadline=None)  # a busy machine is no failure
@given(data=st.data())
def test_whatever_can_be_made_is_read_back_unchanged(sort: Sort, data: st.DataObject) -> None:
    try:
        signal = sort(**data.draw(MADE[sort]))
    except BadInput:
        return
    assert sort.parse(signal.render()) == signal


@every_sort
@settings(deadline=None)  # a busy machine is no failure
@given(text=st.one_of(st.text(), st.text(alphabet="PASREDY|:,apthfields ", max_size=40)))
def test_a_text_is_refused_or_canonical_after_one_writing(sort: Sort, text: str) -> None:
    try:
        signal = sort.parse(text)
    except BadInput:
        return
    assert sort.parse(signal.render()) == signal
