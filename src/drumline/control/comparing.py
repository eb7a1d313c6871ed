"""Handoffs compared as they come, and all of a phase's at its gate; what differs is followed up at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control import deviations
from drumline.team.comparing import designed, differences
from drumline.team.deviation import Grave
from drumline.team.gate import GateState
from drumline.team.pipeline import Zone
from drumline.team.quoting import inline
from drumline.team.run import is_of
from drumline.team.secrets import redact
from drumline.team.text import PATTERN_CAP, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.control.ports import Transaction
    from drumline.team.deviation import Deviation, Recorded
    from drumline.team.handoff import Kept
    from drumline.team.run import Run, RunTask

MOST = 20  # deviations that one look records


def found(
    tx: Transaction, run: Run, handoffs: Sequence[Kept], *, tasks: Sequence[RunTask], complete: bool
) -> list[Deviation]:
    """What differs now; at a gate of execution also what was designed and nobody provides."""
    phase = run.now_in
    if phase is None:
        return []
    executing = phase.zone is Zone.EXECUTION
    newest = tx.contexts.newest(run.name)
    approved = _approved(tx, run, handoffs) if executing else ()
    design = designed(newest.sections if newest else (), approved)
    return differences(design, _handed(run, tasks, handoffs), complete=complete and executing)


def follow_up(tx: Transaction, run: str, *, complete: bool = False) -> list[Recorded]:
    """Record what differs and was not known, and do what follows from it."""
    working = tx.runs.get(run)
    if working is None or working.over:
        return []
    tx.contexts.lock()  # what another finds at this moment is known then
    known = {each.deviation.what for each in tx.contexts.deviations(run)}
    handoffs, tasks = tx.handoffs.of_run(run), tx.runs.tasks(run)
    differs = found(tx, working, handoffs, tasks=tasks, complete=complete)
    shown = [each._replace(what=redact(each.what)) for each in differs]
    new = [each for each in shown if each.what not in known]
    return [deviations.found(tx, run, each) for each in new[:MOST]]


def told(tx: Transaction, run: Run, tasks: Sequence[RunTask], handoffs: Sequence[Kept]) -> str:
    """What differs in more than looks, for whoever judges; empty where nothing does."""
    differs = found(tx, run, handoffs, tasks=tasks, complete=True)
    grave = [each for each in differs if each.grave is not Grave.COSMETIC]
    said = [f"{each.what} ({', '.join(each.members) or 'nobody'})" for each in grave]
    return f"differs: {inline(one_line(redact('; '.join(said)), PATTERN_CAP))}" if said else ""


def _approved(tx: Transaction, run: Run, handoffs: Sequence[Kept]) -> list[Kept]:
    """What was handed off in phases before execution whose gates approved it, oldest first."""
    passed = {gate.phase for gate in tx.runs.gates(run.name) if gate.state is GateState.APPROVED}
    before = {each.name for each in run.pipeline.phases if each.zone is Zone.BEFORE}
    return [kept for kept in handoffs if kept.origin.phase in passed & before]


def _handed(run: Run, tasks: Sequence[RunTask], handoffs: Sequence[Kept]) -> list[Kept]:
    """The last handoff of each task where a run is; in execution also those of its phases before."""
    execution = {each.name for each in run.pipeline.phases if each.zone is Zone.EXECUTION}
    phases = execution if run.phase in execution else {run.phase}
    own = {
        each.task.id
        for each in tasks
        if is_of(each, run) or (each.phase in phases and each.phase != run.phase)
    }
    return [kept for kept in handoffs if kept.origin.task in own]
