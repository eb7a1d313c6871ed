"""Any sequence of lives, claims and passes does what a plain dictionary says, on every store."""

from dataclasses import dataclass, field
from datetime import datetime

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from drumline.control import board, lives, turns, views
from drumline.errors import Refused
from drumline.store.upkeep import Caretaker
from drumline.team.actor import Actor, Role
from drumline.team.ids import TaskId
from drumline.team.journal import KEYS, fold
from drumline.team.life import LEASE, MOVES, LifeState, WhyEnded
from drumline.team.task import Holder
from drumline.team.turn import Opening, TurnOutcome
from tests.living import DIGEST, process
from tests.stores import MEMBERS
from tests.words import add

TASKS = 3
members = st.sampled_from(MEMBERS)
back = st.integers(0, 1)  # the present life, or the one before it
MOVING = [state for state in LifeState if state is not LifeState.ENDED]


@dataclass
class Living:
    """A life as the model has it."""

    number: int
    until: datetime
    state: str = "starting"
    why: str = ""
    turns: list[str] = field(default_factory=list)
    noun: object = None


@dataclass
class Held:
    """A task as the model has it."""

    state: str = "pending"
    owner: str | None = None
    life: int | None = None
    until: datetime | None = None
    fence: int = 0

    def free(self):
        self.state, self.owner, self.life, self.until = "pending", None, None, None


class LivesMachine(RuleBasedStateMachine):
    """The model: each member's lives in order, three tasks and a clock turned by hand."""

    stores: list = []  # noqa: RUF012 - set by the test for the engine under test

    def __init__(self) -> None:
        super().__init__()
        self.place, self.clock = self.stores[0]()
        self.store = self.place.open()
        self.lives: dict[str, list[Living]] = {name: [] for name in MEMBERS}
        self.tasks = {int(add(self.store).id): Held() for _ in range(TASKS)}

    def teardown(self) -> None:
        assert list(Caretaker(self.store.engine).check()) == []
        events, _ = self.store.ask(lambda tx: tx.journal.after("", most=100_000))
        for table in ("lives", "turns", "tasks", "members"):
            rows = self.store.ask(
                lambda _, name=table: list(self.store.engine.scan(name, KEYS[name]))
            )
            told = fold(events)[table]
            assert told == {tuple(row[key] for key in KEYS[table]): row for row in rows}
        self.place.close()

    def pick(self, member, steps_back):
        """A life of the member, if it has had that many."""
        had = self.lives[member]
        return had[-1 - steps_back] if len(had) > steps_back else None

    def attempt(self, allowed, verb, *args, **kwargs):
        """Do it, and whether the model allows it must be whether the store does."""
        try:
            answer = self.store.do(verb, *args, **kwargs)
        except Refused:
            assert not allowed
            return None
        assert allowed
        return answer

    def ended(self, member, life, why):
        life.state, life.why = "ended", why
        life.turns = ["cut" if state == "running" else state for state in life.turns]
        self.let_go(member, life)

    def let_go(self, member, life):
        for task in self.tasks.values():
            if (task.owner, task.life) == (member, life.number):
                task.free()

    @rule(member=members)
    def begin(self, member):
        old = self.pick(member, 0)
        open_ = old is not None and old.state != "ended"
        free = not open_ or old.until <= self.clock.now()
        new = self.attempt(free, lives.begin, member, process())
        if new is None:
            return
        if open_:
            self.ended(member, old, "replaced")
        elif old is not None:
            self.let_go(member, old)  # what was claimed in its name after its end goes with it too
        assert new.incarnation == len(self.lives[member]) + 2
        self.lives[member].append(Living(new.incarnation, self.clock.now() + LEASE, noun=new))

    @rule(member=members, steps=back)
    def renew(self, member, steps):
        if life := self.pick(member, steps):
            alive = life.state != "ended"
            if self.attempt(alive, lives.renew, life.noun):
                life.until = self.clock.now() + LEASE
                for task in self.tasks.values():
                    if (task.owner, task.life) == (member, life.number):
                        task.until = max(task.until, life.until)

    @rule(member=members, steps=back, state=st.sampled_from(MOVING))
    def move(self, member, steps, state):
        if life := self.pick(member, steps):
            allowed = state in MOVES[LifeState(life.state)]
            if self.attempt(allowed, lives.move, life.noun, state):
                life.state = state.value

    @rule(member=members, steps=back, why=st.sampled_from(list(WhyEnded)))
    def end(self, member, steps, why):
        if life := self.pick(member, steps):
            ended = self.attempt(True, lives.end, life.noun, why)  # noqa: FBT003 - always
            if life.state != "ended":
                self.ended(member, life, why.value)
            assert ended.why.value == life.why

    @rule()
    def pass_by(self):
        over = {
            (name, had[-1].number)
            for name, had in self.lives.items()
            if had and had[-1].state != "ended" and had[-1].until <= self.clock.now()
        }
        found = self.store.do(lives.ended_leases)
        assert {(life.member, life.incarnation) for life in found} == over
        for name, _ in over:
            self.ended(name, self.lives[name][-1], "crashed")

    @rule(member=members, steps=back)
    def claim(self, member, steps):
        life = self.pick(member, steps)
        if life is None:
            return
        present = steps == 0
        if present:
            for task in self.tasks.values():
                if task.owner and task.until <= self.clock.now():
                    task.free()
        ready = [number for number, task in self.tasks.items() if task.state == "pending"]
        actor = Actor(member, Role.TEAMMATE, life.number)
        taken = self.attempt(
            present and bool(ready),
            board.claim_next,
            actor,
            Holder(member, life.number),
            lease=LEASE,
        )
        if taken:
            task = self.tasks[int(taken.id)]
            assert (int(taken.id), taken.fence) == (ready[0], task.fence + 1)
            task.state, task.owner, task.life = "in_progress", member, life.number
            task.until, task.fence = self.clock.now() + LEASE, taken.fence

    @rule(member=members, steps=back, number=st.integers(1, TASKS), stale=st.integers(0, 1))
    def complete(self, member, steps, number, stale):
        life, task = self.pick(member, steps), self.tasks[number]
        if life is None:
            return
        allowed = not stale and not steps and (task.owner, task.life) == (member, life.number)
        holder = Holder(member, life.number, task.fence - stale)
        actor = Actor(member, Role.TEAMMATE, life.number)
        if self.attempt(allowed, board.complete, actor, TaskId(number), holder):
            task.free()
            task.state = "completed"

    @rule(member=members, steps=back)
    def start_turn(self, member, steps):
        if life := self.pick(member, steps):
            allowed = (
                LifeState.WORKING in MOVES[LifeState(life.state)] and "running" not in life.turns
            )
            if self.attempt(allowed, turns.start, life.noun, Opening(DIGEST)):
                life.turns.append("running")
                life.state = "working"

    @rule(member=members, steps=back)
    def settle_turn(self, member, steps):
        life = self.pick(member, steps)
        if life and life.turns:
            self.store.do(turns.settle, life.noun, len(life.turns), TurnOutcome.SUCCESS)
            if life.turns[-1] == "running":
                life.turns[-1] = "settled"
                life.state = "idle" if life.state == "working" else life.state

    @rule(seconds=st.sampled_from([1, 20, 40, 59, 60]))
    def wait(self, seconds):
        self.clock.advance(seconds=seconds)

    @rule()
    def reopen(self):
        """Whatever holds the store now, another process sees the same."""
        self.store = self.place.open()

    @invariant()
    def every_life_is_as_the_model_says(self):
        for name, had in self.lives.items():
            found = self.store.ask(lives.lives_of, name)[::-1]
            assert [(life.incarnation, life.state.value, life.why or "") for life in found] == [
                (life.number, life.state, life.why) for life in had
            ]
            assert sum(not life.ended for life in found) <= 1
            told = [turn.state.value for turn in self.store.ask(turns.page, name)]
            assert told == [state for life in had for state in life.turns]

    @invariant()
    def every_claim_is_as_the_model_says(self):
        found = {
            int(task.id): (task.state.value, task.owner, task.incarnation, task.lease_until)
            for task in self.store.ask(views.tasks)
        }
        assert found == {
            number: (task.state, task.owner, task.life, task.until)
            for number, task in self.tasks.items()
        }


@pytest.mark.requirement("RUN-07")
def test_any_sequence_of_lives_and_claims_agrees_with_the_model(play):
    play(LivesMachine, 30, 30)
