"""A handoff: what a member leaves for whoever goes on from its work, told once, as one structured call.

Everything else is made of that call: the index, the summary, and the signals on three channels.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from drumline.errors import BadInput
from drumline.team.document import Node, Problem, Reading, shown
from drumline.team.fields import Field, Many, NotTaken, Record, Schema, Value, choice, joined, line
from drumline.team.ids import TaskId
from drumline.team.signal import Facts, Outcome
from drumline.team.text import BODY_CAP, PATTERN_CAP, checked, is_name

CALL_CAP = 200_000
NARRATIVE_CAP = 20_000
MOST = 100  # of anything: what has more belongs into a file
MOST_FULL = 20
INTERFACE_CAP, SHAPE_CAP = 120, 300
MOST_FACTS = 10
OURS = frozenset({".git", ".drumline"})  # no part of anybody's work
REQUIRED = "required"  # what a task's field `handoff` says where it closes only with one


class Severity(StrEnum):
    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


GRAVE = frozenset({Severity.CRITICAL, Severity.HIGH})  # what may not wait


@dataclass(frozen=True, slots=True, kw_only=True)
class Unresolved:
    """Something left open, and how bad that is."""

    severity: Severity
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """Something to be called: its name, its shape such as `(text) -> Draft`, and the file it is in."""

    name: str
    shape: str
    file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interfaces:
    """What others may build on now, and what they must adapt to; by name and shape where that can be said."""

    gives: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    provides: tuple[Interface, ...] = ()
    uses: tuple[Interface, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoff:
    """What a member says of its work; `full` are the files that go along whole."""

    status: Outcome
    narrative: str
    files: tuple[str, ...]
    decisions: tuple[str, ...]
    unresolved: tuple[Unresolved, ...]
    interfaces: Interfaces = Interfaces()
    findings: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    recommendations: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    signal: Facts = ()


class Origin(NamedTuple):
    """Whose handoff it is, and of what; a task outside every run has no run and no phase."""

    task: TaskId
    member: str
    run: str = ""
    phase: str = ""


class Kept(NamedTuple):
    """A handoff as it was taken: for which claim, and the folder its files are in."""

    origin: Origin
    version: int
    fence: int
    folder: str
    handoff: Handoff
    at: datetime


def path() -> Value:
    """A file below the repository's root, wherever that is."""
    allowed = (
        "a path relative to the repository's root, without .. and not inside .git or .drumline"
    )

    def take(value: object) -> str:
        said = line(cap=PATTERN_CAP).take(value)
        assert isinstance(said, str)  # noqa: S101 - a line is text
        parts = said.split("/")
        if {"", ".", ".."} & set(parts) or OURS & {part.lower() for part in parts}:
            raise NotTaken
        if "\\" in said or said != said.strip():
            raise NotTaken
        return said

    return Value(allowed, take, {"type": "string", "maxLength": PATTERN_CAP})


def name() -> Value:
    def take(value: object) -> str:
        if not isinstance(value, str) or not is_name(value):
            raise NotTaken
        return value

    return Value("a name of a-z 0-9 . _ -", take, {"type": "string"})


@dataclass(frozen=True, slots=True)
class SignalFacts:
    """Facts for the one-line signals, by name; their own form is checked where they are composed."""

    allowed: str = f"a mapping of at most {MOST_FACTS} short facts, such as reqs: 6"

    def read(self, node: Node, at: str, problems: list[Problem]) -> Facts:
        given = node.fields()
        if not isinstance(node.value, Mapping) or len(given) > MOST_FACTS:
            problems.append(Problem(node.line, at, shown(node.value), self.allowed))
            return ()
        found = []
        for key, value in given.items():
            if isinstance(value.value, str | int | float) and not isinstance(value.value, bool):
                found.append((key, str(value.value)))
            else:
                said = shown(value.value)
                problems.append(Problem(value.line, joined(at, key), said, "a word or a number"))
        return tuple(found)

    def schema(self) -> Schema:
        each = {"type": ["string", "number"]}
        return {"type": "object", "additionalProperties": each, "maxProperties": MOST_FACTS}


def words() -> Value:
    """The story, over any number of lines."""

    def take(value: object) -> str:
        if not isinstance(value, str):
            raise NotTaken
        try:
            return checked(value, "text", cap=NARRATIVE_CAP).strip()
        except BadInput as error:
            raise NotTaken from error

    described = {"type": "string", "minLength": 1, "maxLength": NARRATIVE_CAP}
    return Value(f"text, 1 to {NARRATIVE_CAP:,} characters", take, described)


PATHS = Many(path(), "paths", most=MOST)
LINES = Many(line(cap=PATTERN_CAP), "lines of text", most=MOST)
OPEN_ITEM = Record(
    (
        Field(name="severity", kind=choice(*Severity), required=True, says="How bad it is."),
        Field(name="what", kind=line(cap=PATTERN_CAP), required=True, says="What is left open."),
    )
)
INTERFACE = Record(
    (
        Field(name="name", kind=line(cap=INTERFACE_CAP), required=True, says="Its name."),
        Field(
            name="shape",
            kind=line(cap=SHAPE_CAP),
            required=True,
            says="What it takes and returns, as code says it: (text) -> Draft.",
        ),
        Field(name="file", kind=path(), says="The file it is in."),
    )
)
SHAPES = Many(INTERFACE, "interfaces, each with name and shape", most=MOST)
INTERFACES = Record(
    (
        Field(name="gives", kind=LINES, says="What others may build on now."),
        Field(name="changes", kind=LINES, says="What others must adapt to."),
        Field(
            name="provides", kind=SHAPES, says="What can be called now; held against the design."
        ),
        Field(name="uses", kind=SHAPES, says="What was built on; held against who provides it."),
    )
)
INDEX_FIELDS = (
    Field(name="status", kind=choice(*Outcome), required=True, says="How it went."),
    Field(name="files", kind=PATHS, required=True, says="The files that were made or changed."),
    Field(name="decisions", kind=LINES, required=True, says="What was decided, and why."),
    Field(
        name="unresolved",
        kind=Many(OPEN_ITEM, "open items, each with severity and what", most=MOST),
        required=True,
        says="What is left open.",
    ),
    Field(name="interfaces", kind=INTERFACES, says="What others build on."),
    Field(
        name="full",
        kind=Many(path(), "paths", most=MOST_FULL),
        says="Files that go along whole: reports, logs, diffs.",
    ),
)
SUMMARY_FIELDS = (
    Field(name="narrative", kind=words(), required=True, says="What was done, and how it went."),
    Field(name="findings", kind=LINES, says="What was found out."),
    Field(name="blockers", kind=LINES, says="What stood, or stands, in the way."),
    Field(name="recommendations", kind=LINES, says="What to do next."),
    Field(name="tools", kind=LINES, says="The tools that were used, and what for."),
    Field(name="signal", kind=SignalFacts(), says="Facts for the one-line signals, such as reqs."),
)
FORM = Record((*INDEX_FIELDS, *SUMMARY_FIELDS))


def schema() -> Schema:
    """The structured call, as agents are told it."""
    return FORM.schema()


def read_handoff(reading: Reading) -> Handoff:
    """The handoff a document holds, or a refusal that lists every problem of it."""
    problems = list(reading.problems)
    values = FORM.read(reading.root, "", problems) if reading.root is not None else {}
    refuse(problems)
    given = {key: value for key, value in values.items() if key not in _NESTED}
    return Handoff(**given, **{key: _NESTED[key](values[key]) for key in _NESTED if key in values})


def refuse(problems: list[Problem]) -> None:
    """Refuse a handoff for all that is wrong with it."""
    if problems:
        number = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        said = [f"line {each.line}: {each.sentence}" for each in problems[:MOST]]
        raise BadInput(
            f"the handoff has {number}",
            why="\n".join(said)[:BODY_CAP],
            next="mend what is named above and hand off again; nothing was kept or sent",
        )


def facts(handoff: Handoff) -> dict[str, Any]:
    """The call again, as it is kept: what was left out is left out."""
    said = {**asdict(handoff), "signal": dict(handoff.signal)}
    said["interfaces"] = {key: _spare(value) for key, value in said["interfaces"].items() if value}
    needed = {field.name for field in FORM.fields if field.required}
    return {key: value for key, value in said.items() if value or key in needed}


def _spare(values: tuple[Any, ...]) -> list[Any]:
    """Interfaces without the files nobody named; lines as they are."""
    return [
        {key: said for key, said in each.items() if said} if isinstance(each, dict) else each
        for each in values
    ]


def _interfaces(values: Mapping[str, Any]) -> Interfaces:
    shapes = {
        key: tuple(Interface(**each) for each in values[key])
        for key in ("provides", "uses")
        if key in values
    }
    return Interfaces(**{**values, **shapes})


def _open_items(values: tuple[Mapping[str, Any], ...]) -> tuple[Unresolved, ...]:
    return tuple(
        Unresolved(severity=Severity(each["severity"]), what=each["what"]) for each in values
    )


_NESTED: Mapping[str, Any] = {
    "status": Outcome,
    "unresolved": _open_items,
    "interfaces": _interfaces,
}
