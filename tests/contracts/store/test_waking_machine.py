"""Any history of a team: nobody is nudged twice, or wrongly, and nobody with work is forgotten."""

import contextlib
import itertools
from datetime import timedelta

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
)

from drumline.control import (
    board,
    dispatch,
    lives,
    loop,
    mail,
    postings,
    questions,
    roster,
    sittings,
    turns,
)
from drumline.control.agendas import Sources
from drumline.control.attribution import Grounds
from drumline.errors import Refused
from drumline.store.upkeep import Caretaker
from drumline.team.life import LifeState, WhyEnded
from drumline.team.liveness import Liveness
from drumline.team.nudge import MOST_TRIES, NudgeState, spoken
from drumline.team.posting import Wanted
from drumline.team.question import QuestionKind, QuestionState
from drumline.team.report import Stands
from drumline.team.rhythm import HOUR, USUAL
from drumline.team.settled import SettledTurn
from drumline.team.sitting import Sitting
from drumline.team.stall import MOVING
from drumline.team.task import Holder
from drumline.team.turn import Opening, TurnOutcome
from tests.living import DIGEST, process
from tests.nudging import CHALLENGE, DIRECTIVE, LONG, in_call, report
from tests.stores import seat
from tests.words import BOSS, add

NAMES = ("ada", "brook")
members = st.sampled_from(NAMES)
HEARD = ("delivered", "lost", "refused", "nobody")
ACCOUNT = "claude:1"
MINUTE = timedelta(minutes=1)
STEP = 5 * MINUTE  # between the last rounds
BOUND = HOUR + 10 * USUAL.stall_after + 10 * STEP


class WakingMachine(RuleBasedStateMachine):
    """Two members, their runner and their plane; the model knows only what it did itself."""

    stores: list = []  # noqa: RUF012 - set by the test for the engine under test

    @initialize()
    def begin(self):
        self.place, self.clock = self.stores[0]()
        self.store = self.place.open()
        self.lives, self.running, self.calls = {}, {}, set()
        self.limited_until, self.sent, self.said_of = None, [], {}
        self.said, self.sessions = {name: [] for name in NAMES}, {}
        for name in NAMES:
            self.live(name)

    def teardown(self):
        if hasattr(self, "store"):
            self.everyone_with_work_is_nudged_or_escalated_in_time()
            assert list(Caretaker(self.store.engine).check()) == []
            self.place.close()

    def attempt(self, verb, *words, **more):
        try:
            return self.store.do(verb, *words, **more)
        except Refused:
            return None

    @rule(member=members, dies=st.booleans())
    def live(self, member, dies=False):  # noqa: FBT002 - as hypothesis gives it
        if dies:
            self.die(member)
        elif member not in self.lives:
            self.store.do(postings.want, BOSS, member, Wanted.RUNNING)
            life = self.store.do(lives.begin, member, process(account=ACCOUNT))
            self.lives[member] = self.store.do(lives.move, life, LifeState.IDLE)
            self.sessions.pop(member, None)
            self.store.do(lives.renew, life, lease=LONG)

    def die(self, member):
        if life := self.lives.pop(member, None):
            self.store.do(lives.end, life, WhyEnded.CRASHED)
            self.running.pop(member, None)
            self.calls.discard(member)

    @rule(member=members)
    def sit(self, member):
        """Whoever is stopped is driven by hand, in a session that somebody opens for it."""
        self.die(member)
        self.store.do(postings.want, BOSS, member, Wanted.STOPPED)
        session = f"s-{member}-{len(self.sent)}-{self.clock.now():%d%H%M%S}"
        if self.attempt(sittings.sit, BOSS, Sitting(session, "claude", member, 0)):
            self.sessions[member] = session
            self.store.do(roster.settle, member)

    @rule(member=members)
    def remove(self, member):
        """A manifest without it ends its life and its place; the next one has it again."""
        seat(self.store, profiles={member: None})
        self.go_round()
        self.speak(member, "delivered")
        self.die(member)
        seat(self.store)

    @rule(member=members, wanted=st.sampled_from(Wanted))
    def want(self, member, wanted):
        self.attempt(postings.want, BOSS, member, wanted)

    @rule(member=members)
    def claim(self, member):
        add(self.store)
        life = self.lives.get(member)
        holder = Holder(member, life.incarnation if life else None)
        self.attempt(board.claim_next, BOSS, holder, lease=LONG)

    @rule(member=members, done=st.booleans())
    def let_go(self, member, done):
        for task in self.store.ask(lambda tx: tx.waking.tasks_of(member)):
            verb = board.complete if done else board.release
            self.attempt(verb, BOSS, task.id, Holder(member))

    @rule(member=members, body=st.sampled_from([DIRECTIVE, CHALLENGE, "by the way"]))
    def write(self, member, body):
        self.store.do(mail.send, BOSS, [member], body)

    @rule(member=members, then=st.sampled_from(["wait", "call", "speak", "speak"]))
    def have_something_waiting(self, member, then):
        """The usual way to a nudge, so that most histories have some."""
        self.write(member, DIRECTIVE)
        self.wait(16)
        if then == "call":
            self.call(member, inside=True)
        elif then == "speak":
            self.speak(member, "delivered")

    @rule(member=members, acknowledge=st.booleans())
    def read(self, member, acknowledge):
        for letter in self.store.ask(mail.inbox, member)[:1]:
            if acknowledge:
                self.store.do(mail.acknowledge, BOSS, [letter.id])
            else:
                self.store.do(mail.confirm_delivery, letter.id)

    @rule(member=members)
    def start_turn(self, member):
        if (life := self.lives.get(member)) and member not in self.running:
            turn = self.attempt(turns.start, life, Opening(DIGEST))
            if turn:
                self.running[member] = turn.number

    @rule(member=members)
    def settle_turn(self, member):
        """What settles is never progress, extends nothing, and quiets nobody."""
        before = self.store.ask(lambda tx: tx.waking.situation(member))
        leases = self.leases(member)
        if number := self.running.pop(member, None):
            self.store.do(turns.settle, self.lives[member], number, TurnOutcome.SUCCESS)
        else:
            self.store.do(roster.settle, member)
        after = self.store.ask(lambda tx: tx.waking.situation(member))
        kept = ("progress_at", "report", "stalled_at", "attends", "since")
        assert [getattr(before, each) for each in kept] == [getattr(after, each) for each in kept]
        assert self.leases(member) == leases

    def leases(self, member):
        held = self.store.ask(lambda tx: tx.waking.tasks_of(member))
        return [(task.id, task.lease_until, task.updated_at) for task in held]

    @rule(member=members, stands=st.sampled_from(Stands))
    def say(self, member, stands):
        with contextlib.suppress(Refused):
            report(self.store, stands, "rain", member)
            self.said_of[member] = self.held_by(member)

    def held_by(self, member):
        return [task.id for task in self.store.ask(lambda tx: tx.waking.tasks_of(member))]

    @rule(member=members, inside=st.booleans())
    def call(self, member, inside):
        self.start_turn(member)
        if member in self.running:
            in_call(self.store, self.lives[member], "Bash" if inside else "")
            (self.calls.add if inside else self.calls.discard)(member)

    @rule(minutes=st.integers(1, 90))
    def limit(self, minutes):
        until = self.clock.now() + minutes * MINUTE

        def pause(tx):
            tx.limits.pause(ACCOUNT, until, "used up")
            tx.record("test", "account.paused", ACCOUNT)

        self.store.do(pause)
        self.limited_until = max(filter(None, (self.limited_until, until)))

    @rule(seconds=st.sampled_from([16, 16, 61, 301, 1201, 3601]))
    def wait(self, seconds):
        self.clock.advance(seconds=seconds)
        self.go_round()

    @rule(seconds=st.sampled_from([1, 16, 301]), heard=st.sampled_from(HEARD))
    def wait_and_speak(self, seconds, heard):
        self.wait(seconds)
        for member in NAMES:
            self.speak(member, heard)

    @rule()
    def go_round(self):
        loop.settle_due(self.store)
        loop.look_around(self.store)
        for member, life in list(self.lives.items()):
            if self.store.ask(lives.find, member, life.incarnation).ended:
                self.lives.pop(member)  # its runner hears of it
                self.running.pop(member, None)
                self.calls.discard(member)

    @rule(member=members, heard=st.sampled_from(HEARD))
    def speak(self, member, heard):
        """The runner says what waits; only who may be spoken to is."""
        if (life := self.lives.get(member)) is None:
            return
        found = self.attempt(dispatch.take, life, member in self.running)
        if found is None:
            return
        self.may_be_spoken_to(member, found)
        assert self.store.ask(lambda tx: tx.postings.get(member)).wanted is Wanted.RUNNING
        assert found.incarnation == self.lives[member].incarnation
        assert member not in self.calls
        self.said_to(member, found, heard)

    @rule(member=members, heard=st.sampled_from(HEARD))
    def prompt(self, member, heard):
        """Somebody goes on in the session that was opened for a member."""
        if (session := self.sessions.get(member)) is None:
            return
        turn = SettledTurn("claude", "a-1", "c0ffee", session=session)
        found = self.store.do(dispatch.take_by_hand, turn, Grounds())
        if found is not None:
            assert member not in self.lives
            self.may_be_spoken_to(member, found)
            self.said_to(member, found, heard)

    def said_to(self, member, found, heard):
        if heard == "refused":
            self.store.do(dispatch.refused, found, "overloaded")
        elif heard == "nobody":
            self.store.do(dispatch.give_back, found, "it hears nothing now")
            assert self.is_as_it_was(found)
        else:
            self.sent.append((found.member, found.incarnation, found.fingerprint))
            self.said[member].append(self.clock.now())
        if heard == "delivered":
            self.store.do(dispatch.delivered, found)

    def is_as_it_was(self, found):
        key = (found.member, found.incarnation, found.fingerprint)
        after = self.store.ask(lambda tx: tx.waking.nudge(*key))
        return (after.state, after.tries) == (NudgeState.WAITING, found.tries)

    def may_be_spoken_to(self, member, found):
        """Judged by what was done, not by what the verbs believe."""
        now = self.clock.now()
        said = self.store.ask(lambda tx: tx.waking.situation(member)).report
        seated = self.store.ask(lambda tx: tx.roster.get(member))
        assert (seated.active, seated.incarnation) == (True, found.incarnation)
        assert self.limited_until is None or self.limited_until <= now or member in self.sessions
        news = "M-" in found.text or self.said_of.get(member) != self.held_by(member)
        assert said is None or not said.holds(now) or news

    @rule()
    def reopen(self):
        """Whatever holds the store now, another plane goes on with the same."""
        self.store = self.place.open()

    @invariant()
    def nobody_is_told_the_same_twice(self):
        assert len(getattr(self, "sent", ())) == len(set(getattr(self, "sent", ())))

    @invariant()
    def nobody_is_spoken_to_too_often(self):
        for times in getattr(self, "said", {}).values():
            gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
            assert all(gap >= USUAL.nudge_cooldown for gap in gaps)
            thirds = zip(times, times[2:], strict=False)
            assert all(later - earlier >= HOUR for earlier, later in thirds)

    def everyone_with_work_is_nudged_or_escalated_in_time(self):
        """From here on nothing happens but time and rounds: within the bound everyone was dealt with."""
        found = [self.store.ask(lambda tx, name=name: tx.waking.situation(name)) for name in NAMES]
        excused = [each.report.until for each in found if each.report is not None]
        self.clock.at = max(filter(None, [self.clock.at, self.limited_until, *excused]))
        for _ in range(BOUND // STEP + 1):
            self.clock.at += STEP
            self.go_round()
            self.fill_places()
        for member in NAMES:
            found = self.store.ask(lambda tx, name=member: tx.waking.situation(name))
            if found.life is not None and found.wanted is not Wanted.RUNNING:
                continue
            idle, holds = found.attends == Liveness.IDLE_WITH_WORK, found.task_at is not None
            if idle and found.by_hand:
                assert self.told(found) or self.asked(found), member
            elif idle or (holds and found.attends in MOVING):
                assert self.asked(found), member

    def fill_places(self):
        """A plane begins whoever is wanted to run and does not."""
        for member in NAMES:
            found = self.store.ask(lambda tx, name=member: tx.waking.situation(name))
            if found.life is None and found.wanted is Wanted.RUNNING:
                self.live(member)

    def told(self, found):
        """What is on its agenda now, in this life; or something waits for its next word, or was tried enough."""
        name, life = found.member.name, found.member.incarnation

        def nudge(tx):
            said = spoken(Sources(tx).agenda(found), found)
            return tx.waking.waiting(name, life) or tx.waking.nudge(name, life, said.fingerprint)

        each = self.store.do(nudge)
        return each and (each.state is not NudgeState.DROPPED or each.tries >= MOST_TRIES)

    def asked(self, found):
        """About this standstill of this life, and not withdrawn."""
        key = (QuestionKind.STALL, found.member.name, found.member.incarnation)
        return found.stalled_at is not None and any(
            (each.kind, each.asker, each.incarnation) == key
            and each.asked_at >= found.stalled_at
            and each.state is not QuestionState.WITHDRAWN
            for each in self.store.ask(questions.page, everything=True)
        )


@pytest.mark.requirement("SYNC-05", "SYNC-06", "SYNC-07", "SYNC-08", "SYNC-11", "SYNC-14")
def test_any_history_nudges_nobody_twice_nor_wrongly_and_forgets_nobody(play):
    play(WakingMachine, 30, 40)
