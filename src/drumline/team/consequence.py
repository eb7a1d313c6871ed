"""What follows from a reflection: a move of the task, questions, proposals and findings; decided, not done."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from drumline.team.ids import TaskId
from drumline.team.ownership import normal
from drumline.team.reflection import Reflection, Status
from drumline.team.text import PATTERN_CAP, TITLE_CAP, one_line

UNNAMED = "the member named no reason"
_TASK = re.compile(r"[Tt]-[1-9][0-9]{0,17}")


@dataclass(frozen=True, slots=True)
class Complete:
    """The task may be closed, once whatever verifies it agrees."""

    summary: str


@dataclass(frozen=True, slots=True)
class Release:
    """The task goes back to the board with a note for whoever takes it up."""

    note: str


@dataclass(frozen=True, slots=True)
class Block:
    """The task goes back to the board and nobody takes it until the reason is gone.

    `tasks` are those it waits for, where the reason names nothing else; else somebody must say how to go
    on, and where `person` is set only a person can.
    """

    reason: str
    summary: str = ""
    tasks: tuple[TaskId, ...] = ()
    person: bool = False


@dataclass(frozen=True, slots=True)
class Fail:
    """The task is given up."""

    why: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A question for the one queue that people answer."""

    question: str


@dataclass(frozen=True, slots=True)
class Propose:
    """A task the member would add; the lead decides."""

    title: str
    body: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mismatch:
    """Files said and files changed are not the same."""

    unchanged: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        said = f"said to be changed and is not: {', '.join(self.unchanged)}"
        left_out = f"changed and not said: {', '.join(self.unsaid)}"
        return "; ".join(
            text for text, there in ((said, self.unchanged), (left_out, self.unsaid)) if there
        )


Move = Complete | Release | Block | Fail
Consequence = Move | Ask | Propose | Mismatch


def consequences(
    reflection: Reflection, real_files_changed: Iterable[str] | None, *, root: str = ""
) -> tuple[Consequence, ...]:
    """One move of the task first, then what else follows.

    `None` for the real files means nobody could look; `root` is the checkout that absolute paths lie in.
    """
    found: list[Consequence] = [_move(reflection)]
    found += _questions(reflection)
    found += _proposals(reflection.suggested_next)
    if real_files_changed is not None:
        found += _mismatches(reflection.files_changed, real_files_changed, root)
    return tuple(found)


def _move(reflection: Reflection) -> Move:
    match reflection.status:
        case Status.COMPLETED:
            return Complete(reflection.summary)
        case Status.FAILED:
            return Fail(one_line(reflection.summary, PATTERN_CAP))
        case Status.BLOCKED:
            return _block(reflection)
        case Status.PARTIAL:
            waits = reflection.needs_human or reflection.blocked_by
            return _block(reflection) if waits else Release(reflection.summary)


def _block(reflection: Reflection) -> Block:
    named = () if reflection.needs_human else _named_tasks(reflection.blocked_by or "")
    return Block(_reason(reflection), reflection.summary, named, reflection.needs_human)


def _named_tasks(obstacle: str) -> tuple[TaskId, ...]:
    """The tasks that are in the way, where that is all that was said: `T-3`, `T-3, T-5`."""
    words = obstacle.replace(",", " ").split()
    if not words or not all(_TASK.fullmatch(word) for word in words):
        return ()
    return tuple(TaskId.parse(word) for word in dict.fromkeys(words))


def _reason(reflection: Reflection) -> str:
    waiting = "it waits for a person's answer" if reflection.needs_human else UNNAMED
    return one_line(reflection.blocked_by or waiting, PATTERN_CAP)


def _questions(reflection: Reflection) -> list[Ask]:
    """Ask when the work is over and somebody is still needed; a block asks by itself."""
    settled = reflection.status in {Status.COMPLETED, Status.FAILED}
    if settled and (reflection.needs_human or reflection.blocked_by):
        obstacle = f"\nin the way: {reflection.blocked_by}" if reflection.blocked_by else ""
        return [Ask(f"{reflection.status}: {reflection.summary}{obstacle}")]
    return []


def _proposals(suggested: str) -> list[Propose]:
    if not suggested:
        return []
    title = one_line(suggested, TITLE_CAP)
    return [Propose(title, "" if title == suggested else suggested)]


def _mismatches(said: Iterable[str], real: Iterable[str], root: str) -> list[Mismatch]:
    claimed = {_place(path, root) for path in said}
    changed = {_place(path, root) for path in real}
    if claimed == changed:
        return []
    return [
        Mismatch(
            unchanged=tuple(sorted(claimed - changed)), unsaid=tuple(sorted(changed - claimed))
        )
    ]


def _place(path: str, root: str) -> str:
    """One spelling per file: relative to the checkout, without `./`."""
    inside = path.removeprefix(f"{root.rstrip('/')}/") if root else path
    return inside if inside.startswith("/") else normal(inside.rstrip("/"))
