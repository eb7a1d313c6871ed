"""What a shell may know in more ways than one: a step that may not have run leaves both ways open.

A shell holds one way in its tables, and in `others` what else each name may be. Whoever reads a name
with other ways is followed once for each of them.
"""

from __future__ import annotations

from itertools import combinations, islice, product

from drumline.team.shell.effect import HOLE
from drumline.team.shell.syntax import Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    Place = tuple[str, Any]  # a table's name, and the name in it

FOLDER: Place = ("shell", "cwd")
ARGUMENTS: Place = ("shell", "positional")
LEFT: Place = ("shell", "been")
ABSENT = object()  # the way of a name that may not be there
MOST_WAYS = 8  # of one name, and of one step; beyond, the names are not known
_UNKNOWN: dict[str | Place, Any] = {
    ("shell", "cwd"): HOLE,
    ("shell", "positional"): (HOLE,),
    ("shell", "been"): (HOLE,),
    "functions": (Unreadable("which of its meanings a name has cannot be told"),),
}


class Choice:
    """A text that is one of several, and where it stands: another like it may be another of them."""

    __slots__ = ("_where", "ways")

    def __init__(self, where: object, ways: tuple[str, ...]) -> None:
        self._where, self.ways = where, ways

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Choice):
            return False
        return self._where is other._where and self.ways == other.ways

    def __hash__(self) -> int:
        return hash((id(self._where), self.ways))


class Moment:
    """All that a shell knows at one moment; its tables are its own."""

    __slots__ = ("others", "tables")

    def __init__(
        self, tables: dict[str, dict[Any, Any]], others: Mapping[Place, tuple[Any, ...]]
    ) -> None:
        self.tables, self.others = tables, dict(others)

    def at(self, place: Place) -> Any:
        return self.tables[place[0]].get(place[1], ABSENT)


def unknown(place: Place) -> Any:
    """What stands for a name of which nothing is known."""
    return _UNKNOWN.get(place, _UNKNOWN.get(place[0], HOLE))


def either(one: Moment | None, other: Moment | None) -> Moment | None:
    """What is known where one of two ways led: the first one's, and the other's as another way."""
    if one is None or other is None or one is other:
        return one or other
    others: dict[Place, tuple[Any, ...]] = {}
    for place in {*one.others, *other.others, *_unlike(one.tables, other.tables)}:
        first = one.at(place)
        also = (*one.others.get(place, ()), other.at(place), *other.others.get(place, ()))
        ways = without(first, also)
        if ways:
            others[place] = ways if len(ways) < MOST_WAYS else (unknown(place),)
    return Moment(one.tables, others)


def _unlike(
    one: Mapping[str, Mapping[Any, Any]], other: Mapping[str, Mapping[Any, Any]]
) -> Iterable[Place]:
    for table, names in one.items():
        if names != other[table]:
            for name in {*names, *other[table]}:
                if names.get(name, ABSENT) != other[table].get(name, ABSENT):
                    yield table, name


def without(first: object, ways: Iterable[Any]) -> tuple[Any, ...]:
    """Ways that differ from the first and from one another."""
    kept: list[Any] = []
    for way in ways:
        if way != first and way not in kept:
            kept.append(way)
        if len(kept) > MOST_WAYS:
            break  # who has as many is not known
    return tuple(kept)


def combined(asked: Mapping[Place, tuple[Any, ...]]) -> list[dict[Place, Any]]:
    """Every way to take these names together but the first of each.

    Of too many those are left in which one or two names are not as first, and one in which none is known.
    """
    number = 1
    for ways in asked.values():
        number *= len(ways)
    if number > MOST_WAYS:
        return [
            *islice(_few_changed(asked), MOST_WAYS),
            {each: unknown(each) for each in asked},
        ]
    taken = [dict(zip(asked, each, strict=True)) for each in product(*asked.values())]
    return taken[1:]


def _few_changed(asked: Mapping[Place, tuple[Any, ...]]) -> Iterator[dict[Place, Any]]:
    first = {place: ways[0] for place, ways in asked.items()}
    for number in (1, 2):
        for places in combinations(asked, number):
            for each in product(*(asked[place][1:] for place in places)):
                yield {**first, **dict(zip(places, each, strict=True))}
