"""A lead that begins another life in a run: it is told where the run stands, and members are directed anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control import directives, runs
from drumline.team import recovery
from drumline.team.handoff_text import render_index
from drumline.team.member import HUMAN
from drumline.team.run_records import gate_record, plan_of
from drumline.team.task_fields import LEAD_LIVES

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.life import Life
    from drumline.team.run import Run


def owing(tx: Transaction, name: str) -> bool:
    """Whether the lead lives another life than the run knows of."""
    run = runs.find(tx, name)
    life = _life_of_lead(tx, run)
    return life is not None and _known(tx, run)[1] != life.incarnation


def recover(tx: Transaction, name: str) -> None:
    """Take note of the lead's present life; for one that is not its first, everyone at work is directed anew."""
    tx.runs.lock()
    tx.contexts.lock()
    run = runs.find(tx, name)
    life = _life_of_lead(tx, run)
    first, last = _known(tx, run)
    if life is None or last == life.incarnation:
        return
    tx.tasks.merge(run.task, {LEAD_LIVES: [first or life.incarnation, life.incarnation]})
    tx.record(run.name, "run.lead-anew" if first else "run.lead-known", life.name)
    if not first:
        return
    alive = {each.member: each.incarnation for each in tx.lives.open()}
    for task in tx.tasks.held():
        if task.run == name and task.owner and alive.get(task.owner) == task.incarnation:
            directives.direct_anew(tx, task, f"lead/{life.incarnation}", recovery.ANEW)


def told(tx: Transaction, life: Life, name: str) -> str:
    """Where a run stands, for a lead in another life than its first there; empty for the first."""
    run = tx.runs.get(name)
    first = _known(tx, run)[0] if run is not None else 0
    if run is None or not first or life.incarnation <= first:
        return ""
    seen = runs.look(tx, name)
    gates = list(seen.gates.values())
    alive = {each.member for each in tx.lives.open()}
    indexes = {
        kept.origin.member: render_index(kept.handoff, kept.origin)
        for kept in tx.handoffs.of_run(name)
        if kept.origin.member in alive
    }
    gate = gate_record(seen, gates[-1]) if gates else ""
    return recovery.told(plan_of(seen), gate, list(indexes.values()))


def _life_of_lead(tx: Transaction, run: Run) -> Life | None:
    """The lead's life; a person has none, and loses nothing."""
    if run.lead == HUMAN:
        return None
    return next((each for each in tx.lives.open() if each.member == run.lead), None)


def _known(tx: Transaction, run: Run) -> tuple[int, int]:
    said = tx.tasks.fields(run.task).get(LEAD_LIVES)
    return (int(said[0]), int(said[1])) if isinstance(said, list) else (0, 0)
