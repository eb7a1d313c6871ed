"""When an idle member tries again: at once where something new calls it, else more and more rarely."""

import pytest

from drumline.team.tries import LONGEST, SHORTEST, Tries

READY, BOTH = frozenset({"ready"}), frozenset({"ready", "nudged"})
NOTHING: frozenset[str] = frozenset()


def after(failures, calls=READY):
    """A member whose tries came to nothing so often, each made as soon as it was due; and when the last was."""
    tries, now = Tries(), 0.0
    for number in range(failures):
        tries.came_to_nothing(calls, now)
        now += waited(tries, calls, now) if number + 1 < failures else 0.0
    return tries, now


def waited(tries, calls, now):
    """Seconds until the next try, when the same goes on calling."""
    return next(passed / 2 for passed in range(200) if tries.heard(calls, now + passed / 2))


@pytest.mark.requirement("BOARD-04", "SYNC-13")
@pytest.mark.parametrize(
    ("failures", "seconds"),
    [(1, SHORTEST), (2, 4.0), (3, 8.0), (4, 16.0), (5, LONGEST), (9, LONGEST)],
)
def test_who_finds_nothing_tries_more_and_more_rarely(failures, seconds):
    tries, now = after(failures)
    assert waited(tries, READY, now) == seconds


@pytest.mark.requirement("BOARD-04", "SYNC-13")
def test_what_begins_to_call_is_tried_at_once_however_rare_the_tries_have_become():
    tries, now = after(5)
    assert not tries.heard(READY, now + 1)
    assert tries.heard(BOTH, now + 1)


@pytest.mark.requirement("BOARD-04", "SYNC-13")
def test_what_ceased_to_call_and_calls_again_is_new():
    tries, now = after(5)
    assert not tries.heard(NOTHING, now + 1)
    assert tries.heard(READY, now + 2)


@pytest.mark.requirement("BOARD-04", "SYNC-13")
def test_whom_nothing_calls_tries_nothing():
    tries, now = after(1)
    assert not tries.heard(NOTHING, now + 10 * LONGEST)


@pytest.mark.requirement("BOARD-04", "SYNC-13")
def test_who_came_to_something_begins_anew():
    tries, now = after(5)
    tries.came_to_something()
    tries.came_to_nothing(READY, now)
    assert waited(tries, READY, now) == SHORTEST
