"""The board's rows."""

from __future__ import annotations

import json
from collections.abc import Collection, Container, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from drumline.store.engine import Row, from_rows, instant, moment, packed
from drumline.store.session import Session
from drumline.team.actor import Actor
from drumline.team.ids import TaskId
from drumline.team.member import Member
from drumline.team.rights import Right, granting
from drumline.team.task import Holder, Task, TaskState

if TYPE_CHECKING:
    from drumline.team.draft import Listed, NewTask

_MICROSECOND = timedelta(microseconds=1)
_STATES = {state.value: state for state in TaskState}
_FIRST = 10**6  # above any priority


def task_of(row: Row) -> Task:
    """A row of `tasks`, or one that has more to it, as the noun it is."""
    return Task(
        id=TaskId(row["number"]),
        title=row["title"],
        state=_STATES[row["state"]],
        priority=row["priority"],
        profile=row["profile"],
        files=_names(row["files"]),
        outputs=_names(row["outputs"]),
        tracker=row["tracker"],
        run=row["run"],
        permanent=bool(row["permanent"]),
        waits=row["waits"],
        owner=row["owner"],
        incarnation=row["incarnation"],
        fence=row["fence"],
        claimed_at=moment(row["claimed_at"]),
        lease_until=moment(row["lease_until"]),
        created_at=instant(row["created_at"]),
        updated_at=instant(row["updated_at"]),
    )


as_task = from_rows(task_of)


def _names(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(json.loads(text))


def _edges(rows: list[Row]) -> dict[TaskId, list[TaskId]]:
    found: dict[TaskId, list[TaskId]] = {}
    for row in rows:
        found.setdefault(TaskId(row["number"]), []).append(TaskId(row["waits_for"]))
    return found


class Board:
    """Reads and writes of tasks; whether they may happen is decided by the caller."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, draft: NewTask, *, permanent: bool = False) -> Task:
        from drumline.store import adding  # noqa: PLC0415 - only who adds pays for it
        from drumline.team.draft import Listed  # noqa: PLC0415 - as above

        ((task,), (image,)) = adding.put(self._session, [Listed(draft)], (), permanent=permanent)
        self._session.remember_image(image)
        return task

    def add_all(
        self, actor: Actor, tasks: Sequence[Listed], unmet: Container[TaskId]
    ) -> list[Task]:
        from drumline.store import adding  # noqa: PLC0415 - as above

        added, images = adding.put(self._session, tasks, unmet)
        subjects = map(str, (task.id for task in added))
        self._session.record_each(actor, "task.added", zip(subjects, images, strict=True))
        return added

    def get(self, task: TaskId) -> Task | None:
        return self._one(self._session.read("get_task", number=int(task)))

    def lock(self, task: TaskId) -> Task | None:
        return self._one(self._session.read("lock_task", number=int(task)))

    def lock_all(self, tasks: Collection[TaskId]) -> list[Task]:
        if not tasks:
            return []
        rows = self._session.read("lock_tasks", numbers=packed([int(task) for task in tasks]))
        return [as_task(row) for row in rows]

    def body(self, task: TaskId) -> str:
        rows = self._session.read("get_text", number=int(task))
        return str(rows[0]["body"]) if rows else ""

    def page(
        self, *, state: TaskState | None, owner: str | None, after: int, most: int
    ) -> list[Task]:
        wanted = state.value if state else None
        rows = self._session.read("list_tasks", state=wanted, owner=owner, after=after, most=most)
        return [as_task(row) for row in rows]

    def count(self) -> dict[TaskState, tuple[int, int]]:
        rows = self._session.read("count_tasks")
        return {TaskState(row["state"]): (int(row["tasks"]), int(row["waiting"])) for row in rows}

    def ready(self, *, profile: str | None, after: Task | None, most: int) -> list[Task]:
        priority, number = (after.priority, int(after.id)) if after else (_FIRST, 0)
        rows = self._session.read(
            "ready_tasks", profile=profile, priority=priority, number=number, most=most
        )
        return [as_task(row) for row in rows]

    def held(self) -> list[Task]:
        return [as_task(row) for row in self._session.read("held_tasks")]

    def held_files(self) -> list[tuple[TaskId, str, tuple[str, ...]]]:
        rows = self._session.read("held_files")
        return [(TaskId(row["number"]), row["owner"], _names(row["files"])) for row in rows]

    def claim_head(self, actor: Actor, holder: Holder, lease: timedelta | None) -> Task | None:
        """Give out the best ready task, recorded, if everything about it can be told at a glance.

        Who names no lease has the team's own.
        """
        claim = {
            "member": holder.member,
            "incarnation": holder.incarnation,
            "lease": None if lease is None else lease // _MICROSECOND,
        }
        return self._at_once(actor, Right.CLAIM, "task.claimed", "claim_head", **claim)

    def complete_alone(self, actor: Actor, task: TaskId, holder: Holder) -> Task | None:
        """Complete a task, recorded, if this is its claim and nobody waits for it."""
        claim = {"member": holder.member, "incarnation": holder.incarnation, "fence": holder.fence}
        return self._at_once(
            actor, Right.FINISH, "task.completed", "complete_alone", number=int(task), **claim
        )

    def _at_once(
        self, actor: Actor, right: Right, verb: str, statement: str, **parameters: Any
    ) -> Task | None:
        allowed = f" {' '.join(granting(actor.role, right))} "
        return self._one(
            self._session.write_at_once(str(actor), verb, statement, allowed=allowed, **parameters)
        )

    def take(self, task: TaskId, member: Member, lease: timedelta) -> Task:
        return self._changed(
            "take_task",
            task,
            member=member.name,
            incarnation=member.incarnation,
            lease=lease // _MICROSECOND,
        )

    def renew(self, task: TaskId, lease: timedelta) -> Task:
        return self._changed("renew_task", task, lease=lease // _MICROSECOND)

    def move(self, task: TaskId, state: TaskState) -> Task:
        return self._changed("move_task", task, state=state.value)

    def join(self, task: TaskId, run: str) -> Task:
        return self._changed("join_run", task, run=run)

    def edit(self, task: Task) -> Task:
        return self._changed(
            "edit_task",
            task.id,
            title=task.title,
            priority=task.priority,
            profile=task.profile,
            files=packed(task.files),
            outputs=packed(task.outputs),
            tracker=task.tracker,
        )

    def free_waiters(self, task: TaskId) -> list[Task]:
        rows = self._session.write("tasks", "free_waiters", number=int(task))
        return [as_task(row) for row in rows]

    def expire(self) -> list[Task]:
        return [as_task(row) for row in self._session.write("tasks", "expire_claims")]

    def release_all(self, member: str) -> list[Task]:
        rows = self._session.write("tasks", "release_claims", member=member)
        return [as_task(row) for row in rows]

    def renew_life(self, life: Holder, lease: timedelta) -> list[Task]:
        """Hold on to all that one life has claimed."""
        return self._of_life("renew_life_claims", life, lease=lease // _MICROSECOND)

    def release_life(self, life: Holder) -> list[Task]:
        """Take back all that one life has claimed, and nothing of its successor's."""
        return self._of_life("release_life_claims", life)

    def blockers(self, task: TaskId) -> list[Task]:
        return [as_task(row) for row in self._session.read("blockers", number=int(task))]

    def waiting_for(self, task: TaskId) -> list[TaskId]:
        return [
            TaskId(row["number"]) for row in self._session.read("waiting_for", number=int(task))
        ]

    def stuck(self) -> list[Task]:
        """Tasks that wait for something that will not come by itself."""
        return [as_task(row) for row in self._session.read("stuck_tasks")]

    def edges(self) -> dict[TaskId, list[TaskId]]:
        return _edges(self._session.read("edges"))

    def edges_from(self, task: TaskId) -> dict[TaskId, list[TaskId]]:
        return _edges(self._session.read("edges_from", number=int(task)))

    def add_edge(self, task: TaskId, waits_for: TaskId, *, unmet: bool) -> bool:
        edge = {"number": int(task), "waits_for": int(waits_for)}
        new = bool(self._session.write("dependencies", "add_dependency", **edge))
        if new:
            self._changed("add_waiter", waits_for, more=1)
        if new and unmet:
            self._changed("add_waits", task, more=1)
        return new

    def remove_edge(self, task: TaskId, waits_for: TaskId, *, unmet: bool) -> bool:
        edge = {"number": int(task), "waits_for": int(waits_for)}
        gone = bool(self._session.delete("dependencies", "remove_dependency", **edge))
        if gone:
            self._changed("add_waiter", waits_for, more=-1)
        if gone and unmet:
            self._changed("add_waits", task, more=-1)
        return gone

    def lock_graph(self) -> None:
        self._session.read("lock_graph")

    def lock_files(self) -> None:
        self._session.read("lock_files")

    def permanent(self, run: str) -> Task | None:
        return self._one(self._session.read("permanent_task", run=run))

    @from_rows
    def fields(self, task: TaskId) -> dict[str, Any]:
        rows = self._session.read("get_fields", number=int(task))
        return {row["field"]: json.loads(row["value"]) for row in rows}

    def with_field(self, run: str, field: str) -> set[TaskId]:
        rows = self._session.read("tasks_with_field", run=run, field=field)
        return {TaskId(row["number"]) for row in rows}

    def merge(self, task: TaskId, fields: Mapping[str, Any]) -> None:
        """Set each field by itself, clearing what lies over and under it; None only clears."""
        for field, value in fields.items():
            parts = field.split(".")
            for above in (".".join(parts[:n]) for n in range(1, len(parts))):
                self._session.delete("task_metadata", "clear_one", number=int(task), field=above)
            self._session.delete("task_metadata", "clear_field", number=int(task), field=field)
            if value is not None:
                self._session.write(
                    "task_metadata", "set_field", number=int(task), field=field, value=packed(value)
                )

    def _changed(self, name: str, task: TaskId, **parameters: Any) -> Task:
        rows = self._session.write("tasks", name, number=int(task), **parameters)
        return as_task(rows[0])

    def _of_life(self, name: str, life: Holder, **parameters: Any) -> list[Task]:
        claims = {"member": life.member, "incarnation": life.incarnation}
        return [as_task(row) for row in self._session.write("tasks", name, **claims, **parameters)]

    @staticmethod
    def _one(rows: list[Row]) -> Task | None:
        return as_task(rows[0]) if rows else None
