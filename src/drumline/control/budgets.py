"""Budgets: asked before money is spent, for everyone who would pay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.team.budget import Budgets, No, Yes, may_start, reserve, tighter
from drumline.team.charge import Scope, micro_usd, payers
from drumline.team.manifest import MemberEntry
from drumline.team.task import BUDGET, Task
from drumline.team.turn import Opening

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


def may_go_on(tx: Transaction, member: str, about: Opening, budgets: Budgets) -> Yes | No:
    """Whether one more request fits every budget; asked before a turn and before each round in it.

    Others who work for the same task or run may have a request in flight: it is kept back too.
    """
    least = Yes(None)
    for scope, name in payers(member, about):
        budget = budgets.of(scope)
        if budget is None:
            continue
        total = tx.charges.total(scope, name)
        kept = reserve(total.dearest, _others(tx, member, about, scope))
        verdict = may_start(total.usage.micros, kept, budget)
        if isinstance(verdict, No):
            return No(f"{scope} {name}: {verdict.why}")
        least = tighter(least, verdict)
    return least


def budgets_for(tx: Transaction, task: Task, member: MemberEntry) -> Budgets:
    """What a turn about a task may cost: the member's budget, for its run or for good, and the task's."""
    own = micro_usd(member.budget)
    said = tx.tasks.fields(task.id).get(BUDGET)
    limited = isinstance(said, int | float) and not isinstance(said, bool) and said > 0
    of_task = micro_usd(float(said or 0)) if limited else None
    if task.run:
        return Budgets(part=own, task=of_task)
    return Budgets(member=own, task=of_task)


def _others(tx: Transaction, member: str, about: Opening, scope: Scope) -> int:
    if scope is Scope.TASK and about.task is not None:
        return tx.turns.others_on(about.task, but=member)
    return tx.turns.others_in(about.run, but=member) if scope is Scope.RUN else 0
