"""Understanding before work: how far one life of a member has shown that it understands its task.

Analysis, verification, challenge, plan, approval: each step follows from the one before, and nothing
else leads to work. A change is a new value; what does not follow is refused.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from drumline.errors import Conflict
from drumline.team import impact
from drumline.team.challenge import Asked, number
from drumline.team.ids import TaskId
from drumline.team.pipeline import Challenge, Phase
from drumline.team.presets import preset
from drumline.team.tier import Tier

EXEMPT, APPROVED, UNVERIFIED = "exempt", "approved", "unverified"  # as the guard knows them
STRICTEST = 1  # the level of a profile that no constitution ships
MOST_UNASKED = 2  # points that may fail without the analysis being rejected
COMPULSORY = frozenset({5, 6, 7})  # interfaces, effect on others, what follows downstream


class Stage(StrEnum):
    UNVERIFIED = "unverified"  # the member's analysis is awaited
    SUBMITTED = "submitted"  # the lead's verdict on it
    QUESTIONED = "questioned"  # the member's answers
    ANSWERED = "answered"  # the lead's verdict on both
    REVIEWED = "reviewed"  # the lead's challenge: every point holds
    CHALLENGED = "challenged"  # the member's defence
    DEFENDED = "defended"  # the lead's verdict on it
    VERIFIED = "verified"  # the member's plan, where one is needed
    PLANNED = "planned"  # the lead's verdict on the plan
    APPROVED = "approved"
    EXHAUSTED = "exhausted"  # no attempt is left


OF_THE_MEMBER = frozenset({Stage.UNVERIFIED, Stage.QUESTIONED, Stage.CHALLENGED, Stage.VERIFIED})
OF_THE_LEAD = frozenset(
    {Stage.SUBMITTED, Stage.ANSWERED, Stage.REVIEWED, Stage.DEFENDED, Stage.PLANNED}
)


class Terms(NamedTuple):
    """What is demanded of a member: the level of its profile, and whether a plan is."""

    level: int
    plans: bool

    @property
    def limit(self) -> int:
        return impact.ATTEMPTS[self.level]


class Whose(NamedTuple):
    """Whose understanding it is, and of what."""

    run: str
    task: TaskId
    member: str
    incarnation: int

    @property
    def name(self) -> str:
        return f"{self.task}/{self.member}/{self.incarnation}"


class Understanding(NamedTuple):
    """How far it is.

    attempt     the analysis it is at, or had last; plan_attempt the same of its plan
    asked       what the lead wants to know, and what the member said
    why         what the last rejection said, for the next attempt
    rejections  what every rejection said, for whoever comes after
    left        what was uncommitted before this life began: not its doing
    """

    whose: Whose
    phase: str
    terms: Terms
    stage: Stage = Stage.UNVERIFIED
    attempt: int = 1
    plan_attempt: int = 1
    analysis: Mapping[str, Any] | None = None
    asked: tuple[Asked, ...] = ()
    plan: Mapping[str, Any] | None = None
    why: str = ""
    rejections: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    @property
    def may_work(self) -> bool:
        """Whether the member may change anything."""
        if self.stage is Stage.VERIFIED:
            return not self.terms.plans
        return self.stage is Stage.APPROVED

    @property
    def with_member(self) -> bool:
        """Whether the next word is the member's."""
        return self.stage in OF_THE_MEMBER and not self.may_work

    @property
    def standing(self) -> str:
        """What the guard is told."""
        return APPROVED if self.may_work else UNVERIFIED


def terms(constitution: str, profile: str, phase: Phase, tier: Tier | None) -> Terms | None:
    """What is demanded of a member of this profile in this phase; nothing of whoever is exempt."""
    if not phase.verified or tier is Tier.TRIVIAL:
        return None
    shipped = preset(constitution, profile)
    if shipped is None:
        return Terms(STRICTEST, plans=True)
    if shipped.level == 0:
        return None
    return Terms(shipped.level, plans=shipped.level == STRICTEST and shipped.edits)


def submitted(
    found: Understanding, analysis: Mapping[str, Any], faults: Sequence[str] = ()
) -> Understanding:
    """An analysis was given; one that a machine finds fault with is rejected at once."""
    _require(found, Stage.UNVERIFIED)
    given = found._replace(analysis=analysis, asked=())
    return rejected(given, "\n".join(faults)) if faults else given._replace(stage=Stage.SUBMITTED)


class PointSaid(NamedTuple):
    """What the lead said of one review point; `question` is what it would still like to know."""

    holds: bool
    why: str = ""
    question: str = ""


def reviewed(
    found: Understanding, said: Mapping[int, PointSaid], challenge: Challenge, rebriefing: str = ""
) -> Understanding:
    """The lead judged each point: verified, challenged, asked or rejected, by how many do not hold.

    What was asked once and still does not hold is rejected.
    """
    _require(found, Stage.SUBMITTED, Stage.ANSWERED)
    unmet = {
        point: said.get(point, PointSaid(holds=False, why="nothing was said of it"))
        for point in impact.POINTS_OF_LEVEL[found.terms.level]
        if point not in said or not said[point].holds
    }
    again = found.stage is Stage.ANSWERED
    if len(unmet) > MOST_UNASKED or (unmet and again):
        return rejected(found, _told(unmet, rebriefing))
    questions = tuple(
        Asked(each.question or f"{impact.POINTS[point]} {each.why}".strip(), point=point)
        for point, each in unmet.items()
        if each.question or point in COMPULSORY
    )
    if questions:
        return found._replace(stage=Stage.QUESTIONED, asked=questions)
    if number(challenge):
        return found._replace(stage=Stage.REVIEWED)
    return _verified(found)


def _told(unmet: Mapping[int, PointSaid], rebriefing: str) -> str:
    lines = [
        f"{point}. {impact.POINTS[point]} {each.why}".rstrip() for point, each in unmet.items()
    ]
    return "\n".join(["These points do not hold:", *lines, *filter(None, [rebriefing])])


def challenged(found: Understanding, questions: tuple[Asked, ...]) -> Understanding:
    """The lead tries an analysis that holds; nobody is verified before it answered."""
    _require(found, Stage.REVIEWED)
    return (
        found._replace(stage=Stage.CHALLENGED, asked=questions) if questions else _verified(found)
    )


def answered(found: Understanding, answers: Sequence[str]) -> Understanding:
    """The member answered everything it was asked."""
    _require(found, Stage.QUESTIONED, Stage.CHALLENGED)
    if len(answers) != len(found.asked) or not all(each.strip() for each in answers):
        raise Conflict(
            f"{len(found.asked)} questions were asked, {len(answers)} answers given",
            why="each wants an answer, in the order they were asked",
            next="answer all of them at once",
        )
    said = tuple(
        each._replace(answer=words) for each, words in zip(found.asked, answers, strict=True)
    )
    after = Stage.ANSWERED if found.stage is Stage.QUESTIONED else Stage.DEFENDED
    return found._replace(stage=after, asked=said)


def defended(
    found: Understanding, said: Mapping[int, tuple[bool, str]], rebriefing: str = ""
) -> Understanding:
    """The lead judged the answers; one that does not hold is a rejection, and uses an attempt."""
    _require(found, Stage.DEFENDED)
    lost = [
        f"{at}. {each.question} {said.get(at, (False, ''))[1]}".rstrip()
        for at, each in enumerate(found.asked, 1)
        if not said.get(at, (False, ""))[0]
    ]
    if not lost:
        return _verified(found)
    words = ["These answers do not hold:", *lost, *filter(None, [rebriefing])]
    return rejected(found, "\n".join(words))


def planned(found: Understanding, plan: Mapping[str, Any]) -> Understanding:
    """A plan was given; only whoever is verified may have one."""
    _require(found, Stage.VERIFIED)
    return found._replace(stage=Stage.PLANNED, plan=plan)


def approved(found: Understanding) -> Understanding:
    """The plan may be carried out."""
    _require(found, Stage.PLANNED)
    return found._replace(stage=Stage.APPROVED, why="")


def plan_rejected(found: Understanding, why: str) -> Understanding:
    """The plan may not be carried out, or cannot be read: another is wanted, while there are attempts."""
    _require(found, Stage.PLANNED, Stage.VERIFIED)
    told = found._replace(why=why, rejections=(*found.rejections, why))
    if found.plan_attempt >= found.terms.limit:
        return told._replace(stage=Stage.EXHAUSTED)
    return told._replace(stage=Stage.VERIFIED, plan_attempt=found.plan_attempt + 1)


def rejected(found: Understanding, why: str) -> Understanding:
    """The analysis does not hold: another is wanted, while there are attempts."""
    told = found._replace(why=why, asked=(), rejections=(*found.rejections, why))
    if found.attempt >= found.terms.limit:
        return told._replace(stage=Stage.EXHAUSTED)
    return told._replace(stage=Stage.UNVERIFIED, attempt=found.attempt + 1)


def _verified(found: Understanding) -> Understanding:
    return found._replace(stage=Stage.VERIFIED, asked=(), why="")


def _require(found: Understanding, *stages: Stage) -> None:
    if found.stage not in stages:
        raise Conflict(
            f"{found.whose.name} is {found.stage}: that does not follow",
            why=f"it is for one that is {' or '.join(stages)}",
            next=f"drumline protocol show {found.whose.task}",
        )
