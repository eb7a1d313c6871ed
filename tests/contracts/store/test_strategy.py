"""A change of strategy is a person's: the lead asks or proposes, and the run waits at no cost."""

import pytest

from drumline.control import board, briefing, gates, judgements, questions, reclassifying, runs
from drumline.errors import BadInput, Conflict, NotAllowed
from drumline.store.upkeep import Caretaker
from drumline.team.judgement import JudgementKind, JudgementState, Matter
from drumline.team.question import QuestionState
from drumline.team.run import RunState
from drumline.team.tier import Tier
from drumline.team.verdict import Call
from tests.living import begin, claim_in
from tests.steering import CLASSIFY, PART, PASSED, SMALL, answered, at_gate, drive, led, start
from tests.stores import seat
from tests.words import BOSS, holds, teammate, verbs

__all__ = ["led"]  # a fixture
ASKS = {
    "what": "Must old clients still work?",
    "options": ["Keep them working", "Drop them"],
    "recommended": "Drop them",
}
GATE = Matter("run-1", JudgementKind.JUDGE, "P6")


@pytest.fixture(autouse=True)
def sound(store):
    """After each test the log still gives the tables."""
    yield
    assert list(Caretaker(store.engine).check()) == []


def asked(store):
    [found] = store.ask(questions.page)
    return found


def say(store, choice, words=""):
    store.do(questions.answer, BOSS, asked(store).id, choice, words)
    drive(store)


class TestQuestionsOfTheLead:
    def asking(self, store, **more):
        start(store)
        drive(store)
        lead = begin(store, "lea")
        answered(store, lead, {**SMALL, "question": {**ASKS, **more}})
        drive(store)
        return lead

    @pytest.mark.requirement("PIPE-09", "PIPE-17")
    def test_a_lead_asks_with_concrete_options_and_a_recommendation(self, led):
        self.asking(led)
        found = asked(led)
        assert found.options == ("Keep them working", "Drop them", "abort")
        assert found.recommended == "Drop them"
        assert "> Must old clients still work?" in found.what

    @pytest.mark.requirement("PIPE-09")
    def test_nothing_is_paid_for_while_a_person_thinks(self, led):
        lead = self.asking(led)
        before = verbs(led)
        for _ in range(3):
            drive(led)
            assert led.do(judgements.take, lead) is None
        assert verbs(led) == before
        assert led.ask(runs.waiting_for, "run-1") == "a person is asked what the lead asks"

    @pytest.mark.requirement("PIPE-09")
    def test_the_answer_reaches_whoever_judges_and_whoever_works(self, led):
        lead = self.asking(led)
        say(led, "drop", "nobody uses them since May")
        again = led.do(judgements.take, lead)
        assert again.matter == CLASSIFY
        assert "> Drop them: nobody uses them since May" in again.prompt
        led.do(judgements.answer, lead, CLASSIFY, SMALL)
        drive(led)
        task = led.ask(runs.look, "run-1").tasks[0].task
        said = led.ask(lambda tx: briefing.decisions(tx, task))
        assert [each.said for each in said] == ["Drop them: nobody uses them since May"]

    @pytest.mark.requirement("PIPE-09")
    def test_a_person_may_abort_instead(self, led):
        self.asking(led)
        say(led, "abort")
        assert led.ask(runs.find, "run-1").state is RunState.ABORTED

    @pytest.mark.requirement("PIPE-09")
    def test_a_lead_that_only_asks_is_taken_at_its_word_at_last(self, led):
        lead = self.asking(led)
        for _ in range(3):
            assert not led.ask(runs.find, "run-1").phase
            say(led, "1")
            answered(led, lead, {**SMALL, "question": ASKS})
            drive(led)
        assert led.ask(runs.find, "run-1").phase == "P6"
        assert led.ask(questions.page) == []

    @pytest.mark.requirement("PIPE-09")
    @pytest.mark.parametrize(
        "wrong",
        [
            pytest.param({"options": ["Only this"]}, id="one option"),
            pytest.param({"options": ["a", "b", "c", "d"]}, id="too many"),
            pytest.param({"options": ["Same", "same"]}, id="the same twice"),
            pytest.param({"options": ["Go on", "abort"]}, id="ours"),
            pytest.param({"recommended": "Something else"}, id="recommends what it does not offer"),
            pytest.param({"what": "x\x1b[2J"}, id="control characters"),
            pytest.param({"what": ""}, id="nothing"),
        ],
    )
    def test_a_question_that_nobody_could_answer_is_refused_and_said_so(self, led, wrong):
        start(led)
        drive(led)
        lead = begin(led, "lea")
        said = answered(led, lead, {**SMALL, "question": {**ASKS, **wrong}})
        assert said.state is JudgementState.ASKED
        assert "question" in said.words
        assert led.ask(questions.page) == []

    @pytest.mark.requirement("PIPE-09")
    @pytest.mark.parametrize("call", [Call.ITERATE, Call.APPROVE])
    def test_a_person_who_speaks_at_the_gate_itself_is_not_asked_about_it_any_more(self, led, call):
        lead = at_gate(led)
        answered(led, lead, {**PASSED, "question": ASKS})
        drive(led)
        [before] = led.ask(questions.page)
        led.do(gates.say, BOSS, "run-1", gates.Said("P6", call, "looked at"))
        with pytest.raises(Conflict, match="withdrawn"):
            led.do(questions.answer, BOSS, before.id, "abort")

    @pytest.mark.requirement("PIPE-09")
    def test_no_secret_of_a_question_is_shown(self, led):
        key = "AKIA" + "Q" * 16
        self.asking(led, what=f"Use {key}?", options=[f"Use {key}", "No"], recommended="No")
        assert "Use " in str(asked(led))
        assert key not in str(asked(led))


def found_good(store):
    """Two others look at the work and find it good."""
    for _ in range(2):
        (asked,) = [
            each
            for each in store.ask(runs.look, "run-1").judgements.values()
            if each.open and each.matter.kind in {JudgementKind.REVIEW, JudgementKind.AUDIT}
        ]
        answered(store, begin(store, asked.asked), GOOD)
        drive(store)


GOOD = {"verdict": "approve", "summary": "looked at", "findings": []}
ALL = {"lea": "", "ada": "implementer", "bo": "analyst", "cy": "researcher", "di": "coordinator"}


class TestReclassification:
    @pytest.mark.requirement("PIPE-02")
    def test_a_lead_proposes_and_a_person_decides(self, led):
        seat(led, profiles=ALL, lead="lea")
        lead = at_gate(led)
        answered(led, lead, {**PASSED, "tier": "standard"})
        drive(led)
        assert asked(led).options == ("go on as standard", "stay trivial", "abort")
        assert "P7 > P8 instead of P8" in asked(led).what
        assert led.ask(lambda tx: tx.runs.gate("run-1", "P6", 1)).open
        say(led, "go on")
        found_good(led)  # a standard run's work is looked at by others than its lead
        run = led.ask(runs.find, "run-1")
        assert (run.tier, run.phase) == (Tier.STANDARD, "P7")
        fields = led.ask(lambda tx: tx.tasks.fields(run.task))
        assert (fields["tier"], fields["reclassified"]) == (
            "standard",
            ["trivial to standard in P6"],
        )
        prompt = led.do(judgements.take, lead).prompt
        assert "go on as standard" in prompt

    @pytest.mark.requirement("PIPE-02")
    def test_a_person_who_declines_keeps_the_path_and_is_not_asked_again(self, led):
        lead = at_gate(led)
        answered(led, lead, {**PASSED, "tier": "complex"})
        drive(led)
        say(led, "stay")
        run = led.ask(runs.find, "run-1")
        assert (run.tier, run.phase) == (Tier.TRIVIAL, "P8")
        assert led.ask(questions.page) == []

    @pytest.mark.requirement("PIPE-02")
    def test_a_person_asks_for_it_and_work_goes_on_but_no_next_phase_begins(self, led):
        lead = at_gate(led)
        led.do(reclassifying.propose, BOSS, "run-1", Tier.STANDARD, "it grew")
        answered(led, lead, PASSED)
        drive(led)
        assert led.ask(runs.find, "run-1").phase == "P6"
        assert not led.ask(lambda tx: tx.runs.gate("run-1", "P6", 1)).open
        assert "how large" in led.ask(runs.waiting_for, "run-1")
        say(led, "go on")
        assert led.ask(runs.find, "run-1").phase == "P7"

    @pytest.mark.requirement("PIPE-02")
    def test_what_the_lead_proposes_waits_for_what_a_person_asked_for(self, led):
        lead = at_gate(led)
        led.do(reclassifying.propose, BOSS, "run-1", Tier.STANDARD)
        answered(led, lead, {**PASSED, "tier": "complex"})
        drive(led)
        assert [each.options[0] for each in led.ask(questions.page)] == ["go on as standard"]
        assert "how large" in led.ask(runs.waiting_for, "run-1")
        say(led, "stay")
        assert [each.options[0] for each in led.ask(questions.page)] == ["go on as complex"]

    @pytest.mark.requirement("PIPE-02")
    def test_what_both_propose_is_asked_once(self, led):
        seat(led, profiles=ALL, lead="lea")
        lead = at_gate(led)
        led.do(reclassifying.propose, BOSS, "run-1", Tier.STANDARD)
        answered(led, lead, {**PASSED, "tier": "standard"})
        drive(led)
        say(led, "go on")
        found_good(led)
        assert led.ask(questions.page) == []
        assert led.ask(runs.find, "run-1").phase == "P7"

    @pytest.mark.requirement("PIPE-02")
    def test_what_was_said_last_holds(self, led):
        at_gate(led)
        for tier in (Tier.COMPLEX, Tier.TRIVIAL, Tier.STANDARD):
            led.do(reclassifying.propose, BOSS, "run-1", tier)
            say(led, f"go on as {tier}")
            drive(led)
            assert led.ask(runs.find, "run-1").tier is tier

    @pytest.mark.requirement("PIPE-02")
    def test_a_smaller_size_leaves_the_phases_between_out_and_undoes_nothing(self, led):
        seat(led, profiles=ALL, lead="lea")
        start(led, tier=Tier.STANDARD)
        drive(led)
        lead = begin(led, "lea")
        answered(led, lead, {**SMALL, "files": 3, "modules": 2, "tasks": []})
        drive(led)
        for _ in ("P1", "P2"):  # the first of them is the lead's own
            answered(led, lead, {"why": "so", "tasks": [PART]})
            drive(led)
        [each] = led.ask(runs.look, "run-1").tasks
        led.do(reclassifying.propose, BOSS, "run-1", Tier.TRIVIAL)
        say(led, "go on")
        claim_in(led, begin(led, "cy"), each.task)
        led.do(board.complete, BOSS, each.task.id, holds("cy"))
        drive(led)
        answered(led, lead, PASSED)
        drive(led)
        run = led.ask(runs.find, "run-1")
        assert (run.tier, run.phase) == (Tier.TRIVIAL, "P6")
        assert led.ask(runs.look, "run-1").tasks[0].task.state == "completed"

    @pytest.mark.requirement("PIPE-02")
    def test_who_aborts_ends_the_run(self, led):
        at_gate(led)
        led.do(reclassifying.propose, BOSS, "run-1", Tier.COMPLEX)
        say(led, "abort")
        assert led.ask(runs.find, "run-1").state is RunState.ABORTED

    @pytest.mark.requirement("PIPE-02")
    def test_what_cannot_be_asked_is_refused(self, led):
        start(led)
        with pytest.raises(Conflict, match="in no phase yet"):
            led.do(reclassifying.propose, BOSS, "run-1", Tier.COMPLEX)
        drive(led)
        answered(led, begin(led, "lea"), SMALL)
        drive(led)
        with pytest.raises(Conflict, match="trivial already"):
            led.do(reclassifying.propose, BOSS, "run-1", Tier.TRIVIAL)
        with pytest.raises(NotAllowed):
            led.do(reclassifying.propose, teammate("ada"), "run-1", Tier.COMPLEX)
        with pytest.raises(BadInput):
            led.do(reclassifying.propose, BOSS, "run-1", Tier.COMPLEX, "a\x1bb")
        first = led.do(reclassifying.propose, BOSS, "run-1", Tier.COMPLEX)
        with pytest.raises(Conflict, match=f"{first.id} asks"):
            led.do(reclassifying.propose, BOSS, "run-1", Tier.STANDARD)

    @pytest.mark.requirement("PIPE-02")
    def test_a_run_that_ends_takes_its_question_back(self, led):
        at_gate(led)
        first = led.do(reclassifying.propose, BOSS, "run-1", Tier.COMPLEX)
        led.do(runs.abort, BOSS, "run-1")
        assert led.ask(questions.find, first.id).state is QuestionState.WITHDRAWN
