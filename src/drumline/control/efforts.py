"""Efforts: how much thought a task or a judgement is worth, by the phase it belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control.task_phases import phase_of

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.task import Task


def of_task(tx: Transaction, task: Task) -> str:
    """The effort of the phase a task belongs to; empty outside of runs."""
    phase = phase_of(tx, task)
    return phase.effort if phase else ""


def of_run(tx: Transaction, name: str) -> str:
    """The effort of the phase a run is in; empty before its first."""
    run = tx.runs.get(name)
    return run.now_in.effort if run and run.now_in else ""
