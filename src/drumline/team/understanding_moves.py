"""What a run does about members that show what they understood: it has the lead judge, and tells them."""

from collections.abc import Mapping, Sequence
from typing import Any

from drumline.team import understanding, verdict_understanding
from drumline.team.asking_moves import ABORT, AGAIN, DROP, choice, lead_says, person_says
from drumline.team.challenge import fitted
from drumline.team.judgement import Judgement, JudgementKind
from drumline.team.ladder import RESPAWNS
from drumline.team.moves import Anew, AskPerson, Drop, Move, Seen, Weigh
from drumline.team.run import RunTask
from drumline.team.task import TaskState
from drumline.team.text import one_line
from drumline.team.understanding import OF_THE_LEAD, Stage, Understanding

NOTE = 2_000  # characters of what the next life is told
KINDS: Mapping[Stage, JudgementKind] = {
    Stage.SUBMITTED: JudgementKind.VERIFY,
    Stage.ANSWERED: JudgementKind.VERIFY,
    Stage.REVIEWED: JudgementKind.CHALLENGE,
    Stage.DEFENDED: JudgementKind.DEFENCE,
    Stage.PLANNED: JudgementKind.APPROVE,
}
ONCE_MORE = "answered"  # an analysis that is verified again, with what the member said


def understanding_moves(seen: Seen, own: Sequence[RunTask]) -> list[Move]:
    """What is due about everyone who holds one of these tasks and waits for a word."""
    held = {each.task.id: each for each in own if each.task.state is TaskState.IN_PROGRESS}
    moves: list[Move] = []
    for found in seen.understandings:
        each = held.get(found.whose.task)
        if each is not None and _holds(each, found):
            moves += _due(seen, each, found)
    return moves


def _holds(each: RunTask, found: Understanding) -> bool:
    """Whether it is about the life that holds the task now."""
    task, whose = each.task, found.whose
    return (task.owner, task.incarnation) == (whose.member, whose.incarnation)


def _due(seen: Seen, each: RunTask, found: Understanding) -> list[Move]:
    if found.stage is Stage.EXHAUSTED:
        return _anew(seen, each, found)
    if found.stage not in OF_THE_LEAD:
        return []
    kind, attempt = KINDS[found.stage], found.attempt
    if kind is JudgementKind.APPROVE:
        attempt = found.plan_attempt
    said = lead_says(seen, kind, subject(found), attempt)
    if not isinstance(said, Judgement):
        return said
    return [Weigh(found, weighed(seen, found, said.answer or {}), said.by)]


def subject(found: Understanding) -> str:
    """What the lead is asked about: whose word, on which task, and whether for the second time."""
    name = found.whose.name
    return f"{name}/{ONCE_MORE}" if found.stage is Stage.ANSWERED else name


def about(seen: Seen, subject_: str) -> Understanding:
    """Whose understanding a judgement is about."""
    name = subject_.removesuffix(f"/{ONCE_MORE}")
    return next(each for each in seen.understandings if each.whose.name == name)


def weighed(seen: Seen, found: Understanding, answer: Mapping[str, Any]) -> Understanding:
    """How far a member is after the lead's word."""
    challenge = seen.run.pipeline.phase(found.phase).challenge
    if found.stage in {Stage.SUBMITTED, Stage.ANSWERED}:
        points, rebriefing = verdict_understanding.verified(answer)
        return understanding.reviewed(found, points, challenge, rebriefing)
    if found.stage is Stage.REVIEWED:
        asked = fitted(verdict_understanding.questions(answer), challenge)
        return understanding.challenged(found, asked)
    if found.stage is Stage.DEFENDED:
        answers, rebriefing = verdict_understanding.defence(answer)
        return understanding.defended(found, answers, rebriefing)
    said = verdict_understanding.of_plan(answer)
    if said.approved:
        return understanding.approved(found)
    why = "\n".join(filter(None, (said.reason, said.guidance)))
    return understanding.plan_rejected(found, why or "the plan was rejected")


def _anew(seen: Seen, each: RunTask, found: Understanding) -> list[Move]:
    """Another life, told what this one did not understand; after several, a person says how to go on."""
    whose = found.whose
    spent = [
        other
        for other in seen.understandings
        if other.whose.task == whose.task and other.stage is Stage.EXHAUSTED
    ]
    note = one_line("Not understood before: " + " ".join(found.rejections), NOTE)
    again = Anew(whose.member, f"{whose.name} has no attempt left", whose.task, note)
    if len(spent) <= RESPAWNS:
        return [again]
    occasion = f"understanding/{whose.task}/{len(spent)}"
    said = choice(seen, occasion)
    if said == AGAIN:
        return [again]
    if said == DROP:
        return [Drop(each)]
    what = (
        f"{len(spent)} members one after the other did not show that they understand {whose.task}"
        f" {each.task.title}. What now?\n{note}"
    )
    return person_says(seen, AskPerson(occasion, what, (AGAIN, DROP, ABORT), DROP))
