"""What every store promises about effort: a phase's reaches its work, and its cost is held against the aim."""

import pytest

from drumline.control import efforts, runs
from drumline.control.summaries import summary_of
from drumline.surfaces.cli.run_summary import summary_lines
from drumline.team.pipelines import Pipelines
from tests import living
from tests.living import begin, claim_in, tell
from tests.steering import SMALL, answered, drive, led, start

__all__ = ["led"]  # a fixture
pytestmark = pytest.mark.requirement("PIPE-19")
FOUR = Pipelines().find("constitution-4")


@pytest.fixture
def work(led):
    """A run in its implementation, which is worth a high effort."""
    start(led, pipeline=FOUR)
    drive(led)
    answered(led, begin(led, "lea"), SMALL)
    drive(led)
    return led, led.ask(runs.look, "run-1").tasks[0].task


def test_work_and_judgements_have_the_effort_of_their_phase(work):
    store, task = work
    assert store.ask(efforts.of_task, task) == "high"
    assert store.ask(efforts.of_run, "run-1") == "high"
    assert store.ask(efforts.of_run, "run-7") == ""


def test_a_summary_says_whether_the_cost_lay_where_it_was_meant(work):
    store, task = work
    nothing = store.ask(summary_of, "run-1")
    assert "(meant 75%)" in "\n".join(summary_lines(nothing))
    life = begin(store)
    claim_in(store, life, task)
    tell(store, living.start(store, life, task), 40)
    found = store.ask(summary_of, "run-1")
    assert found["shares"]["before"] == {"share": 0.0, "meant": 0.75, "kept": False}
    lines = "\n".join(summary_lines(found))
    assert (
        "before 0% (meant 75%, not kept), execution 100% (meant 25%, not kept), after 0%" in lines
    )
