"""Recall: what a team and its neighbours wrote down, cut into pieces, found by words, the best first."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import groupby, pairwise
from math import log
from typing import NamedTuple

from drumline.errors import BadInput
from drumline.team.learning import DECISIONS, FOLDER, HISTORY, learning_id
from drumline.team.notebook import Kind, Notebook
from drumline.team.recall_words import Query, hit, words_of
from drumline.team.secrets import redact
from drumline.team.text import checked_name, is_name, one_line

PIECE_CAP = 4_000  # characters of one piece that are kept and shown
SNIPPET = 200
BEFORE_HIT = 60
HEADING_CAP = 200

_DAY = re.compile(r"\((?:added|decided|archived|promoted):\s*(\d{4}-\d{2}-\d{2})")
_AGENT = re.compile(rf"{FOLDER}/agents/([^/]+)/([^/]+)\.md")


class RecallKind(StrEnum):
    """What sort of memory a piece is from."""

    LEARNING = "learning"
    ARCHIVED = "archived"
    DECISION = "decision"
    RETRO = "retro"
    RULE = "rule"
    HANDOFF = "handoff"
    NOTE = "note"
    OTHER = "other"


NAMED = frozenset({RecallKind.LEARNING, RecallKind.ARCHIVED})
WORTH = {RecallKind.ARCHIVED: 0.7, RecallKind.OTHER: 0.8, RecallKind.HANDOFF: 0.9}
_KINDS = {"learnings": RecallKind.LEARNING, "archive": RecallKind.ARCHIVED}
_TEAM_FILES = {
    DECISIONS: RecallKind.DECISION,
    HISTORY: RecallKind.RETRO,
}


class Piece(NamedTuple):
    """One thing that can be found: an entry, a paragraph, a member's handoff; `name` is a learning's id."""

    kind: RecallKind
    member: str
    line: int
    heading: str
    day: str
    name: str
    text: str


class Found(NamedTuple):
    """A piece that was found, where it stands, and its words with a blank before and after each."""

    team: str
    place: str
    path: str
    piece: Piece
    words: str


class Within(NamedTuple):
    """Where to look; what is empty limits nothing."""

    kind: str = ""
    member: str = ""
    team: str = ""

    def checked(self) -> "Within":
        """The same, or a refusal of what can name no team, member or kind."""
        if self.kind and self.kind not in list(RecallKind):
            kinds = ", ".join(RecallKind)
            raise BadInput(f"{self.kind[:80]!r} is no kind of memory", next=f"one of: {kinds}")
        for name, what in ((self.member, "the member's name"), (self.team, "the team's name")):
            if name:
                checked_name(name, what)
        return self


def kind_of(path: str) -> tuple[RecallKind, str]:
    """What a memory file holds, and whose it is."""
    if found := _AGENT.fullmatch(path):
        return _KINDS.get(found[2], RecallKind.OTHER), found[1] if is_name(found[1]) else ""
    if path.startswith(".claude/rules/"):
        return RecallKind.RULE, ""
    return _TEAM_FILES.get(path, RecallKind.OTHER), ""


def pieces_of(path: str, text: str) -> list[Piece]:
    """A memory file in pieces: each entry with the lines that belong to it, each paragraph, nothing left out."""
    kind, member = kind_of(path)
    notebook, found = Notebook(text), []
    names = {entry.first: learning_id(entry.text) for entry in notebook.entries}
    for first, heading, said in _paragraphs(notebook):
        day = _DAY.search(said)
        name = names.get(first, "") if kind in NAMED else ""
        kept = one_line(redact(said), len(said))
        where = (first + 1, one_line(redact(heading), HEADING_CAP), day[1] if day else "", name)
        found += [Piece(kind, member, *where, part) for part in _parted(kept)]
    return found


def ranked(query: Query, found: Sequence[Found], most: int) -> list[Found]:
    """The best of what was found: more of the words, the rarer ones, side by side, in fewer other words."""
    weights = _weights(query, found)
    scored = sorted(
        found,
        key=lambda each: (_score(query, weights, each), each.piece.day, each.piece.line),
        reverse=True,
    )
    return scored[:most]


def snippet(query: Query, text: str) -> str:
    """The part of a text that a query found, on one line."""
    at = hit(query, text)
    start = max(0, (at[0] if at else 0) - BEFORE_HIT)
    if len(text) - start < SNIPPET:
        start = max(0, len(text) - SNIPPET)
    cut = text[start : start + SNIPPET]
    left = "…" if start else ""
    return f"{left}{cut}{'…' if start + SNIPPET < len(text) else ''}"


def indexed(piece: Piece) -> tuple[str, ...]:
    """The words that find a piece: its own, its heading's and its member's."""
    return tuple(words_of(f"{piece.text} {piece.heading} {piece.member}"))


def _weights(query: Query, found: Sequence[Found]) -> dict[str, float]:
    """How much each word tells: one that stands everywhere tells little."""
    weights = {}
    for word in query.words:
        count = sum(f" {word}" in each.words for each in found)
        weights[word] = 1 + log(1 + len(found) / (1 + count))
    return weights


def _score(query: Query, weights: dict[str, float], found: Found) -> float:
    words = found.words
    total = 0.0
    for word in query.words:
        if f" {word} " in words:
            total += 2 * weights[word]
        elif f" {word}" in words:
            total += weights[word]
    total += sum(f" {one} {other} " in words for one, other in pairwise(query.words))
    return total * WORTH.get(found.piece.kind, 1.0) / (1 + log(1 + words.count(" ") / 20))


def _paragraphs(notebook: Notebook) -> Iterator[tuple[int, str, str]]:
    """Each stretch of words: its first line, the headings it stands under, and what it says."""
    lines = [line.rstrip("\r\n") for line in notebook.lines]
    headings: list[str] = []
    for prose, group in groupby(notebook.blocks, lambda block: block.kind is Kind.PROSE):
        blocks = list(group)
        if prose:
            first, end = blocks[0].first, blocks[-1].end
            yield first, _under(headings), "\n".join(lines[first:end])
            continue
        for block in blocks:
            if block.kind is Kind.HEADING:
                headings = _entered(headings, block.level, block.title)
            elif block.kind is not Kind.BLANK:
                said = "\n".join(lines[block.first : block.end])
                yield block.first, _under(headings), said.removeprefix("- ")


def _entered(headings: Sequence[str], level: int, title: str) -> list[str]:
    above = [*headings[: level - 1], *[""] * (level - 1 - len(headings))]
    return [*above, title]


def _under(headings: Sequence[str]) -> str:
    """The headings below the file's own title."""
    return " > ".join(filter(None, headings[1:]))


def _parted(text: str) -> Iterator[str]:
    """A long text in parts that can each be kept, cut between words."""
    while len(text) > PIECE_CAP:
        cut = text.rfind(" ", PIECE_CAP // 2, PIECE_CAP)
        cut = cut if cut > 0 else PIECE_CAP
        yield text[:cut]
        text = text[cut:].strip()
    if text:
        yield text
