"""A scenario: what members do, turn by turn, without a model.

A scripted member plays it in our own process; the rehearsal server plays it to a real agent CLI in the
model's place. Both read the same nouns.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from drumline.errors import BadInput
from drumline.team.document import Node, Problem, Reading
from drumline.team.fields import Schema
from drumline.team.scenario_form import ANY, SCENARIO

LAST_WORDS = ("stop", "refusal")
ONCE = ("malformed_tool_input", "overloaded_then_ok")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expect:
    """What must come back from a tool; what is empty may be anything."""

    result: str = ""
    contains: str = ""
    lacks: str = ""


ANYTHING = Expect()


@dataclass(frozen=True, slots=True)
class Say:
    """Words to whoever reads the conversation."""

    text: str


@dataclass(frozen=True, slots=True)
class Think:
    """Words before the words."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool, what it is given, and what must come back."""

    name: str
    input: Mapping[str, Any] = field(default_factory=dict)
    expect: Expect = ANYTHING


@dataclass(frozen=True, slots=True)
class Tools:
    """Tools called at once."""

    calls: tuple[ToolCall, ...]


@dataclass(frozen=True, slots=True)
class Verb:
    """A drumline command, without the word drumline."""

    words: tuple[str, ...]
    expect: Expect = ANYTHING


@dataclass(frozen=True, slots=True)
class Structured:
    """An answer to a question that has a schema."""

    answer: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens one response costs."""

    input: int = 100
    output: int = 20
    cache_read: int = 0
    cache_write: int = 0


@dataclass(frozen=True, slots=True)
class Wait:
    """Seconds before the next response."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong with the next response; no `times` means for the rest of the turn."""

    kind: str
    times: int | None = None
    retry_after: int | None = None

    @property
    def status(self) -> int:
        """The HTTP status it stands for; 200 where only the answer's content is wrong."""
        if self.kind == "overloaded_then_ok":
            return 529
        return int(self.kind) if self.kind.isdecimal() else 200


@dataclass(frozen=True, slots=True)
class End:
    """How a response ends: stop, max_tokens or refusal."""

    reason: str


Step = Say | Think | Tools | Verb | Structured | Usage | Wait | Fault | End


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """What a turn answers; what is empty may be anything."""

    contains: str = ""
    matches: str = ""
    task: str = ""
    turn: int = 0
    subagent: bool = False

    def holds(self, prompt: "Prompt") -> bool:
        return (
            self.subagent == prompt.subagent
            and self.contains in prompt.text
            and self.task in {"", prompt.task}
            and self.turn in {0, prompt.turn}
            and (not self.matches or re.search(self.matches, prompt.text) is not None)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What begins a turn: its words, the task it is about, and which turn of its conversation it is."""

    text: str
    task: str = ""
    turn: int = 1
    subagent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a member does from one prompt to its end."""

    steps: tuple[Step, ...]
    when: When = field(default_factory=When)
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """Who does what, turn by turn."""

    name: str
    members: Mapping[str, tuple[Turn, ...]]
    description: str = ""
    prompt: str = ""
    schema: Mapping[str, Any] | None = None
    before: tuple[tuple[str, ...], ...] = ()

    def turns(self, member: str) -> tuple[Turn, ...]:
        """The member's own turns, and behind them those anybody may play."""
        own = self.members.get(member, ()) if member != ANY else ()
        return (*own, *self.members.get(ANY, ()))

    def first(self) -> str:
        """The member a rehearsal of one plays: the first that is named."""
        return next(iter(self.members))


def chosen(turns: tuple[Turn, ...], played: frozenset[int], prompt: Prompt) -> int | None:
    """The first turn that answers a prompt and is still to be played; None where there is none."""
    for index, turn in enumerate(turns):
        if (turn.again or index not in played) and turn.when.holds(prompt):
            return index
    return None


def read_scenario(reading: Reading) -> tuple[Scenario | None, tuple[Problem, ...]]:
    """The scenario, or every problem of it in the order of its lines."""
    problems = list(reading.problems)
    if reading.root is None:
        return None, tuple(problems)
    values = SCENARIO.read(reading.root, "", problems)
    problems += _never_played(reading.root)
    if problems:
        return None, tuple(sorted(problems, key=lambda problem: problem.line))
    return _scenario(values), ()


def accepted(reading: Reading, file: str) -> Scenario:
    """The scenario, or a refusal that lists every problem of it."""
    scenario, problems = read_scenario(reading)
    if scenario is None:
        raise BadInput(
            f"{file} has {len(problems)} problem{'s' if len(problems) > 1 else ''}",
            why="\n".join(problem.at(file) for problem in problems),
            next="mend the lines named above; docs/reference/scenarios.md has the form",
        )
    return scenario


def schema() -> Schema:
    """The scenario's JSON Schema, for editors."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Drumline scenario",
        **SCENARIO.schema(),
    }


def _never_played(root: Node) -> Iterator[Problem]:
    """Steps behind the one that ends their turn."""
    members = root.fields().get("members")
    for member, turns in (members.fields() if members else {}).items():
        for index, turn in enumerate(turns.items()):
            steps = turn.fields().get("steps")
            yield from _after_the_end(steps, f"members.{member}[{index}].steps")


def _after_the_end(steps: Node | None, at: str) -> Iterator[Problem]:
    ended = ""
    for index, step in enumerate(steps.items() if steps else ()):
        if ended:
            found = f"a step after end: {ended}, which nothing would play"
            yield Problem(step.line, f"{at}[{index}]", found, "end as the last step")
            return
        end = step.fields().get("end")
        ended = str(end.value) if end is not None and end.value in LAST_WORDS else ""


def _scenario(values: dict[str, Any]) -> Scenario:
    members = {name: tuple(map(_turn, turns)) for name, turns in values["members"].items()}
    return Scenario(
        name=values["scenario"],
        members=members,
        description=values.get("description", ""),
        prompt=values.get("prompt", ""),
        schema=values.get("schema"),
        before=values.get("before", ()),
    )


def _turn(values: dict[str, Any]) -> Turn:
    return Turn(
        steps=tuple(map(_step, values["steps"])),
        when=_when(values.get("when", {})),
        again=values.get("again", False),
    )


def _when(value: str | dict[str, Any]) -> When:
    return When(contains=value) if isinstance(value, str) else When(**value)


def _expect(value: str | dict[str, str] | None) -> Expect:
    if value is None:
        return ANYTHING
    return Expect(result=value) if isinstance(value, str) else Expect(**value)


def _step(values: dict[str, Any]) -> Step:
    expect = values.pop("expect", None)
    (action, value) = next(iter(values.items()))
    if action == "tool":
        return Tools(tuple(_call(call, expect) for call in value))
    if action == "verb":
        return Verb(value, _expect(expect))
    return _PLAIN[action](value)


def _call(values: dict[str, Any], expect: str | dict[str, str] | None) -> ToolCall:
    return ToolCall(values["name"], values.get("input", {}), _expect(values.get("expect", expect)))


def _fault(values: dict[str, Any]) -> Fault:
    once = 1 if values["kind"] in ONCE else None
    return Fault(values["kind"], values.get("times", once), values.get("retry_after"))


_PLAIN: Mapping[str, Callable[[Any], Step]] = {
    "say": Say,
    "think": Think,
    "structured": Structured,
    "usage": lambda values: Usage(**values),
    "wait": Wait,
    "fault": _fault,
    "end": End,
}
