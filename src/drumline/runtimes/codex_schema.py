"""The form in which Codex hands a JSON Schema to its model, and its answers in the form we asked for.

The model's service takes only strict schemas: every property required, nothing besides. What may be left
out is asked for as null, and what a strict schema cannot say we check ourselves.
"""

from collections.abc import Mapping
from typing import Any

from drumline.runtimes.conforming import flaws

SPOKEN = frozenset(
    {"type", "description", "title", "enum", "const", "items", "properties", "anyOf", "oneOf"}
    | {"allOf", "$ref", "$defs", "definitions", "additionalProperties"}
)
NULL = {"type": "null"}


def strict(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema as a strict one, whose answers `given` brings back."""
    return {
        ("anyOf" if word == "oneOf" else word): _inside(word, said)
        for word, said in schema.items()
        if word in SPOKEN
    } | _whole(schema)


def given(answer: Any, schema: object) -> Any:
    """An answer without the nulls that only say that something was left out."""
    if isinstance(answer, list) and isinstance(schema, Mapping):
        return [given(each, schema.get("items")) for each in answer]
    if not isinstance(answer, dict) or not isinstance(schema, Mapping):
        return answer
    named, required = schema.get("properties", {}), schema.get("required", ())
    return {
        name: given(value, named.get(name))
        for name, value in answer.items()
        if value is not None or name in required or not flaws(None, named.get(name, {}))
    }


def _inside(word: str, said: Any) -> Any:
    if word in {"$defs", "definitions"}:
        return {name: strict(each) for name, each in said.items()}
    if word in {"anyOf", "oneOf", "allOf"}:
        return [strict(each) for each in said]
    return strict(said) if word == "items" and isinstance(said, Mapping) else said


def _whole(schema: Mapping[str, Any]) -> dict[str, Any]:
    """An object's properties, all of them required and those that may be missing perhaps null."""
    named = schema.get("properties")
    if not isinstance(named, Mapping):
        return {}
    required = schema.get("required", ())
    return {
        "properties": {
            name: strict(each) if name in required else _or_null(strict(each))
            for name, each in named.items()
        },
        "required": list(named),
        "additionalProperties": False,
    }


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    kinds = schema.get("type")
    if isinstance(kinds, str) and not {"enum", "const"} & schema.keys():
        return {**schema, "type": [kinds, "null"]}
    if isinstance(kinds, list) and "null" in kinds:
        return schema
    return {"anyOf": [schema, NULL]}
