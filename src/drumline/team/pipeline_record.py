"""A pipeline as it is kept with a run: what is written about it later changes no run."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from drumline.team.pipeline import Challenge, CountedBy, Loop, Obligation, Phase, Pipeline, Zone
from drumline.team.tier import Tier


def facts(pipeline: Pipeline) -> dict[str, Any]:
    """The pipeline as JSON has it."""
    phases = [{**_said(each), "challenge": _said(each.challenge)} for each in pipeline.phases]
    return {**_said(pipeline), "phases": phases}


def _said(noun: Pipeline | Phase | Challenge) -> dict[str, Any]:
    """What a noun says by itself; `asdict` would copy each word of it."""
    return {each.name: getattr(noun, each.name) for each in fields(noun)}


def from_facts(found: Mapping[str, Any]) -> Pipeline:
    """The pipeline that these facts describe."""
    return Pipeline(
        **{
            **found,
            "phases": tuple(_phase(each) for each in found["phases"]),
            "paths": {Tier(name): tuple(path) for name, path in found["paths"].items()},
            "subagents": {Tier(name): tuple(path) for name, path in found["subagents"].items()},
            "shares": {Zone(name): share for name, share in found["shares"].items()},
            "judged_once": tuple(map(Tier, found.get("judged_once", ()))),  # newer than some runs
        }
    )


def _phase(found: Mapping[str, Any]) -> Phase:
    return Phase(
        **{
            **found,
            "zone": Zone(found["zone"]),
            "counted": CountedBy(found["counted"]),
            "loop": Loop(found["loop"]),
            "challenge": Challenge(**found["challenge"]),
            "tools": {name: Obligation(said) for name, said in found["tools"].items()},
            "skills": tuple(found["skills"]),
        }
    )
