"""The rules as text for a prompt or a CLAUDE.md: between markers, with a hash that shows drift."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Any

START = "<!-- drumline:constraints start"
END = "<!-- drumline:constraints end -->"
_BLOCK = re.compile(
    re.escape(START) + r" hash:([0-9a-f]{12}) -->\n(.*?)" + re.escape(END), re.DOTALL
)
_ORDER = {"critical": 0, "high": 1, "medium": 2, "low": 3}


def rendered(constraints: Iterable[Mapping[str, Any]], *, conditions: Iterable[str] = ()) -> str:
    """The section: one table, gravest rules first; a condition that holds changes a rule's words."""
    holding = frozenset(conditions)
    rows = [
        "## Team rules",
        "",
        "Enforced by Drumline: a call that breaks one is refused with its id, the reason and the way out.",
        "",
        "| id | rule | why |",
        "|---|---|---|",
        *(_row(each, holding) for each in sorted(constraints, key=_grave)),
        "",
    ]
    body = "\n".join(rows)
    return f"{START} hash:{_hash(body)} -->\n{body}{END}\n"


def bare(section: str) -> str:
    """The section without its markers and heading, for a text that has its own."""
    _, _, below = section.partition("## Team rules\n")
    return below.partition(END)[0].strip()


def put_into(text: str, section: str) -> str:
    """A file's text with its section replaced, or appended when it has none."""
    if _BLOCK.search(text):
        return _BLOCK.sub(lambda _: section.rstrip("\n"), text, count=1)
    gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{gap}{section}"


def drift(text: str, section: str) -> str:
    """What is wrong with the section in this text: missing, edited by hand, or out of date."""
    found = _BLOCK.search(text)
    if found is None:
        return "it has no section of rules"
    if found[1] != _hash(found[2]):
        return "its rules were edited by hand"
    return "" if found[0] == section.rstrip("\n") else "its rules are out of date"


def _row(constraint: Mapping[str, Any], holding: frozenset[str]) -> str:
    kind, text = constraint["rule_type"], constraint["text"]
    condition = constraint.get("condition")
    if condition and condition["when"] in holding:
        kind, text = condition.get("override_rule_type", kind), condition["override_text"]
    return f"| {constraint['id']} | {kind}: {_cell(text)} | {_cell(constraint['why'])} |"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _grave(constraint: Mapping[str, Any]) -> tuple[int, str]:
    return _ORDER.get(constraint["severity"], 9), constraint["id"]


def _hash(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:12]
