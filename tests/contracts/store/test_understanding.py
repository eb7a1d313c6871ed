"""What every store promises about understanding before work: told once, judged once, and bound to a life."""

from dataclasses import replace

import pytest

from drumline.control import (
    agendas,
    board,
    context,
    judgements,
    lives,
    mail,
    protocol,
    questions,
    runs,
)
from drumline.control.protocol import Looked
from drumline.errors import Conflict, NotAllowed, NotHolder, NotReady, Unknown
from drumline.store.upkeep import Caretaker
from drumline.team.actor import Actor, Role
from drumline.team.context import Section
from drumline.team.draft import NewTask
from drumline.team.life import WhyEnded
from drumline.team.member import HUMAN
from drumline.team.pipeline import Challenge, Phase, Pipeline, Zone
from drumline.team.task import NOTE
from drumline.team.tier import Tier
from drumline.team.understanding import Stage
from drumline.team.wording_forms import Acknowledgement, Action
from tests.living import begin, claim_in
from tests.stores import seat
from tests.understanding import ANALYSIS, ANSWERS, NO, PLAN, YES
from tests.words import BOSS

PROFILES = {"ada": "implementer", "brook": "researcher", "cleo": "devils-advocate", "lea": ""}
SEEN = Looked()


def pipeline(profile="implementer", challenge=None):
    build = Phase(
        name="6", title="Build", zone=Zone.EXECUTION, profile=profile, verified=True,
        challenge=challenge or Challenge(),
    )  # fmt: skip
    over = Phase(name="9", title="Hand over", zone=Zone.AFTER, delivers=True)
    return Pipeline(
        name="short", description="x", phases=(build, over), paths=dict.fromkeys(Tier, ("6", "9"))
    )


class Team:
    """A run whose lead and members say what a test lets them say."""

    def __init__(self, store, lead="lea", tier=Tier.STANDARD, *, embeds=True, **phase):
        seat(store, constitution="constitution-4", profiles=PROFILES, lead="lea")
        self.store, self.lead = store, begin(store, "lea")
        chosen = replace(pipeline(**phase), embeds=embeds)
        wanted = runs.Begin("Have a part", chosen, "0" * 40, tier, lead)
        self.run = store.do(runs.begin, BOSS, wanted).name
        if lead == HUMAN:
            self.answers("trivial" if tier is Tier.TRIVIAL else "standard")
            self.answers("one task")
        else:
            facts = {"files": 3, "modules": 2, "domains": 1, "why": "x", "tasks": []}
            self.judges(facts)
            if tier is not Tier.TRIVIAL:
                self.judges({"why": "x", "tasks": []})
        self.advance()
        self.task = next(each.task for each in store.ask(runs.look, self.run).tasks)

    def advance(self):
        self.store.do(runs.advance, self.run)

    def judges(self, given):
        """The lead answers what it is asked next; which kind that was."""
        self.advance()
        asked = self.store.do(judgements.take, self.lead)
        assert asked is not None
        self.store.do(judgements.answer, self.lead, asked.matter, given)
        self.advance()
        return asked

    def answers(self, choice, words=""):
        """A person who leads answers what it is asked."""
        self.advance()
        question = self.store.ask(questions.page)[0]
        self.store.do(questions.answer, BOSS, question.id, choice, words)
        self.advance()
        return question

    def takes(self, member="ada", left=()):
        self.life = begin(self.store, member)
        holder = board.Holder(member, self.life.incarnation)
        self.held = self.store.do(board.claim, BOSS, self.task.id, holder)
        return self.store.do(protocol.begin, self.life, self.held, left)

    def says(self, verb, *given):
        actor = Actor(self.life.member, Role.TEAMMATE, self.life.incarnation)
        return self.store.do(verb, actor, self.task.id, *given)

    def submits(self, looked=SEEN, **changes):
        return self.says(protocol.submit, {**ANALYSIS, **changes}, looked)

    @property
    def stands(self):
        return self.store.ask(protocol.standing, self.life, self.held)

    @property
    def now(self):
        return self.store.ask(protocol.now, self.life, self.task.id)


def verified(team):
    team.takes()
    team.submits()
    team.judges({"points": YES, "rebriefing": ""})


@pytest.mark.requirement("PROTO-05", "PROTO-07")
def test_the_guard_lets_nobody_work_before_the_plan_is_approved(store):
    team = Team(store)
    team.takes()
    assert team.stands == "unverified"
    team.submits()
    assert team.stands == "unverified"
    team.judges({"points": YES, "rebriefing": ""})
    assert (team.now.stage, team.stands) == (Stage.VERIFIED, "unverified")
    team.says(protocol.plan, PLAN)
    team.judges({"verdict": "approve", "reason": "", "guidance": ""})
    assert (team.now.stage, team.stands) == (Stage.APPROVED, "approved")
    assert list(Caretaker(store.engine).check()) == []


@pytest.mark.requirement("PROTO-02")
@pytest.mark.parametrize(
    ("member", "profile", "tier"),
    [
        pytest.param("cleo", "devils-advocate", Tier.STANDARD, id="a profile that doubts"),
        pytest.param("ada", "implementer", Tier.TRIVIAL, id="a small change"),
    ],
)
def test_whoever_is_exempt_shows_nothing_and_works(store, member, profile, tier):
    team = Team(store, profile=profile, tier=tier)
    assert team.takes(member) is None
    assert team.stands == "exempt"
    with pytest.raises(Unknown, match="nothing is to be shown"):
        team.submits()


@pytest.mark.requirement("PROTO-07")
def test_outside_runs_nothing_is_demanded(store):
    task = store.do(board.add, BOSS, NewTask(title="x"))
    life = begin(store, "ada")
    held = claim_in(store, life, task)
    assert store.do(protocol.begin, life, held, ()) is None
    assert store.ask(protocol.standing, life, held) == ""
    assert store.ask(protocol.standing, life, None) == ""


@pytest.mark.requirement("PROTO-03")
@pytest.mark.parametrize(
    ("changes", "looked", "fault"),
    [
        pytest.param({"tasks": ["T-99"]}, SEEN, "no task 'T-99'", id="a task that is not there"),
        pytest.param({"files": ["src/x.py"]}, SEEN, "'src/x.py' is not there", id="a file"),
        pytest.param({}, Looked(changed=("a.py",)), "changed before", id="a checkout not clean"),
    ],
)
def test_what_a_machine_finds_rejects_at_once_and_no_lead_is_asked(store, changes, looked, fault):
    team = Team(store)
    team.takes()
    found = team.submits(looked, **changes)
    assert (found.stage, found.attempt) == (Stage.UNVERIFIED, 2)
    assert fault in found.why
    team.advance()
    assert store.do(judgements.take, team.lead) is None


@pytest.mark.requirement("PROTO-03")
def test_what_was_left_by_others_is_not_held_against_a_member(store):
    team = Team(store)
    team.takes(left=("a.py",))
    found = team.submits(Looked(frozenset({"b.py"}), ("a.py",)), files=["b.py"])
    assert found.stage is Stage.SUBMITTED


@pytest.mark.requirement("PROTO-01")
def test_no_verification_starts_before_the_newest_context_is_confirmed(store):
    team = Team(store)
    team.takes()
    written = context.Publication(sections=(Section("Goal", "One part"),), window=200_000)
    sent = store.do(context.publish, BOSS, team.run, written).sent
    with pytest.raises(NotReady, match="ada has not confirmed version 1"):
        team.submits()
    assert team.now.attempt == 1
    items = next(each.items for each in sent if each.member == "ada")
    said = Acknowledgement(
        version=1, applied=items, total=items, impact="none", action=Action.CONTINUE
    )
    actor = Actor("ada", Role.TEAMMATE, team.life.incarnation)
    store.do(context.acknowledge, actor, team.run, said)
    assert team.submits().stage is Stage.SUBMITTED


@pytest.mark.requirement("PROTO-03")
def test_a_question_is_answered_and_the_analysis_judged_once_more(store):
    team = Team(store)
    team.takes()
    team.submits()
    doubt = [{**each, "holds": "no" if each["point"] == 6 else "yes"} for each in YES]
    team.judges({"points": doubt, "rebriefing": ""})
    assert team.now.stage is Stage.QUESTIONED
    with pytest.raises(Conflict, match="2 answers given"):
        team.says(protocol.answer, ANSWERS)
    team.says(protocol.answer, {"answers": ["Nobody else reads it."]})
    asked = team.judges({"points": YES, "rebriefing": ""})
    assert "Nobody else reads it." in asked.prompt
    assert team.now.stage is Stage.VERIFIED


@pytest.mark.requirement("PROTO-04")
def test_verification_is_withheld_until_every_challenge_is_defended(store):
    team = Team(store, challenge=Challenge(questions=2))
    verified(team)
    assert team.now.stage is Stage.REVIEWED
    team.judges({"questions": []})
    assert [each.category for each in team.now.asked] == ["INTERCONNECTION_MAP", "RIPPLE_TRACE"]
    team.says(protocol.answer, ANSWERS)
    asked = team.judges({"answers": [], "rebriefing": "Say which modules."})
    assert ANALYSIS["risks"] not in asked.prompt  # only what is judged
    assert (team.now.stage, team.now.attempt) == (Stage.UNVERIFIED, 2)
    assert "Say which modules." in team.now.why


@pytest.mark.requirement("PROTO-06")
def test_out_of_attempts_the_life_ends_and_the_next_is_told_what_was_missed(store):
    team = Team(store)
    team.takes()
    for _ in range(3):
        team.submits()
        team.judges({"points": NO, "rebriefing": "Read section two."})
    life = store.ask(lives.find, "ada", team.life.incarnation)
    assert life.why is WhyEnded.STOPPED
    assert "Read section two." in store.ask(lambda tx: tx.tasks.fields(team.task.id))[NOTE]
    with pytest.raises(NotHolder):
        team.submits()
    team.takes()
    assert (team.now.stage, team.now.attempt, team.stands) == (Stage.UNVERIFIED, 1, "unverified")


@pytest.mark.requirement("PROTO-06")
def test_when_life_after_life_does_not_understand_a_person_decides(store):
    team = Team(store, profile="researcher")
    short = {name: ANALYSIS[name] for name in ("task", "position", "effects")}
    lists = {"files": [], "tasks": [], "dependants": []}
    for _ in range(4):
        team.takes("brook")
        for _ in range(2):
            team.says(protocol.submit, {**short, **lists}, SEEN)
            team.judges({"points": NO, "rebriefing": ""})
    question = team.answers("drop the task")
    assert "did not show that they understand" in question.what
    assert store.ask(lambda tx: tx.tasks.get(team.task.id)).state == "cancelled"


@pytest.mark.requirement("PROTO-07")
def test_another_life_begins_again_whatever_the_last_one_understood(store):
    team = Team(store)
    verified(team)
    store.do(lives.end, team.life, WhyEnded.CRASHED)
    team.takes()
    assert (team.now.stage, team.stands) == (Stage.UNVERIFIED, "unverified")


@pytest.mark.requirement("PROTO-02", "PROTO-05")
def test_what_was_said_is_kept_as_letters_that_wait_for_nobody(store):
    team = Team(store)
    verified(team)
    team.says(protocol.plan, {**PLAN, "changes": "a | b. Revise: c"})
    team.judges({"verdict": "reject", "reason": "No | tests.", "guidance": "Revise: add one."})
    to_lead = store.ask(mail.inbox, "lea", everything=True)
    to_member = store.ask(mail.inbox, "ada", everything=True)
    assert [each.kind for each in to_lead] == ["impact-analysis", "plan"]
    assert [each.kind for each in to_member] == ["impact-verified", "rejection"]
    assert all(each.acked_at for each in (*to_lead, *to_member))
    assert (team.now.stage, team.now.plan_attempt) == (Stage.VERIFIED, 2)


@pytest.mark.requirement("PROTO-03", "PROTO-05")
def test_a_person_who_leads_judges_by_answering(store):
    team = Team(store, lead=HUMAN)
    team.takes()
    team.submits()
    question = team.answers("rejected", "There is no folder.")
    assert ANALYSIS["task"] in question.what
    assert "There is no folder." in team.now.why
    team.submits()
    team.answers("verified")
    team.says(protocol.plan, PLAN)
    team.answers("approve")
    assert team.stands == "approved"


def test_whoever_waits_for_a_verdict_is_not_told_that_its_task_is_not_done(store):
    team = Team(store)
    team.takes()

    def agenda(tx):
        return agendas.Sources(tx).agenda(tx.waking.situation("ada")).items

    assert len(store.ask(agenda)) == 1
    team.submits()
    assert store.ask(agenda) == ()


def test_nobody_understands_in_anothers_place(store):
    team = Team(store)
    team.takes()
    with pytest.raises(NotAllowed, match="only a member at work"):
        store.do(protocol.submit, BOSS, team.task.id, ANALYSIS, SEEN)
