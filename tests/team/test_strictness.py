"""How strict a gate is: by which attempt it is, what the lead says of each point, and what is a fact."""

from datetime import UTC, datetime

import pytest

from drumline.team import strictness
from drumline.team.gate import Gate, Point
from drumline.team.verdict import Call, Verdict

pytestmark = pytest.mark.requirement("PIPE-05")
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
FACT = Point("issues", holds=False, why="it loses data", by="drumline")
APPROVE, ITERATE, ABORT = Call.APPROVE, Call.ITERATE, Call.ABORT


def gate(attempt, *facts):
    return Gate("run-1", "6", attempt, NOON, points=(Point("quality"), *facts))


def says(call, guidance="", **points):
    return Verdict(call=call, points=points, summary="so", guidance=guidance)


HOLDS, GAP, BARE_NO = (True, "read"), (False, "no tests yet"), (False, " ")


@pytest.mark.parametrize(
    ("attempt", "facts", "said", "expected"),
    [
        pytest.param(1, (), says(APPROVE, quality=HOLDS), APPROVE, id="all holds"),
        pytest.param(1, (), says(APPROVE, quality=GAP), ITERATE, id="1st: a gap, strict"),
        pytest.param(2, (), says(APPROVE, quality=GAP), ITERATE, id="2nd: a gap, strict"),
        pytest.param(3, (), says(APPROVE, quality=GAP), APPROVE, id="3rd: a written gap passes"),
        pytest.param(4, (), says(APPROVE, quality=GAP), APPROVE, id="later: a written gap passes"),
        pytest.param(3, (), says(APPROVE, quality=BARE_NO), ITERATE, id="3rd: not written down"),
        pytest.param(1, (), says(APPROVE), ITERATE, id="1st: a point passed over"),
        pytest.param(3, (), says(APPROVE), ITERATE, id="3rd: a point passed over"),
        pytest.param(1, (FACT,), says(APPROVE, quality=HOLDS), ITERATE, id="1st: against a fact"),
        pytest.param(3, (FACT,), says(APPROVE, quality=HOLDS), ITERATE, id="3rd: against a fact"),
        pytest.param(3, (), says(ITERATE, quality=HOLDS), ITERATE, id="iterate stays"),
        pytest.param(3, (FACT,), says(ABORT, quality=GAP), ABORT, id="abort stays"),
    ],
)
def test_an_approval_holds_only_as_far_as_its_attempt_lets_it(attempt, facts, said, expected):
    assert strictness.ruled(gate(attempt, *facts), said) is expected


@pytest.mark.parametrize(
    ("attempt", "said", "expected"),
    [
        pytest.param(1, says(APPROVE, quality=GAP), "quality: no tests yet", id="what it lacked"),
        pytest.param(1, says(APPROVE), f"quality: {strictness.UNSAID}", id="what nobody said"),
        pytest.param(1, says(APPROVE, "test it", quality=GAP), "test it", id="the lead's words"),
        pytest.param(3, says(APPROVE, quality=GAP), "", id="an approval that holds needs none"),
        pytest.param(1, says(ITERATE, quality=GAP), "", id="a lead that iterates says it itself"),
    ],
)
def test_who_does_it_again_hears_what_kept_an_approval_from_holding(attempt, said, expected):
    assert strictness.guidance(gate(attempt), said) == expected


def test_a_fact_stands_whatever_the_lead_says_of_it():
    found = strictness.told(gate(3, FACT), says(APPROVE, quality=GAP, issues=HOLDS), "lea")
    assert found == (Point("quality", holds=False, why="no tests yet", by="lea"),)
