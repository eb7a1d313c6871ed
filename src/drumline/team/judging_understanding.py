"""What the lead is told when it judges a member's understanding: the task, and the one thing submitted."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from drumline.team import impact, verdict
from drumline.team.challenge import USUAL, number
from drumline.team.judgement import JudgementKind
from drumline.team.judging import ROLE
from drumline.team.pipeline import Phase
from drumline.team.quoting import quoted
from drumline.team.understanding import Understanding
from drumline.team.understanding_words import analysis_text, plan_text

GOAL, BRIEF, SUBMITTED = 4_000, 8_000, 40_000  # characters


class Case(NamedTuple):
    """What is judged, and what it is judged against."""

    goal: str
    title: str
    body: str
    phase: Phase
    found: Understanding


def asked(kind: JudgementKind, case: Case) -> str:
    """The whole prompt of one judgement."""
    found, phase = case.found, case.phase
    head = [
        ROLE,
        "",
        f"Run {found.whose.run}, phase {phase.name} {phase.title}. The goal:",
        quoted(case.goal[:GOAL]),
        f"{found.whose.task}, which {found.whose.member} is to work on:",
        quoted(f"{case.title}\n{case.body}"[:BRIEF]),
        "",
    ]
    form = ["", "The form of your answer:", *verdict.outline(kind)]
    return "\n".join([*head, *_BODIES[kind](case), *form])


def submission(kind: JudgementKind, found: Understanding) -> str:
    """What is being judged, and nothing else of the member's."""
    if kind is JudgementKind.APPROVE:
        return plan_text(found.plan or {"steps": (), "changes": "", "risk": "", "files": ()})
    said = [
        f"{at}. {each.question}\n{each.answer}"
        for at, each in enumerate(found.asked, 1)
        if each.answer
    ]
    if kind is JudgementKind.DEFENCE:
        return "\n".join(said)
    return "\n".join([analysis_text(found.analysis or {}), *said])


def _verify(case: Case) -> list[str]:
    points = impact.POINTS_OF_LEVEL[case.found.terms.level]
    once_more = (
        " It was asked what is answered below; nothing more will be." if case.found.asked else ""
    )
    return [
        "Verify the member's impact analysis, point by point. It may not work before you have.",
        "Analyse the task yourself first. Three points that do not hold reject it; for one or two, ask.",
        f"This is attempt {case.found.attempt} of {case.found.terms.limit}.{once_more}",
        *(f"{point}. {impact.POINTS[point]}" for point in points),
        *_submitted(JudgementKind.VERIFY, case),
    ]


def _challenge(case: Case) -> list[str]:
    wanted = case.phase.challenge
    more = ", one of them a demand for an alternative" if wanted.alternative else ""
    return [
        f"Challenge the member's impact analysis: {number(wanted)} questions{more}.",
        "Each goes at what this analysis takes for granted, by one of the categories:",
        *(f"- {category}: such as: {words}" for category, words in USUAL.items()),
        *_submitted(JudgementKind.CHALLENGE, case),
    ]


def _defence(case: Case) -> list[str]:
    return [
        "Judge the member's defence of its impact analysis, answer by answer. An answer holds that is",
        "specific: it names modules, ways and how far a change reaches. One that does not rejects all.",
        *_submitted(JudgementKind.DEFENCE, case),
    ]


def _approve(case: Case) -> list[str]:
    return [
        "Approve or reject the member's plan. Nothing is changed before; the analysis was verified.",
        f"This is plan {case.found.plan_attempt} of {case.found.terms.limit}.",
        *_submitted(JudgementKind.APPROVE, case),
    ]


def _submitted(kind: JudgementKind, case: Case) -> list[str]:
    return ["What was submitted:", quoted(submission(kind, case.found)[:SUBMITTED])]


_BODIES: Mapping[JudgementKind, Callable[[Case], list[str]]] = {
    JudgementKind.VERIFY: _verify,
    JudgementKind.CHALLENGE: _challenge,
    JudgementKind.DEFENCE: _defence,
    JudgementKind.APPROVE: _approve,
}
