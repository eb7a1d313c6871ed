"""What is brought into a notebook that several write: late words, words saved over, and nobody's half lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.team.rebasing import came_in, ids_in, missing, passages
from drumline.team.settling import Late, Unsettled
from tests.team.test_notebook import TEXTS

pytestmark = pytest.mark.requirement("MEM-08")

OLD = "# L\n\nwords\n\n## A\n- x\n- y\n"


@pytest.mark.parametrize(
    ("now", "whole", "replaces"),
    [
        pytest.param(OLD.replace("words", "better"), True, True, id="a line put otherwise"),
        pytest.param(OLD + "- z\n", True, True, id="more at the end"),
        pytest.param(OLD.replace("- y", "- why"), True, True, id="another end"),
        pytest.param(OLD, False, False, id="still being written"),
        pytest.param("", True, False, id="emptied"),
        pytest.param("# L\n\nwords\n", True, False, id="cut off behind a line"),
        pytest.param("# L\n\nnew\n\nwor", True, False, id="cut off within one"),
    ],
)
def test_a_late_save_is_all_its_writer_wanted_unless_it_was_cut_off(now, whole, replaces):
    assert Late(OLD, now, whole).replaces is replaces


@given(TEXTS, TEXTS, TEXTS, st.booleans())
def test_whatever_came_late_and_whatever_was_done_since_is_all_there(before, now, text, whole):
    late = Late(before, now, whole)
    made = late.taken_in((), text)
    assert missing(came_in(before, text), made) == []
    assert missing(came_in(before, late.words), made) == []


@given(TEXTS, TEXTS, st.booleans())
def test_what_was_taken_in_is_not_late_again(before, now, whole):
    late = Late(before, now, whole)
    again = Late(late.settled(), now, whole)
    assert came_in(again.before, again.words) == []


@given(TEXTS, TEXTS)
def test_what_is_watched_comes_back_unless_an_entry_says_it_in_other_words(held, text):
    made = Unsettled(watched=tuple(passages(held)), last=held).brought_into(text)
    gone = missing(passages(held), made)
    assert len(gone) <= len(ids_in(text) - ids_in(held))
    assert all(each.id for each in gone)


def test_a_save_that_is_cut_off_brings_its_new_lines_and_takes_none_away():
    made = Late(OLD, "# L\n\nnew\n\nwor").taken_in((), OLD + "- ours\n")
    assert missing(passages(OLD + "\nnew\n- ours\n"), made) == []


def test_what_we_took_out_ourselves_stays_out_and_what_another_took_out_comes_back():
    late = Late(OLD, OLD + "- late\n")
    made = late.taken_in(ids_in("- x"), OLD.replace("- x\n", "").replace("- y\n", ""))
    assert made == OLD.replace("- x\n", "") + "- late\n"


def test_one_new_entry_says_only_one_old_one_in_other_words():
    said = "- the old lexer chokes on a tab in every long line {}\n"
    held = said.format("one") + said.format("two")
    unsettled = Unsettled(watched=tuple(passages(held)), last=held)
    made = unsettled.brought_into(said.format("three"))
    assert len(ids_in(made)) == 2
