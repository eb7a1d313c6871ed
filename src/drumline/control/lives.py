"""Lives: one process at a time in a member's place, held by a lease and ended exactly once."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from drumline.control.holding import withdraw_of
from drumline.control.roster import active_member, begin_life
from drumline.control.waking import DRUMLINE, wake
from drumline.errors import Unknown
from drumline.team.duty import plane_of
from drumline.team.life import (
    LEASE,
    Life,
    LifeState,
    Process,
    WhyEnded,
    checked_process,
    fillable,
    is_behind,
)
from drumline.team.nudge import IN_A_CALL
from drumline.team.situation import Noticed
from drumline.team.task import Holder
from drumline.team.text import PATTERN_CAP, checked_line, one_line
from drumline.team.turn import CUT_BY

if TYPE_CHECKING:
    from drumline.control.ports import Transaction

CALL_ENDED = "a tool call ended"


def begin(tx: Transaction, member: str, process: Process, *, lease: timedelta = LEASE) -> Life:
    """Fill a member's place with a new process; of any number of beginners exactly one does.

    Refused while another process has the place by a valid lease; one whose lease ran out is replaced.
    """
    checked_process(process)
    fillable(active_member(tx, member))
    tx.lives.lock_place(member)
    if old := tx.lives.lock_open(member):
        old.refuse_beside(tx.now())
        _end(tx, old, WhyEnded.REPLACED, by=_on(process))
    life = tx.lives.add(begin_life(tx, _on(process), member), process, lease)
    tx.record(_on(process), "life.began", life.name)
    wake(tx, member, "a life began")
    return life


def renew(
    tx: Transaction, life: Life, *, lease: timedelta = LEASE, signs: Noticed | None = None
) -> Life:
    """Live on for another lease, and hold on to everything this life has claimed.

    A lease that ran out ends a life when someone replaces or ends it, not before. `signs` are what
    its runner noticed of it since the last time, if it did.
    """
    present(tx, life)
    renewed = tx.lives.renew(life, lease)
    tx.tasks.renew_life(_holder(life), lease)
    if signs is not None:
        tx.waking.notice(life, signs)
    tx.record(_on(life.process), "life.renewed", life.name)
    if signs is not None and not signs.tool and _put_off(tx, life):
        wake(tx, life.member, CALL_ENDED)
    return renewed


def notice(tx: Transaction, life: Life, signs: Noticed) -> None:
    """Tell how a member is when it cannot wait; one that left a long call is looked at again."""
    present(tx, life)
    tx.waking.notice(life, signs)
    tx.record(_on(life.process), "life.noticed", life.name)
    if not signs.tool or _put_off(tx, life):
        wake(tx, life.member, CALL_ENDED)


def _put_off(tx: Transaction, life: Life) -> bool:
    """Whether the next look at a member waits because it was in a call."""
    found = tx.waking.woken(life.member)
    return found is not None and found.why == IN_A_CALL


def move(tx: Transaction, life: Life, state: LifeState) -> Life:
    """Say what a life is doing now; saying it twice changes nothing."""
    found = present(tx, life)
    found.move(state)
    return moved(tx, found, state)


def moved(tx: Transaction, life: Life, state: LifeState) -> Life:
    """The life in a state it may have, recorded if it is new."""
    if life.state is state:
        return life
    found = tx.lives.move(life, state)
    tx.record(_on(life.process), f"life.{state}", life.name)
    return found


def enter(tx: Transaction, life: Life, session: str) -> Life:
    """Remember in which session of its runtime a life speaks."""
    found = present(tx, life)
    checked_line(session, "the session", cap=PATTERN_CAP)
    if found.process.session == session:
        return found
    entered = tx.lives.enter(life, session)
    tx.record(_on(life.process), "life.entered", life.name)
    return entered


def end(tx: Transaction, life: Life, why: WhyEnded, words: str = "") -> Life:
    """End a life and give back what it claimed; the first word about its end stands."""
    found = known(tx, life)
    if found.ended:
        return found
    if words:
        tx.lives.leave_words(life, one_line(words, PATTERN_CAP))
    return _end(tx, found, why, by=_on(life.process))


def ended_leases(tx: Transaction) -> list[Life]:
    """End whoever let the lease run out, as crashed; of any number of passes exactly one ends each."""
    ended = []
    for seen in tx.lives.expired():
        life = tx.lives.lock(seen.member, seen.incarnation)
        if life is not None and life.expired(tx.now()):
            ended.append(_end(tx, life, WhyEnded.CRASHED, by=DRUMLINE))
    return ended


def leave_behind(tx: Transaction, host: str, door: str) -> None:
    """End, on the board only, what a copied store tells of the original's lives and plane on this host."""
    for life in tx.lives.open():
        if life.process.host == host and not is_behind(life.process, door):
            end(
                tx,
                life,
                WhyEnded.REPLACED,
                "this store is a copy: it lives where it was copied from",
            )
    for duty in tx.duties.all():
        mine = duty.name == plane_of(host) and not duty.holder.endswith(f"/{door}")
        if mine and tx.duties.let_go(duty.name, duty.holder):
            tx.record(DRUMLINE, "duty.let-go", duty.name)


def tell_refusal(tx: Transaction, life: Life, why: str) -> None:
    """Record that someone was turned away at a life's doorway."""
    tx.record(_on(life.process), "doorway.refused", f"{life.name}: {why}"[:PATTERN_CAP])


def tell_farewell(tx: Transaction, life: Life, answer: str) -> None:
    """Record whether a life that was asked to end did so by itself."""
    tx.record(_on(life.process), f"life.farewell-{answer}", life.name)


def living(tx: Transaction) -> list[Life]:
    """Every life that nobody has ended, whether its lease ran out or not."""
    return tx.lives.open()


def find(tx: Transaction, member: str, incarnation: int) -> Life:
    """One life, as it is now."""
    if found := tx.lives.get(member, incarnation):
        return found
    raise _unknown(member, incarnation)


def lives_of(tx: Transaction, member: str, *, most: int = 100) -> list[Life]:
    """A member's lives, newest first."""
    return tx.lives.of(member, most=most)


def known(tx: Transaction, life: Life) -> Life:
    """The life as it is now, which nobody else changes until this transaction ends."""
    if found := tx.lives.lock(life.member, life.incarnation):
        return found
    raise _unknown(life.member, life.incarnation)


def present(tx: Transaction, life: Life) -> Life:
    """The life as it is now; refused once it was ended, replaced or its member removed."""
    found = known(tx, life)
    found.refuse_ended()
    active_member(tx, life.member, incarnation=life.incarnation)
    return found


def seen(tx: Transaction, life: Life) -> Life:
    """The same, for a question: who only looks holds nobody up."""
    found = find(tx, life.member, life.incarnation)
    found.refuse_ended()
    active_member(tx, life.member, incarnation=life.incarnation)
    return found


def _unknown(member: str, incarnation: int) -> Unknown:
    return Unknown(f"no life {incarnation} of {member[:80]!r}", next="drumline status")


def _end(tx: Transaction, life: Life, why: WhyEnded, *, by: str) -> Life:
    """End a life that is open and locked, its claims and its running turn with it."""
    ended = tx.lives.end(life, why)
    tx.tasks.release_life(_holder(life))
    if running := tx.turns.running(life):
        tx.turns.settle(running, CUT_BY[why])
    tx.waking.drop_waiting(life.member, "its life ended")
    tx.record(by, "life.ended", life.name)
    withdraw_of(tx, by, life)
    return ended


def _holder(life: Life) -> Holder:
    return Holder(life.member, life.incarnation)


def _on(process: Process) -> str:
    """Who speaks for a life: the runner on its host."""
    return f"runner:{process.host}"
