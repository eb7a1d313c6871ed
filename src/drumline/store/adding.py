"""Tasks put on the board: any number of them with one statement a table, and one number drawn for all."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from drumline.store.engine import Row, packed
from drumline.team.draft import Listed
from drumline.team.task import NEEDS

if TYPE_CHECKING:
    from drumline.store.session import Session
    from drumline.team.draft import NewTask
    from drumline.team.ids import TaskId

Changes = list[tuple[str, Row]]


def put(
    session: Session, tasks: Sequence[Listed], unmet: Container[TaskId], *, permanent: bool = False
) -> list[Changes]:
    """For each task its new row, then those of all that belongs to it; whoever records it remembers them."""
    drawn = session.write("counters", "next_number", name="task", step=len(tasks))
    first = drawn[0]["value"] - len(tasks) + 1
    new = session.read("add_tasks", permanent=int(permanent), rows=_rows(tasks, first, unmet))
    found: list[Changes] = [[("tasks", row)] for row in sorted(new, key=_number)]
    for table, statement, several in _parts(tasks, first):
        for row in session.read(statement, rows=packed(several)) if several else ():
            found[row["number"] - first].append((table, row))
    if more := _counted(int(other) for each in tasks for other in set(each.waits_for)):
        session.write("tasks", "add_waiters", rows=packed(sorted(more.items())))
    return found


def put_one(session: Session, draft: NewTask, *, permanent: bool) -> Changes:
    """The same for a task that waits for nothing."""
    (changes,) = put(session, [Listed(draft)], (), permanent=permanent)
    return changes


def _number(row: Row) -> int:
    number: int = row["number"]
    return number


def _rows(tasks: Sequence[Listed], first: int, unmet: Container[TaskId]) -> str:
    """New rows of the board, but for what is the same of all."""
    waited_by = _counted(place for each in tasks for place in set(each.after))
    return packed(
        [
            (
                number,
                each.draft.title,
                each.draft.priority,
                each.draft.profile,
                _list(each.draft.files),
                _list(each.draft.outputs),
                each.draft.tracker,
                each.draft.run,
                len(set(each.after)) + sum(other in unmet for other in set(each.waits_for)),
                waited_by.get(number - first, 0),
            )
            for number, each in enumerate(tasks, first)
        ]
    )


def _counted(numbers: Iterable[int]) -> dict[int, int]:
    """How often each comes: most often none, for which a Counter takes long."""
    found: dict[int, int] = {}
    for number in numbers:
        found[number] = found.get(number, 0) + 1
    return found


def _list(names: tuple[str, ...]) -> str:
    return packed(names) if names else "[]"


def _parts(tasks: Sequence[Listed], first: int) -> Iterator[tuple[str, str, list[tuple[Any, ...]]]]:
    """What belongs to tasks and stands in tables of its own, and how it is added there."""
    numbered = list(enumerate(tasks, first))
    bodies = [(number, each.draft.body) for number, each in numbered if each.draft.body]
    yield "task_texts", "add_texts", bodies
    waits = [
        (number, other)
        for number, each in numbered
        for other in sorted({first + place for place in each.after} | set(map(int, each.waits_for)))
    ]
    yield "dependencies", "add_dependencies", waits
    needs = [
        (number, NEEDS, packed(list(dict.fromkeys(each.draft.needs))))
        for number, each in numbered
        if each.draft.needs
    ]
    yield "task_metadata", "add_fields", needs
