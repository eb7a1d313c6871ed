"""What every store promises about designs: handoffs are compared as they come, and all of them at the gate."""

import threading

import pytest

from drumline.control import board, comparing, context, gates, handoffs, questions, roster, runs
from drumline.control.context import Publication
from drumline.store.database import Database
from drumline.store.upkeep import Caretaker
from drumline.team.context import Section
from drumline.team.deviation import Grave
from drumline.team.document import Reading
from drumline.team.handoff import read_handoff
from drumline.team.json_tree import tree
from drumline.team.judgement import JudgementKind, Matter
from drumline.team.replanning import ANEW, KEEP
from drumline.team.wording_forms import Acknowledgement, Action
from tests.living import begin, claim_in
from tests.steering import PART, PASSED, SMALL, answered, drive, start
from tests.stores import seat
from tests.words import BOSS, holds

pytestmark = pytest.mark.requirement("CTX-05")
AGREED = (Section("Interfaces", "- parse: (text) -> Draft"),)
RIGHT = {"name": "parse", "shape": "(text) -> Draft", "file": "a.py"}


@pytest.fixture
def work(store):
    """A run whose context names an interface, and two who work on it."""
    both = {"ada": "implementer", "brook": "implementer", "cleo": None}
    seat(store, profiles={"lea": "", **both}, lead="lea")
    start(store)
    drive(store)
    lead = begin(store, "lea")
    two = [{**PART, "key": key} for key in ("1", "2")]
    answered(store, lead, {**SMALL, "tasks": two})
    drive(store)
    lives = [begin(store, name) for name in ("ada", "brook")]
    store.do(context.publish, BOSS, "run-1", Publication(sections=AGREED, window=200_000))
    for life in lives:
        confirm(store, life.member)
    return store, lead, lives


def confirm(store, member):
    holding = next(each for each in store.ask(context.who, "run-1") if each.member == member)
    if holding.held < holding.offered:
        word = Acknowledgement(
            version=1,
            applied=holding.total,
            total=holding.total,
            impact="-",
            action=Action.CONTINUE,
        )
        store.do(context.acknowledge, store.ask(roster.acting_as, member), "run-1", word)


def hand_off(store, life, **interfaces):
    """The first ready task, claimed, handed off with these interfaces, and done."""
    task = next(each.task for each in store.ask(runs.look, "run-1").tasks if each.task.ready)
    holder = holds(life.member, claim_in(store, life, task).fence)
    call = {"status": "PASS", "narrative": "x", "files": [], "decisions": [], "unresolved": []}
    said = read_handoff(Reading(tree({**call, "interfaces": interfaces})))
    store.do(handoffs.hand_off, BOSS, task.id, holder, said)
    store.do(board.complete, BOSS, task.id, holder)
    drive(store)


def recorded(store):
    return [each.deviation.grave for each in store.ask(lambda tx: tx.contexts.deviations("run-1"))]


def stale(store):
    return [each.member for each in store.ask(context.stale, "run-1")]


def test_work_as_agreed_deviates_in_nothing(work):
    store, lead, (ada, brook) = work
    hand_off(store, ada, provides=[RIGHT])
    hand_off(store, brook, uses=[RIGHT])
    assert recorded(store) == []
    answered(store, lead, PASSED)
    drive(store)
    assert store.ask(gates.find, "run-1", "P6").state == "approved"
    assert list(Caretaker(store.engine).check()) == []


def test_what_differs_only_in_looks_is_logged(work):
    store, _, (ada, _) = work
    hand_off(store, ada, provides=[{**RIGHT, "shape": "(text)->Draft"}])
    assert (recorded(store), stale(store)) == ([Grave.COSMETIC], [])


def test_a_changed_interface_is_found_as_it_comes_and_those_affected_are_briefed_again(work):
    store, _, (ada, _) = work
    hand_off(store, ada, provides=[{**RIGHT, "shape": "(bytes) -> Draft"}])
    assert (recorded(store), stale(store)) == ([Grave.INTERFACE], ["ada"])


def test_members_that_disagree_are_found_and_whoever_judges_is_told(work):
    store, _, (ada, brook) = work
    hand_off(store, ada, provides=[RIGHT, {"name": "show", "shape": "(x)"}])
    hand_off(store, brook, uses=[{"name": "show", "shape": "(x, y)"}])
    assert stale(store) == ["ada", "brook"]
    assert not store.ask(lambda tx: tx.runs.gates("run-1"))[1:]  # shut while they are stale
    for life in (ada, brook):
        confirm(store, life.member)
    drive(store)
    judged = store.ask(lambda tx: tx.runs.judgement(Matter("run-1", JudgementKind.JUDGE, "P6", 1)))
    assert "show has several shapes" in judged.prompt
    assert recorded(store) == [Grave.INTERFACE]


def nobody_provides(work):
    store, _, (ada, brook) = work
    hand_off(store, ada)
    hand_off(store, brook)
    for life in (ada, brook):
        confirm(store, life.member)
    drive(store)
    [asked] = store.ask(questions.page)
    assert (recorded(store), asked.options) == ([Grave.ARCHITECTURE], (ANEW, KEEP, "abort"))
    assert "nobody provides parse" in asked.what
    return store, asked


def test_a_design_that_nobody_carried_out_is_planned_anew_once_a_person_says_so(work):
    store, asked = nobody_provides(work)
    store.do(questions.answer, BOSS, asked.id, ANEW)
    drive(store)
    plan = store.ask(lambda tx: tx.runs.judgement(Matter("run-1", JudgementKind.PLAN, "P6", 2)))
    assert plan.open
    assert "nobody provides parse" in plan.prompt
    answered(store, work[1], {"why": "so", "tasks": [PART]})
    drive(store)
    hand_off(store, work[2][0], provides=[RIGHT])
    assert recorded(store) == [Grave.ARCHITECTURE]
    assert store.ask(gates.find, "run-1", "P6").open


def test_a_person_may_let_a_run_go_on_as_it_is(work):
    store, asked = nobody_provides(work)
    store.do(questions.answer, BOSS, asked.id, KEEP)
    drive(store)
    gate = store.ask(gates.find, "run-1", "P6")
    assert gate.open
    assert any("nobody provides parse" in point.why for point in gate.points)


def test_what_several_find_at_once_is_recorded_once(stores, work):
    links = [Database(stores.engine(), "atlas") for _ in range(6)]
    together = threading.Barrier(len(links))

    def look(link):
        together.wait()
        link.do(comparing.follow_up, "run-1", complete=True)

    threads = [threading.Thread(target=look, args=[each]) for each in links]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert recorded(work[0]) == [Grave.ARCHITECTURE]
