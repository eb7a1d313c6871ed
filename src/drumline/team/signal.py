"""One-line signals on completing a task: to the permanent task, to the lead, to each consumer.

A signal says how it went and where to read on; the work itself stays in its file.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from drumline.errors import BadInput
from drumline.team.text import checked_line

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,39}")

Facts = tuple[tuple[str, str], ...]


class Outcome(StrEnum):
    """How a task went."""

    PASS = "PASS"  # noqa: S105 - a verdict, not a password
    FAIL = "FAIL"
    COMPLETE = "COMPLETE"
    BLOCKED = "BLOCKED"
    PARTIAL = "PARTIAL"


@dataclass(frozen=True, slots=True)
class Shape:
    """What one sort of signal looks like and how long it may be."""

    what: str
    form: str
    example: str
    cap: int

    def line(self, text: str) -> str:
        return checked_line(text, f"the {self.what}", cap=self.cap)

    def refusal(self, what: str) -> BadInput:
        return BadInput(
            f"the {self.what}: {what}", why=f"its form is {self.form}", next=self.example
        )

    def parts(self, text: str) -> tuple[str, Facts]:
        """Split a line into its first word and its facts."""
        first, *rest = (part.strip() for part in self.line(text.strip()).split("|"))
        return first, tuple(self._fact(part) for part in rest)

    def outcome(self, word: str) -> Outcome:
        if word not in list(Outcome):
            raise self.refusal(f"{word[:80]!r} is not one of {', '.join(Outcome)}")
        return Outcome(word)

    def check(self, facts: Facts) -> None:
        """Refuse facts that could not be read back."""
        for key, value in facts:
            self.name(key, "key")
            self.value(key, value)
        keys = [key for key, _ in facts]
        if twice := next((key for key in keys if keys.count(key) > 1), ""):
            raise self.refusal(f"key {twice!r} is there twice")

    def name(self, text: str, what: str) -> None:
        if not _KEY.fullmatch(text):
            raise self.refusal(
                f"{what} {text[:80]!r} is not 1 to 40 letters, digits, _ . or -, a letter first"
            )

    def value(self, key: str, value: str) -> None:
        if not value:
            raise self.refusal(f"{key} has no value")
        if "|" in value or value != value.strip():
            raise self.refusal(f"{key} {value[:80]!r} holds '|' or has a blank at an end")

    def _fact(self, part: str) -> tuple[str, str]:
        key, colon, value = part.partition(":")
        if not colon:
            raise self.refusal(f"{part[:80]!r} is not key:value")
        return key.strip(), value.strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSignal:
    """What the permanent task keeps of a finished phase."""

    shape: ClassVar = Shape(
        "task signal", "STATUS|key:value|…", "PASS|reqs:6|tier:STANDARD|gaps:0", cap=200
    )

    outcome: Outcome
    facts: Facts

    def __post_init__(self) -> None:
        if not self.facts:
            raise self.shape.refusal("it has no key:value")
        self.shape.line(self.render())
        self.shape.check(self.facts)

    @classmethod
    def parse(cls, text: str) -> "TaskSignal":
        word, facts = cls.shape.parts(text)
        return cls(outcome=cls.shape.outcome(word), facts=facts)

    def render(self) -> str:
        return _joined(self.outcome, self.facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class MicroSignal:
    """What the lead is told: how it went, and the file to read."""

    shape: ClassVar = Shape(
        "micro-signal",
        "STATUS|key:value|…|ref:path",
        "PASS|reqs:6|ref:phase-2/ada/L2-summary.md",
        cap=500,
    )

    outcome: Outcome
    facts: Facts = ()
    ref: str

    def __post_init__(self) -> None:
        self.shape.line(self.render())
        self.shape.check((*self.facts, ("ref", self.ref)))

    @classmethod
    def parse(cls, text: str) -> "MicroSignal":
        word, facts = cls.shape.parts(text)
        outcome = cls.shape.outcome(word)
        if not facts or facts[-1][0] != "ref":
            raise cls.shape.refusal("it does not end with ref:path")
        return cls(outcome=outcome, facts=facts[:-1], ref=facts[-1][1])

    def render(self) -> str:
        return _joined(self.outcome, (*self.facts, ("ref", self.ref)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadySignal:
    """What a consumer is told: its input is there, and what is in it."""

    shape: ClassVar = Shape(
        "ready-signal",
        "READY|path:…|fields:a,b",
        "READY|path:phase-2/ada/L2-summary.md|fields:findings,patterns",
        cap=500,
    )

    path: str
    fields: tuple[str, ...]

    def __post_init__(self) -> None:
        self.shape.value("path", self.path)
        if not self.fields:
            raise self.shape.refusal("fields has no value")
        for field in self.fields:
            self.shape.name(field, "field")
        self.shape.line(self.render())

    @classmethod
    def parse(cls, text: str) -> "ReadySignal":
        word, facts = cls.shape.parts(text)
        if word != "READY":
            raise cls.shape.refusal(f"{word[:80]!r} is not READY")
        keys = [key for key, _ in facts]
        if keys != ["path", "fields"]:
            raise cls.shape.refusal(f"it has {', '.join(keys)[:80]!r}, not path and fields")
        (_, path), (_, fields) = facts
        return cls(path=path, fields=tuple(field.strip() for field in fields.split(",")))

    def render(self) -> str:
        return _joined("READY", (("path", self.path), ("fields", ",".join(self.fields))))


def _joined(first: str, facts: Iterable[tuple[str, str]]) -> str:
    return "|".join((first, *(f"{key}:{value}" for key, value in facts)))
