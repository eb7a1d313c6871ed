"""Deviations from the approved design: recorded, and followed up by how grave they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control import context
from drumline.control.roster import lead
from drumline.errors import Unknown
from drumline.team.deviation import Deviation, Follows, Recorded
from drumline.team.task_fields import REPLAN

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.run import Run

MACHINE = "drumline"  # who signs what a comparison found


def found(tx: Transaction, run: str, deviation: Deviation) -> Recorded:
    """Remember a deviation that a comparison found, and do what follows, in the lead's name."""
    permanent = tx.tasks.permanent(run)
    if permanent is None:
        raise Unknown(f"no run {run!r}", next="drumline run list")
    tx.contexts.lock()
    recorded = tx.contexts.add_deviation(run, deviation, MACHINE)
    if deviation.follows is Follows.REPLAN:
        tx.tasks.merge(permanent.id, {REPLAN: recorded.number})
    tx.record(MACHINE, "deviation.recorded", f"{run}#{recorded.number} {deviation.grave}")
    _brief(tx, run, deviation)
    return recorded


def to_replan(tx: Transaction, run: Run) -> tuple[int, str] | None:
    """The deviation for which a run's work is to be planned anew, by number and words, if there is one."""
    number = tx.tasks.fields(run.task).get(REPLAN)
    known = {each.number: each.deviation.what for each in tx.contexts.deviations(run.name)}
    return (number, known[number]) if number in known else None


def _brief(tx: Transaction, run: str, deviation: Deviation) -> None:
    if deviation.follows is not Follows.LOG:
        everyone = [each.name for each in tx.roster.everyone()]
        names = everyone if deviation.follows is Follows.REPLAN else deviation.members
        context.brief_again(tx, lead(tx).acting(), run, names)
