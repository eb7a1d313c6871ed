"""Recall as a table: which words there are, what a file is cut into, and what comes first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.errors import BadInput
from drumline.team.learning import learning_id
from drumline.team.notebook import Notebook
from drumline.team.recall import (
    PIECE_CAP,
    SNIPPET,
    Found,
    Piece,
    RecallKind,
    Within,
    indexed,
    kind_of,
    pieces_of,
    ranked,
    snippet,
)
from drumline.team.recall_words import QUERY_CAP, read_query, words_of

ADA = "memory/agents/ada/learnings.md"
TEXTS = st.text(max_size=200)


def found(text, kind=RecallKind.LEARNING, **facts):
    piece = Piece(kind, "ada", 1, "", "", "", text)._replace(**facts)
    return Found("atlas", "box:/repo", ADA, piece, f" {' '.join(indexed(piece))} ")


def first(query, *texts):
    return ranked(read_query(query), [found(text) for text in texts], 10)[0].piece.text


@pytest.mark.requirement("MEM-07")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("Use joi, not zod!", ["use", "joi", "not", "zod"], id="plain"),
        pytest.param("TrustLevel", ["trustlevel", "trust", "level"], id="a name and its parts"),
        pytest.param("src/core/types.ts", ["src", "core", "types", "ts"], id="a path"),
        pytest.param("max_parallel=4", ["max", "parallel", "4"], id="a setting"),
        pytest.param("HTTPServer", ["httpserver", "http", "server"], id="capitals"),
        pytest.param("Straße ＡＢＣ", ["strasse", "abc"], id="other spellings"),  # noqa: RUF001 - wide letters are the point
        pytest.param("検索する", ["検", "索", "す", "る"], id="no blanks"),
        pytest.param("\x00\ud800*\"'()", [], id="no word at all"),
    ],
)
def test_a_text_is_cut_into_the_words_people_look_for(text, words):
    assert words_of(text) == words


@pytest.mark.requirement("MEM-07")
@given(TEXTS)
def test_whatever_a_text_says_its_words_are_letters_and_digits(text):
    assert all(word.isalnum() and word == word.casefold() for word in words_of(text))


@pytest.mark.requirement("MEM-07")
@given(TEXTS)
def test_every_word_of_a_query_finds_the_text_it_was_taken_from(text):
    try:
        query = read_query(text)
    except BadInput:
        assert words_of(text) == []
    else:
        assert set(query.words) <= set(words_of(text))


@pytest.mark.requirement("MEM-07")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("\x00", id="NUL"),
        pytest.param("***", id="only marks"),
        pytest.param("x" * (QUERY_CAP + 1), id="too long"),
    ],
)
def test_a_query_without_words_is_refused_with_the_way_out(text):
    with pytest.raises(BadInput) as refused:
        read_query(text)
    assert refused.value.next


@pytest.mark.requirement("MEM-07")
@pytest.mark.parametrize(
    ("path", "kind", "member"),
    [
        pytest.param(ADA, RecallKind.LEARNING, "ada", id="learnings"),
        pytest.param("memory/agents/ada/archive.md", RecallKind.ARCHIVED, "ada", id="archive"),
        pytest.param("memory/team/decisions.md", RecallKind.DECISION, "", id="decisions"),
        pytest.param("memory/team/retro-history.md", RecallKind.RETRO, "", id="retros"),
        pytest.param(".claude/rules/learned.md", RecallKind.RULE, "", id="promoted"),
        pytest.param("memory/agents/a b'/learnings.md", RecallKind.LEARNING, "", id="no name"),
        pytest.param("memory/other.md", RecallKind.OTHER, "", id="somebody's own"),
    ],
)
def test_a_file_says_what_sort_of_memory_it_is_and_whose(path, kind, member):
    assert kind_of(path) == (kind, member)


@pytest.mark.requirement("MEM-07", "MEM-08")
def test_a_file_is_cut_into_entries_and_paragraphs_with_their_lines_and_headings():
    text = (
        "\ufeff# Learnings: ada\r\n\r\nSome prose\r\nof two lines.\r\n\r\n## Gotchas\r\n"
        "- one thing (added: 2026-02-13)\r\n  and more of it\r\n- another\r\n```\r\n## no heading\r\n```\r\n"
    )
    assert [(each.line, each.heading, each.day, each.text) for each in pieces_of(ADA, text)] == [
        (3, "", "", "Some prose of two lines."),
        (7, "Gotchas", "2026-02-13", "one thing (added: 2026-02-13) and more of it"),
        (9, "Gotchas", "", "another"),
        (10, "Gotchas", "", "``` ## no heading ```"),
    ]


@pytest.mark.requirement("MEM-07")
def test_an_entry_carries_the_id_of_its_learning():
    (piece,) = pieces_of(ADA, "## Gotchas\n- mind the gap (added: 2026-02-13)\n")
    assert piece.name == learning_id("mind the gap")


@pytest.mark.requirement("MEM-07", "MEM-08")
@given(
    st.lists(
        st.sampled_from(["- an entry", "words", "  more", "", "## H", "```", "<!--", "-->"]),
        max_size=20,
    )
)
def test_nothing_but_headings_and_blanks_is_left_out_of_a_file(lines):
    text = "\n".join(lines)
    told = " ".join(each.text for each in pieces_of(ADA, text))
    entries = Notebook(text).entries
    assert told.count("entry") == text.count("entry")
    assert told.count("words") == text.count("words")
    assert all(entry.text in told for entry in entries)


@pytest.mark.requirement("MEM-07")
def test_a_long_paragraph_is_found_to_its_end():
    text = " ".join(f"word{each}" for each in range(3_000))
    pieces = pieces_of(ADA, text)
    assert all(len(each.text) <= PIECE_CAP for each in pieces)
    assert "word2999" in indexed(pieces[-1])
    assert " ".join(each.text for each in pieces) == text


@pytest.mark.requirement("MEM-07")
def test_a_secret_in_a_file_reaches_no_index():
    (piece,) = pieces_of(ADA, "- the password=hunter2hunter2x opens it\n")
    assert "hunter2" not in piece.text


@pytest.mark.requirement("MEM-07")
def test_what_has_the_whole_word_comes_before_what_only_begins_with_it():
    assert (
        first("valid", "validation of input matters", "a valid input matters")
        == "a valid input matters"
    )


@pytest.mark.requirement("MEM-07")
def test_words_side_by_side_come_before_words_apart():
    apart = "bootstrap the whole of the service"
    together = "the service bootstrap of the whole"
    assert first("service bootstrap", apart, together) == together


@pytest.mark.requirement("MEM-07")
def test_the_rarer_word_tells_more():
    common = [f"store number {each}" for each in range(5)]
    query = read_query("store flock")._replace(any_word=True)
    best = ranked(query, [found(text) for text in (*common, "number of flock")], 10)[0]
    assert best.piece.text == "number of flock"


@pytest.mark.requirement("MEM-07")
def test_what_is_in_use_comes_before_what_was_archived_and_the_later_before_the_earlier():
    archived = found("mind the gap", RecallKind.ARCHIVED, day="2026-03-01")
    early, late = found("mind the gap", day="2026-01-01"), found("mind the gap", day="2026-02-01")
    assert ranked(read_query("gap"), [archived, early, late], 10) == [late, early, archived]


@pytest.mark.requirement("MEM-07")
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=600))
def test_a_snippet_is_short_and_shows_the_hit(text):
    whole = f"{text} needle {text}"
    shown = snippet(read_query("needle"), whole)
    assert len(shown) <= SNIPPET + 2
    assert "needle" in shown.casefold()


@pytest.mark.requirement("MEM-07")
@pytest.mark.parametrize(
    "within",
    [
        pytest.param(Within(kind="rumour"), id="kind"),
        pytest.param(Within(member='a" OR "b'), id="member"),
        pytest.param(Within(team="x' | 'y"), id="team"),
    ],
)
def test_what_can_name_nothing_is_refused(within):
    with pytest.raises(BadInput):
        within.checked()
