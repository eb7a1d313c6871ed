"""Subagents in the books: begun only in a turn that runs and can pay, and told by name."""

import pytest

from drumline.control import limits, lives, subagents, turns, views
from drumline.errors import AccountPaused, BudgetSpent, NotHolder, NotReady
from drumline.team.budget import UNLIMITED, Budgets, Yes
from drumline.team.life import WhyEnded
from drumline.team.turn import TurnOutcome
from tests.living import A_SECOND, begin, start, tell

pytestmark = pytest.mark.requirement("RUN-13")
NAME = "subagent-1 of analyst"


@pytest.fixture
def turn(store):
    return start(store, begin(store, account="scripted:0"))


def begun(store, turn, budgets=UNLIMITED, beside=0):
    return store.do(subagents.start, turn, NAME, budgets, beside)


def told(store):
    found, _ = store.ask(views.last_events, most=50)
    return [(each.verb, each.subject) for each in found if each.verb.startswith("subagent")]


def test_its_beginning_and_its_end_are_told(store, turn):
    assert begun(store, turn) == Yes(None)
    store.do(subagents.end, turn, NAME, TurnOutcome.SUCCESS)
    name = f"{turn.name} {NAME}"
    assert told(store) == [("subagent.started", name), ("subagent.ended", f"{name} success")]


def test_what_it_may_cost_is_what_is_left(store, turn):
    tell(store, turn, 300)
    assert begun(store, turn, Budgets(member=1000)) == Yes(400)


@pytest.mark.parametrize(("beside", "refused"), [(0, False), (1, False), (2, True)])
def test_a_request_of_each_beside_it_is_kept_back(store, turn, beside, refused):
    tell(store, turn, 300)
    if not refused:
        begun(store, turn, Budgets(member=1000), beside)
        return
    with pytest.raises(BudgetSpent):
        begun(store, turn, Budgets(member=1000), beside)
    assert told(store) == [("subagent.refused", f"{turn.name} {NAME}")]


def test_none_is_begun_without_a_turn(store, turn):
    life = store.ask(lives.find, turn.member, turn.incarnation)
    store.do(turns.settle, life, turn.number, TurnOutcome.SUCCESS)
    with pytest.raises(NotReady):
        begun(store, turn)


def test_none_is_begun_in_a_life_that_has_ended(store, turn):
    store.do(lives.end, store.ask(lives.find, turn.member, turn.incarnation), WhyEnded.STOPPED)
    with pytest.raises(NotHolder):
        begun(store, turn)


def test_none_is_begun_on_an_account_that_rests(store, turn):
    now = store.ask(lambda tx: tx.now())
    store.do(limits.pause, "scripted:0", now + 60 * A_SECOND, "used up")
    with pytest.raises(AccountPaused):
        begun(store, turn)
