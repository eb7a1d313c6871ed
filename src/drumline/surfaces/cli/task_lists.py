"""Many tasks put on the board by one command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control.task_lists import add_listed
from drumline.errors import NotAllowed
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.caller import caller
from drumline.surfaces.cli.output import show
from drumline.surfaces.cli.words import on_stdin
from drumline.team.task_list import MOST_BYTES, TaskList, read_list
from drumline.wiring import task_lists

if TYPE_CHECKING:
    from drumline.team.task import Task


def add_from(source: str, *, as_json: bool) -> None:
    """Put all tasks of a file, or of stdin, on the board."""
    listed = _read(source)
    store = desk.store()
    tasks = store.do(add_listed, desk.speaking(store), listed)
    named = zip(listed.keys, tasks, strict=True)
    answer = {
        "tasks": [str(task.id) for task in tasks],
        "keys": {key: str(task.id) for key, task in named if key},
    }
    show(answer, [_told(tasks)], as_json=as_json)


def _read(source: str) -> TaskList:
    if source == "-":
        return read_list(on_stdin(MOST_BYTES), "stdin")
    if vouched := caller():
        raise NotAllowed(
            f"{vouched.member} cannot have a file opened",
            why="its runner reads no file on a member's behalf",
            next="drumline task add --from - < FILE",
        )
    return task_lists.read_file(source)


def _told(tasks: list[Task]) -> str:
    if len(tasks) == 1:
        return f"{tasks[0].id}  added  {tasks[0].title}"
    return (
        f"{tasks[0].id} to {tasks[-1].id}  {len(tasks):,} tasks added, in the order of their lines"
    )
