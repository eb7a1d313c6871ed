"""Deviations: where work differs from the design that was approved, how grave that is, and what follows."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

WHAT_CAP = 500


class Grave(StrEnum):
    """How much of the design a deviation touches."""

    COSMETIC = "cosmetic"
    INTERFACE = "interface change"
    ARCHITECTURE = "architecture change"


class Follows(StrEnum):
    """What is done about a deviation."""

    LOG = "it is logged"
    REBRIEF = "those affected are briefed again"
    REPLAN = "everyone is briefed again, and the work is planned anew"


CONSEQUENCES: Mapping[Grave, Follows] = {
    Grave.COSMETIC: Follows.LOG,
    Grave.INTERFACE: Follows.REBRIEF,
    Grave.ARCHITECTURE: Follows.REPLAN,
}


class Deviation(NamedTuple):
    """One difference, and the members it touches: who made it and who builds on it."""

    grave: Grave
    what: str
    members: tuple[str, ...] = ()

    @property
    def follows(self) -> Follows:
        return CONSEQUENCES[self.grave]


class Recorded(NamedTuple):
    """A deviation as a run remembers it."""

    run: str
    number: int
    deviation: Deviation
    author: str
    found_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """What a member's handoff says it did: the interfaces it provides, and those it builds on.

    An interface is a name and its shape, such as `parse` and `(text) -> Draft`.
    """

    member: str
    provides: Mapping[str, str] = field(default_factory=dict)
    uses: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """What was approved: the shape of each interface."""

    interfaces: Mapping[str, str] = field(default_factory=dict)


def compared(
    design: Design, indexes: Iterable[Index], *, complete: bool = False
) -> list[Deviation]:
    """How members' work differs from the design and from each other's, gravest first.

    Before all handoffs are there, what nobody provides yet may still come; `complete` says they are.
    """
    found = sorted(indexes, key=lambda each: each.member)
    all_of_them = [
        *_shapes(design, found),
        *(_missing(design, found) if complete else ()),
    ]
    gravest = list(Grave)[::-1]
    return sorted(all_of_them, key=lambda each: gravest.index(each.grave))


def _shapes(design: Design, indexes: list[Index]) -> Iterator[Deviation]:
    """Interfaces that have more than one shape, counting the one that was approved."""
    told: dict[str, list[tuple[str, str]]] = {}
    for each in indexes:
        for name, shape in (*each.provides.items(), *each.uses.items()):
            told.setdefault(name, []).append((each.member, shape))
    for name, said in sorted(told.items()):
        approved = design.interfaces.get(name)
        shapes = {shape for _, shape in said} | ({approved} if approved is not None else set())
        if len(shapes) > 1:
            alike = len({"".join(each.split()) for each in shapes}) == 1
            shown = ", ".join(sorted(repr(each) for each in shapes))
            how = "is written in several ways" if alike else "has several shapes"
            grave = Grave.COSMETIC if alike else Grave.INTERFACE
            yield _deviation(grave, f"{name} {how}: {shown}", said)


def _missing(design: Design, indexes: list[Index]) -> Iterator[Deviation]:
    """Interfaces that were approved, or are built on, and that nobody provides."""
    provided = {name for each in indexes for name in each.provides}
    wanted = {*design.interfaces, *(name for each in indexes for name in each.uses)}
    for name in sorted(wanted - provided):
        users = [(each.member, "") for each in indexes if name in each.uses]
        if name in design.interfaces or users:
            yield _deviation(Grave.ARCHITECTURE, f"nobody provides {name}", users)


def _deviation(grave: Grave, what: str, said: Iterable[tuple[str, str]]) -> Deviation:
    words = what if len(what) <= WHAT_CAP else f"{what[: WHAT_CAP - 1]}…"
    return Deviation(grave, words, tuple(sorted({member for member, _ in said})))
