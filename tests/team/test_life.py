"""What a life may become, who may follow it, and what its end does to a turn: as tables."""

from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from drumline.errors import Conflict, IllegalMove, NotHolder
from drumline.team.life import LEASE, RENEWAL, Life, LifeState, Process, WhyEnded
from drumline.team.turn import CUT_BY, STATE_AFTER, TurnOutcome, TurnState

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
ADA = Life("ada", 2, Process("box", 100, "7", "scripted"), NOON, lease_until=NOON + LEASE)
STARTING, IDLE, WORKING = LifeState.STARTING, LifeState.IDLE, LifeState.WORKING
PAUSED, STOPPING, ENDED = LifeState.PAUSED, LifeState.STOPPING, LifeState.ENDED
LEGAL = {
    *product((STARTING, IDLE, WORKING), (IDLE, WORKING, PAUSED, STOPPING)),
    *product((PAUSED,), (PAUSED, IDLE, STOPPING)),
    (STOPPING, STOPPING),
}


@pytest.mark.parametrize(("old", "new"), list(product(LifeState, LifeState)))
def test_a_life_moves_only_as_the_table_says(old, new):
    life = ADA._replace(state=old)
    if (old, new) in LEGAL:
        assert life.move(new).state is new
    else:
        with pytest.raises(IllegalMove, match=f"life ada/2 is {old}: it cannot become {new}"):
            life.move(new)


@pytest.mark.parametrize(
    ("life", "later", "free"),
    [
        pytest.param(ADA, LEASE - timedelta(microseconds=1), False, id="a valid lease"),
        pytest.param(ADA, LEASE, True, id="it ran out"),
        pytest.param(ADA._replace(state=ENDED, lease_until=None), RENEWAL, True, id="it ended"),
    ],
)
def test_a_place_is_free_when_its_life_ended_or_let_the_lease_run_out(life, later, free):
    if free:
        life.refuse_beside(NOON + later)
    else:
        with pytest.raises(Conflict, match="ada lives on box as process 100"):
            life.refuse_beside(NOON + later)


def test_an_ended_life_has_nothing_more_to_say():
    ADA.refuse_ended()
    with pytest.raises(NotHolder, match="life 2 of ada has ended: crashed"):
        ADA._replace(state=ENDED, why=WhyEnded.CRASHED).refuse_ended()


def test_two_renewals_may_fail_before_a_lease_runs_out():
    assert RENEWAL * 3 == LEASE


def test_every_end_cuts_a_turn_and_every_outcome_ends_one():
    assert {STATE_AFTER[CUT_BY[why]] for why in WhyEnded} == {TurnState.CUT}
    assert STATE_AFTER.keys() == set(TurnOutcome)
    assert TurnState.RUNNING not in STATE_AFTER.values()
