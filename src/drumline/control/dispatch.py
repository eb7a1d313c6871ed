"""Dispatch: nudges on their way, said at most once each.

A nudge is marked as being sent before anybody hears it, and as delivered when a runtime proved that it
was heard. What is lost between the two is never sent again: the watchdog notices that nothing moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control.agendas import Sources
from drumline.control.attribution import Grounds, Register, who_begins
from drumline.control.lives import present
from drumline.control.nudges import decided, drop, make, move
from drumline.control.waking import told_at, wake
from drumline.team.agenda import Agenda
from drumline.team.life import Life
from drumline.team.nudge import (
    MOST_TRIES,
    Leave,
    Nudge,
    NudgeState,
    Tell,
    cooling,
    held_back,
    spoken,
)
from drumline.team.settled import SettledTurn, Why
from drumline.team.text import PATTERN_CAP, one_line

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.situation import Situation


def take(tx: Transaction, life: Life, at_work: bool = False) -> Nudge | None:  # noqa: FBT001, FBT002 - a verb's words
    """The nudge that waits for this life, to be sent now and never again; none if it is no longer true.

    Who is `at_work`, or about to be, is told only what it does not know.
    """
    present(tx, life)
    found = tx.waking.waiting(life.member, life.incarnation)
    seen = tx.waking.situation(life.member)
    if found is None or seen is None:
        return None
    if at_work:
        seen = seen._replace(turn_at=seen.turn_at or tx.now())
    return _taken(tx, found, seen)


def take_by_hand(tx: Transaction, turn: SettledTurn, grounds: Grounds) -> Nudge | None:
    """The nudge that goes along with the prompt of a member that somebody drives, as `take` gives it."""
    verdict = who_begins(turn, Register(tx, [turn], grounds))
    member = tx.roster.get(verdict.member) if verdict.why is Why.WOKE else None
    found = tx.waking.waiting(member.name, member.incarnation) if member else None
    seen = tx.waking.situation(verdict.member)
    if found is None or seen is None or not seen.by_hand:
        return None
    return _taken(tx, found, seen)


def _taken(tx: Transaction, found: Nudge, seen: Situation) -> Nudge | None:
    """A nudge that waits, marked as being sent, if it is still true and may be said now."""
    sources, now = Sources(tx), tx.now()
    agenda = sources.agenda(seen)
    if spoken(agenda, seen).fingerprint != found.fingerprint:
        drop(tx, found, "its agenda moved on")
        return _instead(tx, seen, agenda, sources)
    no = held_back(agenda, seen, now) or cooling(told_at(tx, found.member), sources.rhythm, now)
    if isinstance(no, Leave):
        drop(tx, found, no.why)
    return _sending(tx, found) if no is None else None


def _instead(tx: Transaction, seen: Situation, agenda: Agenda, sources: Sources) -> Nudge | None:
    """What is true now, marked as being sent: a board that never rests would keep a member waiting for ever."""
    decision = decided(tx, seen, agenda, sources)
    made = make(tx, seen, decision.agenda) if isinstance(decision, Tell) else None
    if made is None:
        wake(tx, seen.member.name, "its agenda moved on")
    return _sending(tx, made) if made is not None else None


def delivered(tx: Transaction, nudge: Nudge) -> None:
    """A runtime proved that its member was told."""
    if (found := _now(tx, nudge)) and found.state is NudgeState.SENDING:
        move(tx, found, NudgeState.DELIVERED, "nudge.delivered")


def heard(tx: Transaction, member: str, incarnation: int, fingerprint: str) -> None:
    """The hook of a session gave the words of a nudge to its agent CLI."""
    if found := tx.waking.nudge(member, incarnation, fingerprint):
        delivered(tx, found)


def unheard(tx: Transaction, member: str, incarnation: int, fingerprint: str) -> None:
    """The hook of a session did not wait for the words of a nudge: the next prompt may bring it."""
    if found := tx.waking.nudge(member, incarnation, fingerprint):
        refused(tx, found, "its session did not wait for it")


def refused(tx: Transaction, nudge: Nudge, why: str) -> None:
    """A runtime would not take it: nobody was told, and it may be tried again, but not for ever."""
    found = _now(tx, nudge)
    if found is None or found.state is not NudgeState.SENDING:
        return
    tries = found.tries + 1
    state = NudgeState.WAITING if tries < MOST_TRIES else NudgeState.DROPPED
    move(tx, found, state, "nudge.refused", tries=tries, why=one_line(why, PATTERN_CAP))


def give_back(tx: Transaction, nudge: Nudge, why: str) -> None:
    """Nobody could be spoken to just now: it waits as if nobody had taken it."""
    found = _now(tx, nudge)
    if found is not None and found.state is NudgeState.SENDING:
        move(tx, found, NudgeState.WAITING, "nudge.given-back", why=one_line(why, PATTERN_CAP))


def show(tx: Transaction, member: str, *, itself: bool) -> tuple[Agenda, Nudge | None]:
    """A member's agenda; who is driven by hand and asks for it itself is told its nudge by that."""
    seen = tx.waking.situation(member)
    if seen is None:
        return Agenda(), None
    agenda = Sources(tx).agenda(seen)
    told = itself and seen.by_hand
    found = tx.waking.waiting(member, seen.member.incarnation) if told else None
    if found is None:
        return agenda, None
    if spoken(agenda, seen).fingerprint != found.fingerprint:
        drop(tx, found, "its agenda moved on")
        return agenda, None
    sending = _sending(tx, found)
    shown = move(tx, sending, NudgeState.DELIVERED, "nudge.delivered") if sending else None
    return agenda, shown


def waiting(tx: Transaction, life: Life) -> bool:
    """Whether a nudge waits for this life: asked before every turn, so it writes nothing."""
    return life.member in tx.waking.everyone_nudged()


def anything_waits(tx: Transaction) -> bool:
    """Whether a nudge waits for anybody: asked at every prompt, so it writes nothing."""
    return bool(tx.waking.everyone_nudged())


def _sending(tx: Transaction, nudge: Nudge) -> Nudge | None:
    return move(tx, nudge, NudgeState.SENDING, "nudge.sending")


def _now(tx: Transaction, nudge: Nudge) -> Nudge | None:
    return tx.waking.nudge(nudge.member, nudge.incarnation, nudge.fingerprint)
