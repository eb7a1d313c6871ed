"""Works: what was done for a task of a run, noted when the task closes, while it is known who held it.

Work of a task of no run is delivered by the run that its team is at: both are on the team's one branch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.team.review import Work
from drumline.team.run import RunState
from drumline.team.task import HANDED_IN, KEPT
from drumline.team.tier import Tier

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.run import Run
    from drumline.team.task import Task

HANDED = ("member", "commit", "base", "merged")
LAST = 20  # runs that are looked through for one that is not over


def keep(tx: Transaction, held: Task) -> None:
    """Note whose work a task's is, and which version."""
    run = tx.runs.get(held.run)
    if run is None:
        return
    fields = tx.tasks.fields(held.id)
    said = {name: str(fields.get(f"{HANDED_IN}.{name}", "")) for name in HANDED}
    brought = fields.get(f"{KEPT}.authors")
    hands = (said["member"], held.owner or "", *(brought if isinstance(brought, list) else ()))
    work = Work(
        held.id,
        run.name,
        run.phase,
        tuple(dict.fromkeys(filter(None, map(str, hands)))),
        said["commit"] or f"claim-{held.fence}",
        said["base"],
        said["merged"],
        str(fields.get(f"{KEPT}.via", "")),
    )
    tx.reviews.keep_work(work)
    tx.record(run.name, "task.done-by", f"{held.id}: {', '.join(work.authors)}")


def brought_along(tx: Transaction, held: Task, commit: str, base: str, merged: str) -> None:
    """Let a run have the work of a task of no run that it would deliver, as work that nobody looked at."""
    if held.run or merged == base or (run := _delivering(tx)) is None:
        return
    path = run.pipeline.path(run.tier or Tier.COMPLEX)
    if not any(phase.reviewed for phase in path):
        return
    last = run._replace(phase=path[-1].name, iteration=1)
    tx.tasks.join(held.id, run.name)
    tx.runs.add_task(last, held.id, "")
    authors = (held.owner,) if held.owner else ()
    tx.reviews.keep_work(Work(held.id, run.name, last.phase, authors, commit, base, merged))
    tx.record(run.name, "run.brings-along", str(held.id))


def _delivering(tx: Transaction) -> Run | None:
    """The run that delivers what is on the team's branch next: the one at work, else the last that rests."""
    found = [run for run in tx.runs.page(most=LAST) if not run.over]
    return next(
        (run for run in found if run.state is RunState.WORKING), found[0] if found else None
    )
