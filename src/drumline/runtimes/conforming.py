"""Whether an answer follows its JSON Schema, for runtimes that do not see to it themselves.

A word of a schema that is not known here is refused before anything is asked: an answer must not pass
for checked when a part of its schema was passed over.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from drumline.errors import BadInput

SHOWN = 80
DEEPEST = 64
SAID_ONLY = frozenset(
    {"$schema", "$id", "$comment", "$defs", "definitions", "title", "description"}
    | {"default", "examples", "format", "deprecated"}
)
Rule = Callable[[Any, Any, str], Iterator[str]]
Schema = Mapping[str, Any]


def checked_schema(schema: Schema) -> Schema:
    """The schema itself, or a refusal of one that cannot be checked."""
    for word in sorted(set(_words(schema))):
        raise BadInput(
            f"the schema says {word[:SHOWN]!r}, which is not checked here",
            why="an answer must not pass for checked when a part of its schema was passed over",
            next=f"use only {', '.join(sorted(KNOWN))}",
        )
    return schema


def flaws(value: Any, schema: Schema) -> list[str]:
    """What is wrong with a value, as sentences that name the place; none when it follows."""
    return list(_Check(schema).flaws(value, schema, "", 0))


class _Check:
    """One value against one schema, whose definitions may be pointed to."""

    def __init__(self, root: Schema) -> None:
        self._root = root

    def flaws(self, value: Any, schema: object, at: str, depth: int) -> Iterator[str]:
        if schema is False or depth > DEEPEST:
            yield f"{_place(at)} is not allowed"
        if not isinstance(schema, Mapping) or depth > DEEPEST:
            return
        for word, said in schema.items():
            if word in RULES:
                yield from RULES[word](value, said, _place(at))
        yield from self._inside(value, schema, at, depth + 1)
        yield from self._choices(value, schema, at, depth + 1)

    def _inside(self, value: Any, schema: Schema, at: str, depth: int) -> Iterator[str]:
        if isinstance(value, Mapping):
            named = schema.get("properties", {})
            others = schema.get("additionalProperties", True)
            for name, each in value.items():
                yield from self.flaws(each, named.get(name, others), f"{at}.{name[:SHOWN]}", depth)
        if isinstance(value, list) and "items" in schema:
            for number, each in enumerate(value):
                yield from self.flaws(each, schema["items"], f"{at}[{number}]", depth)

    def _choices(self, value: Any, schema: Schema, at: str, depth: int) -> Iterator[str]:
        for each in schema.get("allOf", ()):
            yield from self.flaws(value, each, at, depth)
        if "$ref" in schema:
            yield from self.flaws(value, self._pointed_to(schema["$ref"]), at, depth)
        fitting = {
            word: sum(not any(self.flaws(value, each, at, depth)) for each in schema[word])
            for word in ("anyOf", "oneOf")
            if word in schema
        }
        if fitting.get("anyOf", 1) == 0 or fitting.get("oneOf", 1) != 1:
            yield f"{_place(at)} fits {'none' if 0 in fitting.values() else 'several'} of the choices"

    def _pointed_to(self, pointer: object) -> object:
        found: object = self._root
        for name in str(pointer).removeprefix("#").strip("/").split("/"):
            found = found.get(name, False) if isinstance(found, Mapping) and name else found
        return found


def _place(at: str) -> str:
    return at.lstrip(".") or "the answer"


def _type(value: Any, said: Any, at: str) -> Iterator[str]:
    names = [said] if isinstance(said, str) else said
    if not any(_is_of(value, name) for name in names):
        yield f"{at} is not of the type {' or '.join(names)}"


def _is_of(value: Any, name: str) -> bool:
    whole = isinstance(value, float) and value.is_integer()
    match name:
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return (isinstance(value, int) and not isinstance(value, bool)) or whole
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case _:
            return isinstance(value, TYPES.get(name, ()))


TYPES: Mapping[str, Any] = {
    "string": str,
    "object": Mapping,
    "array": list,
    "null": type(None),
}


def _same(one: Any, other: Any) -> bool:
    """JSON's equality: true is not 1."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _enum(value: Any, said: Any, at: str) -> Iterator[str]:
    if not any(_same(value, each) for each in said):
        yield f"{at} is not one of {str(said)[:SHOWN]}"


def _required(value: Any, said: Any, at: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from (f"{at} lacks {name}" for name in said if name not in value)


def _pattern(value: Any, said: Any, at: str) -> Iterator[str]:
    if isinstance(value, str) and not re.search(said, value):
        yield f"{at} does not match {said[:SHOWN]}"


def _unique(value: Any, said: Any, at: str) -> Iterator[str]:
    if said is True and isinstance(value, list):
        pairs = ((one, two) for number, one in enumerate(value) for two in value[:number])
        if any(_same(one, two) for one, two in pairs):
            yield f"{at} holds something twice"


def _bound(kind: Any, fits: Callable[[Any, Any], bool], what: str) -> Rule:
    """A rule on values of one kind; those of another it does not concern."""

    def rule(value: Any, said: Any, at: str) -> Iterator[str]:
        if isinstance(value, kind) and not isinstance(value, bool) and not fits(value, said):
            yield f"{at} {what} {said}"

    return rule


NUMBER = (int, float)
RULES: Mapping[str, Rule] = {
    "type": _type,
    "enum": _enum,
    "const": lambda value, said, at: _enum(value, [said], at),
    "required": _required,
    "pattern": _pattern,
    "uniqueItems": _unique,
    "minimum": _bound(NUMBER, lambda value, said: value >= said, "is less than"),
    "maximum": _bound(NUMBER, lambda value, said: value <= said, "is more than"),
    "exclusiveMinimum": _bound(NUMBER, lambda value, said: value > said, "is not more than"),
    "exclusiveMaximum": _bound(NUMBER, lambda value, said: value < said, "is not less than"),
    "minLength": _bound(str, lambda value, said: len(value) >= said, "is shorter than"),
    "maxLength": _bound(str, lambda value, said: len(value) <= said, "is longer than"),
    "minItems": _bound(list, lambda value, said: len(value) >= said, "has fewer items than"),
    "maxItems": _bound(list, lambda value, said: len(value) <= said, "has more items than"),
}
STRUCTURE = ("properties", "additionalProperties", "items", "allOf", "anyOf", "oneOf", "$ref")
KNOWN = frozenset({*RULES, *STRUCTURE, *SAID_ONLY})


def _words(schema: object, depth: int = 0) -> Iterator[str]:
    """The words of a schema and of all inside it that nobody here knows."""
    if not isinstance(schema, Mapping) or depth > DEEPEST:
        return
    yield from (str(word) for word in schema if word not in KNOWN)
    if not str(schema.get("$ref", "#")).startswith("#"):
        yield f"$ref {schema['$ref']}"
    for word in ("properties", "$defs", "definitions"):
        for each in schema.get(word, {}).values():
            yield from _words(each, depth + 1)
    for word in ("items", "additionalProperties"):
        yield from _words(schema.get(word), depth + 1)
    for word in ("allOf", "anyOf", "oneOf"):
        for each in _listed(schema.get(word)):
            yield from _words(each, depth + 1)


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()
