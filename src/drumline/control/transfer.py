"""Handing on what was learnt: to a new member from those whose work is like its own, and from one that left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from drumline.control.lessons import (
    Memory,
    Written,
    archive,
    hand_on,
    known,
    prune,
    tell,
    uses_of,
)
from drumline.team.learning import known_as, learnings_file, learnings_in, tokens
from drumline.team.notebook import Notebook
from drumline.team.related_work import most_used
from drumline.team.remembering import begun, begun_with, notes_in, pages_of

GIVEN_ON = "given on to {}, when its member left"
ITS_AUTHORS = "only its author {} was there to take it, when its member left"


def seed(memory: Memory, member: str, related: Iterable[str] = ()) -> list[Written]:
    """Give a new member its notebook, with what related members use most, as notes from them.

    All of it comes in one change: who is cut off leaves no notebook, or a whole one.
    """
    pages = [page for other in related for page in _best(memory, other)]
    there, done = list(known(memory, member)), list[Written]()
    for (own,) in map(learnings_in, pages):
        same = known_as(own.text, there)
        done.append(Written((same or own).id, member, new=same is None))
        there.append(own)
    memory.notebooks.edit(learnings_file(member), partial(begun, member, pages))
    memory.store.do(tell, member, "memory.seeded", member)
    prune(memory, member)
    return done


def redistribute(memory: Memory, member: str, heirs: Mapping[str, str]) -> list[Written]:
    """Give on the notes of a member that left, each to whom it has most to do with, but for who wrote it.

    `heirs` tells of each remaining member what its work is about. A note keeps its day, for its time runs
    on; the rest of the notebook stays.
    """
    done: list[Written] = []
    for page in notes_in(memory.notebooks.read(learnings_file(member)), member) if heirs else ():
        (each,) = learnings_in(page)
        author = each.entry.sender
        others = sorted(heirs.keys() - {author})
        if not others:
            archive(memory, member, {each.id: ITS_AUTHORS.format(author)})
            continue
        heir = max(others, key=lambda name: _nearness(each.text, heirs[name]))
        done.append(hand_on(memory, heir, page))
        archive(memory, member, {each.id: GIVEN_ON.format(heir)})
    for heir in {each.member for each in done}:
        prune(memory, heir)
    return done


def _best(memory: Memory, other: str) -> Iterator[Notebook]:
    """What a related member uses most, each as a note from it that came today."""
    there, today = known(memory, other), memory.today()
    uses = memory.store.ask(uses_of, other, [each.id for each in there])
    best = [each.id for each in most_used(there, uses, memory.keeping)]
    pages = pages_of(memory.notebooks.read(learnings_file(other)), best)
    return (begun_with(pages[each], other, today) for each in best if each in pages)


def _nearness(text: str, work: str) -> int:
    return len(set(tokens(text)) & set(tokens(work)))
