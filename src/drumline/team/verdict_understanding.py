"""The forms of what the lead says about a member's understanding, and what the answers mean."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from drumline.team.answer_form import one_of, read_answer, wanted, words
from drumline.team.fields import Many, Record, line, whole
from drumline.team.impact import POINTS
from drumline.team.judgement import JudgementKind
from drumline.team.text import PATTERN_CAP
from drumline.team.understanding import PointSaid
from drumline.team.wording_forms import Category

WHY_CAP = 2_000
MOST_QUESTIONS = 20


class Holds(StrEnum):
    """How a point of a checklist stands."""

    YES = "yes"
    NO = "no"


class Word(StrEnum):
    """What may be said of a plan."""

    APPROVE = "approve"
    REJECT = "reject"


class PlanSaid(NamedTuple):
    """What the lead said of a plan."""

    approved: bool
    reason: str
    guidance: str


REVIEWED = Record(
    (
        wanted("point", whole(1, len(POINTS)), "The number of the point."),
        wanted("holds", one_of(Holds), "Whether it holds."),
        wanted("why", words(WHY_CAP, empty=True), "What shows it."),
        wanted(
            "question",
            words(PATTERN_CAP, empty=True),
            "What to ask the member, where it does not hold and an answer would settle it.",
        ),
    )
)
QUESTION = Record(
    (
        wanted("category", one_of(Category), "What the member is to defend."),
        wanted("question", line("one line", PATTERN_CAP), "The question."),
    )
)
DEFENDED = Record(
    (
        wanted("question", whole(1, MOST_QUESTIONS), "The number of the question."),
        wanted("holds", one_of(Holds), "Whether the answer holds."),
        wanted("why", words(WHY_CAP, empty=True), "What shows it."),
    )
)
REBRIEFING = wanted(
    "rebriefing", words(WHY_CAP, empty=True), "What the member must know where you reject it."
)
UNDERSTANDING: Mapping[JudgementKind, Record] = {
    JudgementKind.VERIFY: Record(
        (wanted("points", Many(REVIEWED, "points"), "Every point you were given."), REBRIEFING)
    ),
    JudgementKind.CHALLENGE: Record(
        (wanted("questions", Many(QUESTION, "questions", most=MOST_QUESTIONS), "What to ask."),)
    ),
    JudgementKind.DEFENCE: Record(
        (wanted("answers", Many(DEFENDED, "answers"), "Every answer you were given."), REBRIEFING)
    ),
    JudgementKind.APPROVE: Record(
        (
            wanted("verdict", one_of(Word), "What follows."),
            wanted("reason", words(WHY_CAP, empty=True), "Why."),
            wanted("guidance", words(WHY_CAP, empty=True), "What must be otherwise."),
        )
    ),
}


def verified(given: Mapping[str, Any]) -> tuple[dict[int, PointSaid], str]:
    """What was said of each point, and what the member is to be told again."""
    found = _values(JudgementKind.VERIFY, given)
    said = {
        each["point"]: PointSaid(each["holds"] is Holds.YES, each["why"], each["question"])
        for each in found["points"]
    }
    return said, found["rebriefing"]


def questions(given: Mapping[str, Any]) -> list[tuple[Category, str]]:
    found = _values(JudgementKind.CHALLENGE, given)
    return [(each["category"], each["question"]) for each in found["questions"]]


def defence(given: Mapping[str, Any]) -> tuple[dict[int, tuple[bool, str]], str]:
    """What was said of each answer, and what the member is to be told again."""
    found = _values(JudgementKind.DEFENCE, given)
    said = {
        each["question"]: (each["holds"] is Holds.YES, each["why"]) for each in found["answers"]
    }
    return said, found["rebriefing"]


def of_plan(given: Mapping[str, Any]) -> PlanSaid:
    found = _values(JudgementKind.APPROVE, given)
    return PlanSaid(found["verdict"] is Word.APPROVE, found["reason"], found["guidance"])


def _values(kind: JudgementKind, given: Mapping[str, Any]) -> dict[str, Any]:
    return read_answer(UNDERSTANDING[kind], given, "the answer")
