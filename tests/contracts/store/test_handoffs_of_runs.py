"""What a run does about handoffs: it asks for them where its pipeline says so, and keeps what they leave."""

import pytest

from drumline.control import (
    board,
    handoffs,
    lead_views,
    records,
    run_files,
    run_moves,
    runs,
)
from drumline.errors import NotHandedOff
from drumline.store.manifests import read_text
from drumline.team.document import Reading
from drumline.team.handoff import read_handoff
from drumline.team.handoff_check import check_index, check_summary
from drumline.team.ids import TaskId
from drumline.team.json_tree import tree
from drumline.team.moves import AddTasks, CloseGate, Enter, OpenGate
from drumline.team.pipelines import Pipelines
from drumline.team.tier import Tier
from drumline.team.verdict import Call, PlannedTask
from tests.stores import seat
from tests.words import BOSS, claim, complete, holds

TASK = TaskId(2)
CALL = {"status": "PASS", "narrative": "x", "files": [], "decisions": [], "unresolved": []}


@pytest.fixture
def phase(store):
    """A phase of a run that wants handoffs, and one task of it on the board."""
    seat(store, profiles={"ada": "implementer"})
    return planned_in(store, None)


def planned_in(store, tier):
    pipeline = Pipelines().find("constitution-4")
    name = next(each.name for each in pipeline.phases if each.profile == "implementer")
    run = store.do(runs.begin, BOSS, runs.Begin("a goal", pipeline, base="c0ffee", tier=tier))
    planned = PlannedTask(key="1", title="Do it", body="")
    make(store, run, Enter(name))
    make(store, run, AddTasks(name, 1, "implementer", (planned,)))
    return name


def make(store, run, move):
    store.do(lambda tx: run_moves.make(tx, runs.look(tx, run.name), move))


def fields(store, task):
    return store.ask(lambda tx: tx.tasks.fields(task))


def hand_off(store):
    taken = claim(store, store.ask(lambda tx: tx.tasks.get(TASK)))
    said = read_handoff(Reading(tree(CALL)))
    return store.do(handoffs.hand_off, BOSS, TASK, holds("ada", taken.fence), said)


@pytest.mark.requirement("MAIL-10")
def test_a_task_of_a_phase_that_wants_handoffs_closes_only_with_one(store, phase):
    assert fields(store, TASK) == {"phase": phase, "handoff": "required"}
    task = claim(store, store.ask(lambda tx: tx.tasks.get(TASK)))
    with pytest.raises(NotHandedOff):
        complete(store, task)


@pytest.mark.requirement("MAIL-10")
def test_who_does_a_small_change_hands_over_to_nobody(store):
    seat(store, profiles={"ada": "implementer"})
    phase = planned_in(store, Tier.TRIVIAL)
    assert fields(store, TASK) == {"phase": phase}


@pytest.mark.requirement("MAIL-04")
def test_the_gate_s_signal_leaves_those_of_its_tasks(store, phase):
    hand_off(store)
    run = store.ask(runs.find, "run-1")
    make(store, run, OpenGate(phase, 1, ()))
    make(store, run, CloseGate(phase, 1, Call.APPROVE, (), "lead"))
    said = fields(store, run.task)
    assert said[f"phase_signals.{phase}.{TASK}"] == "PASS|files:0|unresolved:0"
    assert said[f"phase_signals.{phase}.gate"].startswith("PASS|tasks:1")


@pytest.mark.requirement("MAIL-08")
def test_a_run_s_files_can_be_made_again_with_what_was_handed_off(store, phase):
    hand_off(store)
    found = store.ask(run_files.files_of, "run-1")
    folder = f"phase-{phase}/ada"
    assert found.keys() > {f"{folder}/{name}" for name in ("L1-index.yaml", "handoff.yaml")}
    assert check_index(found[f"{folder}/L1-index.yaml"], read_text).problems == ()
    assert check_summary(found[f"{folder}/L2-summary.md"], read_text).problems == ()


@pytest.mark.requirement("PIPE-11", "MAIL-06")
def test_the_lead_sees_that_work_waits_for_a_handoff_and_no_longer_for_the_task(store, phase):
    add = AddTasks(phase, 1, "implementer", (PlannedTask(key="2", title="Go on", body=""),))
    make(store, store.ask(runs.find, "run-1"), add)
    store.do(board.block, BOSS, TaskId(3), [TASK])
    store.do(records.merge, BOSS, TaskId(3), {"brief": {"await": ["ada"]}})
    task = claim(store, store.ask(lambda tx: tx.tasks.get(TASK)))
    store.do(board.complete, BOSS, TASK, holds("ada", task.fence), unverified=True)
    assert ("T-3", "waits for ada's handoff") in store.ask(lead_views.view, "coordinate", "")
