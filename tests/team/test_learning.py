"""Learnings told apart, counted and ranked: pure decisions, as tables."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.team.keeping import KEEPING, Keeping
from drumline.team.learning import (
    Use,
    adds_nothing,
    by_relevance,
    echoed,
    is_confirmed,
    is_overdue,
    is_stale,
    known_as,
    learning_id,
    learnings_in,
    likeness,
    tiers,
    tokens,
)
from drumline.team.notebook import Notebook

TODAY = date(2026, 3, 1)


def learnt(*texts, section="Gotchas", added=TODAY):
    lines = [f"- {text} (added: {added})" for text in texts]
    return learnings_in(Notebook("\n".join([f"## {section}", *lines])))


def used(times, *, runs=0, days_ago=0):
    return Use(times, runs, datetime(2026, 3, 1, tzinfo=UTC) - timedelta(days=days_ago))


@pytest.mark.requirement("MEM-04")
def test_an_id_is_short_stable_and_the_same_for_every_way_to_write_one_thing():
    assert learning_id("Use `TrustLevel` from src.") == learning_id("use  trustlevel from SRC")
    assert learning_id("Use TrustLevel") != learning_id("Use TrustLevels")
    assert learning_id("Use TrustLevel") == "L-" + learning_id("Use TrustLevel")[2:]
    assert len(learning_id("x" * 500)) == 10


@pytest.mark.requirement("MEM-02", "MEM-04")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("The option is max_size", "The option is maxsize", id="a name of two parts"),
        pytest.param("Match src/** only", "Match src/ only", id="a glob"),
        pytest.param("Pass *args on", "Pass args on", id="a star that stresses nothing"),
    ],
)
def test_marks_that_belong_to_a_name_tell_learnings_apart(one, other):
    assert learning_id(one) != learning_id(other)


@pytest.mark.requirement("MEM-04")
def test_learnings_of_marks_alone_are_told_apart():
    assert len({learning_id(marks) for marks in ("...", "!!!", "```", "''")}) == 4


@pytest.mark.requirement("MEM-04")
@pytest.mark.parametrize("marked", ["*never*", "**never**", "_never_", "__never__", "~~never~~"])
def test_marks_that_only_stress_words_do_not(marked):
    assert learning_id(f"{marked} push") == learning_id("Never push.")


@pytest.mark.requirement("MEM-02")
@pytest.mark.parametrize(
    ("new", "known", "nothing_new"),
    [
        pytest.param("API v2 uses joi", "API v2 uses joi.", True, id="the same words"),
        pytest.param("the API v2 uses joi", "API v2 use joi", True, id="only empty words differ"),
        pytest.param(
            "API v2 uses joi for input", "API v2 uses joi for checked input", True, id="says less"
        ),
        pytest.param("API v2 uses joi", "API v2 uses zod", False, id="another word"),
        pytest.param("never push on Friday", "push on Friday", False, id="it denies"),
        pytest.param(
            "push every release in the evening of a Friday",
            "never push every release in the evening of a Friday",
            False,
            id="it is denied",
        ),
        pytest.param(
            "retry the payment call on every timeout in the nightly job",
            "don\u2019t retry the payment call on every timeout in the nightly job",
            False,
            id="denied with a curly apostrophe",
        ),
        pytest.param(
            "Release Zahlung Test Server Freitag Abend wiederholen",
            "Release Zahlung Test Server Freitag Abend nicht wiederholen",
            False,
            id="denied in another language",
        ),
        pytest.param("port is 5432", "port is 5433", False, id="another number"),
        pytest.param(
            "run migrations before seeding",
            "run seeding before migrations",
            False,
            id="other order",
        ),
        pytest.param("joi, not zod", "zod, not joi", False, id="the opposite in the same words"),
        pytest.param("x", "a long learning about x and more", False, id="far less"),
        pytest.param("", "API", False, id="no words at all"),
        pytest.param("構成は壊れやすい", "構成は壊れやすい。", True, id="no blanks between words"),
    ],
)
def test_a_learning_is_written_down_again_only_when_it_says_more(new, known, nothing_new):
    assert adds_nothing(new, known) is nothing_new


def test_the_very_same_words_are_found_before_similar_ones():
    known = learnt("API v2 uses joi for all input", "API v2 uses joi for input")
    assert known_as("api v2 uses joi for input", known) == known[1]
    assert known_as("something else", known) is None


@pytest.mark.requirement("MEM-01")
def test_what_is_used_often_is_told_always_within_its_lines():
    texts = [f"learning number {at}" for at in range(100)]
    known = learnt(*texts)
    uses = {each.id: used(at) for at, each in enumerate(known)}
    found = tiers(known, uses, KEEPING)
    assert [each.text for each in found.always] == texts[:69:-1]
    assert [each.text for each in found.by_task] == texts[69:39:-1]
    assert [each.text for each in found.too_many] == texts[39::-1]


@pytest.mark.requirement("MEM-01")
def test_five_uses_make_a_learning_one_that_is_always_told():
    four, five = learnt("used four times", "used five times")
    found = tiers([four, five], {four.id: used(4), five.id: used(5)}, KEEPING)
    assert (found.always, found.by_task, found.too_many) == ((five,), (four,), ())


def test_every_line_of_an_entry_counts():
    known = learnings_in(Notebook("## G\n- one\n  two\n  three\n- four\n"))
    found = tiers(known, {}, Keeping(task_lines=3))
    assert [each.text for each in found.by_task] == ["four"]


@given(st.lists(st.integers(0, 9), max_size=90), st.integers(1, 20), st.integers(1, 20))
@pytest.mark.requirement("MEM-01")
def test_every_learning_is_in_one_tier_and_no_tier_has_too_many_lines(counts, always, by_task):
    known = learnt(*(f"number {at}" for at in range(len(counts))))
    uses = {each.id: used(times) for each, times in zip(known, counts, strict=True)}
    found = tiers(known, uses, Keeping(core_lines=always, task_lines=by_task))
    assert sorted([*found.always, *found.by_task, *found.too_many]) == sorted(known)
    assert len(found.always) <= always
    assert len(found.by_task) <= by_task


@pytest.mark.requirement("MEM-03")
@pytest.mark.parametrize(
    ("age", "use", "stale"),
    [
        pytest.param(21, Use(), False, id="on its last day"),
        pytest.param(22, Use(), True, id="a day later"),
        pytest.param(90, used(1, days_ago=21), False, id="used of late"),
        pytest.param(90, used(9, days_ago=22), True, id="used long ago"),
    ],
)
def test_what_nobody_used_for_three_weeks_is_stale(age, use, stale):
    (known,) = learnt("x", added=TODAY - timedelta(days=age))
    assert is_stale(known, use, TODAY, KEEPING) is stale


def test_a_line_without_a_date_is_never_old():
    (known,) = learnings_in(Notebook("## Cross-Agent Notes\n- by hand"))
    assert not is_stale(known, Use(), TODAY, KEEPING)
    assert not is_overdue(known, TODAY, KEEPING)


@pytest.mark.requirement("MEM-03")
def test_a_note_is_overdue_after_two_weeks_and_a_learning_confirmed_after_three_runs():
    old, young = (
        learnt("x", section="cross-agent notes", added=TODAY - timedelta(days=days))[0]
        for days in (15, 14)
    )
    assert (is_overdue(old, TODAY, KEEPING), is_overdue(young, TODAY, KEEPING)) == (True, False)
    assert (is_confirmed(used(9, runs=3), KEEPING), is_confirmed(used(9, runs=2), KEEPING)) == (
        True,
        False,
    )


@pytest.mark.requirement("MEM-04")
def test_work_that_speaks_of_a_learning_has_used_it():
    output = frozenset(tokens("The parser in src/parse.py now validates with joi, as API v2 does"))
    assert echoed("API v2 validates with joi", output)
    assert not echoed("API v2 deploys with helm", output)
    assert not echoed("joi", output)


@pytest.mark.requirement("MEM-02")
def test_what_a_task_is_about_comes_first():
    known = learnt("deploys take an hour", "the lexer chokes on tabs", "parser tests need a seed")
    about = frozenset(tokens("Speed up the parser src/parser/lexer.py and its lexer"))
    assert [each.text.split()[1] for each in by_relevance(known, about)] == [
        "lexer",
        "tests",
        "take",
    ]


def test_likeness_is_the_share_of_words_in_both():
    assert likeness("one two three", "two three four") == 0.5
    assert likeness("", "") == 0.0
