"""Reconcile: look at who was woken, and decide from how things are whether it is nudged."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING

from drumline.control.agendas import Sources
from drumline.control.nudges import decided, drop, make
from drumline.control.waking import DRUMLINE, wake, wake_at
from drumline.team.nudge import Decision, Leave, LookAgain, NudgeState, Tell, spoken

if TYPE_CHECKING:
    from drumline.control.attendance import Seen
    from drumline.control.ports import Transaction
    from drumline.team.agenda import Agenda
    from drumline.team.situation import Situation

AT_ONCE = 20  # members looked at in one transaction: others want to write too
LATER = timedelta(minutes=10)  # before another look at a member that cannot be looked at


def settle_due(tx: Transaction, *, most: int = AT_ONCE) -> int:
    """Look at those whose time has come, each once; how many there were."""
    sources = Sources(tx)
    found = tx.waking.due(most=most)
    for each in found:
        _settle(tx, each.member, sources)
    return len(found)


def due(tx: Transaction, *, most: int = AT_ONCE) -> list[str]:
    """Whose time has come."""
    return [each.member for each in tx.waking.due(most=most)]


def settle(tx: Transaction, member: str) -> None:
    """Look at one whose time has come."""
    _settle(tx, member, Sources(tx))


def put_off(tx: Transaction, member: str, why: str) -> None:
    """Look later at a member that cannot be looked at now; said once for each time it is put off."""
    said, later = tx.waking.woken(member), tx.now() + LATER
    if said is not None and said.due_at > tx.now():
        return
    if not tx.waking.wake(member, why, later):
        tx.waking.postpone(member, why, later)
    tx.record(DRUMLINE, "member.not-looked-at", f"{member}: {why}")


def overlooked(tx: Transaction, looked: Iterable[Seen]) -> dict[str, Decision]:
    """Whom a look around found something for, and nobody has woken."""
    woken, waiting = tx.waking.everyone_woken(), tx.waking.everyone_nudged()
    sources = Sources(tx)
    found: dict[str, Decision] = {}
    for each in looked:
        if each.agenda.items and each.name not in woken | waiting:
            decision = decided(tx, each.situation, each.agenda, sources)
            if not isinstance(decision, Leave):
                found[each.name] = decision
    return found


def wake_overlooked(tx: Transaction, found: dict[str, Decision]) -> None:
    """Have those looked at whom nobody has woken."""
    for member, decision in found.items():
        if isinstance(decision, LookAgain):
            wake_at(tx, member, decision.why, decision.at)
        else:
            wake(tx, member, "seen in a look around")


def _settle(tx: Transaction, member: str, sources: Sources) -> None:
    seen = tx.waking.situation(member)
    if seen is None:
        tx.waking.forget(member)
        tx.record(DRUMLINE, "member.left-alone", f"{member}: it is not on the team")
        return
    agenda = sources.agenda(seen)
    _drop_stale(tx, seen, agenda)
    match decided(tx, seen, agenda, sources):
        case Tell(said):
            tx.waking.forget(member)
            make(tx, seen, said)
        case LookAgain(at, why):
            tx.waking.postpone(member, why, at)
            tx.record(DRUMLINE, "member.put-off", f"{member}: {why}")
        case Leave(why):
            tx.waking.forget(member)
            tx.record(DRUMLINE, "member.left-alone", f"{member}: {why}")


def _drop_stale(tx: Transaction, seen: Situation, agenda: Agenda) -> None:
    """Drop what still waits to be said about an agenda, or to a life, that is no more."""
    present = (seen.member.incarnation, spoken(agenda, seen).fingerprint)
    for each in tx.waking.nudges(seen.member.name, since=tx.now()):
        if each.state is NudgeState.WAITING and (each.incarnation, each.fingerprint) != present:
            drop(tx, each, "its agenda moved on")
