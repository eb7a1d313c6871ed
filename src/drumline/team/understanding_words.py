"""What is said aloud of a member's understanding: the letters that people read, in their bracketed form."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from drumline.team import impact
from drumline.team.challenge import Asked
from drumline.team.pipeline import Pipeline
from drumline.team.quoting import quoted
from drumline.team.text import PATTERN_CAP, one_line
from drumline.team.understanding import Stage, Understanding
from drumline.team.wording_forms import (
    Approval,
    Category,
    Challenge,
    ChallengeResponse,
    ImpactAnalysis,
    ImpactRejected,
    ImpactVerified,
    Plan,
    Rejection,
    Risk,
    VerificationQuestion,
    Wording,
)

NAMED = 60
BODY, ANALYSIS = 8_000, 24_000  # characters of what is quoted below a head line
_FIELD = re.compile(r"\||\b(Category|Revise|RC-)", re.IGNORECASE)


def phase_number(pipeline: Pipeline, name: str) -> int:
    """A phase as the letters count it: by the number in its name, else by its place."""
    digits = "".join(filter(str.isdecimal, name))[:4]
    names = [each.name for each in pipeline.phases]
    return int(digits) if digits.isascii() and digits else names.index(name) + 1


def of_member(before: Understanding, after: Understanding, phase: int) -> list[Wording]:
    """What a member has just said."""
    if before.stage is Stage.VERIFIED and after.plan is not None:
        return [_plan(after.plan, phase)]
    if after.stage in {Stage.DEFENDED, Stage.ANSWERED}:
        return [
            ChallengeResponse(phase=phase, number=at, defense=_line(each.answer))
            for at, each in enumerate(after.asked, 1)
        ]
    body = quoted(analysis_text(after.analysis or {})[:ANALYSIS])
    limit = after.terms.limit
    return [ImpactAnalysis(phase=phase, attempt=before.attempt, limit=limit, body=body)]


def of_lead(before: Understanding, after: Understanding, phase: int) -> list[Wording]:
    """What the lead, or a machine in its place, has just said."""
    if after.stage is Stage.QUESTIONED:
        return [
            VerificationQuestion(question=_line(each.question), item=each.point)
            for each in after.asked
        ]
    if after.stage is Stage.CHALLENGED:
        total = len(after.asked)
        return [_challenge(phase, at, total, each) for at, each in enumerate(after.asked, 1)]
    if after.stage is Stage.APPROVED:
        return [Approval()]
    if after.stage is Stage.VERIFIED and len(after.rejections) == len(before.rejections):
        return [ImpactVerified()]
    return _refused(before, after)


def _refused(before: Understanding, after: Understanding) -> list[Wording]:
    if after.stage not in {Stage.VERIFIED, Stage.UNVERIFIED, Stage.EXHAUSTED}:
        return []
    if before.stage in {Stage.PLANNED, Stage.VERIFIED}:
        return [Rejection(reason=_line(after.why), guidance="plan it anew")]
    body = quoted(after.why[:BODY]) or "Read your brief again."
    return [ImpactRejected(attempt=before.attempt, limit=after.terms.limit, body=body)]


def _challenge(phase: int, number: int, total: int, asked: Asked) -> Challenge:
    return Challenge(
        phase=phase,
        number=number,
        total=total,
        question=_line(asked.question),
        category=Category(asked.category),
    )


def analysis_text(analysis: Mapping[str, Any]) -> str:
    """An analysis as a person reads it."""
    parts = [f"{name}: {analysis[name]}" for name in impact.SECTIONS if name in analysis]
    lists = (
        f"{name}: {', '.join(analysis.get(name, ())) or 'none'}"
        for name in ("files", "tasks", "dependants")
    )
    return "\n".join([*parts, *lists])


def plan_text(plan: Mapping[str, Any]) -> str:
    """A plan as a person reads it."""
    steps: Sequence[str] = plan["steps"]
    return "\n".join(
        [
            f"changes: {plan['changes']}",
            f"risk: {plan['risk']}",
            f"files: {', '.join(plan['files']) or 'none'}",
            *(f"{at}. {step}" for at, step in enumerate(steps, 1)),
        ]
    )


def _plan(plan: Mapping[str, Any], phase: int) -> Plan:
    named = (re.sub(r"[,|\s]+", " ", one_line(path, NAMED)).strip() for path in plan["files"])
    files = tuple(filter(None, named)) or ("none",)
    body = quoted(plan_text(plan)[:BODY])
    risk = Risk(plan["risk"])
    return Plan(phase=phase, files=files, changes=_line(plan["changes"]), risk=risk, body=body)


def _line(text: str) -> str:
    """Somebody's words as a field of a head line: they cannot begin the next one."""
    said = _FIELD.sub(lambda found: "/" if found[0] == "|" else found[0].rstrip("-") + "_", text)
    return one_line(said, PATTERN_CAP).strip() or "nothing"
