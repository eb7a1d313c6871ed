"""Forms that agents answer in: JSON with a schema, every field of a size, every fault told at once.

An answer is an agent's text: none may carry what cannot be kept or shown.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from drumline.errors import BadInput
from drumline.team.document import Node, Problem, Reading
from drumline.team.fields import Field, Kind, Many, NotTaken, Record, Schema, Value
from drumline.team.json_tree import parsed, tree
from drumline.team.text import checked, is_name

ANSWER_CAP = 100_000
SHOWN = 20


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
        options = {"enum": [*found["enum"], None]} if "enum" in found else {}
        return {**found, "type": [found["type"], "null"], **options}


def words(cap: int, *, empty: bool = False) -> Value:
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


def one_of(options_of: type[StrEnum]) -> Value:
    """One of the words of an enumeration."""
    options = [word.value for word in options_of]

    def take(value: object) -> StrEnum:
        if not isinstance(value, str) or value not in options:
            raise NotTaken
        return options_of(value)

    return Value(" | ".join(options), take, {"type": "string", "enum": options})


def a_name() -> Value:
    """A member's name."""

    def take(value: object) -> str:
        if not isinstance(value, str) or not is_name(value):
            raise NotTaken
        return value

    return Value("a member's name", take, {"type": "string", "maxLength": 64})


def wanted(name: str, kind: Kind, says: str, *, required: bool = True) -> Field:
    """A field of an answer; one that is not required may be null."""
    return Field(name=name, kind=kind if required else OrNull(kind), says=says, required=required)


def read_answer(
    form: Record,
    given: str | Mapping[str, Any],
    what: str,
    *,
    also: Callable[[Node], list[Problem]] = lambda _: [],
) -> dict[str, Any]:
    """The values of an answer, or a refusal that lists every problem of it."""
    reading = parsed(given, cap=ANSWER_CAP) if isinstance(given, str) else Reading(tree(given))
    problems = list(reading.problems)
    values: dict[str, Any] = {}
    if reading.root is not None:
        values = form.read(reading.root, "", problems)
        problems += also(reading.root)
    if problems:
        raise _refusal(what, problems)
    return values


def for_runtimes(found: Any, *, all_present: bool = False) -> Any:
    """A schema as agent CLIs take it: without patterns and sizes, which are checked when it is read.

    With `all_present` a field that may be null must be there all the same.
    """
    if isinstance(found, list):
        return [for_runtimes(each, all_present=all_present) for each in found]
    if not isinstance(found, dict):
        return found
    unwanted = {"pattern", "minLength", "maxLength", "maxItems"}
    kept = {
        name: for_runtimes(each, all_present=all_present)
        for name, each in found.items()
        if name not in unwanted
    }
    wants_all = all_present and "properties" in kept
    return {**kept, "required": list(kept["properties"])} if wants_all else kept


def outlined(record: Record, at: str = "") -> list[str]:
    """A form in words, one field a line, for a prompt."""
    lines: list[str] = []
    for field in record.fields:
        name, kind = f"{at}{field.name}", field.kind
        if isinstance(kind, OrNull) and isinstance(kind.kind, Record):
            kind = kind.kind
        lines.append(f"- `{name}`: {field.says} ({kind.allowed})")
        if isinstance(kind, Many) and isinstance(kind.each, Record):
            name, kind = f"{name}[]", kind.each
        if isinstance(kind, Record):
            lines[-1] = f"- `{name}`: {field.says}"
            lines += outlined(kind, f"{name}.")
    return lines


def _refusal(what: str, problems: list[Problem]) -> BadInput:
    count = "1 problem" if len(problems) == 1 else f"{len(problems):,} problems"
    more = [f"and {len(problems) - SHOWN:,} more"] if len(problems) > SHOWN else []
    return BadInput(
        f"{what} has {count}",
        why="\n".join([problem.sentence for problem in problems[:SHOWN]] + more),
        next=f"mend what is named above and give {what} whole again",
    )
