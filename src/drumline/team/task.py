"""A task: one piece of work, owned by at most one member at a time."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from drumline.errors import IllegalMove, NotHolder
from drumline.team.ids import TaskId

PRIORITIES = range(-1000, 1001)
BUDGET = "budget"  # the field with what a task may cost, in USD
NOTE = "note"  # the field with a word for whoever takes a task up
NEEDS = "needs"  # the field with the MCP servers a task cannot do without
LACKS = "lacks"  # by question, which of them could not be used
VERIFY = "verify"  # the field with a task's own check
VERIFIED = "verified"  # told by whoever ran it, never by who did the work
HANDED_IN = "handed-in"  # told by the same: which commit was found good and is to be merged
KEPT = "kept"  # told by the same: the work that conflicts, and that the task is to bring in


class TaskState(StrEnum):
    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


MOVES: Mapping[TaskState, frozenset[TaskState]] = {
    TaskState.PENDING: frozenset({TaskState.IN_PROGRESS, TaskState.CANCELLED}),
    TaskState.IN_PROGRESS: frozenset(TaskState) - {TaskState.IN_PROGRESS},
    TaskState.COMPLETED: frozenset(),
    TaskState.FAILED: frozenset({TaskState.PENDING, TaskState.CANCELLED}),
    TaskState.CANCELLED: frozenset(),
}


class Holder(NamedTuple):
    """Who writes to a held task: the member, its life and its claim's number.

    A person may leave out what it does not know: an empty member means whoever holds the task. One who
    works `alone` on what it holds claims nothing beside it.
    """

    member: str
    incarnation: int | None = None
    fence: int | None = None
    alone: bool = False


class Task(NamedTuple):
    """One piece of work, owned by at most one member at a time."""

    id: TaskId
    title: str
    created_at: datetime
    updated_at: datetime
    state: TaskState = TaskState.PENDING
    priority: int = 0
    profile: str = ""
    files: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    tracker: str = ""
    run: str = ""
    permanent: bool = False
    waits: int = 0
    owner: str | None = None
    incarnation: int | None = None
    fence: int = 0
    claimed_at: datetime | None = None
    lease_until: datetime | None = None

    @property
    def ready(self) -> bool:
        return self.state is TaskState.PENDING and self.waits == 0 and not self.permanent

    def expired(self, now: datetime) -> bool:
        """Whether its holder let the lease run out."""
        return self.lease_until is not None and self.lease_until <= now

    def move(self, new: TaskState) -> "Task":
        """The task in its new state; leaving `in_progress` ends the claim."""
        if new not in MOVES[self.state]:
            raise IllegalMove(str(self.id), self.state, new)
        return self._replace(
            state=new, owner=None, incarnation=None, claimed_at=None, lease_until=None
        )

    def deliver(self) -> "Task":
        """A permanent task, closed: the one move that only delivery makes."""
        if not self.permanent or self.state is not TaskState.PENDING:
            raise IllegalMove(str(self.id), self.state, "delivered")
        return self._replace(state=TaskState.COMPLETED)

    def held_by(self, holder: Holder) -> None:
        """Refuse a write by anyone but the present holder.

        A lease that ran out ends the claim when someone takes it back, not before: late work that
        nobody else took up is still good.
        """
        problem = self._claim_problem(holder)
        if problem:
            raise NotHolder(
                f"{self.id} was not changed: {problem}",
                why="only the present holder of a claim may write to its task",
                next=f"drumline task show {self.id}   # then claim it again, or take another",
            )

    def _claim_problem(self, holder: Holder) -> str:
        if self.state is not TaskState.IN_PROGRESS or self.owner is None:
            return f"nobody holds it, it is {self.state}"
        if holder.member and self.owner != holder.member:
            return f"{self.owner} holds it with fence {self.fence}, not {holder.member}"
        if holder.fence is not None and holder.fence != self.fence:
            return f"fence {holder.fence} is stale, the claim is now number {self.fence}"
        if holder.incarnation is not None and holder.incarnation != self.incarnation:
            return (
                f"it was claimed in life {self.incarnation} of {self.owner},"
                f" not in life {holder.incarnation}"
            )
        return ""


def lagging(task: Task, *, settled_at: datetime | None, present: frozenset[str]) -> bool:
    """Whether a task looks finished though nobody said so.

    Its owner's turn settled after the claim, and every output it promised is there.
    """
    return (
        task.state is TaskState.IN_PROGRESS
        and bool(task.outputs)
        and settled_at is not None
        and task.claimed_at is not None
        and settled_at > task.claimed_at
        and set(task.outputs) <= present
    )


def waves(waits_for: Mapping[TaskId, Iterable[TaskId]]) -> list[list[TaskId]]:
    """Tasks in the order they can run: each wave waits only for earlier ones."""
    left = {
        task: {other for other in others if other in waits_for}
        for task, others in waits_for.items()
    }
    dependants: dict[TaskId, list[TaskId]] = {}
    for task, others in left.items():
        for other in others:
            dependants.setdefault(other, []).append(task)
    found: list[list[TaskId]] = []
    free = sorted(task for task, others in left.items() if not others)
    while free:
        found.append(free)
        following: set[TaskId] = set()
        for done in free:
            for task in dependants.get(done, ()):
                left[task].discard(done)
                if not left[task]:
                    following.add(task)
        free = sorted(following)
    return found


def path_between(
    start: TaskId, goal: TaskId, waits_for: Mapping[TaskId, Iterable[TaskId]]
) -> list[TaskId] | None:
    """A chain of waiting from `start` to `goal`, if there is one."""
    came: dict[TaskId, TaskId] = {}
    todo = [start]
    while todo:
        here = todo.pop()
        if here == goal:
            chain = [here]
            while chain[-1] != start:
                chain.append(came[chain[-1]])
            return chain[::-1]
        for other in waits_for.get(here, ()):
            if other not in came and other != start:
                came[other] = here
                todo.append(other)
    return None


def circles(after: Sequence[Sequence[int]], *, most: int) -> list[list[int]]:
    """The ways in which some wait for each other, as chains that end where they begin.

    Without the last link of each, nobody would.
    """
    found: list[list[int]] = []
    waiting: dict[int, bool] = {}  # whether one that was seen is on the way that led here
    for start in range(len(after)):
        if start in waiting or not after[start]:  # who waits for nobody is in no circle
            continue
        way, left = [start], [iter(after[start])]
        waiting[start] = True
        while left and len(found) < most:
            other = next(left[-1], None)
            if other is None:
                left.pop()
                waiting[way.pop()] = False
            elif other not in waiting:
                waiting[other] = True
                way.append(other)
                left.append(iter(after[other]))
            elif waiting[other]:
                found.append([*way[way.index(other) :], other])
    return found
