"""The bracketed text form under hostile values: all that can be made comes back, nothing crashes."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drumline.errors import BadInput
from drumline.team.wording import parse, render
from drumline.team.wording_fields import Delta
from drumline.team.wording_forms import (
    NOUNS,
    Action,
    Category,
    NoteTag,
    Report,
    Risk,
    Verdict,
    Wording,
)

pytestmark = pytest.mark.requirement("MAIL-02")

every_noun = pytest.mark.parametrize("noun", [pytest.param(noun, id=noun.kind) for noun in NOUNS])

SIGNS = [
    "a",
    " ",
    ".",
    "|",
    ";",
    ",",
    ":",
    "/",
    "[",
    "]",
    "→",
    "->",
    "\n",
    "\r",
    "\t",
    "\x85",
    "{",
    "}",
]
WORDS = [
    *("Phase ", "Proceed.", "FAILED.", "received. Items:", "ADDED: ", "CHANGED", "Q1", "GC-v1"),
    *("| Files: ", "|files:", "| Changes: ", "| Risk: ", "| Impact: ", "| Category: ", "| Gate: "),
    *(". Impact: ", ". Action: ", ". Revise: ", ".Revise:", "| RC-", "| [INJECTION] GC-v", "] "),
]  # fmt: skip
TRICKY = st.lists(st.sampled_from(SIGNS + WORDS), max_size=8).map("".join)
TEXTS = st.one_of(TRICKY, st.text())
LINES = st.one_of(TEXTS, TRICKY.map(str.strip))
NUMBERS = st.one_of(st.integers(-1, 12), st.sampled_from([999_999_999, 1_000_000_000]))
NAMES = st.lists(LINES, max_size=3).map(tuple)

VALUES: dict[Any, st.SearchStrategy[Any]] = {
    int: NUMBERS,
    str: LINES,
    tuple: NAMES,
    Delta: st.builds(Delta, added=NAMES, changed=NAMES, removed=NAMES),
    **{
        words: st.sampled_from(words)
        for words in (Action, Category, NoteTag, Report, Risk, Verdict)
    },
}


def sample(noun: type[Wording], body: str) -> Wording:
    line = noun.example.partition("\n")[0]
    wording = parse(f"{line}\n{body}")
    assert wording is not None
    return wording


def taken(text: str) -> Wording | BadInput | None:
    try:
        return parse(text)
    except BadInput as refusal:
        return refusal


@every_noun
@settings(deadline=None)  # a busy machine is no failure
@given(data=st.data())
def test_whatever_can_be_made_is_read_back_unchanged(
    noun: type[Wording], data: st.DataObject
) -> None:
    wording = sample(noun, "body")
    for name in (*noun.form.names, "body"):
        drawn = data.draw(VALUES[type(getattr(wording, name))])
        try:
            wording = replace(wording, **{name: drawn})
        except BadInput:
            continue  # the sound value stays, so that one refusal does not spoil the draw
    assert parse(render(wording)) == wording


@every_noun
@settings(deadline=None)  # a busy machine is no failure
@given(data=st.data())
def test_a_text_that_is_taken_is_canonical_after_one_writing(
    noun: type[Wording], data: st.DataObject
) -> None:
    text = render(sample(noun, "body"))
    cut = data.draw(st.integers(len(noun.tag) + 3, len(text)))
    wording = taken(text[:cut] + data.draw(TRICKY) + text[cut:])
    if isinstance(wording, Wording):
        assert parse(render(wording)) == wording


@every_noun
@settings(deadline=None)  # a busy machine is no failure
@given(rest=TEXTS, body=TEXTS)
def test_a_text_with_a_tag_of_ours_is_taken_or_refused_with_the_example(
    noun: type[Wording], rest: str, body: str
) -> None:
    answer = taken(f"[{noun.tag}] {rest}\n{body}")
    assert isinstance(answer, noun) or (
        isinstance(answer, BadInput) and answer.next == noun.example
    )


@settings(deadline=None)  # a busy machine is no failure
@given(text=TEXTS)
def test_a_text_that_begins_otherwise_is_a_note(text: str) -> None:
    assert parse(f"- {text}") is None


@pytest.mark.parametrize(
    "unit",
    ["|", " ", ". ", "a,", "ADDED:a;", "| Files: ", ". Revise:", "| [INJECTION] GC-v", "[", "9"],
)
@every_noun
def test_120_000_hostile_characters_are_taken_or_refused_in_a_few_words(
    noun: type[Wording], unit: str
) -> None:
    text = render(sample(noun, "body"))
    hostile = unit * (120_000 // len(unit))
    for cut in (len(noun.tag) + 3, text.rfind(" ") + 1, len(text) - 5):
        answer = taken(text[:cut] + hostile + text[cut:])
        assert isinstance(answer, noun) or len(str(answer)) < 600
