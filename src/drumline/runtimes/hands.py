"""The hands of a scripted member: one file tool, done by a process of its own, which the kernel confines.

It is started as `python -I -S hands.py`, told one call as JSON on stdin, and answers in JSON.
"""

# ruff: noqa: PTH103, PTH120, PTH123  # pathlib costs every call 10 ms

from __future__ import annotations

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

LONGEST_FILE = 10_000_000


def main() -> None:
    """Do what is asked and say how it went."""
    asked = json.load(sys.stdin)
    try:
        answer = {"ok": True, "text": TOOLS[asked["tool"]](asked["input"])}
    except KeyError as error:
        answer = {"ok": False, "text": f"{error} is missing or no tool of a scripted member"}
    except (OSError, ValueError) as error:
        answer = {"ok": False, "text": str(error)}
    json.dump(answer, sys.stdout)


def read(given: Mapping[str, Any]) -> str:
    """What a file says."""
    with open(given["file_path"], encoding="utf-8", errors="replace") as file:
        return file.read(LONGEST_FILE)


def write(given: Mapping[str, Any]) -> str:
    """A file as it is given, its folders with it."""
    path = given["file_path"]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(given["content"])
    return f"{path} is written"


def edit(given: Mapping[str, Any]) -> str:
    """A file with some words in place of others."""
    return _changed(given["file_path"], [given])


def edit_more(given: Mapping[str, Any]) -> str:
    """A file with several changes, all or none."""
    return _changed(given["file_path"], given["edits"])


def _changed(path: str, edits: list[Mapping[str, Any]]) -> str:
    text = read({"file_path": path})
    for each in edits:
        old, found = each["old_string"], text.count(each["old_string"])
        if not old or found == 0:
            raise ValueError(f"{path} does not say {old[:80]!r}")
        if found > 1 and not each.get("replace_all"):
            raise ValueError(f"{path} says {old[:80]!r} {found} times: give more words")
        text = text.replace(old, each["new_string"])
    return write({"file_path": path, "content": text})


TOOLS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "Read": read,
    "Write": write,
    "Edit": edit,
    "MultiEdit": edit_more,
}

if __name__ == "__main__":
    main()
