"""Bringing findings together: what a coordinator reads itself, what others read for it, and what it must name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control import gate_facts
from drumline.errors import BadInput, NotAllowed
from drumline.team.actor import Role
from drumline.team.handoff_text import summary_path
from drumline.team.run import is_synthesis
from drumline.team.subagent import starts_any
from drumline.team.synthesis import DIRECT, SOUND, Finding, delegated, unnamed
from drumline.team.task import TaskState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.control.ports import Transaction
    from drumline.team.actor import Actor
    from drumline.team.handoff import Handoff, Kept
    from drumline.team.run import Run, RunTask
    from drumline.team.task import Task

SHOWN = 10


def findings(run: Run, tasks: Sequence[RunTask], handoffs: Sequence[Kept]) -> list[Finding]:
    """What was handed off where a run is, but for what was made of it."""
    return [
        Finding(kept.origin.task, summary_path(kept.folder), kept.handoff.status in SOUND)
        for kept in _brought(run, tasks, handoffs)
    ]


def refuse_partial(tx: Transaction, task: Task, handoff: Handoff) -> None:
    """Refuse a synthesis of many findings that passes some over: nobody else reads them any more."""
    run = _brought_together(tx, task)
    inputs = _inputs(tx, run) if run else []
    if not delegated(inputs):
        return
    missing = unnamed(handoff, [each.origin.task for each in inputs])
    if missing:
        names = ", ".join(map(str, missing[:SHOWN]))
        raise BadInput(
            f"{task.id} says nothing of {names}",
            why=f"it brings {len(inputs)} findings together, and whoever goes on reads it in their place",
            next="name each by its number, with what counts of it, in `findings` or the narrative",
        )


def refuse_whole(tx: Transaction, actor: Actor, kept: Kept) -> None:
    """Refuse whoever brings many findings together to read one itself, where others can for it."""
    if actor.role is Role.PERSON:
        return
    for task in tx.tasks.held():
        run = _brought_together(tx, task) if task.owner == actor.name else None
        if run is None or not _starts_others(tx, run, actor.name):
            continue
        inputs = [each.origin.task for each in _inputs(tx, run)]
        if delegated(inputs) and kept.origin.task in inputs:
            raise NotAllowed(
                f"{actor.name} does not read {kept.origin.task} itself",
                why=f"{task.id} brings {len(inputs)} findings together, and more than {DIRECT} are read by"
                " subagents, who answer in short",
                next=f"drumline subagent ask PROFILE 'What counts of this?' --handoff {kept.origin.task}",
            )


def _brought_together(tx: Transaction, task: Task) -> Run | None:
    """The run whose findings a task brings together, if that is what it is for."""
    run = tx.runs.get(task.run) if task.run and not task.permanent else None
    if run is None:
        return None
    own = [each for each in tx.runs.tasks(run.name) if each.task.id == task.id]
    return run if own and is_synthesis(own[0], run) else None


def _inputs(tx: Transaction, run: Run) -> list[Kept]:
    return _brought(run, tx.runs.tasks(run.name), tx.handoffs.of_run(run.name))


def _brought(run: Run, tasks: Sequence[RunTask], handoffs: Sequence[Kept]) -> list[Kept]:
    """What those left who did not bring findings together."""
    done = {
        each.task.id
        for each in tasks
        if each.task.state is TaskState.COMPLETED and not is_synthesis(each, run)
    }
    return [kept for kept in gate_facts.of_phase(run, tasks, handoffs) if kept.origin.task in done]


def _starts_others(tx: Transaction, run: Run, member: str) -> bool:
    """Whether a member has a tool that starts subagents, and may wait for one: who may not reads everything itself."""
    if run.rules.only_synthesis:
        return False
    kits = tx.tool_uses.kits(run.name, run.phase)
    return any(kit.member == member and starts_any(kit.tools) for kit in kits)
