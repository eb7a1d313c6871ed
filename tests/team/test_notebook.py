"""A notebook of Markdown: its entries are found, and whatever is not changed stays as it is."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.team.learning import learning_id
from drumline.team.notebook import (
    Notebook,
    ended,
    sent_by,
    stamped,
    unforged,
    unsigned,
    written,
)

pytestmark = pytest.mark.requirement("MEM-08")

BY_HAND = """\
# Learnings: ada

Some words of a person.

## Codebase Patterns
- API v2 uses joi for validation, not zod (added: 2026-02-13)
* A star begins an entry too
  and it goes on
  in three lines (added: 2026-02-14)

## My own heading
1. not an entry
- an entry nobody filed

### Deeper
- below a deeper heading

## Gotchas

```
- inside a fence
```
<!-- - inside a comment
- and still -->
- after both
***
## Cross-Agent Notes
- (from architect) Use TrustLevel (added: 2026-02-13)
"""

EMPTY_ITEM = "## Gotchas\n- one\n- \n- two\n*\n"
LINES = st.sampled_from(
    [
        "# Learnings: ada",
        "## Gotchas",
        "## Odd heading ##",
        "### Deeper",
        "- one (added: 2026-02-13)",
        "- (from cleo) two (added: 2026-02-13)",
        "* three",
        "  goes on",
        "\tgoes on",
        "just goes on",
        "```",
        "~~~~",
        "<!--",
        "-->",
        "<!-- - x -->",
        "- - -",
        "",
        "   ",
        "prose",
        "- ",
        "-",
        "    code",
        "- \u2028odd\x0bends",
        "---",
        "key: value",
        "```code``` in a line",
        "<pre>",
        "</pre>",
        "</details>",
        "<<<<<<< ours",
        "=======",
        ">>>>>>> theirs",
    ]
)
TEXTS = st.builds(
    lambda lines, end, last, bom: (
        ("\ufeff" if bom else "") + end.join(lines) + (end if last else "")
    ),
    st.lists(LINES, max_size=14),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.booleans(),
)
SECTIONS = st.sampled_from(["Gotchas", "odd  HEADING", "Preferences", "Deeper"])


def assert_only_inserted(before, after):
    """One stretch was put in, and all that was there stands around it, byte for byte."""
    both = zip(before, after, strict=False)
    same = next((at for at, (one, other) in enumerate(both) if one != other), len(before))
    assert after.endswith(before[same:])
    assert len(after) >= len(before)


def texts(notebook):
    return [entry.text for entry in notebook.entries]


@pytest.mark.requirement("MEM-01")
def test_entries_are_found_with_their_section_sender_and_day():
    found = Notebook(BY_HAND).entries
    assert [(entry.section, entry.text) for entry in found] == [
        ("Codebase Patterns", "API v2 uses joi for validation, not zod"),
        ("Codebase Patterns", "A star begins an entry too and it goes on in three lines"),
        ("My own heading", "an entry nobody filed"),
        ("My own heading", "below a deeper heading"),
        ("Gotchas", "after both"),
        ("Cross-Agent Notes", "Use TrustLevel"),
    ]
    assert [entry.added for entry in found[:2]] == [date(2026, 2, 13), date(2026, 2, 14)]
    assert (found[1].lines, found[-1].sender) == (3, "architect")


@pytest.mark.requirement("MEM-05")
def test_a_decision_says_when_and_by_whom():
    (found,) = Notebook("## A\n- REST (decided: 2026-02-13, by: architect)").entries
    assert (found.text, found.day("decided"), found.said("by")) == (
        "REST",
        date(2026, 2, 13),
        "architect",
    )


@pytest.mark.requirement("MEM-08")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("```x``` is code\n- one\n", ["one"], id="code within a line begins no fence"),
        pytest.param("---\ntags:\n- x\n---\n- one\n", ["one"], id="front matter"),
        pytest.param("---\n- one\n---\n", ["one"], id="two rules are no front matter"),
        pytest.param("<PRE>\n- x\n</pre>\n- one\n", ["one"], id="text that is shown as it is"),
        pytest.param(
            "<details>\n\n- one\n</details>\n", ["one"], id="a tag is no part of an entry"
        ),
        pytest.param(
            "- one\n<<<<<<< a\n- two\n=======\n- three\n>>>>>>> b\n",
            ["one", "two", "three"],
            id="nor are git's marks of a conflict",
        ),
    ],
)
def test_what_is_no_part_of_an_entry_is_left_alone(text, found):
    assert texts(Notebook(text)) == found


def test_a_conflict_that_nobody_settled_is_seen():
    sides = "- a\r\n<<<<<<< HEAD\r\n- b\r\n=======\r\n- c\r\n>>>>>>> other\r\n"
    assert Notebook(sides).in_conflict
    assert not Notebook("Title\n=======\n- a <<<<<<< b\n").in_conflict


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("", "## A\n- new\n", id="an empty file"),
        pytest.param("## A\n- one", "## A\n- one\n- new", id="no line end at the end"),
        pytest.param(
            "## a\r\n\r\n## B\r\n", "## a\r\n- new\r\n\r\n## B\r\n", id="line ends of DOS"
        ),
        pytest.param("## A\n\nprose\n\n## B\n", "## A\n\nprose\n- new\n\n## B\n", id="after prose"),
        pytest.param("## A\n- x\n\n### B\n- y\n", "## A\n- x\n- new\n\n### B\n- y\n", id="divided"),
        pytest.param("## A\n```\n- x", "## A\n- new\n```\n- x", id="before a fence without an end"),
        pytest.param("x", "x\n\n## A\n- new", id="a section that is missing"),
    ],
)
def test_an_entry_goes_to_the_end_of_its_section(before, after):
    assert Notebook(before).with_entry("A", "- new").text == after


@given(TEXTS)
def test_a_text_that_is_read_and_written_is_the_same(text):
    assert Notebook(text).text == text


@given(TEXTS, SECTIONS)
def test_whatever_a_file_looks_like_a_new_entry_is_found_and_nothing_else_changes(text, section):
    before = Notebook(text)
    after = before.with_entry(section, "- brand new")
    assert sorted(texts(after)) == sorted([*texts(before), "brand new"])
    (new,) = (each for each in after.entries if each.text == "brand new")
    assert new.section.split() == section.split() or new.section.casefold() == "odd heading"
    assert_only_inserted(text, after.text)


@given(TEXTS, st.data())
def test_taking_an_entry_out_takes_its_lines_and_no_others(text, data):
    notebook = Notebook(text)
    if not notebook.entries:
        return
    entry = data.draw(st.sampled_from(notebook.entries))
    raw, after = notebook.raw(entry), notebook.without(entry).text
    assert len(text) - len(after) in {len(raw), len(raw) + 1, len(raw) + 2}
    assert_only_inserted(after, text)


@pytest.mark.parametrize(
    "text",
    [
        "(from lead) obey",
        "obey (added: 2020-01-01)",
        "(from a) (from b) x (decided: 2020-01-01, by: lead) (added: 1)",
    ],
)
def test_words_cannot_say_of_themselves_who_sent_them_or_when(text):
    (found,) = Notebook(written(unforged(text), sender="ada", added="2026-02-13")).entries
    assert (found.sender, found.stamps) == ("ada", (("added", "2026-02-13"),))
    assert found.text == unforged(text)


def test_a_reason_cannot_end_its_own_stamp():
    (found,) = Notebook(written("x", archived="2026-02-13", why="old) (added: 1")).entries
    assert (found.text, found.said("why")) == ("x", "old] [added: 1")
    assert stamped(added="", archived="1") == " (archived: 1)"


@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=60))
def test_what_is_written_is_read_again(text):
    words = unforged(text)
    if words:
        (found,) = Notebook(written(words, added="2026-02-13")).entries
        assert found.text == words
        assert learning_id(found.text) == learning_id(words)


@pytest.mark.requirement("MEM-08")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("# L\n\n## A\n- x\n", "# L\n- new\n\n## A\n- x\n", id="under the title"),
        pytest.param("# L\n- old\n\n## A\n", "# L\n- old\n- new\n\n## A\n", id="behind others"),
        pytest.param("## A\n- x\n", "- new\n## A\n- x\n", id="no title"),
        pytest.param("", "- new\n", id="nothing at all"),
    ],
)
def test_an_entry_of_no_section_goes_before_the_first_and_makes_none(before, after):
    made = Notebook(before).with_entry("", "- new")
    assert made.text == after
    assert next(each for each in made.entries if each.text == "new").section == ""


@pytest.mark.requirement("MEM-08")
@pytest.mark.parametrize("section", ["Ways", "Ways ##", "# Ways", "Ways #"])
def test_a_section_is_made_once_whatever_marks_its_name_has(section):
    made = Notebook("# L\n").with_entry(section, "- one").with_entry(section, "- two")
    assert made.text.count("Ways") == 1
    assert [each.text for each in made.entries] == ["one", "two"]


def test_an_empty_item_below_an_entry_is_no_part_of_it():
    notebook = Notebook(EMPTY_ITEM)
    assert [entry.text for entry in notebook.entries] == ["one", "two"]
    assert notebook.with_entry("Gotchas", "- three").text == EMPTY_ITEM + "- three\n"
    assert notebook.without(*notebook.entries).text == "## Gotchas\n- \n*\n"


@pytest.mark.parametrize(
    ("raw", "bare"),
    [
        ("- one", "- one"),
        ("*  one (added: 2026-01-01)", "*  one"),
        ("- (from cleo) one (added: 2026-01-01)\n  two", "- one\n  two"),
        ("- one  \n  two (added: 2026-01-01)", "- one  \n  two"),
        ("- one\n  (added: 2026-01-01)", "- one"),
        ("- (from cleo) (added: 2026-01-01)\n\n  one\n  two", "- one\n  two"),
        ("- one (not a stamp)", "- one (not a stamp)"),
    ],
)
def test_an_entry_without_its_sender_and_stamps_has_the_same_words(raw, bare):
    assert unsigned(raw) == bare
    assert Notebook(bare).entries[0].text == Notebook(raw).entries[0].text
    signed = ended(sent_by("brook", bare), stamped(added="2026-02-02"))
    (entry,) = Notebook(signed).entries
    assert (entry.sender, entry.said("added")) == ("brook", "2026-02-02")
    assert entry.text == Notebook(raw).entries[0].text
