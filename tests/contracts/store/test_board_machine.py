"""Any sequence of board verbs does what a plain dictionary says, on every store."""

from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from drumline.control import board, roster, views
from drumline.errors import Refused
from drumline.store.upkeep import Caretaker
from drumline.team.draft import Listed, NewTask
from drumline.team.ids import TaskId
from tests.stores import MEMBERS
from tests.words import BOSS, add, holds

LEASE = timedelta(seconds=60)
members = st.sampled_from(MEMBERS)
numbers = st.integers(1, 8)
places = st.integers(0, 7)


@dataclass
class Known:
    """A task as the model has it."""

    priority: int
    state: str = "pending"
    owner: str | None = None
    fence: int = 0
    until: object = None
    waits_for: set[int] = field(default_factory=set)


def _reached(waits: dict[int, set[int]], start: int) -> set[int]:
    """All that a task of a list waits for, by others of it."""
    found: set[int] = set()
    todo = [start]
    while todo:
        new = waits.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


class BoardMachine(RuleBasedStateMachine):
    """The model: a dictionary of tasks and a clock turned by hand."""

    stores: list = []  # noqa: RUF012 - set by the test for the engine under test

    def __init__(self) -> None:
        super().__init__()
        self.place, self.clock = self.stores[0]()
        self.store = self.place.open()
        self.tasks: dict[int, Known] = {}
        self.fences: dict[int, int] = {}

    def teardown(self) -> None:
        assert list(Caretaker(self.store.engine).check()) == []
        self.place.close()

    def unmet(self, number: int) -> bool:
        return any(self.tasks[n].state != "completed" for n in self.tasks[number].waits_for)

    def free(self, number: int) -> bool:
        return self.tasks[number].state == "pending" and not self.unmet(number)

    def expire(self) -> None:
        for task in self.tasks.values():
            if task.owner and task.until <= self.clock.now():
                task.state, task.owner, task.until = "pending", None, None

    def attempt(self, allowed: bool, verb, *args, **kwargs):  # noqa: FBT001 - the model's verdict
        """The store must agree with the model on whether a verb may happen."""
        if allowed:
            return self.store.do(verb, BOSS, *args, **kwargs)
        with pytest.raises(Refused):
            self.store.do(verb, BOSS, *args, **kwargs)
        return None

    @initialize(several=st.lists(st.sets(numbers, max_size=2), min_size=3, max_size=5))
    def begin(self, several):
        """A board on which there is something to do: from an empty one few histories get to it."""
        self.put_several(
            [{n for n in others if n <= place} for place, others in enumerate(several)]
        )

    @precondition(lambda self: len(self.tasks) < 8)
    @rule(priority=st.integers(-1, 1), others=st.sets(numbers, max_size=2))
    def put(self, priority, others):
        others = {number for number in others if number in self.tasks}
        task = add(self.store, "t", *map(TaskId, others), priority=priority)
        self.tasks[int(task.id)] = Known(priority, waits_for=others)

    @precondition(lambda self: len(self.tasks) < 8)
    @rule(several=st.lists(st.sets(numbers, max_size=3), min_size=1, max_size=4))
    def put_several(self, several):
        """Each waits for tasks of the board and for others of its list, which are numbered after those."""
        first = max(self.tasks, default=0) + 1
        last = first + len(several) - 1
        several = [
            {n for n in others if n in self.tasks or first <= n <= last} for others in several
        ]
        waits = {first + place: others for place, others in enumerate(several)}
        circular = any(n in _reached(waits, n) for n in waits)
        listed = [
            Listed(
                NewTask(title="t"),
                tuple(n - first for n in others if n >= first),
                tuple(TaskId(n) for n in others if n < first),
            )
            for others in several
        ]
        if self.attempt(not circular, board.add_all, listed):
            self.tasks |= {n: Known(0, waits_for=others) for n, others in waits.items()}

    @rule(member=members)
    def take_next(self, member):
        self.expire()
        ready = [number for number in self.tasks if self.free(number)]
        best = min(ready, key=lambda number: (-self.tasks[number].priority, number), default=None)
        taken = self.attempt(best is not None, board.claim_next, holds(member), lease=LEASE)
        if taken:
            assert int(taken.id) == best
            self.taken(best, member, taken.fence)

    @rule(member=members, number=numbers)
    def take(self, member, number):
        known = self.tasks.get(number)
        if known and known.owner and known.until <= self.clock.now():
            allowed = not self.unmet(number)
            if allowed:
                known.state, known.owner = "pending", None
        else:
            allowed = known is not None and self.free(number)
        taken = self.attempt(allowed, board.claim, TaskId(number), holds(member), lease=LEASE)
        if taken:
            self.taken(number, member, taken.fence)

    def taken(self, number, member, fence):
        known = self.tasks[number]
        assert fence == known.fence + 1
        known.state, known.owner, known.fence = "in_progress", member, fence
        known.until = self.clock.now() + LEASE

    @rule(
        number=numbers,
        member=members,
        back=st.integers(0, 1),
        verb=st.sampled_from(["done", "fail", "release", "renew"]),
    )
    def report(self, number, member, back, verb):
        known = self.tasks.get(number)
        fence = (known.fence if known else 1) - back
        allowed = known is not None and known.owner == member and back == 0
        claim = (TaskId(number), holds(member, fence=fence))
        if verb == "renew":
            if self.attempt(allowed, board.renew, *claim, lease=LEASE):
                known.until = self.clock.now() + LEASE
            return
        verbs = {"done": board.complete, "fail": board.fail, "release": board.release}
        ends = {"done": "completed", "fail": "failed", "release": "pending"}
        extra = ("why",) if verb == "fail" else ()
        if self.attempt(allowed, verbs[verb], *claim, *extra):
            known.state, known.owner, known.until = ends[verb], None, None

    @precondition(lambda self: self.held())
    @rule(place=places, verb=st.sampled_from(["done", "done", "fail", "release", "renew"]))
    def report_rightly(self, place, verb):
        """As most do: who reports whatever comes hardly ever reports what may be."""
        number = self.held()[place % len(self.held())]
        self.report(number, self.tasks[number].owner, 0, verb)

    def held(self) -> list[int]:
        return [number for number, known in self.tasks.items() if known.owner]

    @rule(number=numbers, verb=st.sampled_from(["cancel", "reopen"]))
    def decide(self, number, verb):
        known = self.tasks.get(number)
        fit = {"cancel": {"pending", "in_progress", "failed"}, "reopen": {"failed"}}
        allowed = known is not None and known.state in fit[verb]
        if self.attempt(allowed, getattr(board, verb), TaskId(number)):
            known.state = {"cancel": "cancelled", "reopen": "pending"}[verb]
            known.owner = known.until = None

    @rule(number=numbers, other=numbers)
    def wait_for(self, number, other):
        known = self.tasks.get(number)
        allowed = (
            known is not None
            and other in self.tasks
            and known.state not in {"completed", "cancelled"}
            and not self.reaches(other, number)
        )
        if self.attempt(allowed, board.block, TaskId(number), [TaskId(other)]):
            known.waits_for.add(other)

    def reaches(self, start, goal):
        return start == goal or any(self.reaches(n, goal) for n in self.tasks[start].waits_for)

    @rule(number=numbers, other=numbers)
    def no_longer_wait(self, number, other):
        known = self.tasks.get(number)
        allowed = known is not None and other in known.waits_for
        if self.attempt(allowed, board.unblock, TaskId(number), [TaskId(other)]):
            known.waits_for.remove(other)

    @rule(member=members)
    def new_life(self, member):
        self.store.do(roster.begin_life, BOSS, member)
        for known in self.tasks.values():
            if known.owner == member:
                known.state, known.owner, known.until = "pending", None, None

    @rule(seconds=st.sampled_from([1, 59, 60, 600]))
    def wait(self, seconds):
        self.clock.advance(seconds=seconds)

    @invariant()
    def the_board_is_as_the_model_says(self):
        found = {
            int(task.id): (task.state.value, task.owner, task.fence, task.waits)
            for task in self.store.ask(views.tasks)
        }
        assert found == {
            number: (
                known.state,
                known.owner,
                known.fence,
                sum(self.tasks[n].state != "completed" for n in known.waits_for),
            )
            for number, known in self.tasks.items()
        }


@pytest.mark.requirement("BOARD-01", "BOARD-02", "BOARD-03", "SCALE-01")
def test_any_sequence_of_board_verbs_agrees_with_the_model(play):
    play(BoardMachine, 60, 30)
