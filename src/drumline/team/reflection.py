"""What a member says of its work when it ends: one form, checked strictly, with its JSON Schema.

A reflection is an agent's text: every field has a size, none may carry what cannot be kept or shown,
and a bad one is told all its faults at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from drumline.errors import BadInput
from drumline.team.document import Node, Problem, Reading
from drumline.team.fields import Field, Kind, Many, NotTaken, Record, Schema, Value, line, switch
from drumline.team.json_tree import parsed, tree
from drumline.team.quoting import quoted
from drumline.team.text import PATTERN_CAP, checked, is_name

REFLECTION_CAP = 100_000
SUMMARY_CAP = 2_000
REMARK_CAP = 4_000
LEARNINGS_CAP = 20
SHOWN = 20


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


@dataclass(frozen=True, slots=True)
class OrNull:
    """A kind whose value may also be null, which says nothing."""

    kind: Kind

    @property
    def allowed(self) -> str:
        return f"{self.kind.allowed}, or null"

    def read(self, node: Node, at: str, problems: list[Problem]) -> object:
        return "" if node.value is None else self.kind.read(node, at, problems)

    def schema(self) -> Schema:
        found = self.kind.schema()
        return {**found, "type": [found["type"], "null"]}


def _words(cap: int, *, empty: bool = False) -> Value:
    """Text of several lines."""

    def take(value: object) -> str:
        if not isinstance(value, str):
            raise NotTaken
        try:
            return checked(value, "text", cap=cap, empty=empty)
        except BadInput as error:
            raise NotTaken from error

    least = 0 if empty else 1
    allowed = f"text of {least} to {cap:,} characters, without control characters"
    return Value(allowed, take, {"type": "string", "minLength": least, "maxLength": cap})


def _one_of(words: type[StrEnum]) -> Value:
    options = [word.value for word in words]

    def take(value: object) -> StrEnum:
        if not isinstance(value, str) or value not in options:
            raise NotTaken
        return words(value)

    return Value(" | ".join(options), take, {"type": "string", "enum": options})


def _name() -> Value:
    def take(value: object) -> str:
        if not isinstance(value, str) or not is_name(value):
            raise NotTaken
        return value

    return Value("a member's name", take, {"type": "string", "maxLength": 64})


def _field(name: str, kind: Kind, says: str, *, required: bool = True) -> Field:
    return Field(name=name, kind=kind if required else OrNull(kind), says=says, required=required)


TASK_RESULT = Record(
    (
        _field("status", _one_of(Status), "How the task stands now."),
        _field("summary", _words(SUMMARY_CAP), "What was done, in one to three sentences."),
        _field(
            "files_changed",
            Many(line("a path relative to the repository", PATTERN_CAP), "paths"),
            "Every file made, changed or deleted.",
        ),
    )
)
LOOKING_BACK = Record(
    (
        _field("what_worked", _words(REMARK_CAP, empty=True), "What went well."),
        _field("what_didnt", _words(REMARK_CAP, empty=True), "What went badly or was left poor."),
        _field("confidence", _one_of(Confidence), "How sure you are of the work."),
    )
)
LEARNING = Record(
    (
        _field("category", _one_of(Category), "What it is about."),
        _field("content", line(cap=PATTERN_CAP), "The learning, in one line."),
        _field("for_agent", _name(), "Who should know it, when cross-agent.", required=False),
    )
)
FOLLOW_UP = Record(
    (
        _field("blocked_by", _words(SUMMARY_CAP), "What stands in the way.", required=False),
        _field("suggested_next", _words(SUMMARY_CAP), "What to do next.", required=False),
        _field("needs_human", switch(), "Whether a person must answer before work goes on."),
    )
)
REFLECTION = Record(
    (
        _field("task_result", TASK_RESULT, "What became of the task."),
        _field("reflection", LOOKING_BACK, "An honest look back."),
        _field(
            "suggested_learnings",
            Many(LEARNING, "learnings", most=LEARNINGS_CAP),
            "What you or another member should know next time.",
        ),
        _field("follow_up", FOLLOW_UP, "What comes after."),
    )
)


def read(given: str | Mapping[str, Any]) -> Reflection:
    """The reflection, or a refusal that lists every problem of it."""
    reading = parsed(given, cap=REFLECTION_CAP) if isinstance(given, str) else Reading(tree(given))
    problems = list(reading.problems)
    values: dict[str, Any] = {}
    if reading.root is not None:
        values = REFLECTION.read(reading.root, "", problems)
        problems += _lost_learnings(reading.root)
    if problems:
        raise _refusal(problems)
    return _reflection(values)


def schema(*, strict: bool = False) -> Schema:
    """The form as JSON Schema; `strict` is for runtimes that want every field present.

    Such runtimes take no patterns and sizes either: those are checked when it is read.
    """
    return _present(REFLECTION.schema()) if strict else REFLECTION.schema()


def correction(refused: BadInput) -> str:
    """What a member is told, once, when its reflection could not be read; faults are quoted."""
    return f"{refused.what}:\n{quoted(refused.why)}\nNext: {refused.next}."


def outline() -> list[str]:
    """The form in words, one field a line, for a prompt."""
    return list(_outline(REFLECTION, ""))


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


def _refusal(problems: list[Problem]) -> BadInput:
    count = "1 problem" if len(problems) == 1 else f"{len(problems):,} problems"
    more = [f"and {len(problems) - SHOWN:,} more"] if len(problems) > SHOWN else []
    return BadInput(
        f"the reflection has {count}",
        why="\n".join([problem.sentence for problem in problems[:SHOWN]] + more),
        next="mend what is named above and give the whole reflection again",
    )


def _reflection(values: dict[str, Any]) -> Reflection:
    result, back, after = values["task_result"], values["reflection"], values["follow_up"]
    learnings = tuple(SuggestedLearning(**each) for each in values["suggested_learnings"])
    return Reflection(**result, **back, **after, learnings=learnings)


def _present(found: Any) -> Any:
    if isinstance(found, list):
        return [_present(each) for each in found]
    if not isinstance(found, dict):
        return found
    unwanted = {"pattern", "minLength", "maxLength", "maxItems"}
    kept = {name: _present(each) for name, each in found.items() if name not in unwanted}
    return {**kept, "required": list(kept["properties"])} if "properties" in kept else kept


def _outline(record: Record, at: str) -> list[str]:
    lines: list[str] = []
    for field in record.fields:
        name, kind = f"{at}{field.name}", field.kind
        lines.append(f"- `{name}`: {field.says} ({kind.allowed})")
        if isinstance(kind, Many) and isinstance(kind.each, Record):
            name, kind = f"{name}[]", kind.each
        if isinstance(kind, Record):
            lines[-1] = f"- `{name}`: {field.says}"
            lines += _outline(kind, f"{name}.")
    return lines
