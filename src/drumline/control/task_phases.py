"""Which phase of its run a task belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.team.task_fields import PHASE, UNPHASED

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.pipeline import Phase
    from drumline.team.task import Task


def noted_phase(tx: Transaction, task: Task) -> str:
    """The phase a task of a run was planned in; of what came up on the way, that it is of none."""
    return str(tx.tasks.fields(task.id).get(PHASE, UNPHASED)) if task.run else ""


def phase_name(tx: Transaction, task: Task) -> str:
    """The phase a task counts for: what came up on the way belongs where its run is."""
    found = noted_phase(tx, task)
    run = tx.runs.get(task.run) if found == UNPHASED else None
    return run.phase if run else found


def phase_of(tx: Transaction, task: Task) -> Phase | None:
    """The same as its pipeline has it; none outside of runs, or where that has no such phase."""
    run = tx.runs.get(task.run) if task.run else None
    known = {each.name: each for each in run.pipeline.phases} if run else {}
    return known.get(phase_name(tx, task)) if known else None
