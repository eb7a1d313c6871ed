"""Turns: what a member was asked, started only while there is money and no limit, ended once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control import limits
from drumline.control.board import locked
from drumline.control.budgets import may_go_on, raised_by
from drumline.control.lives import known, moved, present
from drumline.control.settling import turn_ended
from drumline.errors import BudgetSpent, Conflict, Unknown
from drumline.team.budget import UNLIMITED, Budgets, No
from drumline.team.life import Life, LifeState
from drumline.team.text import checked_line
from drumline.team.turn import Opening, Turn, TurnOutcome, checked_digest

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


def start(tx: Transaction, life: Life, opening: Opening, budgets: Budgets = UNLIMITED) -> Turn:
    """Begin a turn of a life; refused while its account is paused or its money is spent."""
    found = present(tx, life)
    found.move(LifeState.WORKING)
    about = _complete(tx, opening)
    limits.refuse_paused(tx, found)
    _refuse_second(tx, found)
    tx.turns.lock_spending()
    verdict = may_go_on(tx, found.member, about, budgets)
    if isinstance(verdict, No):
        raise BudgetSpent(
            f"{found.member} starts no turn: {verdict.why}",
            why="a turn starts only while there is money for the dearest request so far",
            next=f"{raised_by(tx, about, verdict.scope)}   # or let the lead end the work",
        ).audited(found.member, "turn.refused", found.name)
    turn = tx.turns.add(found, about)
    tx.record(found.member, "turn.started", turn.name)
    moved(tx, found, LifeState.WORKING)
    return turn


def settle(tx: Transaction, life: Life, number: int, outcome: TurnOutcome) -> Turn:
    """Say how a turn ended; the first word stands, and a life at work is idle again."""
    at_work = known(tx, life)
    turn = find(tx, life, number)
    settled = tx.turns.settle(turn, outcome)
    if settled is None:
        return turn
    tx.record(life.member, f"turn.{settled.state}", settled.name)
    turn_ended(tx, life.member)
    if at_work.state is LifeState.WORKING:
        moved(tx, at_work, LifeState.IDLE)
    return settled


def find(tx: Transaction, life: Life, number: int) -> Turn:
    """One turn of a life."""
    if found := tx.turns.get(life, number):
        return found
    raise Unknown(f"no turn {number} of {life.name[:80]}", next="start one first")


def page(
    tx: Transaction, member: str, *, after: tuple[int, int] = (0, 0), most: int = 1000
) -> list[Turn]:
    """A member's turns through all its lives, oldest first, after a (life, turn)."""
    return tx.turns.page(member, after=after, most=most)


def _complete(tx: Transaction, opening: Opening) -> Opening:
    """What a turn is about, checked; the run is its task's unless another is named."""
    checked_digest(opening.prompt)
    checked_line(opening.run, "the run", empty=True)
    if opening.task is None:
        return opening
    return opening._replace(run=opening.run or locked(tx, opening.task).run)


def _refuse_second(tx: Transaction, life: Life) -> None:
    if running := tx.turns.running(life):
        raise Conflict(
            f"{life.member} is in turn {running.number} already",
            why="a member has one turn at a time",
            next="settle that one first",
        )
