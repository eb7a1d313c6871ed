"""What must outlive every context window: a run's permanent task, and the fields of any task."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from drumline.control.board import NewTask, completed, locked
from drumline.control.roster import require
from drumline.errors import BadInput, Conflict, NotReady, Unknown
from drumline.team import text
from drumline.team.actor import Actor, Role
from drumline.team.ids import TaskId
from drumline.team.rights import Right
from drumline.team.task import Task, TaskState

if TYPE_CHECKING:
    from drumline.control.ports import Transaction

_FIELD = re.compile(r"[A-Za-z0-9_-]{1,64}(?:\.[A-Za-z0-9_-]{1,64}){0,7}")


def open_run(tx: Transaction, actor: Actor, draft: NewTask) -> Task:
    """Create a run's one permanent task, which carries what must outlive every context window."""
    require(tx, actor, Right.EDIT)
    if not draft.run:
        raise BadInput("a permanent task needs a run", next="name the run")
    tx.tasks.lock_graph()
    if tx.tasks.permanent(draft.run):
        raise Conflict(
            f"run {draft.run} has its permanent task already", next="choose another name"
        )
    task = tx.tasks.add(draft, waits_for=(), waits=0, permanent=True)
    tx.record(actor, "run.opened", str(task.id))
    return task


def deliver(tx: Transaction, actor: Actor, run: str) -> Task:
    """Complete a run's permanent task: the one thing only delivery does."""
    require(tx, actor, Right.EDIT)
    found = tx.tasks.permanent(run)
    if found is None:
        raise Unknown(f"no run {run!r}", next="drumline task list")
    if locked(tx, found.id).state is not TaskState.PENDING:
        raise NotReady(f"run {run} is closed already", next=f"drumline task show {found.id}")
    return completed(tx, actor, found.id)


def merge(tx: Transaction, actor: Actor, task: TaskId, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Set fields of a task's metadata one by one: writers of different fields never collide."""
    found = locked(tx, task)
    if actor.role is Role.TEAMMATE and found.owner != actor.name and not found.permanent:
        require(tx, actor, Right.EDIT)
    tx.tasks.merge(task, flattened(fields))
    tx.record(actor, "task.noted", str(task))
    return tx.tasks.fields(task)


def flattened(fields: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested fields as dotted names, so that each is set by itself."""
    flat: dict[str, Any] = {}
    for name, value in fields.items():
        if not _FIELD.fullmatch(name):
            raise BadInput(
                f"{name[:80]!r} is not the name of a field",
                why="a field is letters, digits, - and _, with dots between its parts",
                next="choose another name",
            )
        if isinstance(value, Mapping) and value:
            flat |= flattened(value, f"{prefix}{name}.")
        else:
            _check_value(f"{prefix}{name}", value)
            flat[f"{prefix}{name}"] = value
    return flat


def _check_value(field: str, value: object) -> None:
    if isinstance(value, str):
        text.checked(value, f"the value of {field}", cap=text.BODY_CAP, empty=True)
    elif isinstance(value, list | tuple):
        for item in value:
            _check_value(field, item)
    elif not isinstance(value, int | float | bool | dict | None):
        raise BadInput(f"the value of {field} is not JSON", next="give text, numbers or lists")
