"""What readings of a meter come to, whatever order they are told in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.team.charge import (
    NOTHING,
    Report,
    Scope,
    Usage,
    added,
    micro_usd,
    payers,
    priced,
    step,
)
from drumline.team.ids import TaskId
from drumline.team.prices import Price
from drumline.team.turn import Opening

pytestmark = pytest.mark.requirement("RUN-06")

amounts = st.integers(0, 6)
usages = st.builds(Usage, amounts, amounts, amounts, amounts)
prices = st.builds(Price, st.just("x"), st.just("listed"), *[st.integers(0, 3 * 10**6)] * 3)


def in_order(readings):
    """What a meter comes to when it is read in its own order."""
    total, before = NOTHING, NOTHING
    for reading in readings:
        total, before = total.plus(step(before, reading)), reading
    return total


class Ledger:
    """A meter's readings by their place, told in any order."""

    def __init__(self):
        self.told: dict[int, Usage] = {}
        self.total = NOTHING

    def tell(self, place, reading):
        if place in self.told:
            return
        before = [self.told[each] for each in sorted(self.told) if each < place]
        after = [self.told[each] for each in sorted(self.told) if each > place]
        new = added(before[-1] if before else NOTHING, reading, after[0] if after else None)
        assert new.covers(NOTHING)
        self.told[place] = reading
        self.total = self.total.plus(new)


@given(st.data(), st.lists(usages, max_size=6), st.none() | prices)
def test_any_order_and_repetition_gives_the_same_total_which_never_goes_down(data, readings, price):
    told = [priced(reading, price) for reading in readings]
    order = data.draw(st.permutations([*enumerate(told)] * 2))
    ledger = Ledger()
    for place, reading in order:
        before = ledger.total
        ledger.tell(place, reading)
        assert ledger.total.covers(before)
    assert ledger.total == in_order(told)


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        pytest.param(Usage(5, 0, 0, 9), Usage(7, 0, 0, 9), Usage(2), id="it went on"),
        pytest.param(Usage(5, 0, 0, 9), Usage(5, 0, 0, 9), NOTHING, id="it stood still"),
        pytest.param(Usage(5, 0, 0, 9), Usage(9, 0, 0, 2), Usage(9, 0, 0, 2), id="it began again"),
        pytest.param(NOTHING, Usage(1, 2, 3, 4), Usage(1, 2, 3, 4), id="the first"),
    ],
)
def test_a_reading_adds_its_difference(before, now, expected):
    assert step(before, now) == expected


def test_a_report_has_the_runtimes_money_or_that_of_its_price():
    tokens = Usage(input=1_000_000, micros=7)
    price = Price("x", "unknown", 2_000_000, 0, 0)
    assert (Report("s", 1, tokens).reading.micros, Report("s", 1, tokens).basis) == (7, "reported")
    by_price = Report("s", 1, tokens, price=price)
    assert (by_price.reading.micros, by_price.basis) == (2_000_000, "unknown")


@pytest.mark.parametrize(
    ("about", "expected"),
    [
        (Opening("d"), [(Scope.MEMBER, "ada")]),
        (Opening("d", TaskId(3)), [(Scope.MEMBER, "ada"), (Scope.TASK, "T-3")]),
        (
            Opening("d", TaskId(3), "r1"),
            [
                (Scope.MEMBER, "ada"),
                (Scope.TASK, "T-3"),
                (Scope.RUN, "r1"),
                (Scope.PART, "r1/ada"),
            ],
        ),
    ],
)
def test_each_who_pays_pays_once(about, expected):
    assert payers("ada", about) == expected


@pytest.mark.parametrize(
    ("usd", "micros"),
    [(0.5, 500_000), (0.0048, 4_800), (1e-07, 0), (5e-07, 1), (0.1 + 0.2, 300_000), (1e4, 10**10)],
)
def test_dollars_become_whole_millionths(usd, micros):
    assert micro_usd(usd) == micros


@given(st.floats(0, 1e4), st.floats(0, 1e4))
def test_a_meter_that_goes_up_in_dollars_never_goes_down_in_millionths(one, other):
    assert (micro_usd(max(one, other)) - micro_usd(min(one, other))) >= 0
