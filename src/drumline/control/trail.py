"""The audit trail: seal what is finished, prove that nothing was changed, ask who used what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from drumline.control import tool_use
from drumline.control.roster import living
from drumline.errors import NotAllowed, StoreTrouble
from drumline.team.actor import Actor, Role
from drumline.team.journal import Event
from drumline.team.seal import Measure, Seal, Verdict, faults, read_seal
from drumline.team.trail import Entry, Use, Wanted, phases, whole
from drumline.team.trail import tool_use as trail_use
from drumline.team.volume import Volume

if TYPE_CHECKING:
    from drumline.control.ports import Store, Transaction

SEALED = "audit.sealed"
PAGE = 1000


class Place(NamedTuple):
    """How far a reader came: which file, counted from the first, and how many of its bytes."""

    number: int
    offset: int


class Page(NamedTuple):
    """Lines of the trail, oldest first; `unreadable` counts those that are none of ours."""

    entries: Sequence[Entry]
    place: Place
    unreadable: int = 0


class Trail(Protocol):
    """The files of one repository's audit trail."""

    folder: str
    home: str

    def segments(self) -> list[str]: ...
    def highest(self) -> int: ...
    def measure(self, segment: str) -> Measure | None: ...
    def harden(self, segment: str) -> None: ...
    def growing_lines(self) -> int: ...
    def rotate(self) -> bool: ...
    def newest(self, wanted: Wanted, most: int) -> Page: ...
    def after(self, place: Place, wanted: Wanted) -> Page: ...
    def entries(self, wanted: Wanted) -> Iterator[Entry]: ...
    def volume(self) -> Volume: ...


class Seals(NamedTuple):
    """The seals the log tells of one repository, and how far the log was read."""

    by_segment: Mapping[str, Seal] = MappingProxyType({})
    cursor: str = ""


NOTHING_READ = Seals()


def seal(store: Store, actor: Actor | str, trail: Trail, known: Seals = NOTHING_READ) -> list[Seal]:
    """Put the digest of every finished segment into the event log, once each.

    The files are read while nobody waits for the store; whoever seals again and again keeps `known`,
    so that the log is not read from its beginning each time.
    """
    store.ask(may_seal, actor)
    known = store.ask(seals, trail.home, known)
    found = [
        Seal(segment, measure, trail.home)
        for segment in trail.segments()
        if segment not in known.by_segment and (measure := _hardened(trail, segment))
    ]
    return store.do(record, actor, found, known) if found else []


def rotate_and_seal(store: Store, actor: Actor | str, trail: Trail) -> list[Seal]:
    """Seal everything written so far: the growing file becomes a segment first."""
    store.ask(may_seal, actor)
    if not trail.rotate():
        raise StoreTrouble(
            f"{trail.folder} cannot be turned over",
            why="it cannot be written, or another process keeps its lock",
            next=f"look at it: ls -l {trail.folder}",
        )
    return seal(store, actor, trail)


def may_seal(tx: Transaction, actor: Actor | str) -> None:
    """Refuse a teammate: those who are recorded do not say what the record is."""
    if not isinstance(actor, Actor):
        return
    living(tx, actor)
    if actor.role is Role.TEAMMATE:
        raise NotAllowed(
            f"{actor.name} may not seal the audit trail",
            why="the trail is the record of what members did",
            next="leave it to the lead or a person: drumline audit seal",
        )


def record(tx: Transaction, actor: Actor | str, found: Sequence[Seal], known: Seals) -> list[Seal]:
    """Record seals that nobody else recorded since `known` was read."""
    may_seal(tx, actor)
    newer = seals(tx, found[0].home, known).by_segment if found else {}
    added = [one for one in found if one.segment not in newer]
    for one in added:
        tx.record(actor, SEALED, str(one))
    return added


def seals(tx: Transaction, home: str, known: Seals = NOTHING_READ) -> Seals:
    """The first seal of each segment in this repository; a later one cannot take its place."""
    by_segment, cursor = dict(known.by_segment), known.cursor
    for events, place in _pages(tx, cursor):
        cursor = place
        for found in (read_seal(event.subject) for event in events if event.verb == SEALED):
            if found and found.home == home:
                by_segment.setdefault(found.segment, found)
    return Seals(by_segment, cursor)


def verify(store: Store, trail: Trail) -> Verdict:
    """Compare every sealed segment with its seal, and count what no seal covers yet."""
    known = store.ask(seals, trail.home).by_segment
    highest = trail.highest()  # before the files: a segment finished meanwhile is no gap
    now = {name: measure for name in trail.segments() if (measure := trail.measure(name))}
    loose = [measure for name, measure in now.items() if name not in known]
    return Verdict(
        segments=len(known),
        lines=sum(one.measure.lines for one in known.values()),
        faults=tuple(faults(known, now, highest)),
        unsealed_segments=len(loose),
        unsealed_lines=sum(measure.lines for measure in loose) + trail.growing_lines(),
    )


def tools(
    store: Store, trail: Trail, wanted: Wanted, *, phase: str = "", run: str = ""
) -> list[Use]:
    """Who called which tool in which phase, and how often it was refused.

    Members' runners count every call. The trail tells when each was made, and of sessions that nobody
    runs; it has only those that change something.
    """
    counted = store.ask(tool_use.used, run) if wanted.since is None else []
    found = whole(counted, [] if run else tool_use_in(trail, store, wanted))
    return [
        one
        for one in found
        if phase in {"", one.phase}
        and wanted.member in {"", one.member}
        and wanted.tool in {"", one.tool}
    ]


def tool_use_in(trail: Trail, store: Store, wanted: Wanted) -> list[Use]:
    """What the trail itself tells of it."""
    return trail_use(trail.entries(wanted), store.ask(phase_changes))


def phase_changes(tx: Transaction) -> list[tuple[datetime, str]]:
    """From when which phase held, oldest first."""
    return phases(event for events, _ in _pages(tx, "") for event in events)


def _hardened(trail: Trail, segment: str) -> Measure | None:
    trail.harden(segment)
    return trail.measure(segment)


def _pages(tx: Transaction, cursor: str) -> Iterator[tuple[list[Event], str]]:
    """The log from a place to its end, each page with the place after it."""
    while True:
        found, cursor = tx.journal.after(cursor, most=PAGE)
        yield found, cursor
        if len(found) < PAGE:
            return
