"""A learning: something a member wrote down for its later lives, and how it is told from others.

What a learning says is its name: the id follows from its words, so no file needs a mark for it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from hashlib import blake2b
from typing import NamedTuple
from unicodedata import normalize

from drumline.team.keeping import Keeping
from drumline.team.notebook import Entry, Notebook
from drumline.team.reflection import Category

HEADINGS: Mapping[Category, str] = {
    Category.CODEBASE_PATTERN: "Codebase Patterns",
    Category.GOTCHA: "Gotchas",
    Category.PREFERENCE: "Preferences",
    Category.CROSS_AGENT: "Cross-Agent Notes",
}
NOTES = HEADINGS[Category.CROSS_AGENT]
FOLDER = "memory"
DECISIONS = f"{FOLDER}/team/decisions.md"
HISTORY = f"{FOLDER}/team/retro-history.md"

LIKE = 0.6  # from here on two learnings may say one thing, and somebody should look
CLOSE = 0.75  # from here on words that add nothing are not written down again
ECHO = 0.7  # so much of a learning in what a member did shows that it was used
LEAST = 3  # words, below which an echo shows nothing

_STRANGE = re.compile("[`\"'\u2018-\u201e\u00ab\u00bb]+")
_STRESSED = re.compile(r"(?<![\w*~])(\*{1,3}|_{1,3}|~~)(?=\S)(.{1,300}?)(?<=\S)\1(?![\w*~])")
_WORD = re.compile(r"\w+")
_PART = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff]{2,}")  # scripts that put no blanks between words
_SMALL = """
    a an and are as at be by do does for from has have if in is it its of on or so than that the their then
    there these this to was were when which with you your
"""
_DENYING = """
    avoid cannot disable disabled except forbid forbidden instead neither never no nobody none nor not nothing
    only refuse stop unless without
    ohne kein keine nicht nie niemand  jamais ne pas sans  non mai  ni nunca sin
"""  # a learning and its contrary share every other word, whatever a team speaks
_EMPTY, _DENIES = frozenset(_SMALL.split()), frozenset(_DENYING.split())


class Learning(NamedTuple):
    """An entry of a member's notebook, with the id that follows from its words."""

    id: str
    entry: Entry

    @property
    def text(self) -> str:
        return self.entry.text

    @property
    def note(self) -> bool:
        """Whether another member sent it, and it was not settled yet."""
        return self.entry.section.casefold() == NOTES.casefold()


class Use(NamedTuple):
    """How often a learning was used, in how many runs, and when last."""

    references: int = 0
    runs: int = 0
    last: datetime | None = None


UNUSED = Use()
Uses = Mapping[str, Use]


class Tiers(NamedTuple):
    """A member's learnings by how much they are used: told always, told by task, too many."""

    always: tuple[Learning, ...]
    by_task: tuple[Learning, ...]
    too_many: tuple[Learning, ...]


def learnings_file(member: str) -> str:
    return f"{FOLDER}/agents/{member}/learnings.md"


def archive_file(member: str) -> str:
    return f"{FOLDER}/agents/{member}/archive.md"


def normalised(text: str) -> str:
    """What two writings of one thing have in common: no case, marks, or blanks more than needed."""
    words = _STRESSED.sub(r"\2", _STRANGE.sub("", normalize("NFKC", text))).casefold()
    return (
        " ".join(words.split()).rstrip(" .!;,:") or text.strip()
    )  # of marks alone all are told apart


def learning_id(text: str) -> str:
    """A short name that follows from the words."""
    digest = blake2b(normalised(text).encode("utf-8", "surrogatepass"), digest_size=5).digest()
    number = int.from_bytes(digest, "big")
    letters = "abcdefghijkmnpqrstuvwxyz23456789"  # none that is easily taken for another
    return "L-" + "".join(letters[number >> 5 * at & 31] for at in range(7, -1, -1))


def learnings_in(notebook: Notebook) -> tuple[Learning, ...]:
    """What a notebook holds, in its order."""
    return tuple(Learning(learning_id(entry.text), entry) for entry in notebook.entries)


def tokens(text: str) -> list[str]:
    """The words that tell, in their order, each in a plain form."""
    found: list[str] = []
    for word in _WORD.findall(
        normalize("NFKC", text).replace("\u2019", "'").replace("n't", " not")
    ):
        found += (plain for part in _PART.split(word) if (plain := _plain(part)))
    for run in _DENSE.findall(text):
        found += (run[at : at + 2] for at in range(len(run) - 1))
    return found


def likeness(one: str, other: str) -> float:
    """How much two learnings have in common: of all their words so many are in both."""
    first, second = set(tokens(one)), set(tokens(other))
    together = first | second
    return len(first & second) / len(together) if together else 0.0


def adds_nothing(new: str, known: str) -> bool:
    """Whether a learning says no more than one that is known: close to it, in its order, no word besides."""
    if learning_id(new) == learning_id(known):
        return True
    first, second = list(dict.fromkeys(tokens(new))), list(dict.fromkeys(tokens(known)))
    if (
        not first
        or len(first) < CLOSE * len(second)
        or _DENIES & set(first) != _DENIES & set(second)
    ):
        return False
    return first == [word for word in second if word in set(first)]


def known_as(text: str, known: Iterable[Learning]) -> Learning | None:
    """The learning that says this already, if one does; the very same words come first."""
    there = list(known)
    own = learning_id(text)
    same = next((each for each in there if each.id == own), None)
    return same or next((each for each in there if adds_nothing(text, each.text)), None)


def echoed(learning: str, output: frozenset[str]) -> bool:
    """Whether what a member did speaks of a learning."""
    words = set(tokens(learning))
    return len(words) >= LEAST and len(words & output) >= ECHO * len(words)


def tiers(learnings: Sequence[Learning], uses: Uses, keeping: Keeping) -> Tiers:
    """Which learnings are told always, which by task, and which are more than a file may have."""
    ranked = sorted(learnings, key=lambda each: _rank(each, uses), reverse=True)
    often = [each for each in ranked if _use(each, uses).references >= keeping.core_references]
    always, left = _within(often, keeping.core_lines)
    by_task, too_many = _within([*left, *ranked[len(often) :]], keeping.task_lines)
    return Tiers(tuple(always), tuple(by_task), tuple(too_many))


def by_relevance(learnings: Iterable[Learning], about: frozenset[str]) -> list[Learning]:
    """Learnings in the order of what they have to do with a task; rare words weigh more."""
    words = {each: frozenset(tokens(each.text)) for each in learnings}
    often: dict[str, int] = {}
    for said in words.values():
        for word in said & about:
            often[word] = often.get(word, 0) + 1
    weight = {each: sum(1 / often[word] for word in said & about) for each, said in words.items()}
    return sorted(words, key=lambda each: -weight[each])


def is_stale(learning: Learning, use: Use, today: date, keeping: Keeping) -> bool:
    """Whether nobody used a learning for its time; one without a date is never old."""
    days = [learning.entry.added, use.last.date() if use.last else None]
    known = [day for day in days if day is not None]
    return bool(known) and today - max(known) > keeping.stale_after


def is_confirmed(use: Use, keeping: Keeping) -> bool:
    """Whether a learning held in so many runs that it may become a rule."""
    return use.runs >= keeping.confirmed_runs


def is_overdue(learning: Learning, today: date, keeping: Keeping) -> bool:
    """Whether a note from another member should have been settled by now."""
    added = learning.entry.added
    return learning.note and added is not None and today - added > keeping.notes_within


def _within(learnings: Iterable[Learning], cap: int) -> tuple[list[Learning], list[Learning]]:
    """Those that together have no more than so many lines, the first ones first; and the others."""
    inside: list[Learning] = []
    outside: list[Learning] = []
    room = cap
    for each in learnings:
        if each.entry.lines <= room:
            room -= each.entry.lines
            inside.append(each)
        else:
            outside.append(each)
    return inside, outside


def _rank(learning: Learning, uses: Uses) -> tuple[int, date, int]:
    """What is used more, then what is newer, then what stands further down comes first."""
    added = learning.entry.added or date.max  # a line without a date was written by a person
    return _use(learning, uses).references, added, learning.entry.first


def _use(learning: Learning, uses: Uses) -> Use:
    return uses.get(learning.id, UNUSED)


def _plain(word: str) -> str:
    low = word.casefold()
    if low in _EMPTY:
        return ""
    return low[:-1] if len(low) > 3 and low.endswith("s") and not low.endswith("ss") else low  # noqa: PLR2004 - a plural
