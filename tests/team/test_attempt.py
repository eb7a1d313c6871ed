"""What comes after a turn."""

import pytest

from drumline.team.attempt import Again, GiveBack, GiveUp, GoOn, Leave, after
from drumline.team.life import WhyEnded
from drumline.team.outcome import Ending, Outcome


@pytest.mark.parametrize(
    ("ending", "failures", "expected"),
    [
        (Ending.SUCCESS, 0, GoOn()),
        (Ending.REFUSED, 1, GiveUp("so")),
        (Ending.BUDGET, 1, Leave(WhyEnded.BUDGET)),
        (Ending.INTERRUPTED, 1, GiveBack("so")),
        (Ending.RETRY, 1, Again(2.0)),
        (Ending.RETRY, 5, Again(32.0)),
        (Ending.RETRY, 6, GiveBack("6 tries failed: so")),
        (Ending.CRASHED, 1, Again(0.0, anew=True)),
        (Ending.CRASHED, 3, Leave(WhyEnded.CRASHED)),
    ],
)
def test_each_end_of_a_turn_has_its_next_step(ending, failures, expected):
    assert after(Outcome(ending, "so"), failures) == expected
