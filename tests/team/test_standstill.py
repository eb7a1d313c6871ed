"""Which step is due about work that stands still, as a table."""

from datetime import timedelta

import pytest

from drumline.team.standstill import Standstill, Step, due
from tests.team.situations import NOON, ago

SPAN = timedelta(minutes=20)


def still(minutes=20, **facts):
    return Standstill(ago(minutes=minutes), SPAN, **facts)


@pytest.mark.requirement("SYNC-11", "PIPE-08")
@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(still(19), None, id="the nudge has time to help"),
        pytest.param(still(), Step.ANEW, id="the nudge did not help"),
        pytest.param(still(respawns=2), Step.ANEW, id="a third life"),
        pytest.param(still(respawns=3, led=True), Step.LEAD, id="three lives did not help"),
        pytest.param(still(respawns=3), Step.PERSON, id="nobody but a person leads"),
        pytest.param(still(holds=False), Step.ANEW, id="nothing in its hands"),
        pytest.param(
            still(holds=False, respawns=1, led=True), Step.LEAD, id="its last life stood still too"
        ),
        pytest.param(still(startable=False, led=True), Step.LEAD, id="in a call that may end"),
        pytest.param(still(startable=False), Step.PERSON, id="driven by hand, a person leads"),
        pytest.param(
            still(40, startable=False, led=True, asked_at=ago(minutes=19)),
            None,
            id="the lead has time to answer",
        ),
        pytest.param(
            still(40, led=True, asked_at=ago(minutes=20)), Step.PERSON, id="the lead did not answer"
        ),
        pytest.param(
            still(90, led=True, asked_at=ago(minutes=70), answered=True), None, id="answered"
        ),
    ],
)
def test_a_standstill_climbs_one_step_at_a_time(found, expected):
    assert due(found, NOON) is expected
