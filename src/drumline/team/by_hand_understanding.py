"""A person who judges a member's understanding: what it is asked, and what the answer means."""

from typing import Any

from drumline.team.impact import POINTS
from drumline.team.judgement import JudgementKind, Matter
from drumline.team.judging_understanding import submission
from drumline.team.question import AS_WRITTEN, WHAT_CAP, Asking, QuestionKind
from drumline.team.quoting import quoted
from drumline.team.text import PATTERN_CAP, one_line
from drumline.team.understanding import Understanding
from drumline.team.verdict_understanding import MOST_QUESTIONS, WHY_CAP, Word
from drumline.team.wording_forms import Category

VERIFIED, REJECTED = "verified", "rejected"
USUAL = "usual questions"
OPTIONS = {
    JudgementKind.VERIFY: (VERIFIED, REJECTED),
    JudgementKind.CHALLENGE: (USUAL, AS_WRITTEN),
    JudgementKind.DEFENCE: (VERIFIED, REJECTED),
    JudgementKind.APPROVE: (Word.APPROVE.value, Word.REJECT.value),
}
ASKED = {
    JudgementKind.VERIFY: "does {} understand {}? Where it does not, your words brief it again.",
    JudgementKind.CHALLENGE: "what must {} defend about {}? Write a question a line, or take the usual.",
    JudgementKind.DEFENCE: "did {} defend its analysis of {}? Where not, your words brief it again.",
    JudgementKind.APPROVE: "may {} carry this plan for {} out? Where not, say what must be otherwise.",
}


def understanding_asked(matter: Matter, found: Understanding) -> Asking:
    """The question a person is asked in the lead's place, with what was submitted."""
    whose = found.whose
    head = f"{whose.run}: {ASKED[matter.kind].format(whose.member, whose.task)}"
    what = f"{head}\n{quoted(submission(matter.kind, found))}"
    return Asking(QuestionKind.RUN, what[:WHAT_CAP], matter.name, options=OPTIONS[matter.kind])


def understanding_said(kind: JudgementKind, choice: str, words: str) -> dict[str, Any]:
    """The form of a judgement, filled in from what a person said."""
    holds, told = "yes" if choice == VERIFIED else "no", words[:WHY_CAP]
    if kind is JudgementKind.VERIFY:
        points = [{"point": at, "holds": holds, "why": "", "question": ""} for at in POINTS]
        return {"points": points, "rebriefing": told}
    if kind is JudgementKind.DEFENCE:
        numbers = range(1, MOST_QUESTIONS + 1)
        answers = [{"question": at, "holds": holds, "why": ""} for at in numbers]
        return {"answers": answers, "rebriefing": told}
    if kind is JudgementKind.APPROVE:
        return {"verdict": choice, "reason": told, "guidance": ""}
    lines = words.splitlines() if choice == AS_WRITTEN else []
    asked = [one_line(line, PATTERN_CAP) for line in lines if line.strip()]
    category = Category.ASSUMPTION_PROBE.value
    return {"questions": [{"category": category, "question": each} for each in asked]}
