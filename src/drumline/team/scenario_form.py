"""The form of a scenario: every field, what it allows, and how each describes itself as JSON Schema."""

import math
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from drumline.errors import BadInput
from drumline.team.constraint import TextOr
from drumline.team.document import Node, Odd, Problem, shown
from drumline.team.fields import (
    Field,
    Keyed,
    Kind,
    Many,
    NotTaken,
    Record,
    Schema,
    Value,
    choice,
    joined,
    line,
    matching,
    nearest,
    number,
    switch,
    whole,
)
from drumline.team.manifest import NAME_RULE
from drumline.team.text import BODY_CAP, NAME_SHAPE, PATTERN_CAP, checked

ANY = "any"
TASK_SHAPE = r"T-[1-9][0-9]{0,17}"
LONGEST_WAIT = 30.0  # seconds
LONGEST_RETRY = 600
MOST_TIMES = 100
MOST_TOKENS = 100_000_000

STATUSES = (400, 401, 403, 404, 413, 429, 500, 503, 529)
KINDS = (
    "refusal",
    "malformed_tool_input",
    "hang",
    "cut_stream",
    "error_in_stream",
    "overloaded_then_ok",
)
ENDS = ("stop", "max_tokens", "refusal")
RESULTS = ("ok", "refused", "failed")
CONTROL = r"\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f"


def text(cap: int = BODY_CAP) -> Value:
    """Words over any number of lines."""

    def take(value: object) -> str:
        if not isinstance(value, str):
            raise NotTaken
        try:
            return checked(value, "text", cap=cap)
        except BadInput as error:
            raise NotTaken from error

    pattern = rf"^(?=[\s\S]*\S)[^{CONTROL}]*$"
    described = {"type": "string", "maxLength": cap, "pattern": pattern}
    return Value(f"text, 1 to {cap:,} characters", take, described)


def regex() -> Value:
    """A regular expression of Python's `re`."""

    def take(value: object) -> str:
        if not isinstance(value, str) or not 0 < len(value) <= PATTERN_CAP:
            raise NotTaken
        try:
            re.compile(value)
        except (re.error, OverflowError, RecursionError) as error:
            raise NotTaken from error
        return value

    limits = {"type": "string", "minLength": 1, "maxLength": PATTERN_CAP, "format": "regex"}
    return Value(f"a regular expression, at most {PATTERN_CAP} characters", take, limits)


def fault_kind() -> Value:
    """A status the server answers with, or a way in which a stream goes wrong."""
    allowed = (*STATUSES, *KINDS)

    def take(value: object) -> str:
        if isinstance(value, bool) or value not in allowed:
            raise NotTaken
        return str(int(value) if isinstance(value, float) else value)

    return Value(" | ".join(map(str, allowed)), take, {"enum": list(allowed)})


def command() -> Value:
    """A command line of ours on one line, split into words as a shell would."""
    written = line("words such as task claim --next", cap=2000)

    def take(value: object) -> tuple[str, ...]:
        try:
            words = shlex.split(str(written.take(value)))
        except ValueError as error:  # NotTaken is one too
            raise NotTaken from error
        if not words:
            raise NotTaken
        return tuple(words)

    return Value(written.allowed, take, written.schema())


@dataclass(frozen=True, slots=True)
class Json:
    """What JSON can say: a mapping at the top, any value inside."""

    allowed: str = "a mapping of JSON values"

    def read(self, node: Node, at: str, problems: list[Problem]) -> Any:
        if isinstance(node.value, Mapping):
            return self._inside(node, at, problems)
        problems.append(Problem(node.line, at, shown(node.value), self.allowed))
        return {}

    def _inside(self, node: Node, at: str, problems: list[Problem]) -> Any:
        if isinstance(node.value, Mapping):
            return {
                name: self._inside(each, joined(at, name), problems)
                for name, each in node.value.items()
            }
        if isinstance(node.value, tuple):
            return [
                self._inside(each, f"{at}[{index}]", problems)
                for index, each in enumerate(node.value)
            ]
        if isinstance(node.value, Odd) or node.value in {math.inf, -math.inf} or _is_nan(node):
            problems.append(Problem(node.line, at, shown(node.value), "a JSON value; quote it"))
        return node.value

    def schema(self) -> Schema:
        return {"type": "object"}


def _is_nan(node: Node) -> bool:
    return isinstance(node.value, float) and math.isnan(node.value)


@dataclass(frozen=True, slots=True)
class OneOrMany:
    """One of a kind, or a list of it."""

    one: Kind
    many: Many

    @property
    def allowed(self) -> str:
        return f"{self.one.allowed}, or {self.many.allowed}"

    def read(self, node: Node, at: str, problems: list[Problem]) -> tuple[object, ...]:
        if isinstance(node.value, tuple):
            return self.many.read(node, at, problems)
        return (self.one.read(node, at, problems),)

    def schema(self) -> Schema:
        return {"anyOf": [self.one.schema(), self.many.schema()]}


@dataclass(frozen=True, slots=True)
class OneAction:
    """A mapping that does one thing: the field that says which decides what else it may say."""

    actions: Mapping[str, Record]

    @property
    def allowed(self) -> str:
        return f"a mapping with one of {', '.join(self.actions)}"

    def read(self, node: Node, at: str, problems: list[Problem]) -> dict[str, Any]:
        done = [name for name in node.fields() if name in self.actions]
        if len(done) == 1:
            return self.actions[done[0]].read(node, at, problems)
        problems.append(Problem(node.line, at, self._found(node, done), self._wanted(node, done)))
        return {}

    def _found(self, node: Node, done: list[str]) -> str:
        if not isinstance(node.value, Mapping):
            return shown(node.value)
        said = ", ".join(done or node.fields()) or "nothing"
        return shown(Odd(f"{said} in one step" if done else said))

    def _wanted(self, node: Node, done: list[str]) -> str:
        names = [name for name in node.fields() if name not in self.actions]
        if done or len(names) != 1:
            return self.allowed
        return f"one of {nearest(names[0], self.actions)}"

    def schema(self) -> Schema:
        return {"oneOf": [record.schema() for record in self.actions.values()]}


def _actions(*fields: Field, beside: Mapping[str, Field]) -> OneAction:
    """Every field an action of its own; some may say a second thing."""

    def record(field: Field) -> Record:
        return Record((field, *([beside[field.name]] if field.name in beside else [])))

    return OneAction({field.name: record(field) for field in fields})


def _needed(name: str, kind: Kind, says: str) -> Field:
    return Field(name=name, kind=kind, says=says, required=True)


def _tokens(name: str, says: str) -> Field:
    return Field(name=name, kind=whole(0, MOST_TOKENS), says=says)


MEMBER = matching(NAME_SHAPE, f"{NAME_RULE}; any is anybody")
VERB = TextOr(command(), Many(text(), "words", least=1, most=100))
EXPECTED = Record(
    (
        Field(name="result", kind=choice(*RESULTS), says="How it must end: ok, refused, failed."),
        Field(name="contains", kind=text(), says="Words the result must have."),
        Field(name="lacks", kind=text(), says="Words the result must not have."),
    )
)
EXPECT = TextOr(choice(*RESULTS), EXPECTED)
EXPECT_FIELD = Field(
    name="expect", kind=EXPECT, says="What must come back; else the rehearsal has failed."
)
TOOL = Record(
    (
        _needed("name", line(cap=200), "The tool: Bash, Write, Edit, Read, mcp__server__tool, …"),
        Field(name="input", kind=Json(), says="What it is given."),
        EXPECT_FIELD,
    )
)
USAGE = Record(
    (
        _tokens("input", "Tokens read, those from the cache not counted."),
        _tokens("output", "Tokens written."),
        _tokens("cache_read", "Tokens read from the cache."),
        _tokens("cache_write", "Tokens written to the cache."),
    )
)
FAULT = Record(
    (
        _needed("kind", fault_kind(), "A status, or what goes wrong with the answer."),
        Field(
            name="times",
            kind=whole(1, MOST_TIMES),
            says="How many requests are answered so before the scenario goes on; left out: every "
            "one of this turn, but once for malformed_tool_input and overloaded_then_ok.",
        ),
        Field(
            name="retry_after",
            kind=whole(0, LONGEST_RETRY),
            says="Seconds the answer asks the caller to wait.",
        ),
    )
)
STEP = _actions(
    _needed("say", text(), "What the member says."),
    _needed("think", text(), "What it thinks before."),
    _needed(
        "tool", OneOrMany(TOOL, Many(TOOL, "tools", least=1, most=50)), "Tools called at once."
    ),
    _needed("verb", VERB, "A drumline command, as one line or as a list of words."),
    _needed("structured", Json(), "The answer to a question with a schema."),
    _needed("usage", USAGE, "What the response this step belongs to costs."),
    _needed(
        "wait",
        number("seconds above 0, at most 30", above=0, most=LONGEST_WAIT),
        "Seconds before the next response.",
    ),
    _needed("fault", FAULT, "What goes wrong with the next response."),
    _needed(
        "end", choice(*ENDS), "How the response ends; only max_tokens may be followed by more."
    ),
    beside={"tool": EXPECT_FIELD, "verb": EXPECT_FIELD},
)
WHEN = Record(
    (
        Field(name="contains", kind=text(), says="Words the prompt must have."),
        Field(name="matches", kind=regex(), says="What must be found in the prompt."),
        Field(
            name="task",
            kind=matching(TASK_SHAPE, "a task such as T-12"),
            says="The task the prompt is about.",
        ),
        Field(name="turn", kind=whole(1, 10_000), says="Only as the n-th turn of a conversation."),
        Field(
            name="subagent",
            kind=switch(),
            default=False,
            says="Whether it answers a subagent of the member instead of the member itself.",
        ),
    )
)
TURN = Record(
    (
        Field(
            name="when", kind=TextOr(text(), WHEN), says="What it answers; without it, anything."
        ),
        Field(name="again", kind=switch(), default=False, says="Whether it may be played twice."),
        _needed("steps", Many(STEP, "steps", least=1), "What the member does, in order."),
    )
)
SCENARIO = Record(
    (
        _needed("scenario", matching(NAME_SHAPE, NAME_RULE), "The scenario's name."),
        Field(name="description", kind=line(cap=600), says="What it shows, in one line."),
        Field(name="prompt", kind=text(), says="What a rehearsal says to the CLI."),
        Field(name="schema", kind=Json(), says="JSON Schema of the answer the CLI is asked for."),
        Field(
            name="before",
            kind=Many(VERB, "drumline commands", most=100),
            says="What the operator runs first in the rehearsal's own repository.",
        ),
        _needed(
            "members",
            Keyed(MEMBER, Many(TURN, "turns", least=1), "members to their turns", least=1),
            "Who does what; turns of any are for everybody whose own turns do not answer.",
        ),
    )
)
