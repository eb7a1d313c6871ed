"""The forms of the lead's judgements, and what their answers mean."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from drumline.errors import BadInput
from drumline.team.answer_form import for_runtimes, one_of, outlined, read_answer, wanted, words
from drumline.team.consolidation import CONSOLIDATION
from drumline.team.document import Node, Problem
from drumline.team.draft import NewTask
from drumline.team.fields import Many, Record, Schema, line, matching, whole
from drumline.team.judgement import JudgementKind
from drumline.team.observation import numbered
from drumline.team.strategy import ASKS, RESIZES, question_problems
from drumline.team.text import FILES_CAP, PATTERN_CAP
from drumline.team.tier import Tier, tier_for
from drumline.team.verdict_review import REVIEWS
from drumline.team.verdict_understanding import UNDERSTANDING, WHY_CAP, Holds

BODY_CAP = 20_000
TASKS_CAP = 200
COUNT_CAP = 1_000


class Call(StrEnum):
    """What may be said at a gate."""

    APPROVE = "approve"
    ITERATE = "iterate"
    ABORT = "abort"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTask:
    """A task of a plan: `key` names it inside the plan, `after` the keys it waits for."""

    key: str
    title: str
    body: str = ""
    files: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    verify: tuple[str, ...] = ()

    def draft(self, run: str, profile: str) -> NewTask:
        return NewTask(title=self.title, body=self.body, files=self.files, run=run, profile=profile)


@dataclass(frozen=True, slots=True, kw_only=True)
class Classified:
    """How large a change is: the files and modules it touches decide, nobody's opinion."""

    files: int
    modules: int
    domains: int
    why: str
    tasks: tuple[PlannedTask, ...] = ()

    @property
    def tier(self) -> Tier:
        return tier_for(self.files, self.modules)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was said at a gate: point by point, and what follows.

    summary   what a person reads of it
    guidance  what must be otherwise where the phase is done again
    tasks     how to make it so
    settled   the numbers of observations that are dealt with
    """

    call: Call
    points: Mapping[str, tuple[bool, str]]
    summary: str
    guidance: str = ""
    tasks: tuple[PlannedTask, ...] = ()
    settled: tuple[int, ...] = ()


TASK = Record(
    (
        wanted("key", line("a short name, used in `after`", 40), "Names the task in this plan."),
        wanted("title", line(), "The task in one line."),
        wanted("body", words(BODY_CAP, empty=True), "What whoever does it must know."),
        wanted(
            "files",
            Many(line("a path or glob", PATTERN_CAP), "paths", most=FILES_CAP),
            "The files it may change; tasks that run at the same time share none.",
        ),
        wanted("after", Many(line("a key", 40), "keys"), "The tasks it waits for."),
        wanted(
            "verify",
            Many(line("a word", PATTERN_CAP), "words of a command", most=50),
            "A command whose success proves the task; none where nothing can.",
        ),
    )
)
TASKS = Many(TASK, "tasks", most=TASKS_CAP)
COUNT = whole(0, COUNT_CAP)
POINT = Record(
    (
        wanted("point", line("the point's name", 40), "Which point of the checklist."),
        wanted("holds", one_of(Holds), "Whether it holds."),
        wanted("why", words(WHY_CAP, empty=True), "What shows it."),
    )
)
NOTE = Record(
    (
        wanted("note", whole(1, COUNT_CAP * COUNT_CAP), "Its number: 3 for N-3."),
        wanted("why", line("a reason", PATTERN_CAP), "Why nobody needs it any more."),
    )
)
NOTES = Many(NOTE, "notes", most=TASKS_CAP)
FORMS: Mapping[JudgementKind, Record] = {
    **UNDERSTANDING,
    **REVIEWS,
    JudgementKind.CONSOLIDATE: CONSOLIDATION,
    JudgementKind.CLASSIFY: Record(
        (
            wanted("files", COUNT, "How many files the change touches."),
            wanted("modules", COUNT, "How many modules they lie in."),
            wanted("domains", COUNT, "How many fields must be looked into before."),
            wanted("why", words(WHY_CAP), "What shows it."),
            wanted("tasks", TASKS, "What to do, if at most two files of one module change."),
            ASKS,
        )
    ),
    JudgementKind.PLAN: Record(
        (
            wanted("why", words(WHY_CAP), "Why the work is divided like this."),
            wanted("tasks", TASKS, "What to do in this phase."),
            RESIZES,
            ASKS,
        )
    ),
    JudgementKind.JUDGE: Record(
        (
            wanted("verdict", one_of(Call), "What follows."),
            wanted("points", Many(POINT, "points"), "Each point that was left to you."),
            wanted("summary", words(WHY_CAP), "What a person should know of this phase."),
            wanted("guidance", words(WHY_CAP, empty=True), "What must be otherwise next time."),
            wanted("tasks", TASKS, "How to make it so, where you iterate."),
            wanted(
                "settled",
                Many(matching(r"O-[1-9][0-9]{0,2}", "a name such as O-3"), "observations"),
                "Observations that are dealt with by now, by their names; null for none.",
                required=False,
            ),
            RESIZES,
            ASKS,
            wanted("notes", NOTES, "Notes of the team's memory that are over.", required=False),
        )
    ),
}


def schema(kind: JudgementKind) -> Schema:
    """The form of an answer, as runtimes want it."""
    found: Schema = for_runtimes(FORMS[kind].schema())
    return found


def outline(kind: JudgementKind) -> list[str]:
    """The form in words."""
    return outlined(FORMS[kind])


def values(kind: JudgementKind, given: str | Mapping[str, Any]) -> dict[str, Any]:
    """An answer's values as they can be kept, or a refusal that lists every problem of it."""
    return read_answer(FORMS[kind], given, "the answer", also=_problems)


def classified(given: Mapping[str, Any]) -> Classified:
    found = values(JudgementKind.CLASSIFY, given)
    found.pop(ASKS.name, None)
    return Classified(**{**found, "tasks": _tasks(found["tasks"])})


def planned(given: Mapping[str, Any]) -> tuple[PlannedTask, ...]:
    return _tasks(values(JudgementKind.PLAN, given)["tasks"])


def at_gate(given: Mapping[str, Any]) -> Verdict:
    found = values(JudgementKind.JUDGE, given)
    return Verdict(
        call=found["verdict"],
        points={
            each["point"]: (each["holds"] is Holds.YES, each["why"]) for each in found["points"]
        },
        summary=found["summary"],
        guidance=found["guidance"],
        tasks=_tasks(found["tasks"]),
        settled=tuple(numbered(each) for each in found.get("settled") or ()),
    )


def settled_notes(given: Mapping[str, Any]) -> tuple[tuple[int, str], ...]:
    """The notes of the team's memory that the lead said are over, and why."""
    found = values(JudgementKind.JUDGE, given).get("notes") or ()
    return tuple((each["note"], each["why"]) for each in found)


def _tasks(found: tuple[dict[str, Any], ...]) -> tuple[PlannedTask, ...]:
    return tuple(PlannedTask(**each) for each in found)


def _problems(root: Node) -> list[Problem]:
    return _plan_problems(root) + question_problems(root)


def _plan_problems(root: Node) -> list[Problem]:
    """A plan names each task once, lets it wait only for others of it, never in a circle, and can be kept."""
    listed = root.fields().get("tasks")
    tasks = listed.items() if listed is not None else ()
    keys = [_said(each, "key") for each in tasks]
    problems: list[Problem] = []
    for index, each in enumerate(tasks):
        at, key = f"tasks[{index}]", keys[index]
        if keys.index(key) < index:
            problems.append(Problem(each.line, f"{at}.key", repr(key), "a key of its own"))
        waits = each.fields().get("after")
        for other in waits.items() if waits is not None else ():
            if other.value not in keys[:index]:
                said = repr(other.value)[:80]
                allowed = "the key of a task that stands before it"
                problems.append(Problem(other.line, f"{at}.after", said, allowed))
        problems += _unfit(each, at)
    return problems


def _unfit(task: Node, at: str) -> list[Problem]:
    """Why a task could not be put on the board, if it could not."""
    files = task.fields().get("files")
    named = tuple(str(each.value) for each in files.items()) if files is not None else ()
    try:
        NewTask(title="a plan's task", files=named)
    except BadInput as error:
        return [Problem(task.line, f"{at}.files", error.what, error.why or error.next)]
    return []


def _said(node: Node, name: str) -> str:
    field = node.fields().get(name)
    return str(field.value) if field is not None else ""
