"""Intake: settled turns are attributed, remembered once, and wake whose they were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from drumline.control.attribution import Grounds, Register, who_settled
from drumline.control.settling import turn_ended
from drumline.control.waking import DRUMLINE
from drumline.team.settled import UNSETTLED, Filed, SettledTurn, Why

if TYPE_CHECKING:
    from drumline.control.ports import Transaction

AT_ONCE = 500
REMEMBERED = timedelta(hours=48)  # longer than a spool keeps what can come again
SAT = timedelta(days=30)  # and only where its member has sat down elsewhere since


def take_in(
    tx: Transaction,
    turns: Sequence[SettledTurn],
    unread: Mapping[Why, int],
    grounds: Grounds,
) -> list[Filed]:
    """What became of each turn; a turn is counted once, however often its event is read.

    `unread` counts what came with them and could not be read.
    """
    register = Register(tx, turns, grounds)
    found = [_judged(turn, register) for turn in turns]
    new = tx.settled.add(found)
    counts = Counter(unread)
    counts.update(each.why for each in found if each.arrival in new)
    filed = [each if each.arrival in new else _known(tx, each, counts) for each in found]
    for why in sorted(why for why, step in counts.items() if step):
        tx.settled.count(why, counts[why])
    fresh = [now for now, each in zip(found, filed, strict=True) if each is now]
    if fresh or any(counts.values()):
        tx.record(DRUMLINE, "spool.drained", f"{len(turns) + sum(unread.values())} events")
    for member in sorted({each.member for each in fresh if each.why is Why.WOKE}):
        turn_ended(tx, member)
    return filed


def forget(tx: Transaction, *, most: int = AT_ONCE) -> bool:
    """Let go of what nobody will ask about again; whether there may be more of it."""
    turns = tx.settled.forget(tx.now() - REMEMBERED, most=most)
    sittings = tx.sittings.forget(tx.now() - SAT, most=most)
    if turns or sittings:
        tx.record(DRUMLINE, "spool.forgot", f"{turns} events, {sittings} sessions")
    return most in {turns, sittings}


def _judged(turn: SettledTurn, register: Register) -> Filed:
    verdict = who_settled(turn, register)
    return Filed(turn.id, turn.arrival, verdict.why, verdict.member)


def _known(tx: Transaction, new: Filed, counts: Counter[Why]) -> Filed:
    """An event that was known, as it is remembered: new itself where that has changed.

    A second file of an event is a duplicate. The same file is only read again; what came to nothing may
    have come to something meanwhile.
    """
    old = tx.settled.get(new.id)
    if old is None or old.arrival != new.arrival:
        counts[Why.DUPLICATE] += 1
        return new._replace(why=Why.DUPLICATE)
    if old.why not in UNSETTLED or new.why is old.why:
        return old
    tx.settled.move(new)
    counts[old.why] -= 1
    counts[new.why] += 1
    return new
