"""What a run is decided from: all that is open, and nothing that was answered for good, on every store."""

import pytest

from drumline.control import board, runs
from drumline.store.session import Session
from drumline.team.draft import NewTask
from drumline.team.ids import TaskId
from drumline.team.judgement import JudgementKind, Matter
from drumline.team.review import Opinion, Review, Step, Word
from drumline.team.task import Holder
from drumline.team.task_fields import HANDOFF
from drumline.team.understanding import Terms, Understanding, Whose
from drumline.team.verdict_understanding import UNDERSTANDING
from tests.living import begin, claim_in
from tests.steering import SMALL, answered, drive, led, start
from tests.words import BOSS, holds

__all__ = ["led"]  # a fixture
pytestmark = pytest.mark.requirement("RECOVER-03")
ABOUT_WORK = [step.kind for step in Step]
ABOUT_THE_RUN = [each for each in JudgementKind if each not in {*UNDERSTANDING, *ABOUT_WORK}]
TASK = TaskId(2)  # the one of a small run, after its permanent task
GOOD = Opinion(Word.APPROVE, "looked at")


def asked(store, kind, subject):
    """Somebody is asked about a matter, at length."""

    def ask(tx):
        tx.runs.ask(Matter("run-1", kind, subject), "x" * 5_000, "lea")
        tx.record("run-1", "judgement.asked", subject)

    store.do(ask)


def more_work(tx, key="more"):
    new = board.add(tx, BOSS, NewTask(title="More", run="run-1", profile="implementer"))
    tx.runs.add_task(tx.runs.get("run-1"), new.id, key)
    tx.record("run-1", "run.planned", str(new.id))
    return new


def owe(tx, task):
    """A task that was closed without the handoff it owes."""
    tx.tasks.merge(task, {HANDOFF: "required"})
    tx.record("run-1", "task.noted", str(task))


def gone_by(store, kind):
    """The subjects of what is gone by of one kind."""
    return [
        subject for found, subject, _ in store.ask(runs.look, "run-1").judgements if found is kind
    ]


@pytest.fixture
def life(led):
    """Ada at work on the one task of a small run."""
    start(led)
    drive(led)
    answered(led, begin(led, "lea"), SMALL)
    drive(led)
    found = begin(led)
    claim_in(led, found, led.ask(runs.look, "run-1").tasks[0].task)
    return found


@pytest.fixture
def work(led, life):
    """What ada did."""
    led.do(board.complete, BOSS, TASK, Holder("ada", life.incarnation))
    return led.ask(lambda tx: tx.reviews.works("run-1"))[0]


def said_of(store, work, step, by, *, version=""):
    review = Review("run-1", work.task, step, version or work.version, by, GOOD)

    def keep(tx):
        tx.reviews.keep(review)
        tx.record(by, f"{step}.approved", work.name)

    store.do(keep)


@pytest.mark.parametrize("done", [False, True], ids=["at work", "all done"])
def test_a_look_asks_the_store_as_often_however_many_tasks_there_are(led, life, monkeypatch, done):
    counted = []

    def count():
        read, counted[:] = Session.read, []
        with monkeypatch.context() as counting:
            counting.setattr(
                Session,
                "read",
                lambda own, name, **more: counted.append(name) or read(own, name, **more),
            )
            led.ask(runs.look, "run-1")
        return sorted(counted)

    if done:
        led.do(board.complete, BOSS, TASK, Holder("ada", life.incarnation))
    few = count()
    for _ in range(5):
        new = led.do(more_work)
        if done:
            claimed = claim_in(led, life, new)
            led.do(board.complete, BOSS, claimed.id, Holder("ada", life.incarnation))
            led.do(owe, claimed.id)
    assert count() == few


@pytest.mark.usefixtures("life")
@pytest.mark.parametrize("kind", ABOUT_THE_RUN)
def test_what_is_asked_about_the_run_itself_is_always_gone_by(led, kind):
    asked(led, kind, "P7/again")
    assert "P7/again" in gone_by(led, kind)


@pytest.mark.parametrize("kind", UNDERSTANDING)
@pytest.mark.parametrize("ends", ["", "/answered"])
def test_a_members_understanding_is_gone_by_while_it_holds_its_task(led, life, kind, ends):
    subject = f"{TASK}/ada/{life.incarnation}"
    for name in (f"{subject}{ends}", f"{TASK}/ada/{life.incarnation + 1}{ends}"):
        asked(led, kind, name)
    assert gone_by(led, kind) == [f"{subject}{ends}"]
    led.do(board.release, BOSS, TASK, Holder("ada", life.incarnation))
    assert gone_by(led, kind) == []


def test_what_members_showed_is_seen_while_somebody_holds_the_task(led, life):
    whose = Whose("run-1", TASK, "ada", life.incarnation)

    def show(tx):
        tx.understandings.begin(Understanding(whose, "P6", Terms(1, plans=True)))
        tx.understandings.begin(
            Understanding(whose._replace(member="zoe"), "P6", Terms(1, plans=False))
        )
        tx.record("ada", "understanding.begun", whose.name)

    led.do(show)
    seen = led.ask(runs.look, "run-1").understandings
    assert sorted(each.whose.member for each in seen) == ["ada", "zoe"]  # who had it before too
    led.do(board.release, BOSS, TASK, Holder("ada", life.incarnation))
    assert led.ask(runs.look, "run-1").understandings == []


@pytest.mark.parametrize("step", Step)
def test_what_is_asked_about_work_is_gone_by_until_somebody_else_spoke_of_it(led, work, step):
    asked(led, step.kind, work.name)
    said_of(led, work, step, "lea", version="another")
    assert gone_by(led, step.kind) == [work.name]
    said_of(led, work, step, "lea")
    assert gone_by(led, step.kind) == []


@pytest.mark.parametrize("by", ["ada", "person:ada", "ada by person:boss"])
def test_an_authors_own_word_settles_nothing(led, work, by):
    asked(led, JudgementKind.REVIEW, work.name)
    said_of(led, work, Step.REVIEW, by)
    assert gone_by(led, JudgementKind.REVIEW) == [work.name]


def test_work_that_mends_other_work_may_have_more_authors_than_it_says(led, life, work):
    claimed = claim_in(led, life, led.do(more_work, f"mends {work.task}"))
    led.do(board.complete, BOSS, claimed.id, holds("ada"))
    mended = led.ask(lambda tx: tx.reviews.works("run-1"))[-1]
    asked(led, JudgementKind.REVIEW, mended.name)
    said_of(led, mended, Step.REVIEW, "lea")
    assert gone_by(led, JudgementKind.REVIEW) == [mended.name]
