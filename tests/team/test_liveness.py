"""How a member is, told apart, and when its work counts as standing still."""

import pytest

from drumline.team.life import LifeState
from drumline.team.liveness import Liveness, liveness
from drumline.team.posting import Wanted
from drumline.team.rhythm import Rhythm
from drumline.team.situation import Signs, Situation
from drumline.team.stall import Moved, moved, standstill
from tests.team.situations import (
    ADA,
    BY_HAND,
    IDLE,
    NOON,
    agenda,
    ago,
    ahead,
    at_work,
    in_a_call,
    said,
)

RHYTHM = Rhythm()
MAIL = agenda("M-1", since=ago(minutes=30))
CASES = [
    pytest.param(at_work(), False, Liveness.WORKING, id="in a turn"),
    pytest.param(IDLE._replace(task_at=NOON), True, Liveness.WORKING, id="its work is handed in"),
    pytest.param(in_a_call(), True, Liveness.IN_TOOL, id="in a call"),
    pytest.param(IDLE, False, Liveness.IDLE_DONE, id="nothing to do"),
    pytest.param(IDLE, True, Liveness.IDLE_WITH_WORK, id="something to do"),
    pytest.param(
        at_work(report=said("blocked", MAIL)), True, Liveness.BLOCKED, id="it says it is blocked"
    ),
    pytest.param(at_work(asked=True), True, Liveness.WAITING, id="an approval is open"),
    pytest.param(
        IDLE._replace(limited_until=ahead(hours=1)), True, Liveness.LIMITED, id="a usage limit"
    ),
    pytest.param(at_work(turn_at=ago(minutes=6)), True, Liveness.SILENT, id="nothing heard"),
    pytest.param(
        at_work(turn_at=ago(minutes=6), signs=Signs(ago(minutes=1))),
        True,
        Liveness.WORKING,
        id="heard a minute ago",
    ),
    pytest.param(IDLE._replace(lease_until=NOON), True, Liveness.DEAD, id="its lease ran out"),
    pytest.param(IDLE._replace(life=None), True, Liveness.DEAD, id="wanted, and not there"),
    pytest.param(
        IDLE._replace(life=None, wanted_since=ago(seconds=5)),
        True,
        Liveness.STARTING,
        id="wanted a moment ago",
    ),
    pytest.param(IDLE._replace(life=LifeState.STARTING), True, Liveness.STARTING, id="just begun"),
    pytest.param(IDLE._replace(life=LifeState.PAUSED), True, Liveness.PAUSED, id="paused"),
    pytest.param(IDLE._replace(life=LifeState.STOPPING), True, Liveness.STOPPING, id="stopping"),
    pytest.param(Situation(ADA), True, Liveness.AWAY, id="nobody wants it"),
    pytest.param(
        Situation(ADA, wanted=Wanted.STOPPED), True, Liveness.AWAY, id="it is wanted stopped"
    ),
    pytest.param(BY_HAND, True, Liveness.IDLE_WITH_WORK, id="by hand, its turn settled"),
    pytest.param(BY_HAND, False, Liveness.IDLE_DONE, id="by hand, done"),
    pytest.param(BY_HAND._replace(task_at=NOON), True, Liveness.WORKING, id="by hand, at it again"),
    pytest.param(
        BY_HAND._replace(report=said("done", MAIL, said_at=NOON)),
        False,
        Liveness.IDLE_DONE,
        id="by hand, it says it is done",
    ),
    pytest.param(
        BY_HAND._replace(report=said("done", MAIL, said_at=ago(seconds=9)), task_at=NOON),
        True,
        Liveness.WORKING,
        id="by hand, at it again after it was done",
    ),
]


@pytest.mark.requirement("SYNC-11", "RUN-15")
@pytest.mark.parametrize(("seen", "work", "expected"), CASES)
def test_members_are_told_apart(seen, work, expected):
    assert liveness(seen, RHYTHM, NOON, work=work) is expected


def test_the_table_has_every_state():
    assert {case.values[2] for case in CASES} | {Liveness.JUDGED} == set(Liveness)


@pytest.mark.requirement("SYNC-11")
@pytest.mark.parametrize(
    ("seen", "work", "expected"),
    [
        pytest.param(at_work(), False, Liveness.JUDGED, id="nothing is its to do"),
        pytest.param(at_work(), True, Liveness.WORKING, id="something else waits for it"),
        pytest.param(at_work(asked=True), False, Liveness.WAITING, id="a person comes first"),
    ],
)
def test_who_waits_for_a_verdict_has_nothing_to_do_before(seen, work, expected):
    assert liveness(seen, RHYTHM, NOON, work=work, judged=True) is expected


HOLDING = at_work(task_at=ago(minutes=30))


@pytest.mark.requirement("SYNC-11", "SYNC-08", "RUN-15")
@pytest.mark.parametrize(
    ("seen", "live", "expected"),
    [
        pytest.param(HOLDING, Liveness.WORKING, Moved.NOT, id="nothing for half an hour"),
        pytest.param(HOLDING, Liveness.IN_TOOL, Moved.NOT, id="a call that never ends"),
        pytest.param(
            HOLDING._replace(signs=Signs(NOON, ago(minutes=1))),
            Liveness.WORKING,
            Moved.UNKNOWN,
            id="it wrote a file",
        ),
        pytest.param(
            HOLDING._replace(report=said("working", MAIL)),
            Liveness.WORKING,
            Moved.UNKNOWN,
            id="it reported",
        ),
        pytest.param(
            HOLDING._replace(signs=Signs(NOON), member=ADA._replace(settled_at=NOON)),
            Liveness.WORKING,
            Moved.NOT,
            id="words and settled turns are no progress",
        ),
        pytest.param(
            HOLDING._replace(stalled_at=ago(minutes=5), task_at=ago(minutes=1)),
            Liveness.WORKING,
            Moved.ON,
            id="it moves again",
        ),
        pytest.param(IDLE, Liveness.IDLE_WITH_WORK, Moved.NOT, id="mail for half an hour"),
        pytest.param(HOLDING, Liveness.LIMITED, Moved.ON, id="a usage limit is no stall"),
        pytest.param(HOLDING, Liveness.WAITING, Moved.ON, id="waiting for a person is none"),
        pytest.param(HOLDING, Liveness.JUDGED, Moved.ON, id="waiting for a verdict is none"),
        pytest.param(HOLDING, Liveness.BLOCKED, Moved.ON, id="being blocked is none"),
        pytest.param(IDLE, Liveness.IDLE_DONE, Moved.ON, id="having nothing to do is none"),
        pytest.param(at_work(), Liveness.WORKING, Moved.NOT, id="at work, its mail unread"),
        pytest.param(
            HOLDING._replace(attends=Liveness.LIMITED),
            Liveness.WORKING,
            Moved.UNKNOWN,
            id="a usage limit that ends now is followed by time to move",
        ),
        pytest.param(
            HOLDING._replace(attends=Liveness.IN_TOOL, free_at=ago(minutes=19)),
            Liveness.WORKING,
            Moved.UNKNOWN,
            id="so is one that ended a while ago",
        ),
        pytest.param(
            HOLDING._replace(attends=Liveness.IN_TOOL, free_at=ago(minutes=20)),
            Liveness.WORKING,
            Moved.NOT,
            id="but not for ever",
        ),
        pytest.param(
            HOLDING._replace(report=said("working", MAIL, ahead(minutes=5), ago(minutes=50))),
            Liveness.WORKING,
            Moved.UNKNOWN,
            id="it said that it works, and that holds",
        ),
        pytest.param(
            HOLDING._replace(report=said("working", MAIL, ago(minutes=20), ago(minutes=50))),
            Liveness.WORKING,
            Moved.NOT,
            id="it said so, and that held until twenty minutes ago",
        ),
    ],
)
def test_a_stall_is_work_that_should_move_and_does_not(seen, live, expected):
    since = standstill(seen, live, MAIL, NOON)
    assert moved(seen, live, since, RHYTHM, NOON) is expected
