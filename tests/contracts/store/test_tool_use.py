"""What every store promises about tools: every call is counted where it was made, and a gate knows."""

from dataclasses import replace

import pytest

from drumline.control import board, gates, runs, tool_use
from drumline.store.upkeep import Caretaker
from drumline.team.gate import GateState
from drumline.team.pipeline import Obligation
from drumline.team.tool_use import MOST_NAMES, OTHERS, Count, Kit, Used
from tests.living import begin, claim_in
from tests.steering import PASSED, PIPELINE, SMALL, answered, drive, led, start
from tests.words import BOSS, holds

__all__ = ["led"]  # a fixture
READ_FIRST = replace(
    PIPELINE,
    phases=tuple(
        replace(each, tools={"Read": Obligation.MANDATORY, "Grep": Obligation.RECOMMENDED})
        if each.name == "P6"
        else each
        for each in PIPELINE.phases
    ),
)


@pytest.fixture
def work(led):
    """A run in its work, its lead, the one who works, and the task."""
    start(led, pipeline=READ_FIRST)
    drive(led)
    lead = begin(led, "lea")
    answered(led, lead, SMALL)
    drive(led)
    life, task = begin(led), led.ask(runs.look, "run-1").tasks[0].task
    return led, lead, life, claim_in(led, life, task)


def finish(store, task):
    store.do(board.complete, BOSS, task.id, holds("ada"))
    drive(store)


@pytest.mark.requirement("AUDIT-03")
def test_calls_are_counted_by_run_phase_member_and_tool(work):
    store, _, _, task = work
    store.do(tool_use.count, "ada", [Count("Read", 2, task=task.id), Count("Bash", 1, 1, task.id)])
    store.do(tool_use.count, "ada", [Count("Read", 1, task=task.id), Count("Glob", 1)])
    store.do(tool_use.count, "lea", [Count("Grep", 4, run="run-1")])
    assert store.ask(tool_use.used) == [
        Used("", "", "ada", "Glob", 1, 0),
        Used("run-1", "P6", "ada", "Bash", 1, 1),
        Used("run-1", "P6", "ada", "Read", 3, 0),
        Used("run-1", "P6", "lea", "Grep", 4, 0),
    ]
    assert store.ask(tool_use.used, "run-2") == []
    assert list(Caretaker(store.engine).check()) == []


@pytest.mark.requirement("AUDIT-03")
def test_whoever_makes_up_names_of_tools_fills_no_store(work):
    store, _, _, task = work
    made_up = [Count(f"Tool{number}", 1, task=task.id) for number in range(MOST_NAMES)]
    store.do(tool_use.count, "ada", made_up)
    store.do(tool_use.count, "ada", [Count("One\x1b[2Jmore" * 100, 5, task=task.id)])
    names = {each.tool: each.calls for each in store.ask(tool_use.used)}
    assert len(names) == MOST_NAMES + 1
    assert names[OTHERS] == 5


@pytest.mark.requirement("PIPE-10", "PIPE-03")
def test_a_mandatory_tool_that_was_there_and_never_used_keeps_a_gate_from_being_approved(work):
    store, lead, life, task = work
    store.do(tool_use.equip, life, task, Kit("ada", ("Read", "Bash")))
    finish(store, task)
    answered(store, lead, PASSED)
    drive(store)
    gate = store.ask(gates.find, "run-1", "P6")
    [told] = [point for point in gate.points if point.name == "tools"]
    assert (gate.state, told.holds) == (GateState.ITERATED, False)
    assert "mandatory and never used: ada Read" in told.why
    assert "ada Read" in gate.guidance


@pytest.mark.requirement("PIPE-10")
@pytest.mark.parametrize(
    ("tools", "calls", "words"),
    [
        pytest.param(
            ("Read", "Grep"), ["Read"], "recommended and not used: ada Grep", id="a remark"
        ),
        pytest.param(("Bash",), [], "not available: ada Read, ada Grep", id="not available"),
    ],
)
def test_what_is_recommended_or_not_there_is_only_remarked(work, tools, calls, words):
    store, lead, life, task = work
    store.do(tool_use.equip, life, task, Kit("ada", tools))
    store.do(tool_use.count, "ada", [Count(each, 1, task=task.id) for each in calls])
    finish(store, task)
    answered(store, lead, PASSED)
    drive(store)
    gate = store.ask(gates.find, "run-1", "P6")
    assert gate.state is GateState.APPROVED
    assert any(words in point.why for point in gate.points if point.name == "tools")
