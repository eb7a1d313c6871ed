"""What every store promises about runs, judgements and gates."""

import pytest

from drumline.control import (
    board,
    context,
    gates,
    judgements,
    lead_views,
    lives,
    mail,
    questions,
    runs,
)
from drumline.control.summaries import summary_of
from drumline.errors import BadInput, Conflict, NotAllowed, NothingReady, NotReady, Unknown
from drumline.team.gate import GateState
from drumline.team.judgement import JudgementKind, JudgementState
from drumline.team.run import GOAL_CAP, RunState
from drumline.team.task import Holder, TaskState
from drumline.team.tier import Tier
from drumline.team.verdict import Call
from tests.living import begin, claim_in
from tests.steering import (
    CLASSIFY,
    COMMIT,
    PART,
    PASSED,
    PIPELINE,
    SMALL,
    answered,
    at_gate,
    drive,
    led,
    start,
)
from tests.stores import seat
from tests.words import BOSS, holds, teammate

__all__ = ["led"]  # a fixture


@pytest.mark.requirement("BOARD-06")
def test_a_run_has_one_permanent_task_which_nobody_cancels(led):
    run = start(led)
    assert led.ask(lambda tx: tx.tasks.permanent("run-1")).id == run.task
    with pytest.raises(NotAllowed):
        led.do(board.cancel, BOSS, run.task)


@pytest.mark.requirement("PIPE-03")
def test_a_team_goes_for_one_goal_at_a_time(led):
    start(led)
    with pytest.raises(Conflict) as refused:
        start(led)
    assert "run-1" in refused.value.next


@pytest.mark.parametrize(
    ("goal", "more"),
    [
        ("", {}),
        ("x" * (GOAL_CAP + 1), {}),
        ("x" * 1_000_000, {}),
        ("a\x1b[2Jgoal", {}),
        ("Mend it", {"budget": -1.0}),
    ],
)
@pytest.mark.requirement("PIPE-03")
def test_a_goal_that_cannot_be_kept_is_refused_and_leaves_nothing(led, goal, more):
    with pytest.raises(BadInput):
        start(led, goal, **more)
    assert led.ask(runs.page) == []


def test_a_run_needs_a_commit_to_stand_on(led):
    with pytest.raises(BadInput, match="no commit"):
        led.do(runs.begin, BOSS, runs.Begin("Mend it", PIPELINE, ""))


def test_a_teammate_begins_no_run(led):
    with pytest.raises(NotAllowed):
        led.do(runs.begin, teammate("ada"), runs.Begin("Mend it", PIPELINE, COMMIT))


def test_a_run_is_judged_only_by_who_is_here(led):
    with pytest.raises(Unknown):
        start(led, lead="nobody")


@pytest.mark.requirement("RECOVER-04")
def test_what_the_lead_is_asked_is_asked_once_however_often_one_looks(led):
    start(led)
    for _ in range(3):
        drive(led)
    assert [each.matter for each in led.ask(lambda tx: tx.runs.judgements("run-1"))] == [CLASSIFY]


@pytest.mark.requirement("RECOVER-04")
def test_a_call_that_was_cut_off_is_made_once_more_and_both_are_counted(led):
    start(led)
    drive(led)
    first = begin(led, "lea")
    assert led.do(judgements.take, first).tries == 1
    led.do(lives.end, first, lives.WhyEnded.CRASHED, "killed")
    second = begin(led, "lea")
    assert led.do(judgements.take, second).tries == 2
    led.do(lives.end, second, lives.WhyEnded.CRASHED, "killed")
    assert led.do(judgements.take, begin(led, "lea")) is None
    found = led.ask(judgements.find, CLASSIFY)
    assert (found.state, found.tries) == (JudgementState.FAILED, 2)


def test_an_answer_nobody_can_read_is_kept_and_asked_for_once_more(led):
    start(led)
    drive(led)
    life = begin(led, "lea")
    again = answered(led, life, {"files": "many"})
    assert (again.state, "files" in again.words) == (JudgementState.ASKED, True)
    assert answered(led, life, "nonsense").state is JudgementState.FAILED
    drive(led)
    [asked] = led.ask(questions.page)
    assert asked.options == ("again", "abort")
    led.do(questions.answer, BOSS, asked.id, "again")
    drive(led)
    assert answered(led, life, SMALL).state is JudgementState.ANSWERED


def test_a_person_who_aborts_ends_the_run_and_takes_its_work_off_the_board(led):
    at_gate(led)
    led.do(gates.say, BOSS, "run-1", gates.Said("", Call.ABORT, "not wanted"))
    drive(led)
    run = led.ask(runs.find, "run-1")
    assert (run.state, run.why) == (RunState.ABORTED, "not wanted")
    permanent = led.ask(lambda tx: tx.tasks.get(run.task))
    assert permanent.state is TaskState.CANCELLED


@pytest.mark.requirement("PIPE-03")
def test_a_verdict_for_a_closed_gate_is_refused(led):
    at_gate(led)
    said = gates.Said("", Call.APPROVE)
    assert led.do(gates.say, BOSS, "run-1", said).state is GateState.APPROVED
    with pytest.raises(Conflict, match="approved already"):
        led.do(gates.say, BOSS, "run-1", gates.Said("P6", Call.ABORT))


@pytest.mark.requirement("PIPE-03")
def test_a_gate_that_is_not_open_yet_cannot_be_answered(led):
    start(led)
    drive(led)
    answered(led, begin(led, "lea"), SMALL)
    drive(led)
    with pytest.raises(NotReady) as refused:
        led.do(gates.say, BOSS, "run-1", gates.Said("", Call.APPROVE))
    assert "not done" in refused.value.why


@pytest.mark.requirement("PIPE-03", "MAIL-09")
def test_a_teammate_says_nothing_at_a_gate(led):
    at_gate(led)
    with pytest.raises(NotAllowed):
        led.do(
            gates.say,
            teammate("ada")._replace(incarnation=2),
            "run-1",
            gates.Said("", Call.APPROVE),
        )


@pytest.mark.requirement("PIPE-03")
def test_a_lead_that_says_a_point_does_not_hold_has_not_approved(led):
    lead = at_gate(led)
    points = [{"point": "quality", "holds": "no", "why": "it is not tested"}]
    verdict = {"verdict": "approve", "points": points, "summary": "so", "guidance": "", "tasks": []}
    answered(led, lead, verdict)
    drive(led)
    assert led.ask(gates.find, "run-1", "P6").state is GateState.ITERATED
    assert led.ask(runs.find, "run-1").iteration == 2


@pytest.mark.requirement("PIPE-02")
def test_a_phase_that_nobody_can_work_in_is_a_question_before_anything_begins(led):
    start(led, tier=Tier.STANDARD)
    drive(led)
    answered(led, begin(led, "lea"), SMALL)
    drive(led)
    [asked] = led.ask(questions.page)
    assert "P2 Research needs a researcher" in asked.what
    led.do(questions.answer, BOSS, asked.id, "again")
    drive(led)
    assert len(led.ask(questions.page)) == 1, "nothing was mended, so it is asked again"


@pytest.mark.requirement("PIPE-15")
def test_a_large_run_starts_nobody_before_a_person_has_seen_its_plan(led):
    everyone = {"bo": "analyst", "cy": "researcher", "di": "coordinator"}
    seat(led, profiles={"lea": "", "ada": "implementer", **everyone}, lead="lea")
    start(led)
    drive(led)
    answered(led, begin(led, "lea"), {**SMALL, "files": 9, "modules": 3, "tasks": []})
    drive(led)
    [asked] = led.ask(questions.page)
    assert "9 files in 3 modules" in asked.what
    assert "tokens" in asked.what
    assert {each.member for each in led.ask(lambda tx: tx.postings.all())} == {"lea"}
    led.do(questions.answer, BOSS, asked.id, "start")
    drive(led)
    assert led.ask(runs.find, "run-1").phase == "P1"


@pytest.mark.requirement("PIPE-08")
def test_work_that_fails_is_tried_again_then_taken_up_anew_then_left_to_a_person(led):
    start(led)
    drive(led)
    lead, life = begin(led, "lea"), begin(led)
    answered(led, lead, SMALL)
    drive(led)
    task = led.ask(runs.look, "run-1").tasks[0].task
    record = led.ask(runs.find, "run-1").task
    for _ in range(5):
        claim_in(led, life, task)
        led.do(board.fail, BOSS, task.id, holds("ada"), "no luck")
        drive(led)
        told = led.ask(lambda tx: tx.tasks.fields(record))[f"escalations.{task.id}"]
    steps = ["L0|no luck", *["L2|no luck"] * 3, "L4|no luck"]
    assert told == steps
    assert led.ask(summary_of, "run-1")["escalations"] == {str(task.id): "; ".join(steps)}
    [asked] = led.ask(questions.page)
    assert asked.options == ("again", "drop the task", "abort")


@pytest.mark.requirement("RECOVER-03")
def test_a_stopped_run_goes_on_exactly_where_it_was(led):
    at_gate(led)
    before = led.ask(runs.find, "run-1")
    led.do(runs.stop, BOSS, "run-1")
    assert drive(led) == []
    led.do(runs.resume, BOSS, "run-1")
    assert led.ask(runs.find, "run-1") == before


@pytest.mark.requirement("RECOVER-03")
def test_nothing_of_a_run_that_rests_is_begun(led):
    start(led)
    drive(led)
    lead, life = begin(led, "lea"), begin(led)
    answered(led, lead, SMALL)
    drive(led)
    task = led.ask(runs.look, "run-1").tasks[0].task
    led.do(runs.stop, BOSS, "run-1")
    for alone in (True, False):
        with pytest.raises(NothingReady):
            led.do(board.claim_next, BOSS, Holder("ada", life.incarnation, alone=alone))
    with pytest.raises(NotReady) as refused:
        claim_in(led, life, task)
    assert refused.value.next == "drumline run resume run-1"
    led.do(runs.resume, BOSS, "run-1")
    assert led.do(board.claim_next, BOSS, holds("ada")).id == task.id


@pytest.mark.requirement("PIPE-12")
def test_no_run_begins_while_work_of_one_that_rests_is_under_way(led):
    start(led)
    drive(led)
    lead, life = begin(led, "lea"), begin(led)
    answered(led, lead, SMALL)
    drive(led)
    claim_in(led, life, led.ask(runs.look, "run-1").tasks[0].task)
    led.do(runs.stop, BOSS, "run-1")
    with pytest.raises(Conflict, match="still works on T-2 of run-1"):
        start(led)
    led.do(runs.resume, BOSS, "run-1")


def test_whoever_a_run_let_run_is_let_go_at_its_end(led):
    at_gate(led)
    led.do(runs.abort, BOSS, "run-1")
    wanted = {each.member: each.wanted for each in led.ask(lambda tx: tx.postings.all())}
    assert wanted == {"lea": "stopped", "ada": "stopped"}


@pytest.mark.requirement("PIPE-11")
def test_the_lead_reads_signals_and_never_what_members_wrote_to_each_other(led):
    led.do(mail.send, teammate("ada"), ["lea"], "the whole output of a member " * 100)
    at_gate(led)
    asked = led.ask(lambda tx: tx.runs.judgements("run-1"))
    assert [each.matter.kind for each in asked] == [JudgementKind.CLASSIFY, JudgementKind.JUDGE]
    assert all(
        "the whole output" not in each.prompt and len(each.prompt) < 10_000 for each in asked
    )


@pytest.mark.requirement("CTX-04", "PIPE-03")
def test_a_gate_stays_shut_while_a_member_holds_an_old_context(led):
    start(led)
    drive(led)
    lead, life = begin(led, "lea"), begin(led)
    answered(led, lead, SMALL)
    drive(led)
    new = context.Publication(sections=(("Goal", "mend it"),), window=200_000, why="begin")
    led.do(context.publish, BOSS, "run-1", new)
    task = led.ask(runs.look, "run-1").tasks[0].task
    claim_in(led, life, task)
    led.do(board.complete, BOSS, task.id, holds("ada"))
    drive(led)
    assert "ada holds version 0" in led.ask(runs.waiting_for, "run-1")
    assert led.ask(lambda tx: tx.runs.gate("run-1", "P6", 1)) is None


@pytest.mark.requirement("PIPE-11", "SEE-01")
def test_a_person_sees_in_one_line_where_the_run_is(led):
    assert led.ask(lambda tx: tx.run_at_work()) is None
    at_gate(led)
    assert led.ask(lambda tx: tx.run_at_work()) == ("run-1", "P6", 1, True)


@pytest.mark.requirement("PIPE-11")
def test_the_lead_sees_four_views_of_a_run(led):
    at_gate(led)
    told = {name: led.ask(lead_views.view, name, "") for name in lead_views.VIEWS}
    assert ("gate P6", "is open") in told["enforce"]
    assert ("ada", "free (implementer)") in told["coordinate"]
    assert {"lea", "ada", "run"} <= {line.about for line in told["observe"]}
    assert ("P0.gate", "PASS|tasks:0|iteration:1") in told["synthesize"]


@pytest.mark.requirement("PIPE-07")
def test_who_brings_findings_together_begins_once_all_are_in_and_is_told_where_they_are(led):
    everyone = {"bo": "analyst", "cy": "researcher", "di": "coordinator"}
    seat(led, profiles={"lea": "", "ada": "implementer", **everyone}, lead="lea")
    start(led, tier=Tier.COMPLEX)
    drive(led)
    lead = begin(led, "lea")
    answered(led, lead, {**SMALL, "files": 9, "modules": 3, "tasks": []})
    drive(led)
    led.do(questions.answer, BOSS, led.ask(questions.page)[0].id, "start")
    two = [{**PART, "key": key, "title": f"look at {key}"} for key in ("1", "2")]
    for _ in range(4):
        drive(led)
        run = led.ask(runs.find, "run-1")
        if run.phase == "P2" and led.ask(runs.look, "run-1").tasks[-1].phase == "P2":
            break
        for asked in iter(lambda: led.do(judgements.take, lead), None):
            told = PASSED
            plan = {"why": "so", "tasks": two}
            kind = asked.matter.kind
            led.do(judgements.answer, lead, asked.matter, told if kind == "judge" else plan)
            drive(led)
            for each in led.ask(runs.look, "run-1").tasks:
                if each.task.ready and each.phase == "P1":
                    finish(led, each.task, "bo")
            drive(led)
    findings = [each.task for each in led.ask(runs.look, "run-1").tasks if each.phase == "P2"]
    assert "di" not in led.ask(lambda tx: {each.member for each in tx.postings.all()})
    for task in findings:
        finish(led, task, "cy")
    drive(led)
    last = led.ask(runs.look, "run-1").tasks[-1]
    assert (last.key, last.task.profile) == ("coordinator", "coordinator")
    body = led.ask(lambda tx: tx.tasks.body(last.task.id))
    assert ".drumline/runs/run-1/phase-P2" in body
    assert "di" in led.ask(lambda tx: {each.member for each in tx.postings.all()})


def finish(store, task, member):
    store.do(board.claim, BOSS, task.id, holds(member))
    store.do(board.complete, BOSS, task.id, holds(member))


@pytest.mark.requirement("PIPE-09")
def test_what_a_person_decided_reaches_whoever_judges_afterwards(led):
    everyone = {"bo": "analyst", "cy": "researcher"}
    seat(led, profiles={"lea": "", "ada": "implementer", **everyone}, lead="lea")
    start(led)
    drive(led)
    answered(led, begin(led, "lea"), {**SMALL, "files": 9, "modules": 3, "tasks": []})
    drive(led)
    [asked] = led.ask(questions.page)
    led.do(questions.answer, BOSS, asked.id, "start", "but leave the parser alone")
    drive(led)
    prompt = led.ask(lambda tx: tx.runs.judgements("run-1"))[-1].prompt
    assert "> start: but leave the parser alone" in prompt


@pytest.mark.requirement("PIPE-02", "TEAM-06")
def test_a_team_without_some_profiles_goes_without_their_phases_when_a_person_says_so(led):
    start(led, tier=Tier.STANDARD)
    drive(led)
    answered(led, begin(led, "lea"), SMALL)
    drive(led)
    [asked] = led.ask(questions.page)
    assert asked.options == ("again", "without those phases", "abort")
    led.do(questions.answer, BOSS, asked.id, "without those phases")
    drive(led)
    run = led.ask(runs.find, "run-1")
    assert [phase.name for phase in run.pipeline.path(Tier.STANDARD)] == ["P0", "P6", "P8"]
    assert run.phase == "P6"
