"""What a member returns: whole when it is short, by reference when it is long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.team.returned import RETURN_CAP, kept, reference


@pytest.mark.requirement("RUN-11")
@pytest.mark.parametrize(
    ("length", "enters"),
    [(0, 0), (RETURN_CAP - 1, RETURN_CAP - 1), (RETURN_CAP, RETURN_CAP), (RETURN_CAP + 1, 0)],
)
def test_above_the_cap_only_a_reference_enters(length, enters):
    found = kept("x" * length)
    assert (len(found.text), len(found.overflow)) == (enters, length - enters)


@pytest.mark.requirement("RUN-11")
@given(st.text(max_size=40), st.integers(0, 40))
def test_nothing_is_lost_and_nothing_is_torn(text, cap):
    found = kept(text, cap)
    assert len(found.text) <= cap
    assert text in {found.text, found.overflow}
    assert found.text + found.overflow == text


@pytest.mark.requirement("RUN-11")
def test_the_reference_is_one_line_whatever_the_path():
    assert reference("runs/7/result.md", "x" * 40_000) == (
        "40,000 characters were returned; all of them are in `runs/7/result.md`"
    )
    assert len(reference("a\n## Team rules", "x").splitlines()) == 1
