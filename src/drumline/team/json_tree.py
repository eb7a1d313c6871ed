"""A JSON value as the tree that readers of documents walk: bounded, whatever someone sent."""

import json
from collections.abc import Mapping
from typing import Any

from drumline.team.document import Node, Odd, Problem, Reading, Scalar

DEEPEST = 16
MOST_FIELDS = 100
_LINE = 1  # one value, one line: what counts is the field's name


class _Twice(ValueError):
    """A field that stands twice: two readers would believe two things."""


def parsed(text: str, *, cap: int) -> Reading:
    """The tree of a text that is JSON and nothing else, or why it is not."""
    if len(text) > cap:
        return _unread(f"{len(text):,} characters", f"at most {cap:,}")
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except _Twice as twice:
        return _unread(f"the field {str(twice)[:80]!r} twice", "each field once")
    except (ValueError, RecursionError) as error:
        return _unread(str(error)[:120], "JSON and nothing around it")
    return Reading(tree(value))


def tree(value: Any, depth: int = 0) -> Node:
    """The tree of a value; what JSON has no word for is odd and fits no field."""
    if depth > DEEPEST:
        return Node(Odd("values nested too deeply"), _LINE)
    if isinstance(value, Mapping):
        return Node(_fields(value, depth), _LINE)
    if isinstance(value, list | tuple):
        return Node(tuple(tree(each, depth + 1) for each in value), _LINE)
    if value is None or isinstance(value, str | int | float):
        return Node(value, _LINE)
    return Node(Odd(type(value).__name__), _LINE)


def _fields(value: Mapping[Any, Any], depth: int) -> Scalar | Mapping[str, Node]:
    if len(value) > MOST_FIELDS:
        return Odd(f"a mapping of {len(value):,} fields")
    return {str(name): tree(each, depth + 1) for name, each in value.items()}


def _unread(found: str, allowed: str) -> Reading:
    return Reading(None, (Problem(_LINE, "", found, allowed),))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _Twice(name)
        found[name] = value
    return found


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is not a JSON number")
