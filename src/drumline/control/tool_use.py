"""Tool use: every call counted by member and phase, and what a phase's members were given to use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from drumline.control.lives import present
from drumline.control.task_phases import phase_name, phase_of
from drumline.team.text import one_line
from drumline.team.tool_use import (
    MOST_NAMES,
    OTHERS,
    TOOL_CAP,
    Count,
    Kit,
    Used,
    obliged,
    tools_point,
)

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.gate import Point
    from drumline.team.life import Life
    from drumline.team.pipeline import Obligation
    from drumline.team.run import Run
    from drumline.team.task import Task

COUNTED = "tools.counted"


def count(tx: Transaction, member: str, counts: Sequence[Count]) -> None:
    """Add calls to what a member used; each belongs to the phase its task, or its run, is in."""
    calls: Counter[tuple[str, str, str]] = Counter()
    refused: Counter[tuple[str, str, str]] = Counter()
    for each in counts:
        run, phase = _where(tx, each)
        key = (run, phase, _named(tx, (run, phase, member), each.tool))
        calls[key] += each.calls
        refused[key] += each.refused
    tx.tool_uses.add(
        [
            Used(run, phase, member, tool, number, refused[run, phase, tool])
            for (run, phase, tool), number in calls.items()
        ]
    )
    tx.record("drumline", COUNTED, member)


def equip(tx: Transaction, life: Life, task: Task, kit: Kit) -> None:
    """Keep what a member has for a task of a run: what it lacks there is held against nobody."""
    present(tx, life)
    phase = phase_name(tx, task)
    if phase and tx.tool_uses.equip(task.run, phase, kit):
        tx.record(life.member, "tools.given", f"{task.run}/{phase}")


def used(tx: Transaction, run: str = "") -> list[Used]:
    """Who called which tool in which phase, in one run or in all."""
    return tx.tool_uses.page(run)


def at_gate(tx: Transaction, run: Run) -> list[Point]:
    """What the trail of calls says about the tools of the phase a run is in."""
    phase = run.now_in
    if phase is None or not phase.tools:
        return []
    here = [each for each in tx.tool_uses.page(run.name) if each.phase == phase.name]
    found = tools_point(phase, tx.tool_uses.kits(run.name, phase.name), here)
    return [found] if found else []


def obligations(tx: Transaction, task: Task, kit: Kit) -> Mapping[str, Obligation]:
    """The tools that a task's phase wants used, of those its member has."""
    return obliged(phase_of(tx, task), kit)


def _where(tx: Transaction, each: Count) -> tuple[str, str]:
    task = tx.tasks.get(each.task) if each.task is not None else None
    if task is not None and task.run:
        return task.run, phase_name(tx, task)
    found = tx.runs.get(each.run) if each.run else None
    return (found.name, found.phase) if found else ("", "")


def _named(tx: Transaction, where: tuple[str, str, str], tool: str) -> str:
    """A tool's name as it can be kept; of names beyond number nobody keeps each."""
    name = one_line(tool, TOOL_CAP) or "?"
    known = tx.tool_uses.names(*where)
    return name if name in known or len(known) < MOST_NAMES else OTHERS
