"""What a member is told while it shows that it understands: what is wanted now, and in which form."""

from collections.abc import Sequence

from drumline.team import impact, work_plan
from drumline.team.fields import Schema
from drumline.team.quoting import quoted
from drumline.team.understanding import Stage, Understanding

FIRST = (
    "Before you work on it: show that you understand it. Read what you need, change nothing and start no"
    " helper; such calls are refused until you are verified. End this turn with your impact analysis"
    " instead of an account of work; the lead judges it, and you hear the verdict."
)
NOW_WORK = "You may work now. Do the task as you were told, and end your turn with your account of the work."


def wanted(found: Understanding) -> str:
    """What a member is to do next."""
    return "\n".join([f"About {found.whose.task}:", *_wanted(found)])


def _wanted(found: Understanding) -> Sequence[str]:
    if found.may_work:
        return [_approved(found), NOW_WORK]
    match found.stage:
        case Stage.UNVERIFIED:
            return [*_analysis(found), *impact.outline(found.terms.level)]
        case Stage.VERIFIED:
            return [*_plan(found), *work_plan.outline(work_plan.PLAN)]
        case _:
            return [*_questions(found), *work_plan.outline(work_plan.ANSWERS)]


def schema(found: Understanding) -> Schema | None:
    """The form of what is wanted next; none where that is the work itself."""
    if found.may_work:
        return None
    match found.stage:
        case Stage.UNVERIFIED:
            return impact.schema(found.terms.level)
        case Stage.VERIFIED:
            return work_plan.schema(work_plan.PLAN)
        case _:
            return work_plan.schema(work_plan.ANSWERS)


def _analysis(found: Understanding) -> Sequence[str]:
    if found.attempt == 1:
        return [FIRST, "Its form:"]
    return [
        f"[IMPACT_REJECTED] Attempt {found.attempt - 1}/{found.terms.limit} FAILED.",
        quoted(found.why),
        "Read your brief again, and end this turn with another impact analysis. Its form:",
    ]


def _plan(found: Understanding) -> Sequence[str]:
    if found.plan_attempt == 1:
        said = [
            "[IMPACT_VERIFIED] Your analysis holds. Nothing may be changed before your plan is approved."
        ]
    else:
        said = ["[REJECTED] Your plan may not be carried out:", quoted(found.why)]
    return [*said, "End this turn with your plan. Its form:"]


def _questions(found: Understanding) -> Sequence[str]:
    total = len(found.asked)
    asked = [
        f"{at}/{total} {each.category or f'point {each.point}'}\n{quoted(each.question)}"
        for at, each in enumerate(found.asked, 1)
    ]
    head = "[CHALLENGE] Defend your analysis" if found.asked[0].category else "The lead asks"
    return [
        f"{head}. You are not verified before each of these is answered:",
        *asked,
        "End this turn with your answers. Their form:",
    ]


def _approved(found: Understanding) -> str:
    if found.terms.plans:
        return "[APPROVED] Your plan may be carried out."
    return "[IMPACT_VERIFIED] Your analysis holds."
