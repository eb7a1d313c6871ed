"""How much thought a phase is worth, in the words of each runtime that has some for it."""

from collections.abc import Mapping

from drumline.team.pipeline import EFFORTS

SAME: Mapping[str, str] = {level: level for level in EFFORTS}
WORDS: Mapping[str, Mapping[str, str]] = {
    "claude": SAME,
    "codex": {**SAME, "max": "high"},  # the highest that each of its models knows
    "scripted": SAME,
}


def told(runtime: str, effort: str) -> str:
    """The word a runtime is told; empty where it has none, or none is meant."""
    return WORDS.get(runtime, {}).get(effort, "")


def shown(runtime: str, effort: str) -> str:
    """An effort as people are shown it, with what becomes of it."""
    if not effort:
        return ""
    word = told(runtime, effort)
    if not word:
        return f"{effort}, which {runtime} is not told: it has no such setting"
    return effort if word == effort else f"{effort}, for which {runtime} is told {word}"
