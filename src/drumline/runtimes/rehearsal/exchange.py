"""One question to the model and its answer, whichever shape they have on the wire."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from drumline.team.scenario import Fault, ToolCall, Usage
from drumline.team.scenario_rounds import Result

PIECE = 1_000  # characters of a text that travel in one event


class Unreadable(ValueError):
    """The request is not one a model could answer; the message says why."""


class Speaker(NamedTuple):
    """Who asks: a member, its session, and which subagent of it where it is one."""

    member: str
    session: str = ""
    agent: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request: how far the conversation is, and what came in since the model spoke last.

    `aside` is a request beside the conversation, such as one for a summary of it; `insists` is one that
    asks once more after a refusal.
    """

    speaker: Speaker
    depth: int
    heard: str = ""
    results: Mapping[str, Result] = field(default_factory=dict)
    offered: frozenset[str] = frozenset()
    model: str = ""
    effort: str = ""
    streamed: bool = True
    interrupted: bool = False
    insists: bool = False
    aside: bool = False

    @property
    def news(self) -> tuple[str, ...]:
        """What tells this request from the same one sent again."""
        return (self.heard, *(f"{name} {result.text}" for name, result in self.results.items()))


class Called(NamedTuple):
    """A tool call with the id its result will come back under."""

    id: str
    call: ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the model says to one request; `id` is unlike every other answer's."""

    id: str
    thoughts: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    calls: tuple[Called, ...] = ()
    structured: Mapping[str, Any] | None = None
    usage: Usage = field(default_factory=Usage)
    end: str = "stop"
    wait: float = 0.0
    fault: Fault | None = None

    @property
    def malformed(self) -> bool:
        """Whether its tools get input that is no JSON."""
        return self.fault is not None and self.fault.kind == "malformed_tool_input"


def effort_in(settings: object) -> str:
    """How much thought a request asks for; empty where it leaves that to the model."""
    return str(settings.get("effort") or "") if isinstance(settings, Mapping) else ""


def broken(text: str) -> str:
    """Text that ends before it should."""
    return text[: max(1, len(text) // 2)]


def pieces_of(text: str) -> Iterator[str]:
    """A text in the pieces it is streamed in; an empty one is one empty piece."""
    for start in range(0, max(1, len(text)), PIECE):
        yield text[start : start + PIECE]
