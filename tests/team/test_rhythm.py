"""The rhythm of a team: when it is time again."""

import pytest

from drumline.team.rhythm import MINUTE, passed
from tests.team.situations import NOON, ago, ahead


@pytest.mark.parametrize(
    ("since", "expected"),
    [
        pytest.param(None, True, id="never before"),
        pytest.param(NOON, False, id="now"),
        pytest.param(ago(seconds=59), False, id="not yet"),
        pytest.param(ago(minutes=1), True, id="as long as that"),
        pytest.param(ahead(hours=6), True, id="the clock was set back"),
    ],
)
def test_it_is_time_again_after_so_long_and_when_the_clock_was_set_back(since, expected):
    assert passed(since, MINUTE, NOON) is expected
