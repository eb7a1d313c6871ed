"""Handing in: what a runner says of work it looked at itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from drumline.control import works
from drumline.control.board import completed, locked
from drumline.control.lives import present
from drumline.control.roster import acting_as, constitution
from drumline.team.draft import NewTask
from drumline.team.ids import TaskId
from drumline.team.life import Life
from drumline.team.quoting import quoted
from drumline.team.task import HANDED_IN, KEPT, PRIORITIES, VERIFIED, VERIFY, Holder, Task
from drumline.team.text import FILES_CAP, PATTERN_CAP, TITLE_CAP, checked_line, one_line

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


class Proof(NamedTuple):
    """For which claim on which commit a task's check has passed; what that was merged onto, and as what."""

    fence: int
    commit: str
    base: str = ""
    merged: str = ""


def prove(tx: Transaction, life: Life, task: TaskId, proof: Proof) -> None:
    """Note that a task's check passed; said by the runner, which ran it, never by the member."""
    present(tx, life)
    checked_line(proof.commit, "the commit")
    locked(tx, task).held_by(Holder(life.member, life.incarnation, proof.fence))
    tx.tasks.merge(task, {f"{VERIFIED}.fence": proof.fence, f"{VERIFIED}.commit": proof.commit})
    tx.record(f"runner:{life.process.host}", "task.verified", str(task))


def tell_failed(tx: Transaction, life: Life, task: TaskId) -> None:
    """Let whoever watches hear that a task's check did not pass; its member is told why."""
    present(tx, life)
    tx.record(f"runner:{life.process.host}", "task.check-failed", str(task))


class Earlier(NamedTuple):
    """Work that was handed in and found good: which commit, and whose."""

    commit: str
    member: str


def accept(tx: Transaction, life: Life, task: TaskId, proof: Proof) -> None:
    """Note the commit that is about to be merged, so that nobody does the work again if we end here."""
    present(tx, life)
    checked_line(proof.commit, "the commit")
    held = locked(tx, task)
    held.held_by(Holder(life.member, life.incarnation, proof.fence))
    works.brought_along(tx, held, proof.commit, proof.base, proof.merged)
    noted, before = {"base": proof.base, "merged": proof.merged}, earlier(tx, task)
    if before is None or before.commit != proof.commit:  # who takes it in again did not make it
        noted |= Earlier(proof.commit, life.member)._asdict()
    tx.tasks.merge(task, {f"{HANDED_IN}.{name}": said for name, said in noted.items()})
    tx.record(f"runner:{life.process.host}", "task.handed-in", str(task))


def earlier(tx: Transaction, task: TaskId) -> Earlier | None:
    """What was handed in for a task and found good, by this claim or one before."""
    fields = tx.tasks.fields(task)
    said = [fields.get(f"{HANDED_IN}.{name}") for name in Earlier._fields]
    return Earlier(*map(str, said)) if all(said) else None


def kept_of(tx: Transaction, task: TaskId) -> str:
    """The commit a task is to bring together with what others did; empty for most."""
    return str(tx.tasks.fields(task).get(f"{KEPT}.commit", ""))


def authors_kept(tx: Transaction, task: TaskId) -> list[str]:
    """Whose work a task is to bring together with what others did."""
    said = tx.tasks.fields(task).get(f"{KEPT}.authors")
    return list(map(str, said)) if isinstance(said, list) else []


def is_held(tx: Transaction, task: Task) -> bool:
    """Whether a task is still held by the very claim that took it."""
    now = tx.tasks.get(task.id)
    return now is not None and now.owner is not None and now.fence == task.fence


def check_of(tx: Transaction, task: TaskId) -> tuple[str, ...]:
    """The words of a task's own check; none where it has none."""
    words = tx.tasks.fields(task).get(VERIFY)
    return tuple(map(str, words)) if isinstance(words, list) else ()


class Clash(NamedTuple):
    """Work that cannot be merged: for which claim, which commit, on which branch, and in which files."""

    fence: int
    commit: str
    branch: str
    files: Sequence[str]


def hand_over(tx: Transaction, life: Life, task: TaskId, clash: Clash) -> Task:
    """Close a task whose work conflicts with others', and let the integrator bring both together.

    What waited for the task waits for the integrator as well: it has nothing to stand on before that. The
    task's own check goes with the work.
    """
    present(tx, life)
    held = locked(tx, task)
    held.held_by(Holder(life.member, life.incarnation, clash.fence))
    tx.tasks.lock_graph()
    listed = quoted("\n".join(one_line(name, PATTERN_CAP) for name in clash.files[:FILES_CAP]))
    draft = NewTask(
        title=f"Bring {task} together with what others did"[:TITLE_CAP],
        body=f"Merge the work of {task} into the team's: git merge {clash.commit}\n"
        f"It is kept as {clash.branch}. These files conflict:\n{listed}",
        priority=min(held.priority + 1, PRIORITIES.stop - 1),
        profile=_integrator(tx),
        run=held.run,
    )
    new = tx.tasks.add(draft)
    check = {VERIFY: argv} if (argv := tx.tasks.fields(task).get(VERIFY)) else {}
    hands = [life.member, *authors_kept(tx, task)]
    kept = {"commit": clash.commit, "branch": clash.branch, "authors": hands}
    tx.tasks.merge(new.id, {**{f"{KEPT}.{name}": said for name, said in kept.items()}, **check})
    tx.tasks.merge(task, {f"{KEPT}.via": str(new.id)})
    for waiting in tx.tasks.waiting_for(task):
        tx.tasks.add_edge(waiting, new.id, unmet=True)
    tx.record(life.member, "task.added", str(new.id))
    completed(tx, acting_as(tx, life.member), held)
    return new


def _integrator(tx: Transaction) -> str:
    """The profile that may cross boundaries, if somebody here has it."""
    have = {member.profile for member in tx.roster.everyone() if member.active}
    return next((name for name in constitution(tx).crossing if name in have), "")
