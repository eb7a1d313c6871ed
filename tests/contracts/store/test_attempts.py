"""How often a phase is done, how strictly each attempt is judged, and what a person may do in the end."""

import pytest

from drumline.control import board, gates, judgements, questions, runs
from drumline.team.asking_moves import ACCEPT
from drumline.team.gate import GateState
from drumline.team.judgement import JudgementKind, Matter
from drumline.team.reduced_scope import REDUCE
from drumline.team.run import RunState
from tests.living import begin, claim_in
from tests.steering import PART, PASSED, SMALL, answered, drive, led, start
from tests.words import BOSS, holds

__all__ = ["led"]  # a fixture
NO = {"point": "quality", "holds": "no", "why": "no tests yet"}
WITH_A_GAP = {**PASSED, "points": [NO, *PASSED["points"][1:]], "tasks": [PART]}
NOT_YET = {**PASSED, "verdict": "iterate", "guidance": "too much at once", "tasks": [PART]}
LESS = {"why": "the report is left out", "tasks": [{**PART, "title": "only the core"}]}


def work(store):
    """Whatever is ready, done by whoever lives."""
    for each in store.ask(runs.look, "run-1").tasks:
        if each.task.ready:
            life = begin(store) if not _lives(store, "ada") else _lives(store, "ada")[0]
            claim_in(store, life, each.task)
            store.do(board.complete, BOSS, each.task.id, holds("ada"))
    drive(store)


def _lives(store, member):
    return [each for each in store.ask(lambda tx: tx.lives.open()) if each.member == member]


@pytest.fixture
def begun(led):
    """A small run whose work is on the board, and its lead."""
    start(led)
    drive(led)
    lead = begin(led, "lea")
    answered(led, lead, SMALL)
    drive(led)
    return led, lead


def judged(store, lead, answer):
    work(store)
    answered(store, lead, answer)
    drive(store)
    return store.ask(gates.find, "run-1", "P6")


def fields(store):
    return store.ask(lambda tx: tx.tasks.fields(runs.find(tx, "run-1").task))


@pytest.mark.requirement("PIPE-05")
def test_two_attempts_are_strict_and_the_third_passes_with_its_gap_written_down(begun):
    store, lead = begun
    found = [judged(store, lead, WITH_A_GAP) for _ in range(3)]
    assert [gate.state for gate in found] == [
        GateState.ITERATED,
        GateState.ITERATED,
        GateState.APPROVED,
    ]
    assert found[0].guidance == "quality: no tests yet"
    assert fields(store)["gaps.P6"] == "quality: no tests yet"


def out_of_tries(store, lead):
    for _ in range(3):
        judged(store, lead, NOT_YET)
    [asked] = store.ask(questions.page)
    return asked


@pytest.mark.requirement("PIPE-04")
def test_a_person_is_offered_less_when_the_attempts_are_used_up(begun):
    store, lead = begun
    asked = out_of_tries(store, lead)
    assert asked.options == ("again", REDUCE, ACCEPT, "abort")
    assert store.ask(runs.find, "run-1").iteration == 3


@pytest.mark.requirement("PIPE-04")
def test_the_lead_plans_the_reduced_work_and_what_was_left_out_stays_known(begun):
    store, lead = begun
    store.do(questions.answer, BOSS, out_of_tries(store, lead).id, REDUCE)
    drive(store)
    plan = Matter("run-1", JudgementKind.PLAN, "P6/reduced", 4)
    prompt = store.ask(judgements.find, plan).prompt
    assert "a person had its scope reduced" in prompt
    assert "too much at once" in prompt
    answered(store, lead, LESS)
    drive(store)
    tasks = store.ask(runs.look, "run-1").tasks
    assert [each.task.title for each in tasks if each.iteration == 4] == ["only the core"]
    work(store)
    gate = Matter("run-1", JudgementKind.JUDGE, "P6", 4)
    assert "judge only what is left" in store.ask(judgements.find, gate).prompt
    answered(store, lead, PASSED)
    drive(store)
    assert store.ask(gates.find, "run-1", "P6").state is GateState.APPROVED
    assert fields(store)["gaps.P6"] == "scope reduced: the report is left out"


@pytest.mark.requirement("PIPE-04")
def test_reduced_work_that_is_not_approved_comes_to_the_person_again(begun):
    store, lead = begun
    store.do(questions.answer, BOSS, out_of_tries(store, lead).id, REDUCE)
    drive(store)
    answered(store, lead, LESS)
    drive(store)
    judged(store, lead, NOT_YET)
    [asked] = store.ask(questions.page)
    store.do(questions.answer, BOSS, asked.id, "abort")
    drive(store)
    assert store.ask(runs.find, "run-1").state is RunState.ABORTED
