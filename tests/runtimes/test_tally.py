"""Calls are counted as they are made: the first of a kind at once, the rest with the turn."""

import pytest

from drumline.control import tool_use
from drumline.errors import StoreTrouble
from drumline.runtimes.tally import MOST, Tally
from drumline.team.tool_use import OTHERS
from drumline.team.turn import Opening

pytestmark = pytest.mark.requirement("AUDIT-03")
ABOUT = Opening("0" * 64)


@pytest.fixture
def tally(store):
    return Tally(lambda counts: store.do(tool_use.count, "ada", counts))


def counted(store):
    return {each.tool: (each.calls, each.refused) for each in store.ask(tool_use.used)}


def test_that_a_tool_was_used_is_known_before_its_turn_is_over(store, tally):
    for _ in range(3):
        tally.count("Read", ABOUT, refused=False)
    assert counted(store) == {"Read": (1, 0)}
    tally.flush()
    assert counted(store) == {"Read": (3, 0)}


def test_a_refused_call_is_counted_with_the_turn_and_is_no_use(store, tally):
    tally.count("Bash", ABOUT, refused=True)
    assert counted(store) == {}
    tally.count("Bash", ABOUT, refused=False)
    assert counted(store) == {"Bash": (2, 1)}


def test_what_cannot_be_kept_stops_no_call_and_is_kept_later():
    kept, broken = [], [True]

    def keep(counts):
        if broken:
            raise StoreTrouble("the disk is full")
        kept.extend(counts)

    tally = Tally(keep)
    tally.count("Read", ABOUT, refused=False)
    tally.count("Read", None, refused=True)
    broken.clear()
    tally.flush()
    assert sum(each.calls for each in kept) == 2
    tally.flush()
    assert len(kept) == 1


def test_names_that_somebody_makes_up_fill_no_memory(store, tally):
    for number in range(2 * MOST):
        tally.count(f"Tool{number}", ABOUT, refused=True)
    tally.flush()
    assert counted(store)[OTHERS] == (MOST, MOST)
