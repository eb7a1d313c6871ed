"""Lists of tasks that people and agents keep in files."""

from pathlib import Path

from drumline.errors import BadInput
from drumline.store.regular import NotReadable, read_regular
from drumline.team.task_list import MOST_BYTES, TaskList, read_list


def read_file(path: str) -> TaskList:
    """The tasks that a file asks for."""
    name = path[:200]
    try:
        return read_list(read_regular(Path(path), cap=MOST_BYTES), name)
    except NotReadable as error:
        raise BadInput(
            f"{name} is {error}", next="name a file of JSON lines, or - for stdin"
        ) from error
