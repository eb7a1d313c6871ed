"""What people and agents are shown: the same field names on every surface."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from drumline.control.roster import constitution
from drumline.errors import Unknown
from drumline.team.ids import TaskId
from drumline.team.journal import Event
from drumline.team.member import Member
from drumline.team.task import Task, TaskState, lagging, waves

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.message import Message
    from drumline.team.question import Question
    from drumline.team.request import Request

Facts = dict[str, Any]
Attended = tuple[str, datetime, datetime | None]


class Seat(NamedTuple):
    """A member and what it has before it."""

    member: Member
    holds: tuple[Task, ...]
    mail: int
    unread: int
    liveness: str = ""
    since: datetime | None = None
    stalled_at: datetime | None = None


class Status(NamedTuple):
    """The team in one screen."""

    team: str
    constitution: str
    now: datetime
    seats: tuple[Seat, ...]
    counts: dict[str, int]
    ready: int
    blocked: int
    stuck: tuple[Task, ...]
    expired: tuple[Task, ...]
    lagging: tuple[Task, ...]
    last: Event | None
    asked: int = 0
    drained: Mapping[str, int] = {}
    nudged: tuple[str, str, datetime] | None = None
    unshared: int = 0
    run: tuple[str, str, int, bool] | None = None
    stale: tuple[str, ...] = ()
    usd: float = 0.0
    away: Mapping[str, str] = {}


def status(tx: Transaction, *, exists: Callable[[str], bool], unshared: int = 0) -> Status:
    """Where everyone is; `exists` tells which promised outputs are there.

    `unshared` are the commits of the user's branch that the team's has not.
    """
    held = tx.tasks.held()
    members = [member for member in tx.roster.everyone() if member.active]
    waiting = tx.mail.waiting()
    attended = tx.attended()
    counts = tx.tasks.count()
    pending, blocked = counts.get(TaskState.PENDING, (0, 0))
    now, run = tx.now(), tx.run_at_work()
    return Status(
        team=tx.team,
        constitution=constitution(tx).name,
        now=now,
        seats=tuple(
            _seat(member, held, waiting.get(member.name, (0, 0)), attended.get(member.name))
            for member in members
        ),
        counts={state.value: counts.get(state, (0, 0))[0] for state in TaskState},
        ready=pending - blocked,
        blocked=blocked,
        stuck=tuple(tx.tasks.stuck()),
        expired=tuple(task for task in held if task.expired(now)),
        lagging=tuple(_lagging(held, members, exists)),
        last=tx.journal.newest(),
        asked=tx.asked(),
        drained=tx.drained(),
        nudged=tx.last_nudge(),
        unshared=unshared,
        run=run,
        stale=_stale(tx, run[0]) if run else (),
        usd=tx.spent_by_all() / 1_000_000,
        away=_away(tx) if tx.somebody_away() else {},
    )


def _stale(tx: Transaction, run: str) -> tuple[str, ...]:
    """Who lives and does not hold the newest context of a run."""
    from drumline.control.context import stale  # noqa: PLC0415 - most teams are at no run

    alive = [life.member for life in tx.lives.open()]
    return tuple(each.member for each in stale(tx, run, alive))


def _away(tx: Transaction) -> dict[str, str]:
    from drumline.control.muster import kept_away  # noqa: PLC0415 - mostly everybody is there

    return kept_away(tx)


def known_task(tx: Transaction, number: TaskId) -> Task:
    """One task as it stands on the board."""
    if found := tx.tasks.get(number):
        return found
    raise Unknown(f"no task {number} in team {tx.team}", next="drumline task list")


def task(tx: Transaction, number: TaskId) -> Facts:
    """One task with all that belongs to it."""
    return task_facts(known_task(tx, number)) | {
        "body": tx.tasks.body(number),
        "blocked_by": [_brief(other) for other in tx.tasks.blockers(number)],
        "blocks": [str(other) for other in tx.tasks.waiting_for(number)],
        "metadata": tx.tasks.fields(number),
        "questions": [question_facts(each) for each in tx.questions.about(number)],
        "reviews": _reviews(tx, number),
    }


def _reviews(tx: Transaction, number: TaskId) -> list[Facts]:
    from drumline.control.reviewing import of_task  # noqa: PLC0415 - only who shows a task needs it

    return of_task(tx, number)


def tasks(
    tx: Transaction,
    *,
    state: TaskState | None = None,
    owner: str | None = None,
    after: int = 0,
    most: int = 1000,
) -> list[Task]:
    """One page of the board."""
    return tx.tasks.page(state=state, owner=owner, after=after, most=most)


def ready(tx: Transaction, *, profile: str | None = None, most: int = 100) -> list[Task]:
    """What could be claimed now, best first: nothing to wait for, and no file in use."""
    from drumline.team.ownership import overlap  # noqa: PLC0415 - only this question compares files

    in_use = tx.tasks.held_files()
    return [
        task
        for task in tx.tasks.ready(profile=profile, after=None, most=most)
        if not any(overlap(task.files, files) for _, _, files in in_use)
    ]


def waves_of(tx: Transaction) -> list[list[Task]]:
    """The open tasks in the order they can run."""
    found = {task.id: task for task in _open_tasks(tx) if not task.permanent}
    edges = tx.tasks.edges()
    order = waves({number: edges.get(number, ()) for number in found})
    return [[found[number] for number in wave] for wave in order]


def events(tx: Transaction, *, cursor: str = "", most: int = 100) -> tuple[list[Event], str]:
    """What happened after a place in the log."""
    return tx.journal.after(cursor, most=most)


def verbs(tx: Transaction, *, cursor: str, most: int) -> tuple[list[str], str]:
    """What kinds of things happened after a place in the log."""
    return tx.journal.verbs_after(cursor, most=most)


def last_events(tx: Transaction, *, most: int) -> tuple[list[Event], str]:
    """The newest events, oldest of them first."""
    return tx.journal.last(most=most)


def task_facts(task: Task) -> Facts:
    return {
        "id": str(task.id),
        "title": task.title,
        "state": task.state.value,
        "priority": task.priority,
        "profile": task.profile,
        "owner": task.owner,
        "incarnation": task.incarnation,
        "fence": task.fence,
        "lease_until": task.lease_until,
        "claimed_at": task.claimed_at,
        "waits": task.waits,
        "files": list(task.files),
        "outputs": list(task.outputs),
        "tracker": task.tracker,
        "run": task.run,
        "permanent": task.permanent,
        "created_at": task.created_at,
        "updated_at": task.updated_at,
    }


def message_facts(message: Message) -> Facts:
    return {
        "id": str(message.id),
        "from": message.sender,
        "to": message.recipient,
        "kind": message.kind.value,
        "state": message.state,
        "body": message.body,
        "sent_at": message.sent_at,
        "delivered_at": message.delivered_at,
        "read_at": message.read_at,
        "acked_at": message.acked_at,
    }


def request_facts(request: Request) -> Facts:
    return {
        "id": str(request.id),
        "state": request.state.value,
        "requester": request.requester,
        "what": request.what,
        "constraint": request.constraint,
        "by": request.by,
        "incarnation": request.incarnation,
        "fence": request.fence,
        "lease_until": request.lease_until,
        "result": request.result,
        "filed_at": request.filed_at,
        "taken_at": request.taken_at,
        "ended_at": request.ended_at,
    }


def question_facts(question: Question) -> Facts:
    return {
        "id": str(question.id),
        "kind": question.kind.value,
        "state": question.state.value,
        "asker": question.asker,
        "task": None if question.task is None else str(question.task),
        "holds": question.holds,
        "what": question.what,
        "options": list(question.options),
        "recommended": question.recommended,
        "choice": question.choice,
        "words": question.words,
        "by": question.by,
        "asked_at": question.asked_at,
        "ended_at": question.ended_at,
    }


def event_facts(event: Event) -> Facts:
    return {
        "seq": event.seq,
        "at": event.at,
        "actor": event.actor,
        "verb": event.verb,
        "subject": event.subject,
        "changes": [
            {"table": change.table, "row": change.row, "gone": change.gone}
            for change in event.changes
        ],
    }


def _run_facts(found: Status) -> Facts | None:
    if found.run is None:
        return None
    name, phase, iteration, judged = found.run
    return {"name": name, "phase": phase or None, "iteration": iteration, "judged": judged}


def status_facts(found: Status) -> Facts:
    return {
        "team": found.team,
        "constitution": found.constitution,
        "at": found.now,
        "tasks": found.counts | {"ready": found.ready, "blocked": found.blocked},
        "members": [
            {
                "name": seat.member.name,
                "lead": seat.member.lead,
                "runtime": seat.member.runtime,
                "incarnation": seat.member.incarnation,
                "holds": [str(task.id) for task in seat.holds],
                "mail": seat.mail,
                "unread": seat.unread,
                "liveness": seat.liveness or None,
                "since": seat.since,
                "stalled_at": seat.stalled_at,
            }
            for seat in found.seats
        ],
        "stuck": [str(task.id) for task in found.stuck],
        "expired": [str(task.id) for task in found.expired],
        "lagging": [str(task.id) for task in found.lagging],
        "run": _run_facts(found),
        "stale": list(found.stale),
        "away": dict(found.away),
        "usd": round(found.usd, 4),
        "questions": found.asked,
        "settled_turns": dict(found.drained),
        "last_nudge": _nudge_facts(found.nudged) if found.nudged else None,
        "unshared_commits": found.unshared,
        "last_event": event_facts(found.last) if found.last else None,
    }


def _brief(task: Task) -> Facts:
    return {"id": str(task.id), "state": task.state.value, "owner": task.owner, "title": task.title}


def _nudge_facts(nudged: tuple[str, str, datetime]) -> Facts:
    member, state, made_at = nudged
    return {"member": member, "state": state, "at": made_at}


def _seat(
    member: Member, held: Iterable[Task], mail: tuple[int, int], attended: Attended | None
) -> Seat:
    holds = tuple(task for task in held if task.owner == member.name)
    return Seat(member, holds, *mail, *(attended or ("", None, None)))


def _lagging(
    held: Iterable[Task], members: Iterable[Member], exists: Callable[[str], bool]
) -> Iterable[Task]:
    settled = {member.name: member.settled_at for member in members}
    for task in held:
        present = frozenset(path for path in task.outputs if exists(path))
        if lagging(task, settled_at=settled.get(task.owner or ""), present=present):
            yield task


def _open_tasks(tx: Transaction) -> Iterable[Task]:
    for state in (TaskState.PENDING, TaskState.IN_PROGRESS, TaskState.FAILED):
        yield from tx.tasks.page(state=state, owner=None, after=0, most=100_000)
