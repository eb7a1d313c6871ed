"""What a run does next, decided from how things are."""

import pytest

from benchmarks.seen_run import seen_with
from drumline.team.moves import Wait
from drumline.team.next_moves import next_moves

pytestmark = pytest.mark.requirement("PIPE-03")


@pytest.mark.parametrize(
    ("unable", "person"),
    [
        pytest.param(["crashed 5 times in a row", "its budget is spent"], True, id="nobody can"),
        pytest.param(["crashed 5 times in a row", ""], False, id="somebody can"),
    ],
)
def test_work_that_only_those_could_do_who_do_not_run_waits_for_a_person(unable, person):
    seen = seen_with(undone=1)
    able = [place for place in seen.places if place.profile == "implementer"]
    workers = [
        place._replace(running=True, unable=why) for place, why in zip(able, unable, strict=False)
    ]
    [wait] = [each for each in next_moves(seen._replace(places=workers)) if isinstance(each, Wait)]
    assert wait.person is person
    assert ("cannot go on: " in wait.why) is person
