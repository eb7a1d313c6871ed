"""A turn as a model would play it: response after response, each ending in tools or in the end."""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from drumline.team.scenario import (
    End,
    Expect,
    Fault,
    Say,
    Step,
    Structured,
    Think,
    ToolCall,
    Tools,
    Turn,
    Usage,
    Verb,
    Wait,
)
from drumline.team.scenario_form import TASK_SHAPE

PROGRAM = "drumline"
PLACEHOLDERS = ("task", "fence", "member", "branch", "last_result", "prompt")
TOOL_USE = "tool_use"
SHOWN = 200

_NAMES = "|".join(PLACEHOLDERS)
_PLACEHOLDER = re.compile(rf"\{{\{{({_NAMES})\}}\}}|\{{({_NAMES})\}}")
_FENCE = re.compile(r"\bfence\s+([0-9]{1,18})\b")
_TASK = re.compile(rf"(?<![\w-]){TASK_SHAPE}(?![\w-])")


class Result(NamedTuple):
    """What came back from a tool: its words, whether it did its work, whether it was not let."""

    text: str
    ok: bool = True
    refused: bool = False

    @property
    def word(self) -> str:
        if self.refused:
            return "refused"
        return "ok" if self.ok else "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One response of the model; `end` is tool_use where it waits for tools."""

    thoughts: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    calls: tuple[ToolCall | Verb, ...] = ()
    structured: Mapping[str, Any] | None = None
    usage: Usage = field(default_factory=Usage)
    wait: float = 0.0
    fault: Fault | None = None
    end: str = "stop"


def rounds(turn: Turn) -> tuple[Round, ...]:
    """The responses a turn is made of: each ends with tools, with an answer, or as `end` says."""
    done: list[Round] = []
    current = Round()
    for step in turn.steps:
        current = _with(current, step)
        if isinstance(step, Tools | Verb | Structured | End):
            done.append(current)
            current = Round()
    if current != Round() or not done or done[-1].end == TOOL_USE:
        done.append(current)
    return tuple(done)


def _with(current: Round, step: Step) -> Round:
    match step:
        case Say():
            return replace(current, said=(*current.said, step.text))
        case Think():
            return replace(current, thoughts=(*current.thoughts, step.text))
        case Usage():
            return replace(current, usage=step)
        case Wait():
            return replace(current, wait=current.wait + step.seconds)
        case Fault():
            return replace(current, fault=step)
        case _:
            return _ended(current, step)


def _ended(current: Round, step: Tools | Verb | Structured | End) -> Round:
    match step:
        case Tools():
            return replace(current, calls=step.calls, end=TOOL_USE)
        case Verb():
            return replace(current, calls=(step,), end=TOOL_USE)
        case Structured():
            return replace(current, structured=step.answer, end=TOOL_USE)
        case End():
            return replace(current, end=step.reason)


def filled(value: Any, values: Mapping[str, str]) -> Any:
    """A value with every {name} we know in its texts replaced; {{name}} stays as {name}."""
    if isinstance(value, str):
        return _PLACEHOLDER.sub(
            lambda found: f"{{{found[1]}}}" if found[1] else values.get(found[2], ""), value
        )
    if isinstance(value, Mapping):
        return {name: filled(inner, values) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(filled(inner, values) for inner in value)
    return value


def filled_call(call: ToolCall | Verb, values: Mapping[str, str]) -> ToolCall:
    """A call as it is made now, what is expected of it included; a verb becomes a shell command."""
    expect = replace(
        call.expect,
        contains=filled(call.expect.contains, values),
        lacks=filled(call.expect.lacks, values),
    )
    if isinstance(call, ToolCall):
        return ToolCall(call.name, filled(call.input, values), expect)
    # filled before it is quoted: what a tool printed must not become a command
    command = shlex.join([PROGRAM, *filled(call.words, values)])
    return ToolCall("Bash", {"command": command, "description": PROGRAM}, expect)


def unmet(expect: Expect, result: Result) -> str:
    """What of an expectation did not come true, as a sentence; empty where all did."""
    if expect.result and expect.result != result.word:
        return f"expected {expect.result}, found {result.word}: {_short(result.text)}"
    if expect.contains not in result.text:
        return f"expected {_short(expect.contains)!r} in the result, found: {_short(result.text)}"
    if expect.lacks and expect.lacks in result.text:
        return f"expected no {_short(expect.lacks)!r} in the result, found: {_short(result.text)}"
    return ""


def first_task(text: str) -> str:
    """The first task a text names, or nothing."""
    found = _TASK.search(text)
    return found[0] if found else ""


def last_fence(text: str) -> str:
    """The number of the claim a text tells of, or nothing."""
    found = _FENCE.findall(text)
    return str(found[-1]) if found else ""


def _short(text: str) -> str:
    said = " ".join(text.split())
    return said if len(said) <= SHOWN else f"{said[: SHOWN - 1]}…"
