"""What every store promises about a run's mode: it is kept, and whoever is in the run is held to it."""

import pytest

from drumline.control import board, briefing, handoffs, lead_views, modes, roster, runs
from drumline.control.briefing import Surroundings
from drumline.control.run_files import files_of
from drumline.errors import NotAllowed, NotReady
from drumline.store.upkeep import Caretaker
from drumline.team import registry
from drumline.team.document import Reading
from drumline.team.handoff import read_handoff
from drumline.team.json_tree import tree
from drumline.team.judgement import JudgementKind, Matter
from drumline.team.manifest import Manifest, MemberEntry
from drumline.team.run_mode import LeadWork, RunMode
from drumline.team.tier import Tier
from tests.living import begin, claim_in
from tests.steering import SMALL, answered, drive, led, start
from tests.stores import seat
from tests.words import BOSS, holds, send

__all__ = ["led"]  # a fixture
pytestmark = pytest.mark.requirement("PIPE-18")
DELEGATE, SINGLE = RunMode.DELEGATE, RunMode.SINGLE_SESSION
TOLD = Manifest(
    team="atlas",
    description="x",
    lead="lea",
    members=tuple(
        MemberEntry(name=name, role="x", tools=("Read",), owns=()) for name in ("lea", "ada")
    ),
)
WITH_COORDINATOR = {"lea": "", "ada": "implementer", "cora": "coordinator"}


def test_a_run_keeps_its_mode_through_all_it_does(led):
    assert start(led, mode=DELEGATE).mode is DELEGATE
    drive(led)
    led.do(runs.stop, BOSS, "run-1")
    assert led.ask(modes.at_work) == ""
    assert led.do(runs.resume, BOSS, "run-1").mode is DELEGATE
    assert [run.mode for run in led.ask(runs.page)] == [DELEGATE]
    assert led.ask(modes.at_work) == "delegate"
    assert "- mode: delegate. Members coordinate" in led.ask(files_of, "run-1")["plan.md"]
    assert list(Caretaker(led.engine).check()) == []


def test_members_of_a_delegating_run_write_to_each_other_whatever_the_constitution_says(store):
    four = {"lea": "", "ada": "implementer", "brook": "tester"}
    seat(store, constitution="constitution-4", profiles=four, lead="lea")
    with pytest.raises(NotAllowed, match="may not send"):
        send(store, "ada", "brook")
    start(store, mode=DELEGATE)
    assert send(store, "ada", "brook").recipient == "brook"
    store.do(runs.abort, BOSS, "run-1")
    with pytest.raises(NotAllowed, match="may not send"):
        send(store, "ada", "brook")


def test_the_lead_of_a_delegating_run_does_no_phase_with_subagents_of_its_own(store):
    everyone = {"lea": "", "ada": "implementer", "brook": "analyst", "cleo": "researcher"}
    seat(store, profiles=everyone, lead="lea")
    start(store, mode=DELEGATE, tier=Tier.STANDARD)
    drive(store)
    lead = begin(store, "lea")
    answered(store, lead, {**SMALL, "files": 3, "modules": 2, "tasks": []})
    drive(store)
    while store.ask(runs.find, "run-1").phase == "P0":
        answered(store, lead, {"why": "so", "tasks": []})
        drive(store)
    answered(store, lead, {"why": "so", "tasks": []})
    drive(store)
    assert {each.phase for each in store.ask(runs.look, "run-1").tasks} == {"P1"}


@pytest.mark.parametrize("which", list(LeadWork))
def test_the_lead_of_a_delegating_run_has_one_view_and_a_person_all(led, which):
    start(led, mode=DELEGATE)
    lea = led.ask(lambda tx: roster.acting_as(tx, "lea"))
    led.ask(lead_views.view_for, BOSS, which, "run-1")
    if which is LeadWork.COORDINATE:
        led.ask(lead_views.view_for, lea, which, "run-1")
        return
    with pytest.raises(NotAllowed, match=f"does not {which}"):
        led.ask(lead_views.view_for, lea, which, "run-1")


def test_a_single_session_needs_somebody_who_brings_findings_together(led):
    with pytest.raises(NotReady, match="nobody on team"):
        start(led, mode=SINGLE)
    assert led.ask(runs.page) == []


def test_the_lead_of_a_single_session_hears_signals_and_the_coordinator(store):
    seat(store, profiles=WITH_COORDINATOR, lead="lea")
    send(store, "ada", "lea", "I found something")
    start(store, mode=SINGLE)
    with pytest.raises(NotAllowed, match="may not send") as refused:
        send(store, "ada", "lea", "I found something else")
    assert "coordinator's synthesis" in refused.value.why
    assert send(store, "ada", "lea", "PASS|ref:.drumline/runs/run-1/phase-P6/ada/summary.md")
    assert send(store, "cora", "lea", "Both findings agree")
    assert send(store, "ada", "cora", "I found something else")


def hand_in(store, life, task, words):
    taken = claim_in(store, life, task)
    holder = holds(life.member, taken.fence)
    call = {"status": "PASS", "narrative": words, "files": [], "decisions": [], "unresolved": []}
    store.do(handoffs.hand_off, BOSS, task.id, holder, read_handoff(Reading(tree(call))))
    store.do(board.complete, BOSS, task.id, holder)
    drive(store)


def test_the_lead_of_a_single_session_judges_by_the_synthesis_alone(store):
    seat(store, profiles=WITH_COORDINATOR, lead="lea")
    start(store, mode=SINGLE)
    drive(store)
    lead = begin(store, "lea")
    answered(store, lead, SMALL)
    drive(store)
    [own] = store.ask(runs.look, "run-1").tasks
    hand_in(store, begin(store), own.task, "a finding in detail")
    synthesis = store.ask(runs.look, "run-1").tasks[-1]
    assert synthesis.task.profile == "coordinator"
    assert not store.ask(runs.look, "run-1").gates.get(("P6", 1))
    hand_in(store, begin(store, "cora"), synthesis.task, "all of it in short")
    prompt = store.ask(
        lambda tx: tx.runs.judgement(Matter("run-1", JudgementKind.JUDGE, "P6", 1))
    ).prompt
    assert "all of it in short" in prompt
    assert "a finding in detail" not in prompt
    assert "synthesis alone" in prompt


def test_whoever_is_held_to_a_mode_is_told_so(store):
    seat(store, profiles=WITH_COORDINATOR, lead="lea")
    around = Surroundings(manifest=TOLD, rules=registry.built_in())
    assert "C-MODE-002" not in store.ask(briefing.introduction, "lea", around)
    start(store, mode=SINGLE)
    assert "C-MODE-002" in store.ask(briefing.introduction, "lea", around)
    assert "C-MODE-002" not in store.ask(briefing.introduction, "ada", around)
