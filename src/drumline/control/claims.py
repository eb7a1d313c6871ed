"""Taking the next task when it needs a closer look: expired claims, file sets, refusals."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import timedelta
from typing import TYPE_CHECKING

from drumline.control.roster import active_member, constitution
from drumline.errors import NothingReady, NotReady
from drumline.team.actor import Actor
from drumline.team.ids import TaskId
from drumline.team.life import Life
from drumline.team.member import Member
from drumline.team.ownership import overlap
from drumline.team.run import RunState
from drumline.team.task import Holder, Task, TaskState

if TYPE_CHECKING:
    from drumline.control.ports import Transaction

PAGE = 32

FilesInUse = Iterable[tuple[TaskId, str, tuple[str, ...]]]


def take_back_expired(tx: Transaction) -> list[Task]:
    """Return to the board what nobody renewed."""
    expired = tx.tasks.expire()
    if expired:
        tx.record("drumline", "task.expired", ",".join(str(task.id) for task in expired))
    return expired


def held_by(tx: Transaction, life: Life) -> Task | None:
    """What a life holds already: claimed for it by somebody who may choose for others."""
    held = [task for task in tx.tasks.held() if task.owner == life.member]
    return next((task for task in held if task.incarnation == life.incarnation), None)


def refuse_second(tx: Transaction, holder: Holder) -> None:
    """Refuse another task to one who works alone on what it holds: nobody else could take it meanwhile.

    The files are locked before: two claims of one member cannot pass each other.
    """
    member = holder.member
    held = [task for task in tx.tasks.held() if task.owner == member] if holder.alone else []
    if held:
        raise NotReady(
            f"{member} holds {held[0].id}",
            why="a member that is run has one task at a time",
            next=f"finish {held[0].id}, or give it back: drumline task release {held[0].id}",
        )


def refuse_resting(tx: Transaction, task: Task) -> None:
    """Refuse what belongs to a run that was stopped: nothing new of it is begun."""
    run = tx.runs.get(task.run) if task.run else None
    if run is not None and run.state is RunState.STOPPED:
        raise NotReady(
            f"{task.id} belongs to {run.name}, which rests",
            why=run.why,
            next=f"drumline run resume {run.name}",
        )


def files_in_use(
    tx: Transaction, *, but: TaskId | None = None
) -> list[tuple[TaskId, str, tuple[str, ...]]]:
    return [entry for entry in tx.tasks.held_files() if entry[0] != but]


def refuse_overlap(task: Task, in_use: FilesInUse) -> None:
    """No two tasks in progress may touch one file."""
    for other, owner, files in in_use:
        if shared := overlap(task.files, files):
            raise NotReady(
                f"{task.id} would share files with {other}, which {owner} has in progress",
                why=f"{shared[0]} and {shared[1]} can name one file, and a file has one writer at a time",
                next=f"wait for {other}, or let the integrator do it",
            )


def take_in_order(
    tx: Transaction,
    actor: Actor,
    holder: Holder,
    lease: timedelta,
    but: Collection[TaskId] = (),
) -> Task:
    """Go through what is ready one by one, best first."""
    member = active_member(tx, holder.member, incarnation=holder.incarnation, staying=True)
    tx.tasks.lock_files()
    refuse_second(tx, holder)
    take_back_expired(tx)
    in_use = () if member.profile in constitution(tx).crossing else files_in_use(tx)
    kept_back: list[TaskId] = []
    last: Task | None = None
    while page := tx.tasks.ready(profile=member.profile, after=last, most=PAGE):
        for task in (each for each in page if each.id not in but):
            if _shares_files(task, in_use):
                kept_back.append(task.id)
            elif (now := tx.tasks.lock(task.id)) and _fits(now, member, in_use):
                taken = tx.tasks.take(task.id, member, lease)
                tx.record(actor, "task.claimed", str(taken.id))
                return taken
        last = page[-1]
    raise _nothing(tx, member, kept_back)


def _fits(task: Task, member: Member, in_use: FilesInUse) -> bool:
    """Whether a task, edited perhaps since it was listed, is still one this member may take."""
    for_it = task.profile in {"", member.profile}
    return task.ready and for_it and not _shares_files(task, in_use)


def _shares_files(task: Task, in_use: FilesInUse) -> bool:
    return any(overlap(task.files, files) for _, _, files in in_use)


def _nothing(tx: Transaction, member: Member, kept_back: list[TaskId]) -> NothingReady:
    counts = tx.tasks.count()
    held, _ = counts.get(TaskState.IN_PROGRESS, (0, 0))
    _, waiting = counts.get(TaskState.PENDING, (0, 0))
    reasons = [f"{held} in progress", f"{waiting} waiting for others"]
    if kept_back:
        reasons.append(f"{len(kept_back)} ready but sharing files with work in progress")
    return NothingReady(
        f"nothing is ready for {member.name}", why=", ".join(reasons), next="drumline task list"
    )
