"""Steps of the ladder, kept on the permanent task of the run they were taken in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.team.ladder import Rung
from drumline.team.secrets import redact
from drumline.team.task_fields import ESCALATIONS
from drumline.team.text import PATTERN_CAP, one_line

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.ids import TaskId
    from drumline.team.run import Run

MOST = 20  # steps kept of one task, the newest; the log has all


def keep(tx: Transaction, run: Run, task: TaskId, rung: Rung, reason: str) -> str:
    """Keep one step about a task as `L{n}|reason`; the same step for the same reason is one."""
    field, step = f"{ESCALATIONS}.{task}", rung.record(one_line(redact(reason), PATTERN_CAP))
    tx.tasks.lock(run.task)  # members' runners tell of nudges while a plane drives the run
    before = steps(tx, run, task)
    if before[-1:] == [step] and rung is Rung.NUDGE:
        return step
    tx.tasks.merge(run.task, {field: [*before, step][-MOST:]})
    tx.record(run.name, "run.escalated", f"{task}: {step}"[:PATTERN_CAP])
    return step


def steps(tx: Transaction, run: Run, task: TaskId) -> list[str]:
    """The steps that were taken about a task, oldest first."""
    said = tx.tasks.fields(run.task).get(f"{ESCALATIONS}.{task}", [])
    return [str(each) for each in said] if isinstance(said, list) else [str(said)]
