"""Understanding before work: which step follows from which, and what never does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.errors import Conflict
from drumline.team import challenge, understanding
from drumline.team.challenge import Asked, fitted
from drumline.team.ids import TaskId
from drumline.team.impact import POINTS_OF_LEVEL
from drumline.team.pipeline import Challenge, Phase, Zone
from drumline.team.tier import Tier
from drumline.team.understanding import PointSaid, Stage, Terms, Understanding, Whose
from drumline.team.wording_forms import Category

NONE, HIGH = Challenge(), Challenge(questions=2)
MAXIMUM = Challenge(questions=3, alternative=True)
WHOSE = Whose("run-1", TaskId(3), "ada", 1)
VERIFIED = Phase(name="6", title="Build", zone=Zone.EXECUTION, profile="x", verified=True)
OPEN = Phase(name="6", title="Build", zone=Zone.EXECUTION, profile="x")


def at(stage, level=1, *, plans=True, **more):
    return Understanding(WHOSE, "6", Terms(level, plans), stage, **more)


def points(level=1, *unmet, question=""):
    return {
        point: PointSaid(point not in unmet, "seen", question) for point in POINTS_OF_LEVEL[level]
    }


@pytest.mark.requirement("PROTO-02", "PROTO-05")
@pytest.mark.parametrize(
    ("profile", "phase", "tier", "expected"),
    [
        pytest.param(
            "implementer", VERIFIED, Tier.STANDARD, Terms(1, plans=True), id="implementer"
        ),
        pytest.param("integrator", VERIFIED, Tier.COMPLEX, Terms(1, plans=True), id="integrator"),
        pytest.param("architect", VERIFIED, Tier.COMPLEX, Terms(2, plans=False), id="architect"),
        pytest.param("tester", VERIFIED, Tier.STANDARD, Terms(2, plans=False), id="tester"),
        pytest.param("researcher", VERIFIED, Tier.STANDARD, Terms(3, plans=False), id="researcher"),
        pytest.param("devils-advocate", VERIFIED, Tier.COMPLEX, None, id="exempt by its profile"),
        pytest.param(
            "painter", VERIFIED, Tier.STANDARD, Terms(1, plans=True), id="unknown: strictest"
        ),
        pytest.param("implementer", VERIFIED, Tier.TRIVIAL, None, id="a trivial run"),
        pytest.param("implementer", OPEN, Tier.STANDARD, None, id="a phase without verification"),
    ],
)
def test_what_is_demanded_follows_from_profile_phase_and_tier(profile, phase, tier, expected):
    assert understanding.terms("constitution-4", profile, phase, tier) == expected


@pytest.mark.requirement("PROTO-03", "PROTO-04")
@pytest.mark.parametrize(
    ("stage", "unmet", "question", "tried", "expected"),
    [
        pytest.param(Stage.SUBMITTED, (), "", NONE, Stage.VERIFIED, id="all hold"),
        pytest.param(Stage.SUBMITTED, (), "", HIGH, Stage.REVIEWED, id="all hold, to be tried"),
        pytest.param(Stage.SUBMITTED, (2,), "why?", NONE, Stage.QUESTIONED, id="one asked about"),
        pytest.param(Stage.SUBMITTED, (2,), "", NONE, Stage.VERIFIED, id="a small one let pass"),
        pytest.param(
            Stage.SUBMITTED, (5,), "", NONE, Stage.QUESTIONED, id="interfaces: compulsory"
        ),
        pytest.param(Stage.SUBMITTED, (6, 2), "", HIGH, Stage.QUESTIONED, id="effects: compulsory"),
        pytest.param(
            Stage.SUBMITTED, (7,), "", NONE, Stage.QUESTIONED, id="downstream: compulsory"
        ),
        pytest.param(
            Stage.SUBMITTED, (1, 2, 3), "why?", NONE, Stage.UNVERIFIED, id="three: rejected"
        ),
        pytest.param(
            Stage.ANSWERED, (2,), "why?", NONE, Stage.UNVERIFIED, id="asked once, rejected"
        ),
        pytest.param(Stage.ANSWERED, (), "", HIGH, Stage.REVIEWED, id="the answer holds"),
    ],
)
def test_how_many_points_fail_decides(stage, unmet, question, tried, expected):
    found = understanding.reviewed(at(stage), points(1, *unmet, question=question), tried)
    assert found.stage is expected


@pytest.mark.requirement("PROTO-03")
def test_a_point_that_the_lead_left_out_does_not_hold():
    said = points()
    del said[5]
    assert understanding.reviewed(at(Stage.SUBMITTED), said, NONE).stage is Stage.QUESTIONED


@pytest.mark.requirement("PROTO-04")
@pytest.mark.parametrize(
    ("given_", "tried", "expected"),
    [
        pytest.param([], NONE, [], id="none"),
        pytest.param([], Challenge(questions=1), ["INTERCONNECTION_MAP"], id="one, in usual words"),
        pytest.param(
            [(Category.FAILURE_MODE, "and then?")],
            HIGH,
            ["FAILURE_MODE", "INTERCONNECTION_MAP"],
            id="two, one of them the lead's",
        ),
        pytest.param(
            [(Category.SCOPE_BOUNDARY, str(at)) for at in range(9)],
            MAXIMUM,
            ["SCOPE_BOUNDARY"] * 3 + ["ALTERNATIVE_DEMAND"],
            id="three and an alternative",
        ),
    ],
)
def test_a_phase_decides_how_many_challenges_there_are(given_, tried, expected):
    found = fitted(given_, tried)
    assert [each.category for each in found] == expected
    assert len(found) == challenge.number(tried)


def test_there_are_seven_categories_each_with_its_usual_question():
    assert set(challenge.USUAL) == set(Category)
    assert len(Category) == 7


@pytest.mark.requirement("PROTO-04")
def test_nobody_is_verified_before_every_challenge_is_answered():
    found = understanding.challenged(at(Stage.REVIEWED), (Asked("a?"), Asked("b?")))
    with pytest.raises(Conflict, match="2 questions were asked, 1 answers"):
        understanding.answered(found, ["one"])
    assert understanding.answered(found, ["one", "two"]).stage is Stage.DEFENDED


@pytest.mark.requirement("PROTO-04")
def test_a_failed_defence_is_a_rejection_and_uses_an_attempt():
    found = at(Stage.DEFENDED, asked=(Asked("a?", answer="x"), Asked("b?", answer="y")))
    lost = understanding.defended(found, {1: (True, ""), 2: (False, "no")})
    assert (lost.stage, lost.attempt) == (Stage.UNVERIFIED, 2)
    assert "b? no" in lost.why
    assert understanding.defended(found, {1: (True, ""), 2: (True, "")}).stage is Stage.VERIFIED


@pytest.mark.requirement("PROTO-05")
@pytest.mark.parametrize("stage", [each for each in Stage if each is not Stage.VERIFIED])
def test_nobody_plans_before_it_is_verified(stage):
    with pytest.raises(Conflict):
        understanding.planned(at(stage), {})


@pytest.mark.requirement("PROTO-06")
def test_the_last_rejection_leaves_no_attempt():
    found = at(Stage.SUBMITTED, level=3)
    again = understanding.rejected(found, "read it again")
    assert (again.stage, again.attempt) == (Stage.UNVERIFIED, 2)
    assert understanding.rejected(again, "and again").stage is Stage.EXHAUSTED


STEPS = st.lists(st.tuples(st.integers(0, 8), st.booleans(), st.integers(0, 4)), max_size=60)


@pytest.mark.requirement("PROTO-05", "PROTO-06", "PROTO-07")
@given(steps=STEPS, level=st.sampled_from([1, 2, 3]), plans=st.booleans())
def test_whatever_happens_nobody_works_unverified_and_attempts_are_bounded(steps, level, plans):
    found = at(Stage.UNVERIFIED, level, plans=plans)
    verified = False
    rejections = 0
    for which, good, unmet in steps:
        before = found
        try:
            found = step(found, which, good=good, unmet=unmet)
        except Conflict:
            assert found is before
        verified = verified or found.stage is Stage.VERIFIED
        rejections = len(found.rejections)
        if found.stage in {Stage.PLANNED, Stage.APPROVED} or found.may_work:
            assert verified
        if found.may_work and plans:
            assert found.stage is Stage.APPROVED
            assert found.plan is not None
        assert found.attempt <= found.terms.limit
        assert found.plan_attempt <= found.terms.limit
    assert rejections <= 2 * found.terms.limit


def step(found, which, *, good, unmet):
    level, asked = found.terms.level, len(found.asked)
    said = points(level, *POINTS_OF_LEVEL[level][:unmet], question="?")
    steps = [
        lambda: understanding.submitted(found, {}, () if good else ("copied",)),
        lambda: understanding.reviewed(found, said, HIGH if good else NONE),
        lambda: understanding.challenged(found, (Asked("a?"),)),
        lambda: understanding.answered(found, ["yes"] * asked),
        lambda: understanding.defended(found, dict.fromkeys(range(1, asked + 1), (good, ""))),
        lambda: understanding.planned(found, {"files": []}),
        lambda: understanding.approved(found),
    ]
    rejected = [lambda: understanding.plan_rejected(found, "no")]
    return (steps + rejected)[min(which, len(steps))]()
