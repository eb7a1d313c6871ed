"""Tool rules as the agent CLIs write them, `Read` or `Bash(git:*)`, and which of them can write."""

import re
from collections.abc import Iterable

RULE = r"[A-Za-z][A-Za-z0-9_-]*\*?(?:\([^\u0000-\u001f\u007f]{1,180}\))?"
EDITING = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})
READING = frozenset({"Read", "Grep", "Glob", "LS", "NotebookRead", "TodoWrite"})
_UNASKED = {"default": READING, "acceptEdits": READING | EDITING}
BROUGHT_BY_MEMORY = ("Read", "Write", "Edit")
_ANY_SHELL = frozenset({"Bash", "Bash(*)", "Bash(*:*)", "Bash(:*)"})
_SPAWN = re.compile(r"(?:Task|Agent)\((.*)\)")


def tool(rule: str) -> str:
    """The tool a rule is about."""
    return rule.partition("(")[0]


def split(text: str) -> tuple[str, ...]:
    """Rules from one comma-separated line; commas inside brackets belong to the rule."""
    rules, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth = max(0, depth + (letter == "(") - (letter == ")"))
        if letter == "," and depth == 0:
            rules.append(text[start:at])
            start = at + 1
    return tuple(rule.strip() for rule in (*rules, text[start:]) if rule.strip())


def editing(rules: Iterable[str]) -> tuple[str, ...]:
    """The rules that let a member change a file by a tool made for it."""
    return tuple(rule for rule in rules if tool(rule) in EDITING)


def may_write(rules: Iterable[str]) -> bool:
    """Whether a member with these rules can change files: an editing tool, or a free shell."""
    rules = tuple(rules)
    return bool(editing(rules)) or any(rule in _ANY_SHELL for rule in rules)


def asked_about(mode: str, name: str) -> bool:
    """Whether a permission mode leaves a call of this tool to a person."""
    unasked = _UNASKED.get(mode)
    return unasked is not None and name not in unasked


def spawned(rules: Iterable[str]) -> tuple[str, ...]:
    """The profiles that rules such as `Task(analyst, researcher)` may start."""
    return tuple(
        name for rule in rules if (found := _SPAWN.fullmatch(rule)) for name in split(found[1])
    )
