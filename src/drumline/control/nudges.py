"""Nudges: whether one is due, made once for each agenda of each life, and moved by one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drumline.control import standstills
from drumline.control.waking import DRUMLINE, told_at
from drumline.team.agenda import Source
from drumline.team.nudge import (
    Decision,
    Nudge,
    NudgeState,
    Told,
    decide,
    out_of_the_question,
    spoken,
    words,
)
from drumline.team.question import OF_A_STANDSTILL

if TYPE_CHECKING:
    from drumline.control.agendas import Sources
    from drumline.control.ports import Transaction
    from drumline.team.agenda import Agenda
    from drumline.team.situation import Situation


def decided(tx: Transaction, seen: Situation, agenda: Agenda, sources: Sources) -> Decision:
    """Whether a member is to be told of its agenda now.

    What it was told before is asked for only where that could change anything.
    """
    no = out_of_the_question(agenda, seen, tx.now())
    return no or decide(agenda, seen, _told(tx, seen, agenda), sources.rhythm, tx.now())


def make(tx: Transaction, seen: Situation, said: Agenda) -> Nudge | None:
    """Words about an agenda, that wait to be said; none where it was told already."""
    name, life = seen.member.name, seen.member.incarnation
    made = tx.waking.make(name, life, said.fingerprint, words(said))
    if made is not None:
        tx.record(DRUMLINE, "nudge.made", name)
        if seen.stalled_at is not None and said.only({Source.STALLED}).items:
            standstills.tell_nudge(tx, name, f"{seen.stalled_at:%Y-%m-%d %H:%M} UTC")
    return made


def move(tx: Transaction, nudge: Nudge, state: NudgeState, verb: str, **facts: Any) -> Nudge | None:
    """A nudge in its new state; none where somebody moved it a moment before."""
    moved = tx.waking.move(nudge.move(state)._replace(**facts), was=nudge.state)
    if moved is not None:
        tx.record(DRUMLINE, verb, nudge.name)
    return moved


def drop(tx: Transaction, nudge: Nudge, why: str) -> None:
    """Let go of what nobody was told."""
    move(tx, nudge, NudgeState.DROPPED, "nudge.dropped", why=why)


def _told(tx: Transaction, seen: Situation, agenda: Agenda) -> Told:
    """What the member was told before; what never reached anybody was not told."""
    name, life = seen.member.name, seen.member.incarnation
    same = tx.waking.nudge(name, life, spoken(agenda, seen).fingerprint)
    asked = tx.questions.asked_by(name, life)
    stalls = (each.asked_at for each in asked if each.kind in OF_A_STANDSTILL)
    return Told(
        same is not None and not _unsent(same), told_at(tx, name), max(stalls, default=None)
    )


def _unsent(nudge: Nudge) -> bool:
    return nudge.state is NudgeState.DROPPED and nudge.sent_at is None
