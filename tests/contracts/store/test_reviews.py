"""Nothing is delivered before others looked at it: who they are, what follows, and what counts, on every store."""

from dataclasses import replace

import pytest

from drumline.control import board, gates, handing_in, judgements, questions, reviewing, runs, views
from drumline.control.handing_in import Proof
from drumline.control.lives import end
from drumline.errors import NotReady
from drumline.team.draft import NewTask
from drumline.team.gate import GateState
from drumline.team.judgement import JudgementKind
from drumline.team.life import WhyEnded
from drumline.team.moves import Deliver
from drumline.team.review import Step
from drumline.team.run import RunState
from drumline.team.staffing import HOPELESS
from drumline.team.tier import Tier
from drumline.team.verdict import Call
from tests.living import begin, claim_in
from tests.steering import PART, PASSED, PIPELINE, answered, drive, start
from tests.stores import seat
from tests.words import BOSS, holds

SHORT = replace(
    PIPELINE,
    name="short",
    phases=tuple(
        replace(PIPELINE.phase(name), verified=False, skills=()) for name in ("P0", "P6", "P8")
    ),
    paths=dict.fromkeys(Tier, ("P0", "P6", "P8")),
    subagents={},
)
STANDARD = {"files": 3, "modules": 1, "domains": 1, "why": "seen", "tasks": []}
PLAN = {"why": "enough", "tasks": [{**PART, "files": ["parts/**"]}]}
GOOD = {"verdict": "approve", "summary": "looked at", "findings": []}
FLAW = {"file": "parts/a.txt", "line": 3, "severity": "high", "what": "It greets nobody"}
BAD = {"verdict": "changes wanted", "summary": "not yet", "findings": [FLAW]}
TEAM = {"lea": "", "ada": "implementer", "brook": "analyst", "cleo": "researcher"}

ALONE = {"lea": "", "brook": None, "cleo": None}


@pytest.fixture
def working(store):
    """A standard run whose one task waits to be done, in a team of any size."""

    def begun(profiles=TEAM, tier=Tier.STANDARD):
        seat(store, profiles=profiles, lead="lea")
        start(store, pipeline=SHORT, tier=tier)
        drive(store)
        lives = {
            name: begin(store, name) for name, profile in profiles.items() if profile is not None
        }
        answered(store, lives["lea"], {**STANDARD, "tasks": PLAN["tasks"]})
        drive(store)
        if tier is not Tier.TRIVIAL:
            answered(store, lives["lea"], PLAN)
            drive(store)
        return lives

    return begun


def done(store, lives, member="ada"):
    """The ready task is done; the run is looked at."""
    task = next(each.task for each in store.ask(runs.look, "run-1").tasks if each.task.ready)
    claim_in(store, lives[member], task)
    store.do(board.complete, BOSS, task.id, holds(member))
    drive(store)
    return task.id


def looked(store, lives, said=GOOD):
    """Whoever is asked about work says this of it; who that was, and what for."""
    for name, life in lives.items():
        if asked := store.do(judgements.take, life):
            store.do(judgements.answer, life, asked.matter, said)
            drive(store)
            return name, asked.matter.kind
    return None


def verdicts(store):
    return [
        (str(each.task), each.step, each.by, each.opinion.approves)
        for each in store.ask(lambda tx: tx.reviews.of_run("run-1"))
    ]


@pytest.mark.requirement("PIPE-14", "PIPE-03")
def test_work_is_reviewed_and_audited_by_two_others_before_its_gate_opens(store, working):
    lives = working()
    done(store, lives)
    assert looked(store, lives) == ("brook", JudgementKind.REVIEW)
    assert store.ask(gates.of_run, "run-1")[-1].phase == "P0"
    assert looked(store, lives) == ("cleo", JudgementKind.AUDIT)
    assert verdicts(store) == [
        ("T-2", Step.REVIEW, "brook", True),
        ("T-2", Step.AUDIT, "cleo", True),
    ]
    gate = store.ask(gates.find, "run-1", "P6")
    assert gate.state is GateState.OPEN
    assert {"T-2: review by brook, audit by cleo"} & {point.why for point in gate.points}


@pytest.mark.requirement("PIPE-14")
def test_the_lead_looks_where_no_other_member_can_and_a_person_where_it_did_already(store, working):
    lives = working({**ALONE, "ada": "implementer"})
    done(store, lives)
    assert looked(store, lives) == ("lea", JudgementKind.REVIEW)
    assert looked(store, lives) is None
    asked = store.ask(questions.page)[0]
    assert asked.options == ("approve", "changes wanted", "abort")
    store.do(questions.answer, BOSS, asked.id, "approve")
    drive(store)
    assert [(step, by) for _, step, by, _ in verdicts(store)] == [
        (Step.REVIEW, "lea"),
        (Step.AUDIT, str(BOSS)),
    ]


@pytest.mark.requirement("PIPE-14")
def test_what_others_want_changed_is_mended_and_looked_at_again_by_none_of_its_authors(
    store, working
):
    lives = working({**TEAM, "dora": "implementer"})
    done(store, lives)
    looked(store, lives, BAD)
    mending = store.ask(views.task, done(store, lives, "dora"))
    assert "It greets nobody" in mending["body"]
    assert mending["files"] == ["parts/**"]
    who = [looked(store, lives), looked(store, lives)]
    assert [kind for _, kind in who] == [JudgementKind.REVIEW, JudgementKind.AUDIT]
    assert {name for name, _ in who} == {"brook", "cleo"}
    assert store.ask(gates.find, "run-1").phase == "P6"


@pytest.mark.requirement("PIPE-14", "PIPE-05")
def test_work_that_is_never_found_good_comes_to_a_person(store, working):
    lives = working()
    for _ in range(3):
        done(store, lives)
        looked(store, lives, BAD)
    asked = store.ask(questions.page)[0]
    assert "accept as it is" in asked.options
    store.do(questions.answer, BOSS, asked.id, "accept as it is")
    drive(store)
    assert verdicts(store)[-1][2:] == (str(BOSS), True)
    assert store.ask(gates.find, "run-1").phase == "P6"


@pytest.mark.requirement("PIPE-14")
def test_a_verdict_counts_for_the_version_it_was_given_on(store, working):
    lives = working()
    task = done(store, lives)
    looked(store, lives), looked(store, lives)
    work = store.ask(lambda tx: tx.reviews.works("run-1")[0])

    def handed_in_anew(tx):
        tx.reviews.keep_work(work._replace(version="f" * 40))
        tx.record(BOSS, "task.handed-in", str(task))

    store.do(handed_in_anew)
    drive(store)
    others = {name: life for name, life in lives.items() if name != "lea"}
    assert looked(store, others) == ("brook", JudgementKind.REVIEW)


@pytest.mark.requirement("PIPE-14")
def test_a_small_change_is_reviewed_and_audited_by_its_gate(store, working):
    lives = working(tier=Tier.TRIVIAL)
    done(store, lives)
    assert looked(store, lives, PASSED) == ("lea", JudgementKind.JUDGE)
    assert [(step, by) for _, step, by, _ in verdicts(store)] == [
        (Step.REVIEW, "lea"),
        (Step.AUDIT, "lea"),
    ]


@pytest.mark.requirement("PIPE-14")
def test_a_lead_that_did_the_work_does_not_judge_it_alone(store, working):
    lives = working({**TEAM, "lea": "implementer"}, tier=Tier.TRIVIAL)
    done(store, lives, "lea")
    who = looked(store, lives), looked(store, lives)
    assert [kind for _, kind in who] == [JudgementKind.REVIEW, JudgementKind.AUDIT]
    assert "lea" not in {name for name, _ in who}


@pytest.mark.requirement("PIPE-14")
def test_nothing_is_delivered_while_a_verdict_is_missing_whoever_asks(store, working):
    lives = working()
    done(store, lives)
    with pytest.raises(NotReady, match="did not find good"):
        store.do(runs.delivered, "run-1", "f" * 40)
    with pytest.raises(NotReady) as refused:
        store.ask(runs.deliverable, "run-1")
    assert "T-2 lacks the review and audit" in refused.value.why


@pytest.mark.requirement("PIPE-14")
def test_work_that_comes_in_late_waits_for_a_persons_word_before_delivery(store, working):
    lives = working()
    done(store, lives)
    looked(store, lives), looked(store, lives)
    looked(store, lives, PASSED)
    work = store.ask(lambda tx: tx.reviews.works("run-1")[0])

    def handed_in_anew(tx):
        tx.reviews.keep_work(work._replace(version="f" * 40))
        tx.record(BOSS, "task.handed-in", str(work.task))

    store.do(handed_in_anew)
    assert not any(isinstance(move, Deliver) for move in drive(store))
    asked = store.ask(questions.page)[0]
    store.do(questions.answer, BOSS, asked.id, "accept as it is")
    assert any(isinstance(move, Deliver) for move in drive(store))
    store.do(runs.delivered, "run-1", "f" * 40)
    assert store.ask(runs.find, "run-1").state is RunState.DELIVERED


@pytest.mark.requirement("PIPE-14")
@pytest.mark.parametrize("tier", [Tier.STANDARD, Tier.TRIVIAL])
def test_work_of_a_task_of_no_run_is_a_persons_to_accept_before_a_run_delivers_it(
    store, working, tier
):
    lives = working(tier=tier)
    beside = store.do(board.add, BOSS, NewTask(title="beside"))
    held = claim_in(store, lives["brook"], beside)
    proof = Proof(held.fence, "c" * 40, base="a" * 40, merged="b" * 40)
    store.do(handing_in.accept, lives["brook"], beside.id, proof)
    store.do(board.complete, BOSS, beside.id, holds("brook"))
    done(store, lives)
    if tier is not Tier.TRIVIAL:
        looked(store, lives), looked(store, lives)
    looked(store, lives, PASSED)
    assert not any(isinstance(move, Deliver) for move in drive(store))
    asked = store.ask(questions.page)[0]
    assert f"{beside.id}@cccccccccccc" in asked.what
    store.do(questions.answer, BOSS, asked.id, "accept as it is")
    assert any(isinstance(move, Deliver) for move in drive(store))


@pytest.mark.requirement("PIPE-14")
def test_whoever_gives_no_answer_that_can_be_read_is_followed_by_another(store, working):
    lives = working()
    done(store, lives)
    unreadable = {"verdict": "maybe"}
    assert looked(store, lives, unreadable) == looked(store, lives, unreadable)
    assert looked(store, lives) == ("cleo", JudgementKind.REVIEW)


@pytest.mark.requirement("PIPE-14")
def test_a_person_who_did_the_work_is_asked_for_somebody_elses_word(store, working):
    lives = working({**ALONE, "ada": None, BOSS.name: "implementer"})
    done(store, lives, BOSS.name)
    looked(store, lives)
    for _ in range(2):
        asked = store.ask(questions.page)[0]
        store.do(questions.answer, BOSS, asked.id, "approve")
        drive(store)
    assert store.ask(gates.find, "run-1").phase == "P0"
    assert len(store.ask(questions.page)) == 1


@pytest.mark.requirement("PIPE-14")
def test_verdicts_are_shown_with_their_task_and_in_the_summary(store, working):
    lives = working()
    task = done(store, lives)
    looked(store, lives, BAD)
    [shown] = store.ask(views.task, task)["reviews"]
    assert (shown["step"], shown["by"], shown["approves"]) == ("review", "brook", False)
    assert shown["findings"][0]["file"] == "parts/a.txt"
    assert store.ask(reviewing.of_run, "run-1") == [shown]


@pytest.mark.requirement("PIPE-14", "PIPE-03")
def test_nobody_approves_a_gate_while_work_of_its_phase_is_unseen(store, working):
    lives = working()
    done(store, lives)
    looked(store, lives), looked(store, lives)
    late = store.do(board.add, BOSS, board.NewTask(title="Late", run="run-1", profile="analyst"))
    claim_in(store, lives["brook"], late)
    store.do(board.complete, BOSS, late.id, holds("brook"))
    with pytest.raises(NotReady) as refused:
        store.do(gates.say, BOSS, "run-1", gates.Said("P6", Call.APPROVE, "fine"))
    assert f"{late.id} lacks the review" in refused.value.why


@pytest.mark.requirement("PIPE-14")
def test_who_is_asked_to_look_and_crashes_over_and_over_is_a_persons_to_mend(store, working):
    lives = working()
    done(store, lives)
    life = lives["brook"]
    for _ in range(HOPELESS):
        store.do(end, life, WhyEnded.CRASHED, "no such file")
        life = begin(store, "brook")
    store.do(end, life, WhyEnded.CRASHED, "no such file")
    assert "crashed 6 times in a row" in store.ask(runs.waiting_for, "run-1")
    assert store.ask(runs.needs_person, "run-1")
