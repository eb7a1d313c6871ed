"""Whether there is money for one more request, as tables and as laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.team.budget import (
    UNLIMITED,
    Budgets,
    No,
    Yes,
    dollars,
    may_start,
    overshoot,
    passed_by,
    reserve,
    tighter,
)
from drumline.team.charge import Scope, Spending, Usage

pytestmark = pytest.mark.requirement("RUN-06")

money = st.integers(0, 10**9)


@pytest.mark.parametrize(
    ("spent", "kept", "budget", "expected"),
    [
        pytest.param(0, 0, 100, Yes(100), id="nothing spent yet"),
        pytest.param(60, 30, 100, Yes(10), id="enough for the dearest"),
        pytest.param(70, 30, 100, No, id="spent and reserve reach the budget"),
        pytest.param(100, 0, 100, No, id="all is spent"),
        pytest.param(120, 0, 100, No, id="more is spent"),
        pytest.param(0, 0, 0, No, id="a budget of nothing"),
        pytest.param(10**12, 10**12, None, Yes(None), id="no budget"),
    ],
)
def test_a_request_is_made_only_below_the_budget(spent, kept, budget, expected):
    found = may_start(spent, kept, budget)
    assert found == expected if isinstance(expected, Yes) else isinstance(found, expected)


def test_a_no_says_how_much_of_what():
    found = may_start(1_234_567, 10, 1_234_570)
    assert found == No("$1.234567 of $1.234570 is spent, and $0.000010 is reserved")


@given(st.lists(money, max_size=20), st.integers(1, 10**9))
def test_overshoot_is_at_most_one_response(costs, budget):
    """Whoever asks before each request passes the budget by the last response at most."""
    spent = dearest = last = 0
    for cost in costs:
        if isinstance(may_start(spent, reserve(dearest), budget), No):
            break
        spent, dearest, last = spent + cost, max(dearest, cost), cost
    assert overshoot(spent, budget) <= last


@given(st.lists(st.integers(0, 10), max_size=20), st.integers(1, 200))
def test_requests_no_dearer_than_before_never_pass_a_budget(costs, budget):
    spent, dearest = 0, 10
    for cost in costs:
        if isinstance(may_start(spent, reserve(dearest), budget), No):
            break
        spent += cost
    assert overshoot(spent, budget) == 0


@given(money, st.integers(0, 50))
def test_what_others_may_be_asking_for_is_kept_back_too(dearest, others):
    assert reserve(dearest, others) == dearest * (others + 1)


@pytest.mark.parametrize(
    ("total", "last", "budget", "said"),
    [
        pytest.param(130, 40, 100, True, id="this charge passed it"),
        pytest.param(130, 30, 100, True, id="it stood exactly at its end before"),
        pytest.param(130, 20, 100, False, id="it was passed before"),
        pytest.param(100, 40, 100, False, id="not passed"),
        pytest.param(130, 40, None, False, id="no budget"),
    ],
)
def test_a_passed_budget_is_said_once(total, last, budget, said):
    sentence = passed_by(Spending(Scope.RUN, "r1", Usage(micros=total)), last, budget)
    assert sentence == ("run r1: $0.000030 over a budget of $0.000100" if said else "")


@given(st.none() | money, st.none() | money)
def test_of_two_leaves_the_tighter_counts(one, other):
    given_limits = [left for left in (one, other) if left is not None]
    assert tighter(Yes(one), Yes(other)) == Yes(min(given_limits, default=None))


def test_every_payer_has_its_own_budget():
    some = Budgets(member=1, task=2, run=3, part=4)
    assert [some.of(scope) for scope in Scope] == [1, 2, 3, 4]
    assert {UNLIMITED.of(scope) for scope in Scope} == {None}


def test_money_is_shown_to_the_last_millionth():
    assert dollars(1_234_000_056) == "$1,234.000056"
