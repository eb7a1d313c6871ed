"""Commands with the ruling each must get: our own probes, and reference sets kept outside the clone."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
OUTSIDE = Path(__file__).parents[3].parent / "shared" / "corpora"


def own(role: str) -> list[dict[str, str]]:
    """Our probes for a role, each with the ruling it must get."""
    return [json.loads(line) for line in (HERE / f"{role}.jsonl").read_text("utf-8").splitlines()]


def mended() -> list[dict[str, str]]:
    """What hostile readers found wrong, and what is like it and harmless, each with whose it is."""
    return own("mended")


def harmless() -> list[str]:
    """Lines a reasonable team forbids nobody, unescaped."""
    lines = (HERE / "harmless.txt").read_text("utf-8").splitlines()
    return [_unescaped(line) for line in lines if line and not line.startswith("# ")]


def team_reference() -> list[dict[str, str]]:
    path = OUTSIDE / "team-role-dev.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def lead_reference() -> Iterator[dict[str, str]]:
    for path in sorted((OUTSIDE / "dcg").rglob("*.toml")):
        if path.name == "future_packs.toml":
            continue
        for case in tomllib.loads(path.read_text("utf-8"))["case"]:
            if "command" in case:
                expected = case.get("expected") or case["expected_decision"]
                yield {"command": case["command"], "expected": expected}


def malformed_reference() -> Iterator[dict[str, str]]:
    path = OUTSIDE / "dcg" / "canonical.toml"
    for case in tomllib.loads(path.read_text("utf-8"))["case"]:
        if "raw_input" in case:
            yield case


def _unescaped(line: str) -> str:
    letters = {"n": "\n", "t": "\t", "\\": "\\"}
    out, at = [], 0
    while at < len(line):
        if line[at] == "\\":
            out.append(letters[line[at + 1]])
            at += 2
        else:
            out.append(line[at])
            at += 1
    return "".join(out)
