"""Budgets: asked before money is spent, for everyone who would pay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.team.budget import Budgets, No, Yes, may_start, reserve, tighter
from drumline.team.charge import Scope, micro_usd, payers
from drumline.team.manifest import MemberEntry
from drumline.team.task import BUDGET, Task
from drumline.team.turn import Opening

MANIFEST = ".claude/team.yaml"
OF_THE_WORK = frozenset({Scope.TASK, Scope.RUN})

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


def may_go_on(
    tx: Transaction, member: str, about: Opening, budgets: Budgets, beside: int = 0
) -> Yes | No:
    """Whether one more request fits every budget; asked before a turn and before each round in it.

    Others who work for the same task or run may have a request in flight, and so may so many others
    `beside` this one in the member's own turn: it is kept back too.
    """
    least = Yes(None)
    for scope, name in payers(member, about):
        budget = budgets.of(scope)
        if budget is None:
            continue
        total = tx.charges.total(scope, name)
        kept = reserve(total.dearest, beside + _others(tx, member, about, scope))
        verdict = may_start(total.usage.micros, kept, budget)
        if isinstance(verdict, No):
            return No(f"{scope} {name}: {verdict.why}", scope)
        least = tighter(least, verdict)
    return least


def spent_on(tx: Transaction, task: Task, member: MemberEntry) -> str:
    """Why there is no money left for a task, whoever works on it; empty where there is some."""
    about = Opening("", task.id, task.run)
    verdict = may_go_on(tx, member.name, about, budgets_for(tx, task, member))
    if not isinstance(verdict, No) or verdict.scope not in OF_THE_WORK:
        return ""
    return f"{verdict.why}; to raise it: {raised_by(tx, about, verdict.scope)}"


def raised_by(tx: Transaction, about: Opening, scope: Scope | None) -> str:
    """What a person does to let more be spent, where the budget of such a scope said no."""
    record = tx.tasks.permanent(about.run) if scope is Scope.RUN else None
    task = record.id if record is not None else about.task
    if scope not in OF_THE_WORK or task is None:
        return f"budget: USD of the member in {MANIFEST}"
    return f"drumline task note {task} {BUDGET}=USD"


def budgets_for(tx: Transaction, task: Task | None, member: MemberEntry, run: str = "") -> Budgets:
    """What a turn may cost: the member's budget, for its run or for good, and its task's and run's, if any.

    A turn about a run and none of its tasks is paid by the run.
    """
    own = micro_usd(member.budget)
    if task is None and run:
        record = tx.tasks.permanent(run)
        return Budgets(part=own, run=_said(tx, record) if record else None)
    if task is None:
        return Budgets(member=own)
    if not task.run:
        return Budgets(member=own, task=_said(tx, task))
    record = tx.tasks.permanent(task.run)
    return Budgets(part=own, task=_said(tx, task), run=_said(tx, record) if record else None)


def _said(tx: Transaction, task: Task) -> int | None:
    """What a task's own field allows it to cost; a run's is on its permanent task."""
    said = tx.tasks.fields(task.id).get(BUDGET)
    if isinstance(said, bool) or not isinstance(said, int | float) or said <= 0:
        return None
    return micro_usd(float(said))


def _others(tx: Transaction, member: str, about: Opening, scope: Scope) -> int:
    if scope is Scope.TASK and about.task is not None:
        return tx.turns.others_on(about.task, but=member)
    return tx.turns.others_in(about.run, but=member) if scope is Scope.RUN else 0
