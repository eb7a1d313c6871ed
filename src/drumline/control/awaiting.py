"""AWAIT carried out: a task is not begun before the handoffs it names are there.

In a run, what its phase has handed off before counts. Outside runs only that of a task it depends on does:
nothing else tells whose earlier work is meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control.roster import addressed
from drumline.control.task_phases import noted_phase
from drumline.team.task import Task, TaskState

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.actor import Actor
    from drumline.team.handoff import Kept
    from drumline.team.ids import TaskId


def renew(tx: Transaction, actor: Actor, task: Task) -> None:
    """Let a task wait for those its plan names now; what was handed off before counts at once."""
    if task.permanent or task.state is not TaskState.PENDING:
        return
    tx.tasks.lock_graph()
    wanted, waits = _wanted(tx, task), set(tx.handoffs.awaited_by(task.id))
    for name in sorted(waits - wanted):
        tx.handoffs.wait_no_more(task.id, name)
    for name in sorted(wanted - waits):
        tx.handoffs.wait_for(task.id, name)
    if wanted != waits:
        tx.record(actor, "task.awaits", str(task.id))


def meet(tx: Transaction, actor: Actor, task: Task) -> None:
    """A held task is closed: those who waited for its member's handoff wait no more.

    Where a person closed it without one, those that depend on it wait for no other in its place.
    """
    kept = tx.handoffs.last(task.id)
    if kept is None and task.run:
        return
    member = kept.origin.member if kept else str(task.owner)
    tx.tasks.lock_graph()
    others = tx.handoffs.awaiting(task.run, member) if kept else owed_to(tx, task)
    for other in others:
        tx.handoffs.wait_no_more(other, member)
        tx.record(actor, "task.input-ready", str(other))


def owed_to(tx: Transaction, task: Task) -> list[TaskId]:
    """The tasks outside runs that depend on a held one, and wait for its holder's handoff."""
    if task.run or not task.owner:
        return []
    return tx.handoffs.owed_to(task.id, task.owner)


def _wanted(tx: Transaction, task: Task) -> set[str]:
    """Whose handoff is still missing; the lead speaks by mail and leaves none."""
    from drumline.team.delegation import read_delegation  # noqa: PLC0415 - only runs pay for it

    plan = read_delegation(task.id, tx.tasks.fields(task.id)).communication
    members = [addressed(tx, name) for name in plan.awaits]
    names = {member.name for member in members if not member.lead}
    return names - {kept.origin.member for kept in _left(tx, task) if _counts(tx, task, kept)}


def _left(tx: Transaction, task: Task) -> list[Kept]:
    """The handoffs that may be an input of a task."""
    if task.run:
        return tx.handoffs.of_run(task.run)
    found = (tx.handoffs.last(each.id) for each in tx.tasks.blockers(task.id))
    return [kept for kept in found if kept is not None]


def _counts(tx: Transaction, task: Task, kept: Kept) -> bool:
    """Whether a handoff is an input of this task: of its own phase, or of a task it waits for."""
    done = tx.tasks.get(kept.origin.task)
    if done is None or done.state is not TaskState.COMPLETED:
        return False
    own = kept.origin.phase == noted_phase(tx, task)
    return own or kept.origin.task in {each.id for each in tx.tasks.blockers(task.id)}
