"""Handing in: what a runner says of work it looked at itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from drumline.control.board import completed, locked
from drumline.control.lives import present
from drumline.control.roster import acting_as, constitution
from drumline.control.views import known_task
from drumline.team.draft import NewTask
from drumline.team.ids import TaskId
from drumline.team.life import Life
from drumline.team.task import PRIORITIES, VERIFIED, VERIFY, Holder, Task
from drumline.team.text import FILES_CAP, TITLE_CAP, checked_line

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


class Proof(NamedTuple):
    """For which claim on which commit a task's check has passed."""

    fence: int
    commit: str


def prove(tx: Transaction, life: Life, task: TaskId, proof: Proof) -> None:
    """Note that a task's check passed; said by the runner, which ran it, never by the member."""
    present(tx, life)
    checked_line(proof.commit, "the commit")
    locked(tx, task).held_by(Holder(life.member, life.incarnation, proof.fence))
    tx.tasks.merge(task, {f"{VERIFIED}.fence": proof.fence, f"{VERIFIED}.commit": proof.commit})
    tx.record(f"runner:{life.process.host}", "task.verified", str(task))


def is_held(tx: Transaction, task: Task) -> bool:
    """Whether a task is still held by the very claim that took it."""
    now = tx.tasks.get(task.id)
    return now is not None and now.owner is not None and now.fence == task.fence


def refuse_lost(tx: Transaction, life: Life, task: TaskId, fence: int) -> None:
    """Refuse to go on with a claim that is no longer this life's: somebody else may have the task."""
    known_task(tx, task).held_by(Holder(life.member, life.incarnation, fence))


def check_of(tx: Transaction, task: TaskId) -> tuple[str, ...]:
    """The words of a task's own check; none where it has none."""
    words = tx.tasks.fields(task).get(VERIFY)
    return tuple(map(str, words)) if isinstance(words, list) else ()


class Clash(NamedTuple):
    """Work that cannot be merged: for which claim, on which branch it is kept, and in which files."""

    fence: int
    branch: str
    files: Sequence[str]


def hand_over(tx: Transaction, life: Life, task: TaskId, clash: Clash) -> Task:
    """Close a task whose work conflicts with others', and let the integrator bring both together.

    What waited for the task waits for the integrator as well: it has nothing to stand on before that.
    """
    present(tx, life)
    held = locked(tx, task)
    held.held_by(Holder(life.member, life.incarnation, clash.fence))
    tx.tasks.lock_graph()
    listed = "\n".join(f"- {name}" for name in clash.files[:FILES_CAP])
    draft = NewTask(
        title=f"Bring {task} together with what others did"[:TITLE_CAP],
        body=f"Merge {clash.branch} into the team's work. These files conflict:\n{listed}",
        priority=min(held.priority + 1, PRIORITIES.stop - 1),
        profile=_integrator(tx),
        run=held.run,
    )
    new = tx.tasks.add(draft, waits_for=(), waits=0, permanent=False)
    for waiting in tx.tasks.waiting_for(task):
        tx.tasks.add_edge(waiting, new.id, unmet=True)
    tx.record(life.member, "task.added", str(new.id))
    completed(tx, acting_as(tx, life.member), task)
    return new


def _integrator(tx: Transaction) -> str:
    """The profile that may cross boundaries, if somebody here has it."""
    have = {member.profile for member in tx.roster.everyone() if member.active}
    return next((name for name in constitution(tx).crossing if name in have), "")
