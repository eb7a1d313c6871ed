"""Who speaks through a command: a member whose runner vouches for it, else whoever the environment says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from drumline.settings import Settings
    from drumline.team.ids import TaskId
    from drumline.team.subagent import Ask
    from drumline.wiring.doorways import Handed


HandIn = Callable[["TaskId", int], "Handed"]


class Caller(NamedTuple):
    """A member in one of its lives, the repository whose team it is on, and who serves it there.

    `hand_in` takes its work in, `ask` has a subagent answer.
    """

    settings: Settings
    member: str
    incarnation: int
    hand_in: HandIn | None = None
    ask: Ask | None = None


_CALLER: ContextVar[Caller | None] = ContextVar("drumline caller", default=None)


def caller() -> Caller | None:
    """The member a runner vouches for, if this command is spoken through one."""
    return _CALLER.get()


@contextmanager
def called_by(member: Caller) -> Iterator[None]:
    """All that is done inside, in this thread, is this member's; no variable says otherwise."""
    before = _CALLER.set(member)
    try:
        yield
    finally:
        _CALLER.reset(before)
