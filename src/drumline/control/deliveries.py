"""What a delivery is at: hooks and checks take minutes, and whoever looks meanwhile is told of them."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from drumline.control.runs_found import find
from drumline.team.duty import WAKING
from drumline.team.run import RunState
from drumline.team.secrets import redact
from drumline.team.task_fields import DELIVERING
from drumline.team.text import PATTERN_CAP, one_line

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.run import Run


class Step(NamedTuple):
    """What is run before a merge is made, and since when."""

    what: str
    since: datetime

    def __str__(self) -> str:
        return f"its delivery: {self.what} runs since {self.since:%H:%M:%S} UTC"


def begin_step(tx: Transaction, name: str, what: str) -> None:
    """Keep what a delivery runs now."""
    told = redact(one_line(what, PATTERN_CAP))
    tx.tasks.merge(find(tx, name).task, {DELIVERING: [told, tx.now().isoformat()]})
    tx.record(name, "run.delivering", f"{name}: {told}")


def end_steps(tx: Transaction, name: str) -> None:
    """Keep that nothing is run any more, whatever came of it."""
    task = find(tx, name).task
    if DELIVERING in tx.tasks.fields(task):
        tx.tasks.merge(task, {DELIVERING: None})
        tx.record(name, "run.looked-at-delivery", name)


def step_under_way(tx: Transaction, run: Run) -> Step | None:
    """What a delivery runs now; a plane that was killed at it leaves its word, and runs nothing."""
    now = tx.now()
    if run.state is not RunState.WORKING or not any(
        duty.name == WAKING and duty.held(now) for duty in tx.duties.all()
    ):
        return None
    said = tx.tasks.fields(run.task).get(DELIVERING)
    return Step(str(said[0]), datetime.fromisoformat(said[1])) if said else None
