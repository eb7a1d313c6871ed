"""A retrospective of what was learnt: what is merged, archived, promoted or settled, decided from counts.

What follows from dates and counts alone needs nobody. That two learnings say one thing, or that one
should be everybody's rule, is for whoever leads to say.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from enum import StrEnum
from functools import partial
from itertools import groupby
from typing import NamedTuple

from drumline.team.alike import nearest_later
from drumline.team.keeping import Keeping
from drumline.team.learning import (
    HEADINGS,
    HISTORY,
    LIKE,
    UNUSED,
    Learning,
    Use,
    Uses,
    adds_nothing,
    archive_file,
    is_confirmed,
    is_overdue,
    is_stale,
    learning_id,
    learnings_file,
    learnings_in,
    tiers,
)
from drumline.team.notebook import Notebook, ended, stamped, unsigned
from drumline.team.reflection import Category
from drumline.team.remembering import (
    FULL,
    moved,
    other_writings,
    pages_of,
    stays,
    with_archived,
    without,
    without_twins,
)

RULES = ".claude/rules/team-learnings.md"
RULES_TITLE = (
    "# What this team learnt\n\nPromoted from members' notebooks, after a leader's word.\n"
)
HISTORY_TITLE = "# Retrospectives\n"
PATTERNS = HEADINGS[Category.CODEBASE_PATTERN]

Change = Callable[[str], str]


class Deed(StrEnum):
    """What happens to a learning."""

    UNDOUBLE = "undouble"  # it stands there twice, in the same words
    SETTLE = "settle"  # a note that was acted on becomes a learning of its own
    ARCHIVE = "archive"
    PROMOTE = "promote"
    MERGE = "merge"


LEAVING = frozenset({Deed.ARCHIVE, Deed.PROMOTE, Deed.MERGE})


class Step(NamedTuple):
    """One deed to one learning; `into` is the id of the learning that takes it in.

    What is not `certain` is done only when whoever leads says so.
    """

    deed: Deed
    member: str
    learning: str
    text: str
    why: str
    into: str = ""
    certain: bool = True

    @property
    def key(self) -> str:
        return f"{self.deed}/{self.member}/{self.learning}" + (f"/{self.into}" if self.into else "")


class Shelf(NamedTuple):
    """What a retrospective knows of one member's notebook."""

    member: str
    known: tuple[Learning, ...]
    uses: Uses
    keeping: Keeping
    today: date

    def use(self, learning: Learning) -> Use:
        return self.uses.get(learning.id, UNUSED)

    def undoubled(self) -> "Shelf":
        same: dict[str, list[Learning]] = {}
        for each in self.known:
            same.setdefault(each.id, []).append(each)
        return self._replace(known=tuple(map(stays, same.values())))

    def left(self, gone: Iterable[str]) -> "Shelf":
        out = set(gone)
        return self._replace(known=tuple(each for each in self.known if each.id not in out))


def steps_for(shelf: Shelf, said: Callable[[Step], bool]) -> list[Step]:
    """What is to be done to a notebook; `said` tells whether the lead wants what is not certain."""
    steps = list(_twins(shelf))
    single = shelf.undoubled()
    for find in (_notes, _stale, _promotions, _merges):
        gone = {each.learning for each in steps if each.deed is not Deed.UNDOUBLE}
        kept = {each.into for each in steps}
        found = [each for each in find(single.left(gone)) if each.learning not in kept]
        steps += [each for each in found if each.certain or said(each)]
    left = {each.learning for each in steps if each.deed in LEAVING}
    return [*steps, *_too_many(single.left(left))]  # of all that stays: a cap knows no exception


def together(steps: Iterable[Step]) -> list[list[Step]]:
    """Steps in their order, those beside each other that take learnings out of one notebook as one."""
    return [
        some
        for (_, leaves), group in groupby(steps, lambda step: (step.member, step.deed in LEAVING))
        for some in ([list(group)] if leaves else [[step] for step in group])
    ]


def changes(some: Sequence[Step], text: str, today: date) -> Iterator[tuple[str, Change]]:
    """What steps that go together do to which files, in the order in which nothing is ever nowhere."""
    step = some[0]
    own = learnings_file(step.member)
    if step.deed is Deed.UNDOUBLE:
        if others := other_writings(step.learning, text):
            leaving = [(others, step.why)]
            yield archive_file(step.member), partial(with_archived, step.member, leaving, today)
        yield own, partial(without_twins, step.learning)
        return
    if step.deed is Deed.SETTLE:
        yield own, partial(moved, step.learning, PATTERNS)
        return
    pages = pages_of(text, (each.learning for each in some))
    there = [each for each in some if each.learning in pages]
    if not there:
        return
    for each in there:
        if each.deed is Deed.PROMOTE:
            yield RULES, partial(_promoted, each, pages[each.learning], today)
    leaving = [(pages[each.learning], _reason(each)) for each in there]
    yield archive_file(step.member), partial(with_archived, step.member, leaving, today)
    yield own, partial(without, pages.keys())


def with_history(steps: Iterable[Step], today: date, text: str) -> str:
    """The history of retrospectives with what this one did."""
    notebook = Notebook(text or HISTORY_TITLE)
    here = (entry for entry in notebook.entries if entry.section == str(today))
    known = {learning_id(entry.text) for entry in here}
    said = (f"{step.member} {step.deed} {step.learning}: {step.why}" for step in steps)
    new = {learning_id(words): f"- {words}" for words in said}
    lines = [line for own, line in new.items() if own not in known]
    return notebook.with_entry(str(today), "\n".join(lines)).text if lines else text


def touched(steps: Iterable[Step]) -> list[str]:
    """The files that steps may change, each once."""
    found: dict[str, None] = {}
    for step in steps:
        found |= dict.fromkeys((archive_file(step.member), learnings_file(step.member)))
        if step.deed is Deed.PROMOTE:
            found[RULES] = None
    return [*found, HISTORY]


def _twins(shelf: Shelf) -> Iterator[Step]:
    seen: set[str] = set()
    told: set[str] = set()
    for each in shelf.known:
        if each.id in seen and each.id not in told:
            told.add(each.id)
            yield _step(Deed.UNDOUBLE, shelf, each, "it stands there twice")
        seen.add(each.id)


def _notes(shelf: Shelf) -> Iterator[Step]:
    """Notes from others whose time is over: merged, acted on, or discarded."""
    days = shelf.keeping.note_days
    for each in (one for one in shelf.known if is_overdue(one, shelf.today, shelf.keeping)):
        same = next(
            (x for x in shelf.known if not x.note and adds_nothing(each.text, x.text)), None
        )
        if same is not None:
            step = _step(Deed.ARCHIVE, shelf, each, f"merged: {same.id} says it")
            yield step._replace(into=same.id)
        elif shelf.use(each).references:
            yield _step(Deed.SETTLE, shelf, each, "acted on: its reader used it")
        else:
            yield _step(Deed.ARCHIVE, shelf, each, f"discarded: not used within {days} days")


def _stale(shelf: Shelf) -> Iterator[Step]:
    why = f"not used for {shelf.keeping.stale_days} days"
    for each in shelf.known:
        if not each.note and is_stale(each, shelf.use(each), shelf.today, shelf.keeping):
            yield _step(Deed.ARCHIVE, shelf, each, why)


def _promotions(shelf: Shelf) -> Iterator[Step]:
    for each in shelf.known:
        use = shelf.use(each)
        if is_confirmed(use, shelf.keeping):
            since = each.entry.added or "a day nobody noted"
            why = f"learnt by {shelf.member} on {since}, used {use.references} times in {use.runs} runs"
            yield _step(Deed.PROMOTE, shelf, each, why)._replace(certain=False)


def _merges(shelf: Shelf) -> Iterator[Step]:
    """Learnings that may say one thing: the one used more, then the one that says more, takes the other in."""
    ranked = sorted(shelf.known, key=lambda one: (shelf.use(one).references, len(one.text)))
    for at, other in nearest_later([each.text for each in ranked], LIKE):
        each, best = ranked[at], ranked[other]
        if not each.note:
            step = _step(Deed.MERGE, shelf, each, f"merged into {best.id}: {best.text}")
            yield step._replace(into=best.id, certain=adds_nothing(each.text, best.text))


def _too_many(shelf: Shelf) -> Iterator[Step]:
    for each in tiers(shelf.known, shelf.uses, shelf.keeping).too_many:
        yield _step(Deed.ARCHIVE, shelf, each, FULL)


def _step(deed: Deed, shelf: Shelf, learning: Learning, why: str) -> Step:
    return Step(deed, shelf.member, learning.id, learning.text, why)


def _reason(step: Step) -> str:
    return f"promoted to {RULES}" if step.deed is Deed.PROMOTE else step.why


def _promoted(step: Step, page: Notebook, today: date, text: str) -> str:
    """The rules with one more as it was written, and where it comes from behind it."""
    notebook = Notebook(text or RULES_TITLE)
    if any(each.id == step.learning for each in learnings_in(notebook)):
        return text
    said = stamped(promoted=today.isoformat(), why=f"{step.learning}, {step.why}")
    return notebook.with_entry("Promoted", ended(unsigned(page.raw(page.entries[0])), said)).text
