"""A document as a tree of values that remember their line, and what can be wrong with it."""

from collections.abc import Mapping
from dataclasses import dataclass

ECHO = 80


@dataclass(frozen=True, slots=True)
class Odd:
    """A value the format has a word for and we have no use for: a date, a custom tag."""

    what: str


Scalar = str | int | float | bool | Odd | None


@dataclass(frozen=True, slots=True)
class Node:
    """A value and the line its field begins on."""

    value: "Scalar | tuple[Node, ...] | Mapping[str, Node]"
    line: int

    def fields(self) -> "Mapping[str, Node]":
        """What is inside when this is a mapping, else nothing."""
        return self.value if isinstance(self.value, Mapping) else {}

    def items(self) -> "tuple[Node, ...]":
        """What is inside when this is a list, else nothing."""
        return self.value if isinstance(self.value, tuple) else ()


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a document: where, what was found, what is allowed."""

    line: int
    field: str
    found: str
    allowed: str

    @property
    def sentence(self) -> str:
        where = f"{self.field}: " if self.field else ""
        return f"{where}found {self.found}; allowed: {self.allowed}"

    def at(self, file: str) -> str:
        return f"{file}:{self.line}: {self.sentence}"


@dataclass(frozen=True, slots=True)
class Reading:
    """What could be read of a document, and what could not."""

    root: Node | None
    problems: tuple[Problem, ...] = ()


def shown(value: object) -> str:
    """A value as it may be echoed: short, on one line, nothing that moves a cursor."""
    match value:
        case None:
            said = "nothing"
        case bool():
            said = "true" if value else "false"
        case str():
            said = repr(value)
        case Odd():
            said = "".join(one if one.isprintable() else repr(one)[1:-1] for one in value.what)
        case tuple():
            said = f"a list of {len(value)}" if value else "an empty list"
        case Mapping():
            said = "a mapping"
        case _:
            said = str(value)
    return _short(said)


def _short(text: str) -> str:
    return text if len(text) <= ECHO else f"{text[: ECHO - 1]}…"
