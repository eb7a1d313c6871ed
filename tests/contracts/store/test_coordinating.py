"""Whoever brings findings together: what it reads itself, what others read for it, and what it must name."""

from dataclasses import replace

import pytest

from drumline.control import board, handoffs, runs, subagents, tool_use
from drumline.errors import BadInput, NotAllowed, NotHandedOff, Unknown
from drumline.team.actor import Actor, Role
from drumline.team.document import Reading
from drumline.team.gate import GateState
from drumline.team.handoff import read_handoff
from drumline.team.json_tree import tree
from drumline.team.run_mode import RunMode
from drumline.team.subagent import Errand
from drumline.team.task_fields import HANDOFF
from drumline.team.text import BODY_CAP
from drumline.team.tier import Tier
from drumline.team.tool_use import Kit
from tests.living import begin, claim_in
from tests.steering import PART, PIPELINE, answered, drive, start
from tests.stores import seat
from tests.words import BOSS, holds

pytestmark = pytest.mark.requirement("PIPE-07")

RESEARCH = replace(
    PIPELINE,
    name="research",
    phases=tuple(
        replace(PIPELINE.phase(name), verified=False, skills=(), most=9)
        for name in ("P0", "P2", "P8")
    ),
    paths=dict.fromkeys(Tier, ("P0", "P2", "P8")),
    subagents={},
)
STANDARD = {"files": 3, "modules": 1, "domains": 1, "why": "seen", "tasks": []}
TEAM = {"lea": "", "cy": "researcher", "di": "coordinator"}
CALL = {"status": "PASS", "narrative": "so", "files": [], "decisions": [], "unresolved": []}
DELEGATES, READS = ("Read", "Task(analyst)"), ("Read",)


def call(**changes):
    return read_handoff(Reading(tree({**CALL, **changes})))


def finish(store, life, task, **changes):
    taken = claim_in(store, life, task)
    holder = holds(life.member, taken.fence)
    store.do(handoffs.hand_off, BOSS, task.id, holder, call(**changes))
    store.do(board.complete, BOSS, task.id, holder)


def found(store, number, *, last="PASS", **more):
    """A phase in which so many findings were handed off; the task that brings them together, if there is one."""
    seat(store, profiles=TEAM, lead="lea")
    start(store, pipeline=RESEARCH, tier=Tier.STANDARD, **more)
    drive(store)
    lead, life = begin(store, "lea"), begin(store, "cy")
    answered(store, lead, STANDARD)
    drive(store)
    keys = [str(each) for each in range(1, number + 1)]
    plan = [{**PART, "key": key, "title": f"look at {key}"} for key in keys]
    answered(store, lead, {"why": "enough", "tasks": plan})
    drive(store)
    tasks = [each.task for each in store.ask(runs.look, "run-1").tasks]
    for task in tasks:
        status = last if task is tasks[-1] else "PASS"
        finish(store, life, task, narrative=f"the words of {task.id}", status=status)
    drive(store)
    synthesis = store.ask(runs.look, "run-1").tasks[-1]
    return tasks, synthesis.task if synthesis.key == "coordinator" else None


def held(store, synthesis, tools=DELEGATES):
    """The coordinator at its task, with these tools."""
    life = begin(store, "di")
    taken = claim_in(store, life, synthesis)
    store.do(tool_use.equip, life, taken, Kit("di", tools))
    return Actor("di", Role.TEAMMATE, life.incarnation), holds("di", taken.fence)


def body(store, task):
    return store.ask(lambda tx: tx.tasks.body(task.id))


def test_few_findings_are_named_by_their_files_and_read_by_the_coordinator_itself(store):
    tasks, synthesis = found(store, 3)
    told = body(store, synthesis)
    assert ".drumline/runs/run-1/phase-P2/cy/L2-summary.md" in told
    assert f".drumline/runs/run-1/phase-P2/cy.{tasks[1].id}/L2-summary.md" in told
    assert "the words of" not in told
    actor, holder = held(store, synthesis)
    assert store.ask(handoffs.read, actor, str(tasks[0].id)).origin.task == tasks[0].id
    assert store.do(handoffs.hand_off, actor, synthesis.id, holder, call())
    assert store.do(board.complete, actor, synthesis.id, holder)


def test_of_more_than_three_findings_the_coordinator_reads_none_itself(store):
    tasks, synthesis = found(store, 4)
    assert "--handoff" in body(store, synthesis)
    actor, _ = held(store, synthesis)
    path = f".drumline/runs/run-1/phase-P2/cy.{tasks[3].id}/L2-summary.md"
    for which in (str(tasks[0].id), path):
        with pytest.raises(NotAllowed, match="does not read") as refused:
            store.ask(handoffs.read, actor, which)
        assert "subagent ask" in refused.value.next
    assert store.ask(handoffs.read, BOSS, path).origin.task == tasks[3].id
    other = Actor("cy", Role.TEAMMATE, 1)
    assert store.ask(handoffs.read, other, path).origin.task == tasks[3].id


def test_a_coordinator_that_can_start_nobody_reads_everything_itself(store):
    tasks, synthesis = found(store, 4)
    actor, _ = held(store, synthesis, READS)
    assert store.ask(handoffs.read, actor, str(tasks[0].id)).origin.task == tasks[0].id


@pytest.mark.requirement("PIPE-18")
def test_where_nobody_may_wait_for_a_subagent_a_coordinator_reads_everything_itself(store):
    tasks, synthesis = found(store, 4, mode=RunMode.SINGLE_SESSION)
    assert "subagent" not in body(store, synthesis)
    actor, _ = held(store, synthesis)
    assert store.ask(handoffs.read, actor, str(tasks[0].id)).origin.task == tasks[0].id


def test_a_synthesis_of_many_findings_is_owed_and_names_each_of_them(store):
    tasks, synthesis = found(store, 4)
    assert store.ask(lambda tx: tx.tasks.fields(synthesis.id))[HANDOFF] == "required"
    actor, holder = held(store, synthesis)
    with pytest.raises(NotHandedOff):
        store.do(board.complete, actor, synthesis.id, holder)
    some = [f"{task.id}: it agrees" for task in tasks[:3]]
    with pytest.raises(BadInput, match=f"says nothing of {tasks[3].id}"):
        store.do(handoffs.hand_off, actor, synthesis.id, holder, call(findings=some))
    left = [{"severity": "low", "what": f"{tasks[3].id} contradicts the others"}]
    whole = call(findings=some, unresolved=left)
    assert store.do(handoffs.hand_off, actor, synthesis.id, holder, whole)
    store.do(board.complete, actor, synthesis.id, holder)
    drive(store)
    assert store.ask(runs.look, "run-1").gates["P2", 1].state is GateState.OPEN


def test_nothing_is_brought_together_while_a_finding_says_that_its_work_did_not_go_well(store):
    _, synthesis = found(store, 2, last="FAIL")
    assert synthesis is None
    assert store.ask(runs.look, "run-1").gates["P2", 1].state is GateState.OPEN


def test_a_subagent_is_given_handoffs_in_quotes(store):
    tasks, _ = found(store, 2)
    errand = Errand("analyst", "What counts of this?", reads_only=True)
    given = store.ask(subagents.with_handoffs, errand, [task.id for task in tasks])
    assert given._replace(prompt="") == errand._replace(prompt="")
    assert given.prompt.startswith("What counts of this?\n\nWhat cy handed off of ")
    assert all(f"> the words of {task.id}" in given.prompt for task in tasks)


def test_handoffs_that_nobody_left_or_that_are_too_much_for_one_subagent_are_refused(store):
    tasks, synthesis = found(store, 2)
    with pytest.raises(Unknown):
        store.ask(subagents.with_handoffs, Errand("analyst", "What?"), [synthesis.id])
    with pytest.raises(BadInput, match="too much") as refused:
        store.ask(subagents.with_handoffs, Errand("analyst", "x" * (BODY_CAP - 9)), [tasks[0].id])
    assert "fewer" in refused.value.next
