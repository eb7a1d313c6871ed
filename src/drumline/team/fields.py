"""Kinds of fields: each can read a value, say what it allows, and describe itself as JSON Schema."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Protocol

from drumline.errors import BadInput
from drumline.team.document import Node, Problem, shown
from drumline.team.text import LIST_CAP, TITLE_CAP, checked_line

Schema = dict[str, Any]


class NotTaken(ValueError):
    """The value is not of this kind."""


class Kind(Protocol):
    """How one field is read, refused and described."""

    @property
    def allowed(self) -> str: ...
    def read(self, node: Node, at: str, problems: list[Problem]) -> object: ...
    def schema(self) -> Schema: ...


@dataclass(frozen=True, slots=True)
class Value:
    """A single value; `take` returns it as we keep it or raises NotTaken."""

    allowed: str
    take: Callable[[object], object]
    described: Mapping[str, Any]

    def read(self, node: Node, at: str, problems: list[Problem]) -> object:
        try:
            return self.take(node.value)
        except NotTaken:
            problems.append(Problem(node.line, at, shown(node.value), self.allowed))
            return None

    def schema(self) -> Schema:
        return dict(self.described)


@dataclass(frozen=True, slots=True)
class Many:
    """A list of one kind."""

    each: Kind
    what: str
    least: int = 0
    most: int = LIST_CAP

    @property
    def allowed(self) -> str:
        return f"a list of {self.what}" + (f", at least {self.least}" if self.least else "")

    def read(self, node: Node, at: str, problems: list[Problem]) -> tuple[object, ...]:
        if not isinstance(node.value, tuple) or not self.least <= len(node.value) <= self.most:
            problems.append(Problem(node.line, at, shown(node.value), self._range(node)))
            return ()
        return tuple(
            self.each.read(item, f"{at}[{index}]", problems)
            for index, item in enumerate(node.value)
        )

    def _range(self, node: Node) -> str:
        return f"at most {self.most}" if len(node.items()) > self.most else self.allowed

    def schema(self) -> Schema:
        limits: Schema = {"minItems": self.least} if self.least else {}
        return {"type": "array", "items": self.each.schema(), **limits, "maxItems": self.most}


@dataclass(frozen=True, slots=True)
class Keyed:
    """A mapping whose names are of one shape."""

    name: Value
    each: Kind
    what: str
    least: int = 0

    @property
    def allowed(self) -> str:
        return f"a mapping of {self.what}" + (f", at least {self.least}" if self.least else "")

    def read(self, node: Node, at: str, problems: list[Problem]) -> dict[str, Any]:
        if not isinstance(node.value, Mapping) or len(node.value) < self.least:
            problems.append(Problem(node.line, at, shown(node.value), self.allowed))
            return {}
        for name, found in node.value.items():
            self.name.read(Node(name, found.line), joined(at, name), problems)
        return {
            name: self.each.read(found, joined(at, name), problems)
            for name, found in node.value.items()
        }

    def schema(self) -> Schema:
        names, inside = self.name.schema(), self.each.schema()
        limits: Schema = {"minProperties": self.least} if self.least else {}
        return {
            "type": "object",
            "propertyNames": names,
            "additionalProperties": inside,
            **limits,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One row of a table: a field's name, kind, default and meaning."""

    name: str
    kind: Kind
    says: str
    required: bool = False
    default: Any = None

    def schema(self) -> Schema:
        found = {"description": self.says, **self.kind.schema()}
        return found if self.default is None else {**found, "default": self.default}


@dataclass(frozen=True, slots=True)
class Record:
    """A mapping with known fields and no others."""

    fields: tuple[Field, ...]

    @property
    def allowed(self) -> str:
        return f"a mapping with {', '.join(field.name for field in self.fields)}"

    def read(self, node: Node, at: str, problems: list[Problem]) -> dict[str, Any]:
        """The values given, by name; what was left out is left out."""
        if not isinstance(node.value, Mapping):
            problems.append(Problem(node.line, at, shown(node.value), self.allowed))
            return {}
        known = {field.name: field for field in self.fields}
        problems += (
            Problem(found.line, joined(at, name), "an unknown field", nearest(name, known))
            for name, found in node.value.items()
            if name not in known
        )
        problems += (
            Problem(node.line, joined(at, field.name), "nothing", field.kind.allowed)
            for field in self.fields
            if field.required and field.name not in node.value
        )
        return {
            name: known[name].kind.read(found, joined(at, name), problems)
            for name, found in node.value.items()
            if name in known
        }

    def schema(self) -> Schema:
        required = [field.name for field in self.fields if field.required]
        return {
            "type": "object",
            "properties": {field.name: field.schema() for field in self.fields},
            **({"required": required} if required else {}),
            "additionalProperties": False,
        }


def joined(at: str, name: str) -> str:
    shown_name = name if re.fullmatch(r"[\w.-]{1,60}", name) else shown(name)
    return f"{at}.{shown_name}" if at else shown_name


def nearest(name: str, known: Iterable[str]) -> str:
    """The names allowed, the likeliest one pointed out."""
    names = list(known)
    close = likeliest(name, names)
    return ", ".join(names) + (f" (did you mean {close}?)" if close else "")


def likeliest(name: str, known: Iterable[str]) -> str:
    return next(iter(get_close_matches(name, list(known), n=1)), "")


def line(what: str = "one line of text", cap: int = TITLE_CAP) -> Value:
    """Words that stay on one line."""

    def take(value: object) -> str:
        if not isinstance(value, str):
            raise NotTaken
        try:
            return checked_line(value, "text", cap=cap)
        except BadInput as error:
            raise NotTaken from error

    pattern = r"^(?=.*\S)[^\u0000-\u0008\u000a-\u001f\u007f-\u009f]*$"
    allowed = f"{what}, 1 to {cap} characters"
    return Value(allowed, take, {"type": "string", "maxLength": cap, "pattern": pattern})


def matching(pattern: str, allowed: str, *, but: tuple[str, ...] = ()) -> Value:
    """Text of one shape; `but` are words of that shape which are taken."""
    shape = re.compile(pattern)

    def take(value: object) -> str:
        if not isinstance(value, str) or value in but or not shape.fullmatch(value):
            raise NotTaken
        return value

    reserved: Schema = {"not": {"enum": list(but)}} if but else {}
    return Value(allowed, take, {"type": "string", "pattern": f"^(?:{pattern})$", **reserved})


def choice(*options: str) -> Value:
    """One of a few words."""

    def take(value: object) -> str:
        if not isinstance(value, str) or value not in options:
            raise NotTaken
        return value

    return Value(" | ".join(options), take, {"enum": list(options)})


def number(allowed: str, *, above: float, most: float) -> Value:
    """A number in a range, its lower end excluded."""

    def take(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise NotTaken
        if not above < value <= most:  # false for NaN too
            raise NotTaken
        return float(value)

    return Value(allowed, take, {"type": "number", "exclusiveMinimum": above, "maximum": most})


def whole(least: int, most: int) -> Value:
    """A whole number in a range, both ends included."""

    def take(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise NotTaken
        if not least <= value <= most or value != int(value):
            raise NotTaken
        return int(value)

    allowed = f"a whole number from {least:,} to {most:,}"
    return Value(allowed, take, {"type": "integer", "minimum": least, "maximum": most})


def switch() -> Value:
    def take(value: object) -> bool:
        if not isinstance(value, bool):
            raise NotTaken
        return value

    return Value("true | false", take, {"type": "boolean"})
