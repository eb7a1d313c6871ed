"""A pipeline as the YAML that reads back as the same pipeline; what is left out is the default."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from drumline.team.pipeline import Challenge, Phase, Pipeline

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:[ -][A-Za-z0-9_]+)*")  # means itself everywhere
_MEANING = frozenset({"true", "false", "null"})


def as_yaml(pipeline: Pipeline) -> str:
    """The text of a file in drumline/pipelines."""
    return "\n".join([*_mapping(_said(pipeline), ""), ""])


def _said(pipeline: Pipeline) -> dict[str, Any]:
    head = {"pipeline": pipeline.name, "description": pipeline.description}
    found = head | _unusual(pipeline, {"name", "description", "phases", "paths"})
    return found | {"phases": list(map(_phase, pipeline.phases)), "paths": pipeline.paths}


def _phase(phase: Phase) -> dict[str, Any]:
    found: dict[str, Any] = {"name": phase.name, "title": phase.title, "zone": phase.zone}
    if (phase.least, phase.most) != (1, 1):
        found |= {"least": phase.least, "most": phase.most}
    unusual = _unusual(phase, {*found, "least", "most"})
    if phase.challenge != Challenge():
        unusual["challenge"] = _unusual(phase.challenge, set())
    return found | unusual


def _unusual(noun: Phase | Pipeline | Challenge, known: set[str]) -> dict[str, Any]:
    """The fields that say something else than their default."""
    usual = _USUAL[type(noun)]
    return {
        each.name: value
        for each in fields(noun)
        if each.name not in known and (value := getattr(noun, each.name)) != usual[each.name]
    }


def _defaults(noun: type[Phase | Pipeline | Challenge]) -> dict[str, Any]:
    return {
        each.name: each.default_factory() if callable(each.default_factory) else each.default
        for each in fields(noun)
    }


_USUAL = {noun: _defaults(noun) for noun in (Phase, Pipeline, Challenge)}


def _mapping(values: Mapping[str, Any], indent: str) -> Iterator[str]:
    for name, value in values.items():
        key = f"{indent}{_scalar(name)}:"
        if isinstance(value, Mapping):
            yield key
            yield from _mapping(value, f"{indent}  ")
        elif isinstance(value, list):
            yield key
            for item in value:
                first, *rest = _mapping(item, f"{indent}    ")
                yield f"{indent}  - {first.lstrip()}"
                yield from rest
        elif isinstance(value, tuple):
            yield f"{key} [{', '.join(map(_scalar, value))}]"
        else:
            yield f"{key} {_scalar(value)}"


def _scalar(value: object) -> str:
    if not isinstance(value, str):
        return json.dumps(value)
    if _PLAIN.fullmatch(value) and value.lower() not in _MEANING:
        return str(value)
    quoted = json.dumps(value, ensure_ascii=False)
    return "".join(each if each.isprintable() else _escaped(each) for each in quoted)


def _escaped(letter: str) -> str:
    """A character no line of YAML may hold, spelled."""
    return f"\\U{ord(letter):08x}"
