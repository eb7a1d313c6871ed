"""What is new between two versions of a context, and when a member is sent everything instead."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import takewhile
from typing import NamedTuple

from drumline.team.context import Holding, Section, WholeWhen
from drumline.team.context_form import escaped
from drumline.team.wording_fields import Delta as Named

MOST_PAIRS = 2_500  # of lines that are compared each with each: beyond, that takes too long


class Change(StrEnum):
    """What became of a section."""

    ADDED = "added"
    CHANGED = "changed"  # some of its lines
    REMOVED = "removed"
    REPLACED = "replaced"  # as a whole, or moved to another place


class Edit(NamedTuple):
    """Lines that took the place of others; `line` counts from 1 in the older text."""

    line: int
    gone: tuple[str, ...]
    come: tuple[str, ...]


class Item(NamedTuple):
    """One thing a member is to take in."""

    change: Change
    name: str
    text: str = ""
    edits: tuple[Edit, ...] = ()


class Delta(NamedTuple):
    """All that is new, and the order in which the sections now stand."""

    items: tuple[Item, ...]
    order: tuple[str, ...]

    def named(self) -> Named:
        """The items by name, as the head line of a letter has them."""
        names = {
            change.value: tuple(each.name for each in self.items if each.change is change)
            for change in Change
        }
        return Named(**names)


def delta(old: Sequence[Section], new: Sequence[Section]) -> Delta:
    """What turns the old sections into the new ones."""
    before, after = dict(old), dict(new)
    moved = _moved(before, after)
    items = [
        _item(each, before.get(each.name), moved=each.name in moved)
        for each in new
        if before.get(each.name) != each.text or each.name in moved
    ]
    items += [Item(Change.REMOVED, name) for name in before if name not in after]
    return Delta(tuple(items), tuple(after))


def whole_when(
    holding: Holding, version: int, news: Delta, old: Sequence[Section]
) -> WholeWhen | None:
    """Why a member must be sent the whole text; none where what is new will do."""
    if holding.needs is not None:
        return holding.needs
    if version - holding.held > 1:
        return WholeWhen.BEHIND
    sections = {*news.order, *(each.name for each in old)}
    if len(news.items) * 2 > len(sections):
        return WholeWhen.MOST_CHANGED
    return None


def told(news: Delta) -> str:
    """What is new, for whoever is to take it in."""
    return "\n".join(
        f"## {each.change.upper()}: {each.name}\n\n{_words(each)}\n" for each in news.items
    )


def _words(item: Item) -> str:
    if item.change is Change.REMOVED:
        return "It no longer holds."
    return "\n".join(_edit_lines(item)) if item.edits else escaped(item.text)


def _edit_lines(item: Item) -> Iterator[str]:
    for edit in item.edits:
        yield f"@ line {edit.line}"
        yield from (f"- {line}" for line in edit.gone)
        yield from (f"+ {line}" for line in edit.come)


def _moved(before: dict[str, str], after: dict[str, str]) -> frozenset[str]:
    """The sections that stand in another order than they did."""
    was = [name for name in before if name in after]
    now = [name for name in after if name in before]
    return frozenset(name for name, other in zip(now, was, strict=True) if name != other)


def _item(new: Section, old: str | None, *, moved: bool) -> Item:
    if old is None:
        return Item(Change.ADDED, new.name, new.text)
    edits = () if moved else _edits(old, new.text)
    item = Item(Change.CHANGED, new.name, edits=edits)
    if not edits or len(_words(item)) >= len(new.text):
        return Item(Change.REPLACED, new.name, new.text)
    return item


def _edits(old: str, new: str) -> tuple[Edit, ...]:
    """What changed line by line, between what both begin and end with."""
    was, now = old.split("\n"), new.split("\n")
    start = _alike(was, now)
    end = _alike(was[start:][::-1], now[start:][::-1])
    gone, come = was[start : len(was) - end], now[start : len(now) - end]
    if len(gone) * len(come) > MOST_PAIRS:
        return (Edit(start + 1, tuple(gone), tuple(come)),)
    steps = SequenceMatcher(None, gone, come, autojunk=False).get_opcodes()
    return tuple(
        Edit(start + first + 1, tuple(gone[first:last]), tuple(come[new_first:new_last]))
        for what, first, last, new_first, new_last in steps
        if what != "equal"
    )


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
