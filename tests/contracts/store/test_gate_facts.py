"""What a gate knows by itself: what was left open, what was touched twice, and how it went."""

import pytest

from drumline.control import board, gates, handoffs, judgements, records, runs
from drumline.team.document import Reading
from drumline.team.gate import GateState
from drumline.team.handoff import read_handoff
from drumline.team.json_tree import tree
from drumline.team.verdict import Call
from tests.living import begin, claim_in
from tests.steering import PART, SMALL, answered, at_gate, drive, led, start
from tests.stores import seat
from tests.words import BOSS, holds

__all__ = ["led"]
CALL = {"status": "PASS", "narrative": "x", "files": ["a.py"], "decisions": [], "unresolved": []}
CRITICAL = [{"severity": "critical", "what": "it loses data"}]
POINTS = [{"point": name, "holds": "yes", "why": ""} for name in ("quality", "issues", "conflicts")]
APPROVED = {"verdict": "approve", "points": POINTS, "summary": "so", "guidance": "", "tasks": []}


def finish(store, life, task, **changes):
    """A task claimed, handed off and done."""
    taken = claim_in(store, life, task)
    holder = holds(life.member, taken.fence)
    said = read_handoff(Reading(tree({**CALL, **changes})))
    store.do(handoffs.hand_off, BOSS, task.id, holder, said)
    store.do(board.complete, BOSS, task.id, holder)


def tasks(store):
    return [each.task for each in store.ask(runs.look, "run-1").tasks if each.task.ready]


@pytest.mark.requirement("PIPE-03", "CTX-05")
def test_nobody_approves_against_a_critical_matter_and_the_next_iteration_is_free_of_it(led):
    start(led)
    drive(led)
    lead, life = begin(led, "lea"), begin(led)
    answered(led, lead, SMALL)
    drive(led)
    finish(led, life, tasks(led)[0], unresolved=CRITICAL)
    drive(led)
    answered(led, lead, {**APPROVED, "tasks": [PART]})
    drive(led)
    assert led.ask(gates.find, "run-1", "P6").state is GateState.ITERATED
    finish(led, life, tasks(led)[0])
    drive(led)
    answered(led, lead, APPROVED)
    drive(led)
    assert led.ask(gates.find, "run-1", "P6").state is GateState.APPROVED


@pytest.mark.requirement("PIPE-03")
def test_nobody_approves_work_that_was_closed_without_the_handoff_it_owes(led):
    start(led)
    drive(led)
    lead, life = begin(led, "lea"), begin(led)
    answered(led, lead, SMALL)
    drive(led)
    [task] = tasks(led)
    led.do(records.merge, BOSS, task.id, {"handoff": "required"})
    taken = claim_in(led, life, task)
    led.do(board.complete, BOSS, task.id, holds("ada", taken.fence), unverified=True)
    drive(led)
    answered(led, lead, {**APPROVED, "tasks": [PART]})
    drive(led)
    gate = led.ask(gates.find, "run-1", "P6")
    assert gate.state is GateState.ITERATED
    assert gate.guidance == f"handoffs: closed without the handoff they owe: {task.id}"
    finish(led, life, tasks(led)[0])
    drive(led)
    answered(led, lead, APPROVED)
    drive(led)
    assert led.ask(gates.find, "run-1", "P6").state is GateState.APPROVED


@pytest.mark.requirement("CTX-05")
def test_the_lead_is_told_which_files_two_members_touched(led):
    seat(led, profiles={"lea": "", "ada": "implementer", "bo": "implementer"}, lead="lea")
    start(led)
    drive(led)
    two = [{**PART, "key": key} for key in ("1", "2")]
    answered(led, begin(led, "lea"), {**SMALL, "tasks": two})
    drive(led)
    for member, task in zip(("ada", "bo"), tasks(led), strict=True):
        finish(led, begin(led, member), task)
    drive(led)
    prompt = led.ask(lambda tx: tx.runs.judgements("run-1"))[-1].prompt
    assert "touched twice" in prompt
    assert "a.py" in prompt


@pytest.mark.requirement("PIPE-03", "MAIL-04")
def test_what_a_person_says_at_a_gate_leaves_its_signal_too(led):
    at_gate(led)
    led.do(gates.say, BOSS, "run-1", gates.Said("", Call.ITERATE, "more of it"))
    record = led.ask(runs.find, "run-1").task
    said = led.ask(lambda tx: tx.tasks.fields(record))
    assert said["phase_signals.P6.gate"] == "FAIL|tasks:1|iteration:1"
    closed = led.ask(gates.find, "run-1", "P6")
    assert (closed.summary, closed.guidance) == ("", "more of it")


@pytest.mark.requirement("PIPE-08")
def test_work_that_failed_twice_is_taken_up_by_another_life(led):
    start(led)
    drive(led)
    answered(led, begin(led, "lea"), SMALL)
    drive(led)
    life, task = begin(led), tasks(led)[0]
    for _ in range(2):
        claim_in(led, life, task)
        led.do(board.fail, BOSS, task.id, holds("ada"), "no luck")
        drive(led)
    assert [each.member for each in led.ask(lambda tx: tx.lives.open())] == ["lea"]
    assert led.do(judgements.take, led.ask(lambda tx: tx.lives.open())[0]) is None
