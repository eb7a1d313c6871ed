"""A run's memory as readers see it: a section for each, seven tags, and never more than 500 lines."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.team.constitution_4 import PROFILES
from drumline.team.preset import MemoryRight
from drumline.team.team_memory import (
    LINES,
    Briefed,
    Note,
    NoteId,
    remembering,
    rendered,
    repeated,
    right_of,
)
from drumline.team.wording_forms import NoteTag

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
TAGS = {"Finding", "Pattern", "Decision", "Warning", "Dependency", "Conflict", "Question"}
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)


def note(number, text="the store keeps order", section="ada", *, over=False, **facts):
    said = {"tag": NoteTag.FINDING, "phase": "P6", "author": section, **facts}
    end = {"why": "it is done", "settled_at": NOON} if over else {}
    return Note(
        run="run-1",
        number=NoteId(number),
        section=section,
        text=text,
        written_at=NOON,
        **said,
        **end,
    )


@pytest.mark.requirement("MEM-06")
def test_the_tags_are_the_seven_of_the_constitution():
    assert {tag.value for tag in NoteTag} == TAGS


@pytest.mark.requirement("MEM-06")
@pytest.mark.parametrize(
    ("profile", "right"),
    [
        pytest.param("implementer", MemoryRight.OWN_SECTION, id="implementer"),
        pytest.param("integrator", MemoryRight.OWN_SECTION, id="integrator"),
        pytest.param("researcher", MemoryRight.RELAYED, id="researcher"),
        pytest.param("architect", MemoryRight.RELAYED, id="architect"),
        pytest.param("tester", MemoryRight.RELAYED, id="tester"),
        pytest.param("devils-advocate", MemoryRight.READ_ONLY, id="devil's advocate"),
        pytest.param("", MemoryRight.OWN_SECTION, id="of no profile"),
    ],
)
def test_a_profile_says_how_its_member_adds_to_the_memory(profile, right):
    assert right_of("constitution-4", profile) is right


@pytest.mark.requirement("MEM-06")
def test_where_no_constitution_says_who_may_write_no_file_is_relayed():
    assert right_of("constitution-4", "our-own", writes=True) is MemoryRight.OWN_SECTION
    assert right_of("constitution-4", "our-own", writes=False) is MemoryRight.RELAYED


def test_every_shipped_profile_is_in_the_table_above():
    shown = {"implementer", "integrator", "researcher", "architect", "tester", "devils-advocate"}
    assert {each.name for each in PROFILES} == shown


@pytest.mark.requirement("MEM-06")
def test_every_member_has_a_section_and_the_leads_comes_first():
    text = rendered("run-1", ["ada", "brook"], [note(1, section="brook")])
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## lead",
        "## ada",
        "## brook",
    ]
    assert text.splitlines()[-1] == '- N-1 [Finding] "the store keeps order"'


@pytest.mark.requirement("MEM-06")
def test_what_was_relayed_says_by_whom_and_what_is_over_says_why():
    text = rendered("run-1", [], [note(1, author="lead"), note(2, over=True)])
    assert '- N-1 [Finding] "the store keeps order" (written by lead)' in text
    assert '- N-2 [ARCHIVED: "it is done"] [Finding]' in text


@pytest.mark.requirement("MEM-06")
def test_beyond_500_lines_what_is_over_is_left_out_first_and_then_what_is_oldest():
    notes = [note(each, over=each % 2 == 0) for each in range(1, 601)]
    text = rendered("run-1", ["ada"], notes)
    assert len(text.splitlines()) <= LINES
    assert "- N-1 [" in text  # open, however old
    assert "- N-2 [" not in text
    assert "- N-600 [" in text
    only_open = rendered("run-1", ["ada"], [note(each) for each in range(1, 601)])
    assert "- N-1 [" not in only_open
    assert "- N-600 [" in only_open
    assert "Left out, oldest first: " in only_open


@pytest.mark.requirement("MEM-06")
@pytest.mark.parametrize("team", [90, 200, 2000])
def test_of_a_crowd_the_newest_notes_are_there_and_what_is_left_out_is_said(team):
    members = [f"m{each}" for each in range(team)]
    notes = [note(each + 1, section=members[each % team]) for each in range(1000)]
    lines = rendered("run-1", members, notes).splitlines()
    there = sum(line.startswith("- N-") for line in lines)
    assert len(lines) <= 500
    assert there > 100
    assert f"Left out, oldest first: {1000 - there}." in lines[-1]
    assert any(line.startswith("- N-1000 ") for line in lines)


@pytest.mark.requirement("MEM-06")
@given(
    st.lists(
        st.tuples(TEXTS, st.sampled_from(["ada", "brook", "cleo"]), st.booleans()), max_size=30
    )
)
def test_nobodys_words_begin_a_line_or_a_section(said):
    notes = [note(at, text, section, over=over) for at, (text, section, over) in enumerate(said, 1)]
    lines = rendered("run-1", ["ada", "brook", "cleo"], notes).split("\n")
    assert sum(line.startswith("- N-") for line in lines) == len(notes)
    assert [line for line in lines if line.startswith("#")] == [
        "# Team memory of run-1",
        *("## lead", "## ada", "## brook", "## cleo"),
    ]


@pytest.mark.requirement("MEM-06")
def test_what_a_section_says_again_is_merged_into_the_later_note():
    notes = [note(1, "Mind the  GAP"), note(2, "mind the gap", "brook"), note(3, "mind the gap")]
    assert [(str(each.note), each.why) for each in repeated(notes)] == [("N-1", "merged into N-3")]


@pytest.mark.requirement("MEM-06")
@pytest.mark.parametrize(
    ("told", "said", "unsaid"),
    [
        pytest.param(
            Briefed(2, MemoryRight.OWN_SECTION), "goes to your section", "nothing", id="own section"
        ),
        pytest.param(Briefed(1, MemoryRight.RELAYED), "goes to the lead", "section", id="relayed"),
        pytest.param(
            Briefed(0, MemoryRight.READ_ONLY), "You add nothing", "memory note", id="read-only"
        ),
    ],
)
def test_a_member_is_told_to_read_the_memory_first_and_how_it_may_add(told, said, unsaid):
    (line,) = remembering(told)
    assert "before you begin: `drumline memory team`" in line
    assert said in line
    assert unsaid not in line


def test_a_task_outside_every_run_has_no_memory_to_read():
    assert remembering(None) == []
