"""The board: who does what, one holder at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from drumline.control.announcing import announce
from drumline.control.at_once import at_once
from drumline.control.awaiting import meet
from drumline.control.claims import (
    files_in_use,
    refuse_overlap,
    refuse_resting,
    refuse_second,
    take_in_order,
)
from drumline.control.holding import holding, withdraw_about
from drumline.control.proofs import refuse_unhanded, refuse_unproved
from drumline.control.roster import (
    active_member,
    charter,
    constitution,
    known_profile,
    living,
    own_hands,
    require,
)
from drumline.errors import BadInput, Cycle, IllegalMove, NotAllowed, NotReady, Unknown
from drumline.team import text
from drumline.team.actor import Actor, Role
from drumline.team.draft import Listed, NewTask
from drumline.team.ids import TaskId
from drumline.team.member import Member
from drumline.team.rights import Right
from drumline.team.task import VERIFY, Holder, Task, TaskState, circles, path_between
from drumline.team.task_fields import CANCELLED, FAILED, HANDOFF

if TYPE_CHECKING:
    from drumline.control.ports import Transaction

SHORTEST, LONGEST = timedelta(seconds=1), timedelta(days=7)


def add(tx: Transaction, actor: Actor, draft: NewTask, waits_for: Sequence[TaskId] = ()) -> Task:
    """Put a task on the board."""
    (task,) = add_all(tx, actor, [Listed(draft, (), tuple(waits_for))])
    return task


def add_all(tx: Transaction, actor: Actor, tasks: Sequence[Listed]) -> list[Task]:
    """Put tasks on the board, which may wait for each other, but not in a circle: all of them, or none."""
    require(tx, actor, Right.EDIT)
    for profile in sorted({each.draft.profile for each in tasks}):
        known_profile(tx, profile)
    for circle in circles([each.after for each in tasks], most=1):
        raise Cycle([tasks[place].draft.title for place in circle])
    wanted = {other for each in tasks for other in each.waits_for}
    blockers = tx.tasks.lock_all(wanted)
    if missing := wanted.difference(blocker.id for blocker in blockers):
        raise _unknown(tx, min(missing))
    unmet = {other.id for other in blockers if other.state is not TaskState.COMPLETED}
    return tx.tasks.add_all(actor, tasks, unmet) if tasks else []


def edit(tx: Transaction, actor: Actor, task: TaskId, changes: Mapping[str, Any]) -> Task:
    """Change what a task says of itself, while it is open."""
    require(tx, actor, Right.EDIT)
    NewTask(**{"title": "unchanged", **changes})
    known_profile(tx, changes.get("profile", ""))
    if changes.get("files"):
        tx.tasks.lock_files()
    old = _open(tx, task)
    new = old._replace(**changes)
    if new.owner and new.files != old.files:
        _refuse_shared_files(tx, new, active_member(tx, new.owner))
    edited = tx.tasks.edit(new)
    tx.record(actor, "task.edited", str(task))
    return edited


def claim(
    tx: Transaction, actor: Actor, task: TaskId, holder: Holder, *, lease: timedelta | None = None
) -> Task:
    """Take one ready task; of any number of claimants exactly one gets it."""
    require(tx, actor, Right.CLAIM)
    own_hands(actor, holder.member)
    member = active_member(tx, holder.member, incarnation=holder.incarnation, staying=True)
    tx.tasks.lock_files()
    refuse_second(tx, holder)
    found = locked(tx, task)
    if found.expired(tx.now()):
        found = tx.tasks.move(task, TaskState.PENDING)
        tx.record("drumline", "task.expired", str(task))
    _refuse_unready(tx, found)
    if found.profile not in {"", member.profile}:
        raise NotReady(
            f"{task} is for the profile {found.profile}",
            why=f"{member.name} is {member.profile or 'of no profile'}",
            next=f"drumline task claim --next --member {member.name}",
        )
    _refuse_shared_files(tx, found, member)
    taken = tx.tasks.take(task, member, _bounded(tx, lease))
    tx.record(actor, "task.claimed", str(task))
    return taken


@at_once
def claim_next(
    tx: Transaction,
    actor: Actor,
    holder: Holder,
    *,
    lease: timedelta | None = None,
    but: Collection[TaskId] = (),
) -> Task:
    """Take the best ready task that fits the member, and is none of `but`: priority, then age."""
    own_hands(actor, holder.member)
    _living_beyond(tx, actor, holder)
    asked = None if lease is None else _bounded(tx, lease)
    claimant, in_order = in_this_life(actor, holder), bool(but) or holder.alone
    if not in_order and (taken := tx.tasks.claim_head(actor, claimant, asked)):
        return taken
    require(tx, actor, Right.CLAIM)
    return take_in_order(tx, actor, claimant, _bounded(tx, asked), but)


def renew(
    tx: Transaction, actor: Actor, task: TaskId, holder: Holder, *, lease: timedelta | None = None
) -> Task:
    """Hold a task for longer."""
    _held(tx, actor, task, holder)
    renewed = tx.tasks.renew(task, _bounded(tx, lease))
    tx.record(actor, "task.renewed", str(task))
    return renewed


def release(tx: Transaction, actor: Actor, task: TaskId, holder: Holder) -> Task:
    """Give a task back unfinished."""
    _held(tx, actor, task, holder)
    return _moved(tx, actor, task, TaskState.PENDING, "task.released")


@at_once
def complete(
    tx: Transaction, actor: Actor, task: TaskId, holder: Holder, *, unverified: bool = False
) -> Task:
    """Finish a task and free those that waited for it; what carries a check must have passed it.

    One that wants a handoff must have it. Only a person may leave either out, and it is told.
    """
    speaks_for(actor, task, holder)
    _living_beyond(tx, actor, holder)
    if done := tx.tasks.complete_alone(actor, task, in_this_life(actor, holder)):
        return done
    found = _held(tx, actor, task, holder)
    if not (unverified and actor.role is Role.PERSON):
        refuse_unproved(tx, task, found.fence)
        refuse_unhanded(tx, task, found.fence)
    elif {VERIFY, HANDOFF} & tx.tasks.fields(task).keys():
        tx.record(actor, "task.unverified", str(task))
    return completed(tx, actor, found)


def fail(tx: Transaction, actor: Actor, task: TaskId, holder: Holder, why: str) -> Task:
    """Give up on a task and say why; what waits for it stays blocked."""
    _held(tx, actor, task, holder)
    tx.tasks.merge(task, {FAILED: text.checked_line(why, "the reason", cap=text.PATTERN_CAP)})
    return _moved(tx, actor, task, TaskState.FAILED, "task.failed")


def cancel(tx: Transaction, actor: Actor, task: TaskId, why: str = "") -> Task:
    """Take a task off the board."""
    require(tx, actor, Right.EDIT)
    tx.questions.lock()
    found = locked(tx, task)
    if found.permanent:
        raise NotAllowed(
            f"{task} is the permanent task of run {found.run}",
            why="it ends only with its run",
            next="stop the run instead",
        )
    found.move(TaskState.CANCELLED)
    withdraw_about(tx, actor, task)
    if why:
        reason = text.checked_line(why, "the reason", cap=text.PATTERN_CAP)
        tx.tasks.merge(task, {CANCELLED: reason})
    return _moved(tx, actor, task, TaskState.CANCELLED, "task.cancelled")


def reopen(tx: Transaction, actor: Actor, task: TaskId) -> Task:
    """Put a failed task back on the board."""
    require(tx, actor, Right.EDIT)
    found = locked(tx, task)
    if found.state is not TaskState.FAILED:
        raise IllegalMove(str(task), found.state, TaskState.PENDING)
    return _moved(tx, actor, task, TaskState.PENDING, "task.reopened")


def block(tx: Transaction, actor: Actor, task: TaskId, waits_for: Iterable[TaskId]) -> Task:
    """Let a task wait for others; a circle is refused."""
    require(tx, actor, Right.EDIT)
    return let_wait(tx, actor, task, waits_for)


def let_wait(tx: Transaction, actor: Actor, task: TaskId, waits_for: Iterable[TaskId]) -> Task:
    """Let a task wait for others, for someone whose right to say so was seen to."""
    tx.tasks.lock_graph()
    for other in sorted(set(waits_for)):
        if other == task:
            raise Cycle([str(task), str(task)])
        blocker = locked(tx, other)
        _open(tx, task)
        if chain := path_between(other, task, tx.tasks.edges_from(other)):
            raise Cycle([str(task), *map(str, chain)])
        tx.tasks.add_edge(task, other, unmet=blocker.state is not TaskState.COMPLETED)
    tx.record(actor, "task.blocked", str(task))
    return locked(tx, task)


def unblock(tx: Transaction, actor: Actor, task: TaskId, waits_for: Iterable[TaskId]) -> Task:
    """Let a task no longer wait for others."""
    require(tx, actor, Right.EDIT)
    tx.tasks.lock_graph()
    for other in sorted(set(waits_for)):
        blocker = locked(tx, other)
        locked(tx, task)
        unmet = blocker.state is not TaskState.COMPLETED
        if not tx.tasks.remove_edge(task, other, unmet=unmet):
            raise Unknown(f"{task} does not wait for {other}", next=f"drumline task show {task}")
    tx.record(actor, "task.unblocked", str(task))
    return locked(tx, task)


def _bounded(tx: Transaction, wanted: timedelta | None) -> timedelta:
    lease = wanted if wanted is not None else charter(tx).lease_by_hand
    if not SHORTEST <= lease <= LONGEST:
        raise BadInput(
            f"a lease of {lease} cannot be held", next="choose between one second and seven days"
        )
    return lease


def completed(tx: Transaction, actor: Actor, held: Task) -> Task:
    """Close a task that may be closed, and count down those that waited for it."""
    if held.run and not held.permanent:
        from drumline.control import works  # noqa: PLC0415 - only tasks of runs need it

        works.keep(tx, held)
    done = tx.tasks.move(held.id, TaskState.COMPLETED)
    tx.tasks.free_waiters(held.id)
    tx.record(actor, "task.completed", str(held.id))
    meet(tx, actor, held)
    announce(tx, actor, held)
    return done


def _moved(tx: Transaction, actor: Actor, task: TaskId, state: TaskState, verb: str) -> Task:
    moved = tx.tasks.move(task, state)
    tx.record(actor, verb, str(task))
    return moved


def _held(tx: Transaction, actor: Actor, task: TaskId, holder: Holder) -> Task:
    speaks_for(actor, task, holder)
    require(tx, actor, Right.FINISH)
    found = locked(tx, task)
    found.held_by(in_this_life(actor, holder))
    return found


def in_this_life(actor: Actor, holder: Holder) -> Holder:
    """A member's claim belongs to the life that speaks, whether it says so or not."""
    if holder.incarnation is None and holder.member == actor.name:
        return holder._replace(incarnation=actor.incarnation)
    return holder


def _living_beyond(tx: Transaction, actor: Actor, holder: Holder) -> None:
    """A statement checks the holder's life by itself; whose word reaches further is checked before."""
    if actor.role is Role.LEAD or holder.incarnation not in {None, actor.incarnation}:
        living(tx, actor)


def speaks_for(actor: Actor, task: TaskId, holder: Holder) -> None:
    """A member speaks for itself and names its claim; a person may leave both out."""
    own_hands(actor, holder.member)
    if actor.role is Role.TEAMMATE and holder.fence is None:
        raise BadInput(
            f"which claim on {task}?",
            why="a member's word counts only for the claim it holds",
            next="give the number the claim gave: --fence N",
        )


def locked(tx: Transaction, task: TaskId) -> Task:
    """The task, which nobody else changes until this transaction ends."""
    if found := tx.tasks.lock(task):
        return found
    raise _unknown(tx, task)


def _unknown(tx: Transaction, task: TaskId) -> Unknown:
    return Unknown(f"no task {task} in team {tx.team}", next="drumline task list")


def _refuse_shared_files(tx: Transaction, task: Task, member: Member) -> None:
    """Only the integrator crosses boundaries."""
    if task.files and member.profile not in constitution(tx).crossing:
        refuse_overlap(task, files_in_use(tx, but=task.id))


def _open(tx: Transaction, task: TaskId) -> Task:
    found = locked(tx, task)
    if found.state in {TaskState.COMPLETED, TaskState.CANCELLED}:
        raise NotReady(f"{task} is {found.state}: it cannot change any more", next="add a new task")
    return found


def _refuse_unready(tx: Transaction, task: Task) -> None:
    if task.owner:
        raise NotReady(
            f"{task.id} is held by {task.owner}",
            why=f"its lease runs until {task.lease_until:%H:%M:%S} UTC",
            next="drumline task ready",
        )
    if task.permanent:
        raise NotReady(
            f"{task.id} is a permanent task: nobody works on it", next="drumline task ready"
        )
    task.move(TaskState.IN_PROGRESS)
    if task.waits:
        raise NotReady(
            f"{task.id} is blocked by {', '.join(obstacles(tx, task))}", next="drumline task ready"
        )
    refuse_resting(tx, task)


def obstacles(tx: Transaction, task: Task) -> list[str]:
    """What a task waits for: work that is not finished, and questions without an answer."""
    waiting = [other for other in tx.tasks.blockers(task.id) if other.state != "completed"]
    work = [
        f"{other.id} ({', '.join(filter(None, (other.state, other.owner)))})" for other in waiting
    ]
    inputs = (f"{name}'s handoff" for name in tx.handoffs.awaited_by(task.id))
    return [*work, *inputs, *(f"{each.id} (no answer yet)" for each in holding(tx, task.id))]
