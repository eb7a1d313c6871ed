"""Charges: what turns cost, counted once however often it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control import turns
from drumline.errors import Conflict
from drumline.team.budget import UNLIMITED, Budgets, passed_by
from drumline.team.charge import (
    NOTHING,
    Charge,
    Report,
    Scope,
    Spending,
    added,
    checked_report,
    payers,
    priced,
)
from drumline.team.life import Life
from drumline.team.turn import Turn

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


def charge(
    tx: Transaction, life: Life, turn: int, report: Report, budgets: Budgets = UNLIMITED
) -> Charge:
    """Count what a report adds to a turn's cost; the same report never counts twice.

    Money that was spent is counted for a life that has ended too. A budget that this takes past its
    end is reported as an event.
    """
    checked_report(report)
    paid_by = turns.find(tx, life, turn)
    tx.charges.lock_meters(life.member)
    if told := tx.charges.get(paid_by, report):
        return _same(told, report)
    before, after = tx.charges.beside(paid_by, report)
    new = added(
        priced(before.total, report.price) if before else NOTHING,
        report.reading,
        priced(after.total, report.price) if after else None,
    )
    counted = tx.charges.add(paid_by, report, new)
    passed = _spend(tx, paid_by, counted, budgets)
    tx.record(life.member, "turn.charged", counted.name)
    for sentence in passed:
        tx.record(life.member, "budget.passed", sentence)
    return counted


def spent(tx: Transaction, scope: Scope, name: str) -> Spending:
    """All that a member, a task, a run or a part has cost so far."""
    return tx.charges.total(scope, name)


def spent_by_each(tx: Transaction, scope: Scope) -> dict[str, Spending]:
    """What every member, task, run or part has cost so far, by name."""
    return {total.name: total for total in tx.charges.totals(scope)}


def _spend(tx: Transaction, turn: Turn, counted: Charge, budgets: Budgets) -> list[str]:
    """Add a charge to the sums of whoever pays; the sentences about budgets it took past their end."""
    if counted.added == NOTHING:
        return []
    sentences = [
        passed_by(
            tx.charges.spend(scope, name, counted.added), counted.added.micros, budgets.of(scope)
        )
        for scope, name in payers(turn.member, turn.opening)
    ]
    return [sentence for sentence in sentences if sentence]


def _same(told: Charge, report: Report) -> Charge:
    """The charge of a report that was told before, word for word."""
    if priced(told.total, report.price) != report.reading:
        raise Conflict(
            f"{told.name} was told as {told.total}, now it is {report.reading}",
            why="a report that was counted cannot change",
            next="give a new reading of the meter the next number",
        )
    return told
