"""What must outlive every context window: a run's permanent task, and the fields of any task."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from drumline.control import awaiting
from drumline.control.board import completed, locked
from drumline.control.roster import require
from drumline.errors import BadInput, Conflict, NotAllowed, Unknown
from drumline.team import text
from drumline.team.actor import Actor
from drumline.team.draft import NewTask
from drumline.team.handoff import REQUIRED
from drumline.team.handoff_check import PHASE_SHAPE
from drumline.team.ids import TaskId
from drumline.team.rights import Right
from drumline.team.task import BUDGET, Task
from drumline.team.task_fields import BRIEF, HANDOFF, PHASE, Writer, writer_of

if TYPE_CHECKING:
    from drumline.control.ports import Transaction

_PHASE = re.compile(PHASE_SHAPE)
MOST_DOLLARS = 1_000_000
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
    task = tx.tasks.add(draft, permanent=True)
    tx.record(actor, "run.opened", str(task.id))
    return task


def deliver(tx: Transaction, actor: Actor, run: str) -> Task:
    """Complete a run's permanent task: the one thing only delivery does."""
    require(tx, actor, Right.EDIT)
    found = tx.tasks.permanent(run)
    if found is None:
        raise Unknown(f"no run {run!r}", next="drumline task list")
    locked(tx, found.id).deliver()
    return completed(tx, actor, found)


def merge(tx: Transaction, actor: Actor, task: TaskId, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Set fields of a task's metadata one by one: writers of different fields never collide."""
    found = locked(tx, task)
    flat = flattened(fields)
    _refuse_by_hand(task, flat)
    for name in flat:
        if name.partition(".")[0] == BUDGET and flat[name] is not None:
            flat[name] = dollars(fields.get(BUDGET))
    own = found.owner == actor.name and Writer.PLANNER not in map(writer_of, flat)
    require(tx, actor, Right.FINISH if own else Right.EDIT)
    _refuse_unclear(flat)
    tx.tasks.merge(task, flat)
    tx.record(actor, "task.noted", str(task))
    if any(name.partition(".")[0] in {BRIEF, PHASE} for name in flat):
        awaiting.renew(tx, actor, found)
    return tx.tasks.fields(task)


def _refuse_unclear(fields: Mapping[str, Any]) -> None:
    """Refuse what nobody could act on: a task that seems to want a handoff and does not."""
    for name, value in fields.items():
        head = name.partition(".")[0]
        if value is None or not (head == HANDOFF or name == PHASE):
            continue
        allowed = REQUIRED if head == HANDOFF else "a name or number of letters, digits, - and _"
        fits = value == REQUIRED if head == HANDOFF else _PHASE.fullmatch(str(value))
        if name != head or not fits:
            raise BadInput(
                f"{name} cannot be {str(value)[:80]!r}",
                why=f"allowed: {allowed}",
                next=f"say {head}=…, or take it away: {head}=",
            )


def dollars(said: object, *, way_out: str = "say budget=2.50, or take it away: budget=") -> float:
    """What a task or run may cost: a budget nobody can read would be no budget at all."""
    try:
        amount = float(said) if isinstance(said, int | float | str) and said is not True else -1.0
    except ValueError:
        amount = -1.0
    if not 0 < amount <= MOST_DOLLARS:
        raise BadInput(
            f"{str(said)[:80]!r} is no budget",
            why=f"a budget is a sum in USD above nothing, at most {MOST_DOLLARS:,}",
            next=way_out,
        )
    return amount


def _refuse_by_hand(task: TaskId, fields: Mapping[str, Any]) -> None:
    """Refuse to say what became of work: whoever saw to it says so."""
    for name in fields:
        if writer_of(name) is Writer.DRUMLINE:
            raise NotAllowed(
                f"{name} of {task} is not told by hand",
                why="what became of work is told by the runner that looked at it",
                next=f"drumline task done {task}   # which has it looked at",
            )


def flattened(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Nested fields as dotted names, so that each is set by itself."""
    flat = dict(_leaves(fields, ""))
    for name in flat:
        parts = name.split(".")
        if over := next(
            (p for n in range(1, len(parts)) if (p := ".".join(parts[:n])) in flat), None
        ):
            raise BadInput(
                f"{over} and {name} cannot both be set",
                next="choose one: a field has a value or parts",
            )
    return flat


def _leaves(fields: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in fields.items():
        if not _FIELD.fullmatch(f"{prefix}{name}"):
            raise BadInput(
                f"{name[:80]!r} is not the name of a field",
                why="a field is letters, digits, - and _, with up to seven dots between its parts",
                next="choose another name",
            )
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", _checked(f"{prefix}{name}", value)


def _checked(field: str, value: Any) -> Any:
    """A value that can be kept as JSON and shown again."""
    try:
        words = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadInput(
            f"the value of {field} is not JSON", why=str(error), next="give text, numbers or lists"
        ) from None
    text.checked(words, f"the value of {field}", cap=text.BODY_CAP)
    for said in _texts(value):
        text.checked(said, f"the value of {field}", cap=text.BODY_CAP, empty=True)
    return value


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield str(name)
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
