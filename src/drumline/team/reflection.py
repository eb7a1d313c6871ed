"""What a member says of its work when it ends: one form, checked strictly, with its JSON Schema.

A reflection is an agent's text: every field has a size, none may carry what cannot be kept or shown,
and a bad one is told all its faults at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from drumline.errors import BadInput
from drumline.team.answer_form import (
    a_name,
    for_runtimes,
    one_of,
    outlined,
    read_answer,
    wanted,
    words,
)
from drumline.team.document import Node, Problem
from drumline.team.fields import Many, Record, Schema, line, switch
from drumline.team.quoting import quoted
from drumline.team.secrets import redact_within
from drumline.team.text import PATTERN_CAP

SUMMARY_CAP = 2_000
REMARK_CAP = 4_000
LEARNINGS_CAP = 20
USED_CAP = 100
LATER = frozenset({"used_learnings"})
ID_CAP = 20


class Status(StrEnum):
    """How the task stands, in the member's own judgement."""

    COMPLETED = "completed"
    PARTIAL = "partial"
    BLOCKED = "blocked"
    FAILED = "failed"


class Confidence(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Category(StrEnum):
    """What a learning is about."""

    CODEBASE_PATTERN = "codebase-pattern"
    GOTCHA = "gotcha"
    PREFERENCE = "preference"
    CROSS_AGENT = "cross-agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestedLearning:
    """Something worth knowing next time; `for_agent` is set when it is another member's to know."""

    category: Category
    content: str
    for_agent: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflection:
    """A member's account of one piece of work."""

    status: Status
    summary: str
    files_changed: tuple[str, ...] = ()
    what_worked: str = ""
    what_didnt: str = ""
    confidence: Confidence = Confidence.MEDIUM
    learnings: tuple[SuggestedLearning, ...] = ()
    blocked_by: str = ""
    suggested_next: str = ""
    needs_human: bool = False
    used: tuple[str, ...] = ()


TASK_RESULT = Record(
    (
        wanted("status", one_of(Status), "How the task stands now."),
        wanted("summary", words(SUMMARY_CAP), "What was done, in one to three sentences."),
        wanted(
            "files_changed",
            Many(line("a path relative to the repository", PATTERN_CAP), "paths"),
            "Every file made, changed or deleted.",
        ),
    )
)
LOOKING_BACK = Record(
    (
        wanted("what_worked", words(REMARK_CAP, empty=True), "What went well."),
        wanted("what_didnt", words(REMARK_CAP, empty=True), "What went badly or was left poor."),
        wanted("confidence", one_of(Confidence), "How sure you are of the work."),
    )
)
LEARNING = Record(
    (
        wanted("category", one_of(Category), "What it is about."),
        wanted("content", line(cap=PATTERN_CAP), "The learning, in one line."),
        wanted("for_agent", a_name(), "Who should know it, when cross-agent.", required=False),
    )
)
FOLLOW_UP = Record(
    (
        wanted("blocked_by", words(SUMMARY_CAP), "What stands in the way.", required=False),
        wanted("suggested_next", words(SUMMARY_CAP), "What to do next.", required=False),
        wanted("needs_human", switch(), "Whether a person must answer before work goes on."),
    )
)
REFLECTION = Record(
    (
        wanted("task_result", TASK_RESULT, "What became of the task."),
        wanted("reflection", LOOKING_BACK, "An honest look back."),
        wanted(
            "suggested_learnings",
            Many(LEARNING, "learnings", most=LEARNINGS_CAP),
            "What you or another member should know next time.",
        ),
        wanted("follow_up", FOLLOW_UP, "What comes after."),
        wanted(
            "used_learnings",
            Many(line("the id of a learning", ID_CAP), "ids", most=USED_CAP),
            "Of what you had learnt before, the ids of what helped.",
            required=False,
        ),
    )
)


def read(given: str | Mapping[str, Any]) -> Reflection:
    """The reflection without any secret that it tells, or a refusal that lists every problem of it.

    Paths stay as they were said: they are held against the work.
    """
    said = read_answer(REFLECTION, given, "the reflection", also=_lost_learnings)
    told = redact_within(said)
    told["task_result"]["files_changed"] = said["task_result"]["files_changed"]
    return _reflection(told)


def schema(*, strict: bool = False) -> Schema:
    """The form as JSON Schema; `strict` is for runtimes that want every field present.

    Such runtimes take no patterns and sizes either: those are checked when it is read. What the form gained
    later may be missing still: programs that were written before know nothing of it.
    """
    if not strict:
        return REFLECTION.schema()
    found: Schema = for_runtimes(REFLECTION.schema(), all_present=True)
    return {**found, "required": [name for name in found["required"] if name not in LATER]}


def correction(refused: BadInput) -> str:
    """What a member is told, once, when its reflection could not be read; faults are quoted."""
    return f"{refused.what}:\n{quoted(refused.why)}\nNext: {refused.next}."


def outline() -> list[str]:
    """The form in words, one field a line, for a prompt."""
    return outlined(REFLECTION)


def facts(reflection: Reflection) -> dict[str, Any]:
    """The reflection in the form it is read from."""
    return {
        "task_result": {
            "status": reflection.status.value,
            "summary": reflection.summary,
            "files_changed": list(reflection.files_changed),
        },
        "reflection": {
            "what_worked": reflection.what_worked,
            "what_didnt": reflection.what_didnt,
            "confidence": reflection.confidence.value,
        },
        "suggested_learnings": [
            {
                "category": each.category.value,
                "content": each.content,
                "for_agent": each.for_agent or None,
            }
            for each in reflection.learnings
        ],
        "follow_up": {
            "blocked_by": reflection.blocked_by or None,
            "suggested_next": reflection.suggested_next or None,
            "needs_human": reflection.needs_human,
        },
        "used_learnings": list(reflection.used),
    }


def _lost_learnings(root: Node) -> list[Problem]:
    """A learning for another member must say for whom."""
    learnings = root.fields().get("suggested_learnings")
    return [
        Problem(
            each.line, f"suggested_learnings[{index}].for_agent", "nothing", "the member it is for"
        )
        for index, each in enumerate(learnings.items() if learnings else ())
        if _said(each, "category") == Category.CROSS_AGENT and _said(each, "for_agent") is None
    ]


def _said(node: Node, name: str) -> object:
    field = node.fields().get(name)
    return field.value if field is not None else None


def _reflection(values: dict[str, Any]) -> Reflection:
    result, back, after = values["task_result"], values["reflection"], values["follow_up"]
    learnings = tuple(SuggestedLearning(**each) for each in values["suggested_learnings"])
    used = tuple(values.get("used_learnings") or ())
    return Reflection(**result, **back, **after, learnings=learnings, used=used)


def in_short(said: Mapping[str, Any]) -> str:
    """A kept account for whoever judges the work: how it went, in a line for each thing it says."""
    parts = [said.get(name) for name in ("task_result", "reflection")]
    found = {
        name: value for part in parts if isinstance(part, dict) for name, value in part.items()
    }
    return "\n".join(
        f"{name}: {', '.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in found.items()
        if value
    )
