"""A person leads: what the lead would do with subagents is done by members, and each phase says how it stands."""

import pytest

from drumline.control import briefing, gates, questions, runs
from drumline.control.run_files import files_of
from drumline.team.tier import Tier
from tests.steering import COMMIT, PASSED, PIPELINE, answered, at_gate, drive, led, start
from tests.stores import seat
from tests.words import BOSS

__all__ = ["led"]  # a fixture
TEAM = {"lea": "", "ada": "implementer", "ben": "analyst", "cy": "researcher"}


@pytest.mark.requirement("PIPE-03", "PIPE-06")
def test_no_phase_is_approved_in_the_name_of_a_person_who_was_not_asked(store):
    seat(store, profiles=TEAM, lead="lea")
    start(store, lead="human")
    drive(store)
    for said in ("standard", "one task"):
        store.do(questions.answer, BOSS, store.ask(questions.page)[0].id, said)
        drive(store)
    assert "P1" in PIPELINE.subagents[Tier.STANDARD]
    seen = store.ask(runs.look, "run-1")
    assert [(each.phase, each.task.profile) for each in seen.tasks] == [("P1", "analyst")]
    assert [gate.phase for gate in store.ask(gates.of_run, "run-1")] == ["P0"]


@pytest.mark.requirement("PIPE-06")
def test_what_a_person_judges_in_the_leads_place_is_no_part_of_a_members_brief(store):
    seat(store, profiles=TEAM, lead="lea")
    start(store, lead="human")
    drive(store)
    for said in ("complex", "start", "one task"):
        store.do(questions.answer, BOSS, store.ask(questions.page)[0].id, said)
        drive(store)
    [task] = [each.task for each in store.ask(runs.look, "run-1").tasks]
    assert [each.said for each in store.ask(briefing.decisions, task)] == ["start"]


@pytest.mark.requirement("PIPE-20")
def test_the_plan_tells_of_every_phase_how_it_stands(led):
    lead = at_gate(led)
    answered(led, lead, PASSED)
    drive(led)
    assert "- P8 Delivery: under way  <- here" in led.ask(files_of, "run-1")["plan.md"]
    led.do(runs.delivered, "run-1", COMMIT)
    assert "- P8 Delivery: delivered\n" in led.ask(files_of, "run-1")["plan.md"]
