"""Handing off: one call keeps the handoff and tells everyone it concerns, or does nothing at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drumline.control import comparing, coordinating, mail, reflecting
from drumline.control.board import in_this_life, locked, speaks_for
from drumline.control.lives import present
from drumline.control.proofs import refuse_unhanded
from drumline.control.roster import LEAD, charter, in_the_name_of, lead, living
from drumline.control.task_phases import noted_phase
from drumline.errors import NotHandedOff, NotHolder, Unknown
from drumline.team.delegation import CommunicationPlan, read_delegation
from drumline.team.handoff import Handoff, Kept, Origin, facts
from drumline.team.handoff_signals import Signals, signals
from drumline.team.handoff_text import (
    CALL,
    FULL,
    INDEX,
    STATE,
    SUMMARY,
    folder_of,
    refuse_oversize,
    render_summary,
    summary_path,
)
from drumline.team.ids import TaskId
from drumline.team.task import Holder, Task
from drumline.team.task_fields import HANDED_OFF, PHASE_SIGNALS, UNHANDED

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.actor import Actor
    from drumline.team.life import Life


def hand_off(tx: Transaction, actor: Actor, task: TaskId, holder: Holder, handoff: Handoff) -> Kept:
    """Keep a handoff, signal the run, tell the lead and every consumer: all of it, or none.

    The same call again for the same claim changes nothing and tells nobody twice.
    """
    found = _held(tx, actor, task, holder)
    member = str(found.owner)
    origin = Origin(task, member, found.run, noted_phase(tx, found))
    last = tx.handoffs.last(task)
    if last and (last.origin, last.fence, last.handoff) == (origin, found.fence, handoff):
        return last
    refuse_oversize(handoff, origin)
    coordinating.refuse_partial(tx, found, handoff)
    folder = _folder(tx, origin, last)
    plan = read_delegation(task, tx.tasks.fields(task)).communication
    said = signals(handoff, task, summary_path(folder), plan.fields, found.tracker)
    kept = tx.handoffs.add(origin, found.fence, folder, handoff)
    tx.tasks.merge(task, {HANDED_OFF: kept.version, UNHANDED: None})
    tx.record(actor, "task.handed-off", str(task))
    _signal(tx, actor, origin, said)
    _tell(tx, in_the_name_of(tx, member, actor), plan, said)
    if origin.run:
        comparing.follow_up(tx, origin.run)
    return kept


def find(tx: Transaction, task: TaskId) -> Kept:
    """The last handoff of a task."""
    if kept := tx.handoffs.last(task):
        return kept
    if tx.tasks.get(task) is None:
        raise Unknown(f"no task {task} in team {tx.team}", next="drumline task list")
    raise Unknown(
        f"{task} was not handed off yet", next=f"drumline task show {task}   # who works on it"
    )


def find_by_path(tx: Transaction, path: str) -> Kept:
    """The handoff whose summary, or folder, a signal named."""
    folder = path.removeprefix(f"{STATE}/").removesuffix(f"/{SUMMARY}").rstrip("/")
    if kept := tx.handoffs.in_folder(folder):
        return kept
    raise Unknown(f"no handoff at {path[:200]!r}", next="drumline handoff show TASK")


def read(tx: Transaction, actor: Actor, which: str) -> Kept:
    """A handoff by its task or the path that a signal named, for whoever may read it whole."""
    kept = find_by_path(tx, which) if "/" in which else find(tx, TaskId.parse(which))
    coordinating.refuse_whole(tx, actor, kept)
    return kept


def lacking(tx: Transaction, task: TaskId, fence: int) -> NotHandedOff | None:
    """Why a claim's task cannot be closed for want of a handoff, if that is so."""
    try:
        refuse_unhanded(tx, task, fence)
    except NotHandedOff as refused:
        return refused
    return None


def count_refusal(tx: Transaction, life: Life, task: TaskId, fence: int) -> bool:
    """Count a task that was to be closed without its handoff; whether a person is asked about it now."""
    present(tx, life)
    held = locked(tx, task)
    held.held_by(Holder(life.member, life.incarnation, fence))
    said = tx.tasks.fields(task).get(UNHANDED, 0)
    times = said + 1 if isinstance(said, int) else 1
    over = times >= charter(tx).handoff_refusals
    tx.tasks.merge(task, {UNHANDED: None if over else times})
    tx.record(f"runner:{life.process.host}", "task.unhanded", str(task))
    if over:
        why = f"{life.member} said {times} times that it is done, and never handed off"
        reflecting.set_aside(tx, life, held, why)
    return over


def kept_facts(kept: Kept) -> dict[str, Any]:
    """A handoff as every surface shows it."""
    origin, folder = kept.origin, f"{STATE}/{kept.folder}"
    return {
        "task": str(origin.task),
        "member": origin.member,
        "run": origin.run or None,
        "phase": origin.phase or None,
        "version": kept.version,
        "fence": kept.fence,
        "at": kept.at,
        "files": {
            "index": f"{folder}/{INDEX}",
            "summary": summary_path(kept.folder),
            "full": [f"{folder}/{FULL}/{name}" for name in kept.handoff.full],
            "call": f"{folder}/{CALL}",
        },
        "handoff": facts(kept.handoff),
        "summary": render_summary(kept.handoff, origin),
    }


def _held(tx: Transaction, actor: Actor, task: TaskId, holder: Holder) -> Task:
    """The task, held by the claim that speaks: no right of the board is needed to say how work went."""
    speaks_for(actor, task, holder)
    living(tx, actor)
    seen = tx.tasks.get(task)
    if seen is not None and seen.owner:
        tx.roster.lock(seen.owner)  # its folders are given out one after another
    found = locked(tx, task)
    found.held_by(in_this_life(actor, holder))
    if seen is None or seen.owner != found.owner:
        raise NotHolder(f"{task} changed hands just now", next=f"drumline task show {task}")
    return found


def _folder(tx: Transaction, origin: Origin, last: Kept | None) -> str:
    """Where it was before, if it was; else a folder that is no other task's."""
    if last and last.origin == origin:
        return last.folder
    there = tx.handoffs.in_folder(folder_of(origin, taken=False))
    return folder_of(origin, taken=there is not None and there.origin.task != origin.task)


def _signal(tx: Transaction, actor: Actor, origin: Origin, said: Signals) -> None:
    """What the run's permanent task keeps of it."""
    permanent = tx.tasks.permanent(origin.run) if origin.run else None
    if permanent:
        locked(tx, permanent.id)
        field = f"{PHASE_SIGNALS}.{origin.phase}.{origin.task}"
        tx.tasks.merge(permanent.id, {field: said.task.render()})
        tx.record(actor, "run.signalled", str(permanent.id))


def _tell(tx: Transaction, sender: Actor, plan: CommunicationPlan, said: Signals) -> None:
    """The lead hears how it went, each consumer that its input is there; nobody writes to itself."""
    if lead(tx).name != sender.name:
        mail.send(tx, sender, [LEAD], said.lead.render())
    leader = {LEAD, lead(tx).name}
    others = [name for name in plan.notify if name != sender.name and name not in leader]
    if consumers := [name for name in others if not _has_left(tx, name)]:
        mail.send(tx, sender, consumers, said.ready.render())


def _has_left(tx: Transaction, name: str) -> bool:
    """Whether somebody was on the team and is no longer: who left keeps no work from going on."""
    found = tx.roster.get(name)
    return found is not None and not found.active
