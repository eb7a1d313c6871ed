"""What a machine can tell at a gate: who works on an old context, what was left open, where work collides."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from drumline.control import comparing, context, tool_use
from drumline.team.gate import Point, PointName
from drumline.team.handoff import Kept, Severity
from drumline.team.handoff_text import render_summary
from drumline.team.judging import Submission
from drumline.team.quoting import inline
from drumline.team.run import is_of
from drumline.team.secrets import redact
from drumline.team.task import TaskState
from drumline.team.task_fields import HANDOFF
from drumline.team.text import PATTERN_CAP, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.control.ports import Transaction
    from drumline.team.run import Run, RunTask

BY = "drumline"
SHOWN = 5
EACH = 200  # characters of one matter left open


def shut(tx: Transaction, run: Run, members: Sequence[str]) -> list[Point]:
    """What keeps every gate of a run shut: members who hold an old context, or none."""
    if tx.contexts.newest(run.name) is None:
        return []
    working = [name for name in members if name != run.lead]
    return [
        Point(
            "context",
            holds=False,
            why=f"{each.member} holds version {each.held} of the context, which is at {each.version}",
            by=BY,
        )
        for each in context.stale(tx, run.name, working)
    ]


def known(
    tx: Transaction, run: Run, tasks: Sequence[RunTask], handoffs: Sequence[Kept]
) -> list[Point]:
    """The points of a checklist that are facts: a critical matter left open shuts nobody's eyes."""
    kept = of_phase(run, tasks, handoffs)
    points = _unhanded(tx, run, tasks, kept)
    if critical := _critical(kept):
        points.append(Point(PointName.ISSUES, holds=False, why=critical, by=BY))
    differs = comparing.told(tx, run, tasks, handoffs)
    if both := "; ".join(filter(None, (_touched_twice(kept), differs))):
        points.append(Point(PointName.CONFLICTS, why=both))
    return points + tool_use.at_gate(tx, run)


def _unhanded(
    tx: Transaction, run: Run, tasks: Sequence[RunTask], kept: Sequence[Kept]
) -> list[Point]:
    """Work of a phase that was closed without the handoff it owes: a person may do so, and the gate tells it."""
    there = {each.origin.task for each in kept}
    done = [
        each.task.id
        for each in tasks
        if is_of(each, run) and each.task.state is TaskState.COMPLETED and each.task.id not in there
    ]
    owe = tx.tasks.with_field(run.name, HANDOFF) if done else set()
    owing = [str(task) for task in done if task in owe]
    if not owing:
        return []
    more = f" and {len(owing) - SHOWN} more" if len(owing) > SHOWN else ""
    why = f"closed without the handoff they owe: {', '.join(owing[:SHOWN])}{more}"
    return [Point(PointName.HANDOFFS, holds=False, why=why, by=BY)]


def of_phase(run: Run, tasks: Sequence[RunTask], handoffs: Sequence[Kept]) -> list[Kept]:
    """Of the last handoffs of a run's tasks, those of the tasks that belong to where it is."""
    own = {each.task.id for each in tasks if is_of(each, run)}
    return [kept for kept in handoffs if kept.origin.task in own]


def handed_off(tx: Transaction, run: Run) -> list[Kept]:
    """The last handoff of each task that belongs to where a run is."""
    return of_phase(run, tx.runs.tasks(run.name), tx.handoffs.of_run(run.name))


def submissions(tx: Transaction, run: Run) -> list[Submission]:
    """What members handed over in a phase, as the judge of it reads it."""
    return [
        Submission(str(kept.origin.task), redact(render_summary(kept.handoff, kept.origin)))
        for kept in handed_off(tx, run)
    ]


def _critical(kept: Sequence[Kept]) -> str:
    left = [
        f"{each.origin.task}: {inline(one_line(one.what, EACH))}"
        for each in kept
        for one in each.handoff.unresolved
        if one.severity is Severity.CRITICAL
    ]
    return one_line("; ".join(left), PATTERN_CAP)


def _touched_twice(kept: Sequence[Kept]) -> str:
    """Files that two members say they touched: whether they collide is the lead's to judge."""
    touched: dict[str, list[str]] = {}
    for each in kept:
        for path in {*each.handoff.files}:
            touched.setdefault(path, []).append(each.origin.member)
    both = [
        f"{inline(path)} by {one} and {other}"
        for path, members in sorted(touched.items())
        for one, other in combinations(dict.fromkeys(members), 2)
    ]
    more = f" and {len(both) - SHOWN} more" if len(both) > SHOWN else ""
    return one_line(f"touched twice: {', '.join(both[:SHOWN])}{more}", PATTERN_CAP) if both else ""
