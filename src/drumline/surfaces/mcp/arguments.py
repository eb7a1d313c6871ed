"""Whether a call's arguments follow its tool's form; what does not is named field by field."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from drumline.errors import BadInput
from drumline.surfaces.mcp.tool import Arguments, Schema, Tool

HALF = re.compile("[\ud800-\udfff]")
SHOWN = 60
TOLD = 20  # flaws: who gets as many wrong reads the form again

KINDS: Mapping[str, Any] = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "array": list,
    "object": dict,
}
PLAIN = {"string": "text", "boolean": "true or false", "object": "an object"}


def checked(tool: Tool, arguments: object) -> Arguments:
    """The arguments themselves, or a refusal that names every field that is wrong."""
    found = list(_flaws(arguments, tool.form))
    if found or not isinstance(arguments, dict):
        raise BadInput(
            f"{tool.name} cannot be called like this",
            why="\n".join(found[:TOLD]),
            next="mend the fields named above, and call again",
        )
    return arguments


def _flaws(arguments: object, form: Schema) -> Iterator[str]:
    if not isinstance(arguments, dict):
        yield f"the arguments must be an object, not {_shown(arguments)}"
        return
    known = form["properties"]
    for name in sorted(arguments.keys() - known.keys()):
        yield f"{_shown(name)}: no such field; there are: {', '.join(known) or 'none'}"
    for name, field in known.items():
        if name in arguments:
            if not _fits(arguments[name], field):
                yield f"{name}: must be {_wanted(field)}, not {_shown(arguments[name])}"
            elif _is_halved(arguments[name]):
                yield f"{name}: holds half a character, and text is kept as UTF-8"
        elif name in form["required"]:
            yield f"{name}: is missing; it must be {_wanted(field)}"


def _fits(value: Any, field: Schema) -> bool:
    kind = KINDS[field["type"]]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        return False
    if kind is list:
        enough = len(value) >= field.get("minItems", 0)
        return enough and all(_fits(each, field["items"]) for each in value)
    if kind is str:
        known = value in field.get("enum", (value,))
        return known and re.search(field.get("pattern", ""), value) is not None
    return kind is not int or field["minimum"] <= value <= field["maximum"]


def _is_halved(value: Any) -> bool:
    """Whether any text in a value holds one half of a pair of surrogates."""
    match value:
        case str():
            return HALF.search(value) is not None
        case dict():
            return any(_is_halved(name) or _is_halved(inner) for name, inner in value.items())
        case list():
            return any(map(_is_halved, value))
        case _:
            return False


def _wanted(field: Schema) -> str:
    match field:
        case {"enum": choices}:
            return f"one of {', '.join(choices)}"
        case {"examples": [example, *_]}:
            return f"text such as {example}"
        case {"type": "integer", "minimum": least, "maximum": most}:
            return f"a whole number from {least} to {most}"
        case {"type": "array", "items": each}:
            number = "at least one" if field.get("minItems") else "any number"
            return f"a list of {number}, each {_wanted(each)}"
        case _:
            return PLAIN[field["type"]]


def _shown(value: Any) -> str:
    text = ascii(value) if isinstance(value, str) else json.dumps(value, default=str)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
