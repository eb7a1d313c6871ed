"""Attendance: how every member is, looked at in one go and kept where it changed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from drumline.control.agendas import Sources
from drumline.control.waking import DRUMLINE, wake
from drumline.team.agenda import Agenda
from drumline.team.liveness import Liveness, liveness
from drumline.team.situation import Situation
from drumline.team.stall import Moved, free_since, moved, standstill

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


class Seen(NamedTuple):
    """One member as a look around found it.

    still  since when nothing of its work has moved
    span   how long it may stand still before each step that is taken about it
    """

    situation: Situation
    agenda: Agenda
    live: Liveness
    still: datetime | None
    moved: Moved
    span: timedelta

    @property
    def name(self) -> str:
        return self.situation.member.name

    @property
    def stalls(self) -> bool:
        """Whether it stalls newly."""
        return self.moved is Moved.NOT and self.situation.stalled_at is None

    @property
    def moves(self) -> bool:
        """Whether it has stalled and gets on again."""
        return self.moved is Moved.ON and self.situation.stalled_at is not None

    @property
    def differs(self) -> bool:
        """Whether it is not as it was last seen; that somebody never came is no news."""
        before = self.situation.attends or Liveness.AWAY
        return self.live != before

    @property
    def changed(self) -> bool:
        return self.differs or self.stalls or self.moves


def look(tx: Transaction) -> list[Seen]:
    """Everyone who is no person, by name."""
    sources = Sources(tx, tx.waking.everyone_with_mail())
    found = (each for each in tx.waking.situations() if not each.is_person)
    return [_seen(tx, each, sources) for each in found]


def look_at(tx: Transaction, member: str) -> Seen | None:
    """One member, as it is now."""
    found = tx.waking.situation(member)
    return _seen(tx, found, Sources(tx)) if found is not None else None


def keep(tx: Transaction, looked: Iterable[Seen]) -> None:
    """Write down how those are who are not as they were, each with an event."""
    now = tx.now()
    for each in looked:
        before = each.situation
        stalled = now if each.stalls else None if each.moves else before.stalled_at
        free = free_since(before, each.live, now)
        tx.waking.attend(each.name, each.live, free, stalled)
        if each.differs:
            tx.record(DRUMLINE, f"member.{_slug(each.live)}", each.name)
        elif each.stalls or each.moves:
            tx.record(DRUMLINE, "member.stalled" if each.stalls else "member.moving", each.name)
        if each.stalls:  # what waits to be said is about the agenda before
            wake(tx, each.name, "its work stands still")


def _seen(tx: Transaction, found: Situation, sources: Sources) -> Seen:
    """Agendas are read only of those it makes a difference for."""
    now, here = tx.now(), found.life is not None or found.by_hand
    rules = sources.patience(found) if here else sources.rhythm
    agenda = sources.agenda(found) if here else Agenda()
    judged = here and sources.judged(found)
    live = liveness(found, rules, now, work=bool(agenda.items), judged=judged)
    still = standstill(found, live, agenda, now)
    moves = moved(found, live, still, rules, now)
    return Seen(found, agenda, live, still, moves, rules.stall_after)


def _slug(live: Liveness) -> str:
    return live.replace(",", "").replace(" ", "-")
