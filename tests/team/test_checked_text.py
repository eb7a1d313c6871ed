"""Which words can be kept: the short way for those that can be printed agrees with the rule."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.errors import BadInput
from drumline.team import text
from drumline.team.draft import NewTask

CAP = 8
KEPT = {"\t", "\n", "\r"}
MARKS = "\x00\x1b\x7f\x85\x9f\u00a0\u00ad\u2028\ud800\udfff\ufeff\t\n\r ä🥁"


def can_be_kept(words):
    """No control character but a tab and line ends, and no half of a character."""
    return all(each in KEPT or unicodedata.category(each) not in {"Cc", "Cs"} for each in words)


WORDS = st.text(
    st.one_of(st.sampled_from(MARKS), st.characters(codec=None)), min_size=0, max_size=CAP + 2
)


def passes(check, words, **options):
    try:
        return check(words, "the text", cap=CAP, **options) == words
    except BadInput:
        return False


@pytest.mark.parametrize("empty", [True, False], ids=["may be empty", "has words"])
@given(words=WORDS)
def test_text_is_kept_when_it_can_be_shown_and_is_short(empty, words):
    good = can_be_kept(words) and len(words) <= CAP and (empty or bool(words.strip()))
    assert passes(text.checked, words, empty=empty) is good
    one_line = good and not {"\n", "\r"} & set(words)
    assert passes(text.checked_line, words, empty=empty) is one_line


@pytest.mark.parametrize(
    "field",
    [
        {"title": "a\x1bb"},
        {"title": " "},
        {"title": "x" * 201},
        {"body": "a\x00b"},
        {"body": "a\udcffb"},
        {"tracker": "a\nb"},
        {"profile": "No Name"},
        {"run": "../x"},
        {"files": ("/etc/passwd",)},
        {"outputs": ("a\x7f",)},
        {"needs": ("no server",)},
        {"priority": 1001},
    ],
    ids=str,
)
def test_each_field_of_a_draft_is_checked(field):
    with pytest.raises(BadInput):
        NewTask(**{"title": "work", **field})
