"""What a request asks for: each value checked before anything is looked up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from drumline.errors import BadInput
from drumline.team.task import TaskState

if TYPE_CHECKING:
    from starlette.requests import Request

SHOWN = 80
DIGITS = 6

Reader = Callable[[str], Any]


def asked(request: Request, readers: Mapping[str, Reader]) -> dict[str, Any]:
    """What the query says, by name; a name nobody reads, or one said twice, is refused."""
    found: dict[str, Any] = {}
    for name, value in request.query_params.multi_items():
        if name not in readers:
            raise BadInput(
                f"{name[:SHOWN]!r} cannot be asked for here",
                why=f"there are: {', '.join(readers) or 'none'}",
                next="leave it out",
            )
        if name in found:
            raise BadInput(f"{name} is said twice", next="say it once")
        found[name] = readers[name](value)
    return found


def at_most(most: int) -> Reader:
    """A reader of a number from 1 to so many."""

    def read(value: str) -> int:
        decimal = value.isascii() and value.isdecimal() and len(value) <= DIGITS
        if not decimal or not 1 <= int(value) <= most:
            raise BadInput(
                f"{value[:SHOWN]!r} is not a number from 1 to {most}",
                next="ask for fewer, and then after the last one",
            )
        return int(value)

    return read


def state(value: str) -> TaskState:
    """A task's state."""
    try:
        return TaskState(value)
    except ValueError:
        raise BadInput(
            f"{value[:SHOWN]!r} is not a task's state", next=f"say one of {', '.join(TaskState)}"
        ) from None
