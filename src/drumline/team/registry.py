"""The constraint registry: built-in rules and settings, a team's own, and the compiled policy.

A registry is JSON in one form for everybody: built-in constraints come with the package, a team's own
file adds constraints, changes settings and may switch a rule's wording by condition, never its
enforcement away from the safety rules: lists that protect or spare are only added to.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from drumline.team.constraint import SAFETY
from drumline.team.own_rules import ADDED_TO

Registry = dict[str, Any]
TRACKER_RULE = "C-TEAM-002"  # the one that `tracker_access: all` lifts


def built_in() -> Registry:
    """The rules and settings that come with Drumline."""
    text = resources.files("drumline.team").joinpath("constraints.json").read_text("utf-8")
    found: Registry = json.loads(text)
    return found


def joined(base: Registry, own: Registry | None) -> Registry:
    """The built-in registry with a team's settings and constraints put on top."""
    if own is None:
        return base
    settings = _settings(base["settings"], own.get("settings", {}))
    taken = {constraint["id"]: constraint for constraint in own.get("constraints", [])}
    kept = [taken.pop(each["id"], each) for each in base["constraints"]]
    if settings.get("tracker_access") == "all":
        kept = [each for each in kept if each["id"] != TRACKER_RULE]
    return {
        "version": own.get("version", base["version"]),
        "settings": settings,
        "constraints": [*kept, *taken.values()],
    }


def _settings(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """A team's settings over the built-in ones; what protects and what is spared is added to."""
    added = {name: [*base.get(name, ()), *_texts(own[name])] for name in ADDED_TO if name in own}
    return {**base, **own, **{name: list(dict.fromkeys(each)) for name, each in added.items()}}


def compiled(registry: Registry) -> dict[str, Any]:
    """What the judge reads: clauses with their settings put in, without prose and probes."""
    settings = registry["settings"]
    return {
        "version": registry["version"],
        "settings": {
            name: settings[name]
            for name in (
                "tracker_programs",
                "tracker_verbs",
                "disposable",
                "temporary",
            )
        },
        "constraints": [
            _compiled(constraint, settings)
            for constraint in registry["constraints"]
            if (constraint.get("refuse") or constraint.get("category") == SAFETY)
            and constraint.get("enabled", True)
        ],
    }


def digest(policy: Mapping[str, Any]) -> str:
    """The name of a compiled policy: the same rules have the same name."""
    text = json.dumps(policy, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _compiled(constraint: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: constraint.get(name, "") for name in ("id", "why", "next")}
    kept["fail"] = constraint.get("fail", "open")
    if "applies" in constraint:
        kept["applies"] = constraint["applies"]
    kept["refuse"] = [_filled(clause, settings) for clause in constraint.get("refuse", ())]
    return kept


def _filled(clause: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """A clause as the judge reads it; what is switched off is not asked at all."""
    filled = {
        word: _put_in(value, settings) if isinstance(value, list) else value
        for word, value in clause.items()
        if value is not False
    }
    if "skill" in filled:
        filled["skill"] = [name.lower() for name in filled["skill"]]
    return filled


def _put_in(values: Sequence[str], settings: Mapping[str, Any]) -> list[str]:
    """`{system_zone}` becomes the patterns the setting holds."""
    out: list[str] = []
    for value in values:
        if value.startswith("{") and value.endswith("}"):
            out.extend(_texts(settings[value[1:-1]]))
        else:
            out.append(value)
    return out


def _texts(value: str | Sequence[str]) -> Sequence[str]:
    return [value] if isinstance(value, str) else value
