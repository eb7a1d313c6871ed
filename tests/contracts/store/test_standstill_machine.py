"""Any history of standstills: each climbs in time, no step twice, and nobody who gets on is started anew."""

from datetime import timedelta

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
)

from drumline.control import board, lives, loop, questions
from drumline.errors import Refused
from drumline.store.upkeep import Caretaker
from drumline.team.ladder import RESPAWNS
from drumline.team.question import OF_A_STANDSTILL, Asking, QuestionKind, QuestionState
from drumline.team.rhythm import USUAL
from drumline.team.situation import Noticed
from drumline.team.stall import MOVING
from drumline.team.standstill import WITHOUT_A_TASK
from drumline.team.task import Holder
from tests.nudging import LONG, in_call, live, report
from tests.stores import seat
from tests.words import BOSS, add

NAMES = ("ada", "brook")
members = st.sampled_from(NAMES)
MINUTE = timedelta(minutes=1)
STEP = 5 * MINUTE
A_LIFE = 2 * (USUAL.stall_after + STEP)  # until its standstill is noticed, and until it is ended
BOUND = (RESPAWNS + WITHOUT_A_TASK + 2) * A_LIFE


class StandstillMachine(RuleBasedStateMachine):
    """Two members with a task each, led by a third, and a plane that fills places that are empty."""

    stores: list = []  # noqa: RUF012 - set by the test for the engine under test

    @initialize()
    def begin(self):
        self.place, self.clock = self.stores[0]()
        self.store = self.place.open()
        seat(self.store, lead="cleo")
        self.lives, self.moved, self.excused, self.calls = {}, {}, {}, set()
        self.approvals, self.limited, self.number = {}, None, 0
        for _ in NAMES:
            add(self.store)
        self.fill_places()

    def teardown(self):
        if hasattr(self, "store"):
            self.every_standstill_comes_to_a_person()
            assert list(Caretaker(self.store.engine).check()) == []
            self.place.close()

    def fill_places(self):
        """What a plane and a runner do: begin a life, and take what is ready."""
        for name in NAMES:
            if name in self.lives and not self.life(name).ended:
                continue
            self.lives[name] = live(self.store, name, account="claude:1")
            self.calls.discard(name)
            self.approvals.pop(name, None)
            self.excused.pop(name, None)
            self.moved[name] = self.clock.now()
            self.take(name)

    def take(self, name):
        holder = Holder(name, self.lives[name].incarnation)
        try:
            self.store.do(board.claim_next, BOSS, holder, lease=LONG)
        except Refused:
            return
        self.moved[name] = self.clock.now()

    def life(self, name):
        return self.store.ask(lives.find, name, self.lives[name].incarnation)

    @rule(member=members, how=st.sampled_from(["writes", "reports", "claims"]))
    def get_on(self, member, how):
        if how == "writes":
            tool = "Bash" if member in self.calls else ""
            second = timedelta(seconds=1)
            noticed = Noticed(second, timedelta(0), tool, second if tool else None)
            self.store.do(lives.notice, self.lives[member], noticed)
        elif how == "reports":
            said = report(self.store, "working", member=member, lease=10 * MINUTE)
            self.excused[member] = said.report.until
        else:
            add(self.store)
            self.take(member)
            return
        self.moved[member] = self.clock.now()

    @rule(member=members)
    def be_blocked(self, member):
        said = report(self.store, "blocked", "rain", member, lease=30 * MINUTE)
        self.excused[member] = said.report.until
        self.moved[member] = self.clock.now()

    @rule(member=members, inside=st.booleans())
    def call(self, member, inside):
        in_call(self.store, self.lives[member], "Bash" if inside else "")
        (self.calls.add if inside else self.calls.discard)(member)

    @rule(span=st.sampled_from([5, 30]))
    def limit(self, span):
        until = self.clock.now() + span * MINUTE

        def pause(tx):
            tx.limits.pause("claude:1", until, "used up")
            tx.record("test", "account.paused", "claude:1")

        self.store.do(pause)
        self.limited = max(filter(None, (self.limited, until)))

    @rule(member=members)
    def want_approval(self, member):
        if member not in self.approvals:
            actor = self.store.ask(lambda tx: tx.roster.get(member)).acting()
            self.number += 1
            asking = Asking(QuestionKind.APPROVAL, "May I?", f"call {self.number}")
            self.approvals[member] = self.store.do(questions.ask, actor, asking).id

    @rule(member=members)
    def approve(self, member):
        if question := self.approvals.pop(member, None):
            self.store.do(questions.answer, BOSS, question, "allow")

    @rule(choice=st.sampled_from(["leave it", "start it anew", "give the task back"]))
    def answer(self, choice):
        for each in self.asked():
            self.store.do(questions.answer, BOSS, each.id, choice)
        self.fill_places()

    @rule(number=st.sampled_from([1, 4, 8]))
    def wait(self, number):
        for _ in range(number):
            self.clock.at += STEP
            self.go_round()

    def go_round(self):
        before = {name: self.life(name).ended for name in NAMES}
        loop.settle_due(self.store)
        loop.look_around(self.store)
        for name in NAMES:
            if self.life(name).ended and not before[name]:
                self.was_rightly_ended(name)
        self.fill_places()

    def was_rightly_ended(self, name):
        """Judged by what was done, not by what the verbs believe."""
        now = self.clock.now()
        assert now - self.moved[name] >= 2 * USUAL.stall_after, f"{name} got on"
        assert name not in self.calls | self.approvals.keys()
        assert self.excused.get(name, now) <= now
        assert self.limited is None or self.limited <= now

    def asked(self):
        found = self.store.ask(questions.page)
        return [each for each in found if each.kind in OF_A_STANDSTILL]

    @invariant()
    def nobody_is_asked_about_twice(self):
        if not hasattr(self, "store"):
            return
        open_ = [(each.asker, each.incarnation) for each in self.asked()]
        assert len(open_) == len(set(open_))

    @invariant()
    def no_task_costs_more_lives_than_it_may(self):
        if not hasattr(self, "store"):
            return
        for task in self.store.ask(
            lambda tx: tx.tasks.page(state=None, owner=None, after=0, most=99)
        ):
            spent = self.store.ask(lambda tx, each=task.id: tx.tasks.fields(each)).get(
                "respawns", 0
            )
            assert spent <= RESPAWNS

    def every_standstill_comes_to_a_person(self):
        """From here on nothing happens but time: within the bound a person is asked about everyone."""
        for name in list(self.approvals):
            self.approve(name)
        times = [self.clock.at, self.limited, *self.excused.values()]
        self.clock.at = max(each for each in times if each is not None)
        for _ in range(BOUND // STEP + 1):
            self.clock.at += STEP
            self.go_round()
        for name in NAMES:
            found = self.store.ask(lambda tx, each=name: tx.waking.situation(each))
            if found.attends in MOVING:
                assert self.came_to_a_person(found), name

    def came_to_a_person(self, found):
        """A person is asked about this standstill of this life, or has said what to do about it."""
        whose = (found.member.name, found.member.incarnation)
        said = [
            each
            for each in self.store.ask(questions.page, everything=True)
            if each.kind in OF_A_STANDSTILL and (each.asker, each.incarnation) == whose
        ]
        return any(
            each.state is QuestionState.ANSWERED
            or (each.open and each.kind is QuestionKind.ESCALATED)
            for each in said
            if found.stalled_at is not None and each.asked_at >= found.stalled_at
        )


@pytest.mark.requirement("SYNC-11", "PIPE-08")
def test_any_history_of_standstills_climbs_in_time_and_no_step_twice(play):
    play(StandstillMachine, 10, 20)
