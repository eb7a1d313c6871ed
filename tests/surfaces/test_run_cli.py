"""`drumline run show`: what a person reads of a run."""

import pytest

from tests.surfaces import scenes
from tests.surfaces.console import drumline, write

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
            ["- P6 Execution: iteration 1 open by nobody yet  <- here", "- P8 Delivery: not begun"],
            id="at its gate",
        ),
        pytest.param(scenes.DELIVERED, ["- P8 Delivery: delivered"], id="delivered"),
        pytest.param(scenes.REVERTED, ["- P8 Delivery: reverted"], id="taken back"),
    ],
)
def test_each_phase_is_told_as_far_as_it_is(stage, scene, lines):
    shown = drumline("run", "show", at=stage.shared(scene)).out.splitlines()
    assert [line for line in lines if line not in shown] == []


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("--tier", "trivial"), id="no goal"),
        pytest.param(("Mend it", "--tier", "huge"), id="no such size"),
        pytest.param(("Mend", "it"), id="two goals"),
    ],
)
def test_wrong_usage_names_what_a_person_types(stage, words):
    answer = drumline("run", *words, at=stage.shared(scenes.FRESH))
    assert answer.code == 2
    assert 'Usage: drumline run [OPTIONS] "GOAL"' in answer.err
    assert "begin" not in answer.err


@pytest.mark.parametrize("words", [("--help",), ("--tier", "trivial", "--help"), ("Mend it", "-h")])
def test_help_on_runs_tells_what_may_be_said_of_a_goal(stage, words):
    answer = drumline("run", *words, at=stage.shared(scenes.FRESH))
    assert (answer.code, answer.err) == (0, "")
    assert "--budget USD" in answer.out
    assert "begin" not in answer.out.replace("begin a run with it", "").replace("not begun", "")


@pytest.mark.parametrize(
    ("verb", "state"), [pytest.param("stop", "stopped"), pytest.param("abort", "aborted")]
)
def test_a_manifest_that_cannot_be_read_keeps_nobody_from_ending_a_run(
    stage, tmp_path, verb, state
):
    root = stage.copy(scenes.WORKING, tmp_path / "r")
    write(root, ".claude/team.yaml", "team: [\n")
    answer = drumline("run", verb, "--json", at=root)
    assert (answer.code, answer.json["state"]) == (0, state)
