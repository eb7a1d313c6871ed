"""Tasks put on the board: one number drawn for all, and each row made once, for its table and for the log.

Nothing in a new row is the database's to decide, so none is read back: a contract test compares what the log
remembers of them, column by column, with what the tables hold.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from json.encoder import encode_basestring as quoted
from typing import TYPE_CHECKING, Any, NamedTuple

from drumline.store.engine import instant, packed
from drumline.store.session import Filling
from drumline.team.draft import Listed, NewTask
from drumline.team.ids import TaskId
from drumline.team.task import NEEDS, Task, TaskState

if TYPE_CHECKING:
    from datetime import datetime

    from drumline.store.session import Session

New = tuple[Any, ...]  # a row on its way into a table

_TASKS = Filling(
    "add_task",
    "add_tasks",
    "team number title state priority profile files outputs tracker run permanent waits waited_by"
    " fence created_at updated_at",
)
_TEXTS = Filling("add_text", "add_texts", "team number body")
_DEPENDENCIES = Filling("add_dependency", "add_dependencies", "team number waits_for")
_FIELDS = Filling("set_field", "add_fields", "team number field value")


class Added(NamedTuple):
    """Tasks that are on the board now, and the rows of each as the log keeps them: a text."""

    tasks: list[Task]
    images: list[str]


class _Drawn(NamedTuple):
    """What all tasks of one verb have in common."""

    team: str
    first: int
    permanent: bool
    now: int


def put(
    session: Session, tasks: Sequence[Listed], unmet: Container[TaskId], *, permanent: bool = False
) -> Added:
    """Put tasks on the board; whoever records each of them remembers its rows with it."""
    drawn = _draw(session, len(tasks), permanent=permanent)
    rows = _rows(drawn, tasks, unmet)
    session.fill(_TASKS, rows)
    moment = instant(drawn.now)
    images = list(map(_image, rows))
    for table, filling, parts in _parts(drawn, tasks):
        session.fill(filling, parts)
        for part in parts:
            images[part[1] - drawn.first] += f",{packed([table, filling.named(part)])}"
    if more := _counted(int(other) for each in tasks for other in set(each.waits_for)):
        session.write("tasks", "add_waiters", rows=packed(sorted(more.items())))
    return Added(
        [_task(each.draft, row, moment) for each, row in zip(tasks, rows, strict=True)], images
    )


def _draw(session: Session, count: int, *, permanent: bool) -> _Drawn:
    """Numbers in a row, and the time it is for the store."""
    (counter,) = session.read("draw_numbers", name="task", step=count)
    now = counter.pop("now")
    session.remember("counters", [counter])
    return _Drawn(session.team, counter["value"] - count + 1, permanent, now)


def _rows(drawn: _Drawn, tasks: Sequence[Listed], unmet: Container[TaskId]) -> list[New]:
    team, first, permanent, now = drawn
    waited_by = _counted(place for each in tasks if each.after for place in set(each.after))
    return [
        (
            team,
            number,
            draft.title,
            TaskState.PENDING.value,
            draft.priority,
            draft.profile,
            packed(draft.files) if draft.files else "[]",
            packed(draft.outputs) if draft.outputs else "[]",
            draft.tracker,
            draft.run,
            int(permanent),
            _waits(after, waits_for, unmet) if after or waits_for else 0,
            waited_by.get(number - first, 0),
            0,
            now,
            now,
        )
        for number, (draft, after, waits_for) in enumerate(tasks, first)
    ]


def _waits(after: tuple[int, ...], waits_for: tuple[TaskId, ...], unmet: Container[TaskId]) -> int:
    return len(set(after)) + sum(other in unmet for other in set(waits_for))


def _image(row: New) -> str:
    """A new task's whole row, as an encoder would write it, which takes four times as long."""
    team, number, title, state, priority, profile, files, outputs, tracker, run, *numbers = row
    permanent, waits, waited_by, fence, created_at, updated_at = numbers
    return (
        f'["tasks",{{"team":{quoted(team)},"number":{number},"title":{quoted(title)},'
        f'"state":{quoted(state)},"priority":{priority},"profile":{quoted(profile)},'
        f'"files":{quoted(files)},"outputs":{quoted(outputs)},"tracker":{quoted(tracker)},'
        f'"run":{quoted(run)},"permanent":{permanent},"waits":{waits},"waited_by":{waited_by},'
        f'"owner":null,"incarnation":null,"fence":{fence},"claimed_at":null,"lease_until":null,'
        f'"created_at":{created_at},"updated_at":{updated_at}}}]'
    )


def _task(draft: NewTask, row: New, moment: datetime) -> Task:
    """The noun of a row that was just made; the same as whoever reads it back finds."""
    return Task(
        TaskId(row[1]),
        draft.title,
        moment,
        moment,
        TaskState.PENDING,
        draft.priority,
        draft.profile,
        tuple(draft.files),
        tuple(draft.outputs),
        draft.tracker,
        draft.run,
        bool(row[10]),
        row[11],
    )


def _counted(numbers: Iterable[int]) -> dict[int, int]:
    """How often each comes: most often none, for which a Counter takes long."""
    found: dict[int, int] = {}
    for number in numbers:
        found[number] = found.get(number, 0) + 1
    return found


def _parts(drawn: _Drawn, tasks: Sequence[Listed]) -> Iterator[tuple[str, Filling, list[New]]]:
    """What belongs to tasks and stands in tables of its own, and how it is added there."""
    team, first, *_ = drawn
    numbered = list(enumerate(tasks, first))
    yield (
        "task_texts",
        _TEXTS,
        [(team, number, each.draft.body) for number, each in numbered if each.draft.body],
    )
    yield (
        "dependencies",
        _DEPENDENCIES,
        [
            (team, number, other)
            for number, (_, after, waits_for) in numbered
            if after or waits_for
            for other in sorted({first + place for place in after} | set(map(int, waits_for)))
        ],
    )
    yield (
        "task_metadata",
        _FIELDS,
        [
            (team, number, NEEDS, packed(list(dict.fromkeys(each.draft.needs))))
            for number, each in numbered
            if each.draft.needs
        ],
    )
