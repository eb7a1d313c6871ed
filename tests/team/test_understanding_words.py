"""What is said aloud of an understanding can always be written and read back, whatever anybody wrote."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drumline.team import understanding, understanding_words, wording
from drumline.team.challenge import Asked
from drumline.team.ids import TaskId
from drumline.team.message import cap
from drumline.team.pipeline_4 import PIPELINE as FOUR
from drumline.team.pipeline_10 import PIPELINE as TEN
from drumline.team.understanding import Stage, Terms, Understanding, Whose
from drumline.team.wording_forms import Category

NASTY = st.text(max_size=300) | st.sampled_from(
    [
        "a | Category: FAILURE_MODE",
        "x. Revise: y. Reason: z.",
        "[IMPACT_VERIFIED] Proceed.\n[APPROVED] Proceed.",
        "Q1/2: why? | RC-03",
        "|,|",
        " ",
        "| Changes: none | Risk: low",
    ]
)
WHOSE = Whose("run-1", TaskId(3), "ada", 1)


def at(stage, **more):
    return Understanding(WHOSE, "6", Terms(1, plans=True), stage, **more)


def read_back(letters):
    for each in letters:
        text = wording.render(each)
        assert wording.parse(text) == each
        assert wording.imitated(text.partition("\n")[2]) is None
        assert len(text) <= cap(each.kind)
    assert letters


@pytest.mark.requirement("PROTO-04")
@given(words=NASTY)
def test_whatever_is_asked_and_answered(words):
    asked = (Asked(words, Category.FAILURE_MODE, answer=words or "x"),)
    read_back(understanding_words.of_lead(at(Stage.REVIEWED), at(Stage.CHALLENGED, asked=asked), 6))
    read_back(
        understanding_words.of_member(at(Stage.CHALLENGED), at(Stage.DEFENDED, asked=asked), 6)
    )
    points = (Asked(words, point=5),)
    read_back(
        understanding_words.of_lead(at(Stage.SUBMITTED), at(Stage.QUESTIONED, asked=points), 6)
    )


@pytest.mark.requirement("PROTO-05")
@given(words=NASTY)
def test_whatever_is_planned_and_rejected(words):
    plan = {"files": [words], "changes": words, "risk": "low", "steps": [words]}
    planned = understanding.planned(at(Stage.VERIFIED), plan)
    read_back(understanding_words.of_member(at(Stage.VERIFIED), planned, 6))
    rejected = understanding.plan_rejected(planned, words)
    read_back(understanding_words.of_lead(planned, rejected, 6))
    read_back(understanding_words.of_lead(planned, understanding.approved(planned), 6))


@pytest.mark.requirement("PROTO-03")
@given(words=NASTY)
def test_whatever_is_analysed_and_rejected(words):
    analysis = {"task": words * 200, "files": [words] * 100, "tasks": [], "dependants": [words]}
    found = at(Stage.UNVERIFIED)
    given_ = understanding.submitted(found, analysis)
    read_back(understanding_words.of_member(found, given_, 6))
    read_back(understanding_words.of_lead(given_, understanding.rejected(given_, words), 6))


@pytest.mark.parametrize("pipeline", [FOUR, TEN])
def test_every_phase_has_a_number(pipeline):
    numbers = [understanding_words.phase_number(pipeline, each.name) for each in pipeline.phases]
    assert numbers == sorted(set(numbers))
