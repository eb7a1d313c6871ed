"""What a run does next, decided from how things are."""

import pytest

from benchmarks.seen_run import seen_with
from drumline.team.moves import HOPELESS, Wait
from drumline.team.next_moves import next_moves

pytestmark = pytest.mark.requirement("PIPE-03")


@pytest.mark.parametrize(
    ("crashed", "person"),
    [
        pytest.param([HOPELESS, HOPELESS], True, id="everybody crashes over and over"),
        pytest.param([HOPELESS, 0], False, id="somebody lives"),
        pytest.param([HOPELESS - 1, HOPELESS], False, id="somebody may get on yet"),
    ],
)
def test_work_that_only_those_could_do_who_keep_crashing_waits_for_a_person(crashed, person):
    seen = seen_with(undone=1)
    able = [place for place in seen.places if place.profile == "implementer"]
    workers = [
        place._replace(running=True, crashes=crashes)
        for place, crashes in zip(able, crashed, strict=False)
    ]
    [wait] = [each for each in next_moves(seen._replace(places=workers)) if isinstance(each, Wait)]
    assert wait.person is person
    assert ("cannot be started: " in wait.why) is person
