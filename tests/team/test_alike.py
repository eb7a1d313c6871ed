"""Words that say nearly the same are found as if each were compared with each, and sooner."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.team.alike import nearest_later
from drumline.team.learning import LIKE, likeness

NAMES = ["lexer", "parser", "seed", "tabs", "linux", "windows", "x1", "x2"]
WORDS = st.lists(st.sampled_from(NAMES), max_size=7)
TEXTS = st.lists(WORDS.map(" ".join), max_size=12)


def compared(texts):
    for at, text in enumerate(texts):
        later = range(at + 1, len(texts))
        best = max(later, key=lambda other: likeness(text, texts[other]), default=None)
        if best is not None and likeness(text, texts[best]) >= LIKE:
            yield at, best


@pytest.mark.requirement("MEM-03")
@given(TEXTS)
def test_the_nearest_is_found_as_if_each_were_compared_with_each(texts):
    assert list(nearest_later(texts, LIKE)) == list(compared(texts))


@pytest.mark.requirement("MEM-03")
def test_thousands_of_learnings_are_looked_through_in_a_moment():
    texts = [
        f"thing{at} of topic{at * 7} has words{at * 13} and other{at * 3}" for at in range(3000)
    ]
    begun = process_time()
    assert list(nearest_later(texts, LIKE)) == []
    assert process_time() - begun < 5
