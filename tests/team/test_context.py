"""A run's context: what can be kept, what reads back unchanged, what is new, and who is sent everything."""

import string
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.errors import BadInput
from drumline.team import wording
from drumline.team.context import (
    CAP,
    MOST_SECTIONS,
    ContextVersion,
    Holding,
    Section,
    WholeWhen,
    checked_sections,
    section,
    stale,
)
from drumline.team.context_delta import Change, delta, told, whole_when
from drumline.team.context_form import Draft, parse, refuse_oversize, render, written
from drumline.team.context_letter import about_run, letter
from drumline.team.fences import unclosed
from drumline.team.ids import MessageId
from drumline.team.member import HUMAN, Member
from drumline.team.message import Kind, Message, cap
from drumline.team.wording_forms import Action

pytestmark = pytest.mark.requirement("CTX-02")

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
LONG = "\n".join(f"line {at} of what holds for everyone" for at in range(20))
MARKS = ["## other", "\\## other", "```", "~~~~", "---", "version: 9", "# top", "", "  ", "x", "\\"]
LINES = st.one_of(st.sampled_from(MARKS), st.text(string.printable[:-5], max_size=12))
TEXTS = st.lists(LINES, min_size=1, max_size=6).map("\n".join)
NAMES = st.sampled_from(["goal", "limits", "retries", "who", "# a", "version: 3", "```"])


def kept(text: str) -> bool:
    return bool(text.strip()) and not unclosed(text) and text == text.strip("\n")


SECTIONS = st.dictionaries(NAMES, TEXTS.filter(kept), min_size=1, max_size=6).flatmap(
    lambda found: st.permutations([Section(*each) for each in found.items()]).map(tuple)
)


def sections(**texts: str) -> tuple[Section, ...]:
    return tuple(Section(*each) for each in texts.items())


@given(SECTIONS, st.integers(1, 999))
def test_what_is_written_is_read_back_unchanged(found, version):
    assert parse(render(version, found)) == Draft(found, version)


def taken_in(news, old):
    """What somebody has who does all that a delta says, to the letter."""
    texts = dict(old)
    for item in news.items:
        if item.change is Change.REMOVED:
            del texts[item.name]
        elif item.change is Change.CHANGED:
            lines = texts[item.name].split("\n")
            for edit in reversed(item.edits):
                at = slice(edit.line - 1, edit.line - 1 + len(edit.gone))
                assert tuple(lines[at]) == edit.gone
                lines[at] = edit.come
            texts[item.name] = "\n".join(lines)
        else:
            texts[item.name] = item.text
    return tuple(Section(name, texts[name]) for name in news.order)


@given(SECTIONS, SECTIONS)
def test_what_is_new_turns_the_old_into_the_new(old, new):
    assert taken_in(delta(old, new), old) == new


@given(SECTIONS)
def test_between_a_version_and_itself_nothing_is_new(found):
    assert delta(found, found).items == ()


@given(SECTIONS, SECTIONS)
def test_what_is_new_is_never_much_longer_than_everything(old, new):
    names = sum(len(name) + 40 for name, _ in (*old, *new))
    assert len(told(delta(old, new))) <= len(written(new)) + names


@pytest.mark.parametrize(
    ("new", "change"),
    [
        pytest.param(sections(goal=LONG, more="m"), [(Change.ADDED, "more")], id="added"),
        pytest.param(
            sections(goal=LONG.replace("line 3 ", "line three ")),
            [(Change.CHANGED, "goal")],
            id="a line changed",
        ),
        pytest.param(sections(goal="all new"), [(Change.REPLACED, "goal")], id="all lines changed"),
        pytest.param(
            sections(other="o"),
            [(Change.ADDED, "other"), (Change.REMOVED, "goal")],
            id="one for another",
        ),
    ],
)
def test_each_section_that_differs_is_one_item(new, change):
    found = delta(sections(goal=LONG), new).items
    assert [(each.change, each.name) for each in found] == change


def test_lines_that_change_far_apart_are_told_by_themselves():
    lines = LONG.split("\n")
    new = "\n".join(["first", *lines[1:-1], "last"])
    [item] = delta(sections(goal=LONG), sections(goal=new)).items
    assert [(edit.line, edit.come) for edit in item.edits] == [(1, ("first",)), (20, ("last",))]


def test_texts_made_to_be_hard_to_compare_are_compared_at_once():
    old = tuple(Section(f"s{at}", "x\n" * 450 + "end") for at in range(MOST_SECTIONS))
    new = tuple(Section(name, "x\ny\n" * 225 + "end") for name, _ in old)
    assert taken_in(delta(old, new), old) == new


def test_sections_that_change_places_are_replaced():
    found = delta(sections(a="1", b="2", c="3"), sections(b="2", a="1", c="3"))
    assert [(each.change, each.name) for each in found.items] == [
        (Change.REPLACED, "b"),
        (Change.REPLACED, "a"),
    ]


FOUR = sections(a="1", b="2", c="3", d="4")
ONE_NEW = sections(a="1", b="2", c="3", d="5")
MOST_NEW = sections(a="5", b="5", c="5", d="4")
HALF_NEW = sections(a="5", b="5", c="3", d="4")


@pytest.mark.parametrize(
    ("held", "needs", "new", "expected"),
    [
        pytest.param(6, None, ONE_NEW, None, id="one behind, little changed"),
        pytest.param(6, None, HALF_NEW, None, id="one behind, half changed"),
        pytest.param(5, None, ONE_NEW, WholeWhen.BEHIND, id="two behind"),
        pytest.param(0, WholeWhen.LOST, ONE_NEW, WholeWhen.LOST, id="lost"),
        pytest.param(0, WholeWhen.STARTED, ONE_NEW, WholeWhen.STARTED, id="just started"),
        pytest.param(6, None, MOST_NEW, WholeWhen.MOST_CHANGED, id="most changed"),
        pytest.param(6, WholeWhen.ASKED, ONE_NEW, WholeWhen.ASKED, id="asked"),
    ],
)
def test_five_conditions_force_the_whole_text(held, needs, new, expected):
    holding = Holding("ada", 1, offered=held, held=held, needs=needs)
    assert whole_when(holding, 7, delta(FOUR, new), FOUR) is expected


ADA, BROOK = Member("ada"), Member("brook")


@pytest.mark.requirement("CTX-04")
@pytest.mark.parametrize(
    ("members", "holding", "names"),
    [
        pytest.param([ADA], Holding("ada", 1, 3, 3), [], id="current"),
        pytest.param([ADA], Holding("ada", 1, 3, 2), ["ada"], id="sent, not taken in"),
        pytest.param([ADA], Holding("ada", 1, 3, 2, 1, 2), ["ada"], id="half taken in"),
        pytest.param(
            [ADA._replace(incarnation=2)], Holding("ada", 1, 3, 3), ["ada"], id="new life"
        ),
        pytest.param([ADA, BROOK], Holding("ada", 1, 3, 3), ["brook"], id="never sent"),
        pytest.param([ADA._replace(active=False)], Holding("ada", 1), [], id="left the team"),
        pytest.param([Member(HUMAN, lead=True)], Holding("ada", 1), [], id="a person"),
    ],
)
def test_whoever_has_not_taken_the_newest_version_in_is_stale(members, holding, names):
    assert [each.member for each in stale(members, {"ada": holding}, 3)] == names


@pytest.mark.requirement("CTX-03")
def test_only_a_pause_pauses():
    paused = [each for each in Action if Holding("ada", 1, action=each).paused]
    assert paused == [Action.PAUSE]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("hello\n## goal\n\nx", "before the first section", id="words before"),
        pytest.param("", "1 to 100 sections", id="nothing"),
        pytest.param("## goal\n\n## more\n\nx", "is empty", id="an empty section"),
        pytest.param("## goal\nx\n## Goal\ny", "look alike", id="twice, in another case"),
        pytest.param("## goal\nx\n## \uff47oal\ny", "look alike", id="twice, in odd letters"),
        pytest.param("## go\u200bal\nx", "nobody sees", id="a letter nobody sees"),
        pytest.param("## a, b\nx", "separates names", id="a name that looks like two"),
        pytest.param("## a\n\x1b[2Jx", "control character", id="a control character"),
        pytest.param("## a\nx\x00", "control character", id="a NUL"),
        pytest.param("## a\n\ud800", "UTF-8", id="half a letter"),
        pytest.param("## a\n```\nx\n## b\ny", "never ends", id="a block that swallows a section"),
        pytest.param("---\nversion: x\n---\n## a\nx", "the head says", id="no number"),
        pytest.param("---\nversion: 0\n---\n## a\nx", "the head says", id="version zero"),
        pytest.param(
            "---\nversion: 3\nmore: 1\n---\n## a\nx", "the head says", id="more in the head"
        ),
        pytest.param(f"## {'n' * 81}\nx", "cap is 80", id="a long name"),
        pytest.param(f"## n{' ' * 900_000}n\nx", "cap is 80", id="a heading full of blanks"),
        pytest.param("## n\nx\n" * 140_000, "this one has more", id="sections without end"),
        pytest.param("## a\n" + "x" * 1_000_001, "1,000,006 characters", id="a megabyte"),
        pytest.param("## a\n" + "x" * 500_000, "cap is 100,000", id="half a megabyte"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_where_it_is(text, said):
    with pytest.raises(BadInput) as refusal:
        parse(text)
    assert said in refusal.value.what


def test_too_many_sections_are_refused():
    with pytest.raises(BadInput):
        checked_sections(Section(f"s{at}", "x") for at in range(MOST_SECTIONS + 1))


def test_a_heading_inside_a_code_block_is_no_heading():
    [only] = parse("## how\n\n```sh\n## a comment\nmake\n```\n").sections
    assert only.text == "```sh\n## a comment\nmake\n```"


@pytest.mark.parametrize("head", ["version: 7", "version: GC-v7"])
def test_the_head_says_which_version_was_edited(head):
    assert parse(f"---\n{head}\n---\n\n## a\n\nx\n").version == 7


@pytest.mark.requirement("CTX-06")
def test_a_context_over_its_share_of_the_window_is_refused_with_what_to_cut():
    found = sections(small="s", large="x" * 4_000)
    refuse_oversize(found, window=4_000)
    with pytest.raises(BadInput) as refusal:
        refuse_oversize(found, window=3_000)
    assert "cut 'large' first" in refusal.value.next


@pytest.mark.requirement("CTX-06")
def test_a_context_that_fits_no_letter_is_refused_however_large_the_window():
    many = sections(a="## x\n" * 9_000, b="## x\n" * 9_000)
    with pytest.raises(BadInput):
        refuse_oversize(many, window=10_000_000)


def named(name: str) -> bool:
    try:
        section(name, "x")
    except BadInput:
        return False
    return True


LETTERS = st.sampled_from(
    ["ADDED:", "Impact:", "→", "GC-v9", "[APPROVED]", " ", "a", ".", "ü", ":"]
)
ODD = st.lists(LETTERS, min_size=1, max_size=6).map("".join) | st.text(max_size=9)


@given(st.lists(ODD.filter(named), min_size=1, max_size=4, unique_by=str.casefold), st.booleans())
def test_whatever_sections_are_called_the_letter_reads_back_unchanged(names, one_behind):
    new = tuple(Section(name, "new") for name in names)
    old = (*new[:-1], Section(names[-1], "old"))
    version = ContextVersion("run-1", 7, new, "boss", "", NOON)
    holding = Holding("ada", 1, 6, 6, needs=None if one_behind else WholeWhen.ASKED)
    sent = letter(version, holding, delta(old, new), holding.needs)
    text = wording.render(sent.update)
    assert wording.parse(text) == sent.update
    assert sent.items == (1 if one_behind else len(names))
    arrived = Message(MessageId(1), "boss", "ada", Kind.CONTEXT_UPDATE, text, version.published_at)
    assert about_run(arrived, "run-1", 7)
    assert not about_run(arrived, "run-1", 6)
    assert not about_run(arrived, "run-2", 7)


def test_the_largest_context_that_can_be_published_fits_its_letter():
    many = tuple(Section(f"{at:0>80}", "## x\n" * 149 + "end") for at in range(MOST_SECTIONS))
    refuse_oversize(many, window=10_000_000)
    version = ContextVersion("run-1", 1, many, "boss", "w" * 500, NOON)
    sent = letter(version, Holding("ada", 1), delta((), many), WholeWhen.STARTED)
    assert len(written(many)) > 0.95 * CAP
    assert len(wording.render(sent.update)) <= cap(Kind.CONTEXT_UPDATE)
