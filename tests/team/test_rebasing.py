"""Several changed one notebook: what came in on one side is brought to the other, and nothing else changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.team.rebasing import came_in, ids_in, missing, passages, with_passages
from tests.team.test_notebook import TEXTS

pytestmark = pytest.mark.requirement("MEM-08")


def is_within(lines, others):
    """Whether lines stand in others, in their order."""
    left = iter(others)
    return all(line in left for line in lines)


def bare(text):
    return [line.strip() for line in text.removeprefix("\ufeff").split("\n") if line.strip()]


@given(TEXTS, TEXTS)
def test_all_that_another_text_holds_can_be_brought_in_and_nothing_goes(text, other):
    made = with_passages(text, passages(other))
    assert missing(passages(other), made) == []
    assert is_within(bare(text), bare(made))
    assert ids_in(text) <= ids_in(made)


@given(TEXTS, TEXTS)
def test_what_is_brought_in_twice_is_there_once(text, other):
    made = with_passages(text, passages(other))
    assert with_passages(made, passages(other)) == made


@given(TEXTS)
def test_a_text_misses_nothing_of_itself(text):
    assert missing(passages(text), text) == []
    assert came_in("", text) == passages(text)


@given(TEXTS, st.sampled_from(["\n", "\r\n"]))
def test_what_comes_in_keeps_the_bytes_around_it(text, end):
    made = with_passages(text, came_in("", f"a line of a person{end}"))
    place = made.index("a line of a person")
    head = made[:place].rstrip("\r\n")
    assert text.startswith(head)
    assert text.removeprefix(head).strip("\r\n") == made[place:].removeprefix(
        "a line of a person"
    ).strip("\r\n")


@pytest.mark.parametrize(
    ("text", "other", "made"),
    [
        pytest.param("a\n\nb\n", "a\nnew\n", "a\nnew\n\nb\n", id="behind what it stood behind"),
        pytest.param("a\nb\n", "a\n\nnew\n", "a\n\nnew\n\nb\n", id="apart, as it was"),
        pytest.param(
            "## A\n- x\n- z\n\n## B\n",
            "## A\n- x\n\nnew\n",
            "## A\n- x\n\nnew\n- z\n\n## B\n",
            id="behind an entry, and no part of it",
        ),
        pytest.param(
            "## A\n- z\n\n## B\n",
            "## A\n- gone\n\nnew\n",
            "## A\n- z\n- gone\n\nnew\n\n## B\n",
            id="behind what comes back with it",
        ),
        pytest.param(
            "## A\n- x\n\n## B\n- y\n",
            "## A\n## New\n- n\n",
            "## A\n- x\n\n## New\n- n\n## B\n- y\n",
            id="a heading takes over nothing",
        ),
        pytest.param(
            "## A\n- x\n",
            "## A\n    code\n- x\n",
            "## A\n    code\n- x\n",
            id="what is indented becomes no entry's own",
        ),
        pytest.param(
            "## A\n- x\n",
            "## A\n```\n- in\n",
            "## A\n- x\n\n```\n- in\n",
            id="a fence without an end",
        ),
    ],
)
def test_what_comes_in_stands_where_it_stood(text, other, made):
    assert with_passages(text, passages(other)) == made
