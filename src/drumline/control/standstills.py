"""Another life for work that stands still: its task goes back with a note of what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control import board, escalations, lives
from drumline.control.waking import DRUMLINE
from drumline.team.ladder import RETRIES, Rung
from drumline.team.life import WhyEnded
from drumline.team.run import RunState
from drumline.team.task import NOTE, Holder
from drumline.team.task_fields import RESPAWNS

if TYPE_CHECKING:
    from drumline.control.attendance import Seen
    from drumline.control.ports import Transaction
    from drumline.team.run import Run
    from drumline.team.task import Task

STOOD_STILL = "it stood still and was started anew"


def respawns(tx: Transaction, seen: Seen) -> int:
    """How often what a member holds was taken up anew; of who holds nothing, whether its last life stood still.

    In a run the run counts.
    """
    member = seen.situation.member
    if seen.situation.task_at is None:
        return int(tx.lives.words_of(member.name, member.incarnation - 1).startswith(STOOD_STILL))
    found = [each for each in tx.waking.tasks_of(member.name) if run_of(tx, each) is None]
    return max((_counted(tx, each) for each in found), default=0)


def start_anew(tx: Transaction, seen: Seen) -> None:
    """End a life whose work stands still; another one begins where it is wanted to run."""
    life = tx.lives.lock_open(seen.name)
    if life is None:
        return
    for task in tx.waking.tasks_of(seen.name):
        run = run_of(tx, task)
        if run is not None:
            _give_up(tx, run, task, words(seen))
        else:
            note = f"Taken up before: {words(seen)}. Look at what is there before you go on."
            tx.tasks.merge(task.id, {NOTE: note, RESPAWNS: _counted(tx, task) + 1})
            tx.record(DRUMLINE, "task.noted", str(task.id))
    lives.end(tx, life, WhyEnded.STOPPED, f"{STOOD_STILL}: {words(seen)}")
    tx.waking.attend(seen.name, seen.live, None, None)  # the next life stands still in nothing yet
    tx.record(DRUMLINE, "member.respawned", seen.name)


def tell_nudge(tx: Transaction, member: str, noticed: str) -> None:
    """Keep that a member was nudged about work of a run that stands still."""
    for task in tx.waking.tasks_of(member):
        if run := run_of(tx, task):
            why = f"{member} was nudged: nothing of it moved, noticed at {noticed}"
            escalations.keep(tx, run, task.id, Rung.NUDGE, why)


def words(seen: Seen) -> str:
    """What happened, in one line."""
    return f"{seen.name} had it, and nothing of it moved since {seen.still:%Y-%m-%d %H:%M} UTC"


def run_of(tx: Transaction, task: Task) -> Run | None:
    """The run at work that a task belongs to; one that rests decides nothing."""
    found = tx.runs.get(task.run) if task.run else None
    return found if found is not None and found.state is RunState.WORKING else None


def _give_up(tx: Transaction, run: Run, task: Task, why: str) -> None:
    """Leave it to the run; a try that stood still is not tried again by the same life."""
    failures = {each.task.id: each.failures for each in tx.runs.tasks(run.name)}
    for _ in range(RETRIES - failures.get(task.id, 0)):
        tx.runs.count_failure(run, task.id)
    board.fail(tx, run.acting(), task.id, Holder(task.owner or "", task.incarnation), why)


def _counted(tx: Transaction, task: Task) -> int:
    said = tx.tasks.fields(task.id).get(RESPAWNS, 0)
    return said if isinstance(said, int) else 0
