"""Work that stands still climbs the ladder: a nudge, another life, the lead, a person."""

from dataclasses import replace
from datetime import timedelta

import pytest

from drumline.control import board, escalations, lives, questions, runs
from drumline.control.roster import acting_as
from drumline.errors import NotAllowed
from drumline.store.upkeep import Caretaker
from drumline.team.question import QuestionKind
from drumline.team.situation import Noticed
from drumline.team.task import NOTE, Holder
from tests.living import begin, claim_in
from tests.nudging import LONG, go_round, in_call, live, live_again, seen, settled, spent, subjects
from tests.steering import PART, PIPELINE, SMALL, answered, drive, led
from tests.stores import seat
from tests.words import BOSS, add

__all__ = ["led"]  # a fixture
HALF = 21  # minutes in which one step is due


@pytest.fixture(autouse=True)
def sound(store):
    """After each test the log still gives the tables."""
    yield
    assert list(Caretaker(store.engine).check()) == []


def minutes(store, clock, number):
    for _ in range(number):
        settled(store, clock, minutes=1)


def ended(store, life):
    return store.ask(lives.find, life.member, life.incarnation).ended


def fields(store, task):
    return store.ask(lambda tx: tx.tasks.fields(task.id))


class TestOutsideARun:
    @pytest.mark.requirement("SYNC-11")
    def test_after_a_nudge_another_life_takes_the_work_up_and_is_told_what_happened(
        self, store, clock
    ):
        life = live(store)
        task = claim_in(store, life, add(store), lease=LONG)
        minutes(store, clock, HALF)
        assert not ended(store, life)  # the nudge has time to help
        minutes(store, clock, HALF)
        assert ended(store, life)
        assert subjects(store, "member.respawned") == ["ada"]
        assert seen(store).stalled_at is None  # the next life stands still in nothing yet
        again = store.do(board.claim_next, BOSS, Holder("ada", live(store).incarnation))
        assert again.id == task.id
        assert "ada had it, and nothing of it moved since" in fields(store, task)[NOTE]

    @pytest.mark.requirement("SYNC-11", "PIPE-08")
    def test_three_lives_are_spent_on_a_task_and_then_the_lead_is_asked_and_then_a_person(
        self, store, clock
    ):
        seat(store, lead="cleo")
        task = add(store)
        for _ in range(3):
            claim_in(store, live(store), task, lease=LONG)
            minutes(store, clock, 2 * HALF)
        assert fields(store, task)["respawns"] == 3
        last = live(store)
        claim_in(store, last, task, lease=LONG)
        minutes(store, clock, 2 * HALF)
        [asked] = store.ask(questions.page)
        assert (asked.kind, asked.asker, ended(store, last)) == (QuestionKind.STALL, "ada", False)
        minutes(store, clock, HALF)
        [asked] = store.ask(questions.page)
        assert (asked.kind, asked.asker) == (QuestionKind.ESCALATED, "ada")
        with pytest.raises(NotAllowed, match="may not answer"):
            store.do(questions.answer, store.ask(acting_as, "cleo"), asked.id, "leave it")
        store.do(questions.answer, BOSS, asked.id, "start it anew")
        assert ended(store, last)
        assert subjects(store, "member.respawned") == ["ada"] * 3

    @pytest.mark.requirement("SYNC-11")
    def test_what_the_lead_says_is_done_and_nobody_else_is_asked(self, store, clock):
        seat(store, lead="cleo")
        life = live(store)
        claim_in(store, life, spent(store, add(store)), lease=LONG)
        minutes(store, clock, 2 * HALF)
        [asked] = store.ask(questions.page)
        store.do(questions.answer, store.ask(acting_as, "cleo"), asked.id, "leave it")
        minutes(store, clock, 3 * HALF)
        assert store.ask(questions.page) == []
        assert not ended(store, life)

    @pytest.mark.requirement("SYNC-11", "SYNC-14")
    def test_nobody_is_started_anew_in_a_call_but_somebody_is_asked(self, store, clock):
        life = live(store)
        claim_in(store, life, add(store), lease=LONG)
        in_call(store, life)
        minutes(store, clock, 2 * HALF)
        assert not ended(store, life)
        assert [each.kind for each in store.ask(questions.page)] == [QuestionKind.STALL]

    @pytest.mark.requirement("SYNC-11")
    def test_who_holds_nothing_and_hears_nothing_gets_one_other_life_and_then_a_question(
        self, store, clock
    ):
        add(store)
        life = live(store)
        minutes(store, clock, 2 * HALF)
        assert ended(store, life)
        other = live(store)
        minutes(store, clock, 2 * HALF)
        assert not ended(store, other)
        assert len(store.ask(questions.page)) == 1


PATIENT = replace(PIPELINE, phases=tuple(replace(each, patience=3) for each in PIPELINE.phases))


def at_work(store, pipeline=PIPELINE, parts=1):
    """A small run whose members hold a task each; its permanent task."""
    store.do(runs.begin, BOSS, runs.Begin("Mend it", pipeline, "0" * 40))
    drive(store)
    keys = [str(number) for number in range(parts)]
    tasks = [{**PART, "key": key, "files": [f"parts/{key}"]} for key in keys]
    answered(store, begin(store, "lea"), {**SMALL, "tasks": tasks})
    drive(store)
    found = [each.task for each in store.ask(runs.look, "run-1").tasks]
    for name, task in zip(("ada", "brook"), found, strict=False):
        claim_in(store, live(store, name), task, lease=LONG)
    return store.ask(runs.find, "run-1"), found


def steps(store, run, task):
    return [each[:2] for each in store.ask(escalations.steps, run, task.id)]


class TestInARun:
    @pytest.mark.requirement("SYNC-11", "PIPE-08")
    def test_every_step_is_kept_on_the_permanent_task(self, led, clock):
        run, [task] = at_work(led)
        for _ in range(3):
            minutes(led, clock, 2 * HALF)
            drive(led)
            claim_in(led, live(led), task, lease=LONG)
        minutes(led, clock, 2 * HALF)
        drive(led)
        assert steps(led, run, task) == [*["L1", "L2"] * 3, "L1", "L4"]
        [asked] = led.ask(questions.page)
        assert asked.options == ("again", "drop the task", "abort")
        assert "nothing of it moved since" in fields(led, task)["failed"]

    @pytest.mark.requirement("SYNC-11", "PIPE-08")
    def test_when_two_stand_still_at_once_the_lead_plans_their_work_anew(self, led, clock):
        profiles = {"lea": "", "ada": "implementer", "brook": "implementer"}
        seat(led, profiles=profiles, lead="lea")
        run, both = at_work(led, parts=2)
        minutes(led, clock, 2 * HALF)
        drive(led)
        asked = [
            each for each in led.ask(runs.look, "run-1").judgements if "restructured" in each[1]
        ]
        assert len(asked) == 1
        lead = live_again(led, "lea")
        answered(led, lead, {"why": "smaller", "tasks": [PART]})
        drive(led)
        assert [steps(led, run, each) for each in both] == [["L1", "L3"]] * 2

    @pytest.mark.requirement("SYNC-11")
    def test_a_phase_says_how_long_work_may_stand_still(self, led, clock):
        at_work(led, PATIENT)
        minutes(led, clock, 59)
        assert seen(led).stalled_at is None
        minutes(led, clock, 3)
        assert seen(led).stalled_at is not None
        minutes(led, clock, 50)
        assert subjects(led, "member.respawned") == []
        minutes(led, clock, 15)
        assert subjects(led, "member.respawned") == ["ada"]

    @pytest.mark.requirement("SYNC-11")
    def test_whoever_gets_on_between_two_steps_begins_at_the_first_again(self, led, clock):
        run, [task] = at_work(led)
        minutes(led, clock, HALF + 2)
        clock.advance(minutes=1)
        [life] = [each for each in led.ask(lives.living) if each.member == "ada"]
        led.do(lives.notice, life, Noticed(None, timedelta(seconds=1), "", None))
        go_round(led)
        minutes(led, clock, 30)
        assert subjects(led, "member.respawned") == []
        assert steps(led, run, task) == ["L1", "L1"]
