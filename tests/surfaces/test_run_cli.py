"""`drumline run show`: what a person reads of a run."""

import pytest

from tests.surfaces import scenes
from tests.surfaces.console import drumline

pytestmark = pytest.mark.requirement("PIPE-03")


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    return scenes.Scenes(tmp_path_factory.mktemp("scenes"))


@pytest.mark.parametrize(
    ("scene", "lines"),
    [
        pytest.param(
            scenes.WORKING,
            ["- P6 Execution: under way  <- here", "- P8 Delivery: not begun"],
            id="at work",
        ),
        pytest.param(
            scenes.GATE,
            ["- P6 Execution: 1. open by nobody yet  <- here", "- P8 Delivery: not begun"],
            id="at its gate",
        ),
        pytest.param(scenes.DELIVERED, ["- P8 Delivery: delivered"], id="delivered"),
        pytest.param(scenes.REVERTED, ["- P8 Delivery: reverted"], id="taken back"),
    ],
)
def test_each_phase_is_told_as_far_as_it_is(stage, scene, lines):
    shown = drumline("run", "show", at=stage.shared(scene)).out.splitlines()
    assert [line for line in lines if line not in shown] == []
