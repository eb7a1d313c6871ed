"""Any sequence of request verbs does what a plain list says, on every store."""

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from drumline.control import mail, requests
from drumline.errors import Refused
from drumline.store.upkeep import Caretaker
from drumline.team.ids import RequestId
from drumline.team.journal import KEYS, fold
from drumline.team.request_result import Outcome
from tests.stores import MEMBERS
from tests.words import BOSS, teammate

members = st.sampled_from(MEMBERS)
numbers = st.integers(1, 8)
WORDS = ("git push", "br close 1")


class RequestMachine(RuleBasedStateMachine):
    """The model: what was asked in the order of its numbers, and at most one begun, since when."""

    stores: list = []  # noqa: RUF012 - set by the test for the engine under test

    def __init__(self) -> None:
        super().__init__()
        self.place, self.clock = self.stores[0]()
        self.store = self.place.open()
        self.asked: list[dict] = []
        self.told = dict.fromkeys(MEMBERS, 0)
        self.begun_at = self.clock.now()

    def teardown(self) -> None:
        assert list(Caretaker(self.store.engine).check()) == []
        events, _ = self.store.ask(lambda tx: tx.journal.after("", most=10_000))
        rows = self.store.ask(lambda _: list(self.store.engine.scan("requests", KEYS["requests"])))
        assert list(fold(events)["requests"].values()) == rows
        self.place.close()

    def state(self, number):
        return self.asked[number - 1]["state"] if number <= len(self.asked) else "unknown"

    def attempt(self, allowed, verb, *args):
        """Do it, and whether the model allows it must be whether the store does."""
        try:
            self.store.do(verb, *args)
        except Refused:
            assert not allowed
        else:
            assert allowed
        return allowed

    @rule(who=members, what=st.sampled_from(WORDS))
    def file(self, who, what):
        words = {"who": who, "what": what}
        waiting = [{"who": each["who"], "what": each["what"]} for each in self.waiting()]
        if self.attempt(words not in waiting, requests.file, teammate(who), what):
            self.asked.append({**words, "state": "filed"})

    def waiting(self):
        return [each for each in self.asked if each["state"] in ("filed", "taken")]

    @rule(number=numbers)
    def take(self, number):
        held = next((each for each in self.asked if each["state"] == "taken"), None)
        stale = (self.clock.now() - self.begun_at).total_seconds() >= 900
        known = self.state(number) in ("filed", "taken")
        free = held is None or stale
        if self.attempt(known and free, requests.take, BOSS, RequestId(number)):
            if held:
                held["state"] = "filed"
            self.asked[number - 1]["state"] = "taken"
            self.begun_at = self.clock.now()

    @rule(number=numbers, ok=st.booleans())
    def finish(self, number, ok):
        outcome = Outcome(ok=ok, result="as it went")
        allowed = self.state(number) == "taken"
        if self.attempt(allowed, requests.finish, BOSS, RequestId(number), outcome):
            self.end(number, "done" if ok else "failed")

    @rule(number=numbers)
    def decline(self, number):
        allowed = self.state(number) in ("filed", "taken")
        if self.attempt(allowed, requests.decline, BOSS, RequestId(number), "no"):
            self.end(number, "declined")

    def end(self, number, state):
        self.asked[number - 1]["state"] = state
        self.told[self.asked[number - 1]["who"]] += 1

    @rule(number=numbers)
    def give_back(self, number):
        allowed = self.state(number) == "taken"
        if self.attempt(allowed, requests.give_back, BOSS, RequestId(number)):
            self.asked[number - 1]["state"] = "filed"

    @rule(who=members, number=numbers)
    def take_as_a_teammate(self, who, number):
        self.attempt(False, requests.take, teammate(who), RequestId(number))  # noqa: FBT003 - never

    @rule(minutes=st.integers(1, 20))
    def wait(self, minutes):
        self.clock.advance(minutes=minutes)

    @rule()
    def reopen(self):
        """Whatever holds the store now, another process sees the same."""
        self.store = self.place.open()

    @invariant()
    def every_request_is_as_the_model_says(self):
        found = self.store.ask(requests.page, everything=True)
        assert [(each.requester, each.what, each.state.value) for each in found] == [
            (each["who"], each["what"], each["state"]) for each in self.asked
        ]
        assert sum(each["state"] == "taken" for each in self.asked) <= 1

    @invariant()
    def every_answer_was_told_once(self):
        letters = {name: len(self.store.ask(mail.inbox, name)) for name in MEMBERS}
        assert letters == self.told


@pytest.mark.requirement("GUARD-17")
def test_any_sequence_of_request_verbs_agrees_with_the_model(play):
    play(RequestMachine, 30, 25)
