"""The shared context as a task brings it: what a member is to know with its work, offered by being told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control.roster import addressed, constitution
from drumline.team.context import in_life
from drumline.team.context_form import written
from drumline.team.context_letter import about_run
from drumline.team.directive import Injection
from drumline.team.pipelines import SHIPPED

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.task import Task

LETTERS = 1000  # of those that wait for a member, looked through for what is told already


def injection(tx: Transaction, task: Task, name: str) -> Injection | None:
    """The newest context of a task's run as this member is to have it; whoever leads makes it, and knows."""
    newest = tx.contexts.newest(task.run) if task.run else None
    member = addressed(tx, name)
    if newest is None or member.lead:
        return None
    held = in_life(tx.contexts.holding(task.run, member.name), member).held
    text = written(newest.sections) if _embeds(tx, task.run) else ""
    return Injection(newest.run, newest.number, len(newest.sections), held, text)


def _embeds(tx: Transaction, name: str) -> bool:
    """Whether a run's pipeline has briefs carry the context whole; without one, whether its constitution's has."""
    run = tx.runs.get(name)
    pipeline = run.pipeline if run is not None else SHIPPED.get(constitution(tx).name)
    return pipeline is not None and pipeline.embeds


def offer(tx: Transaction, told: Injection, name: str) -> None:
    """Note that a member's life is told a version with its task: no letter brings it once more."""
    if not told.lacking:
        return
    member = addressed(tx, name)
    was = in_life(tx.contexts.holding(told.run, member.name), member)
    tx.contexts.keep(told.run, was.sent(told.version, told.items, tx.now()))
    for each in tx.mail.inbox(member.name, everything=False, after=0, most=LETTERS):
        if about_run(each, told.run, told.version):
            tx.mail.mark(each.id, "acked")
