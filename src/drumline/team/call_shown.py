"""A call as the person who is to approve it sees it: where it acts first, and nothing of it left out."""

import json
from collections.abc import Mapping
from typing import Any

from drumline.errors import BadInput
from drumline.team.quoting import spelled
from drumline.team.text import BODY_CAP

SHORT = 160  # characters of a value that is shown as it is in the first line
END = 60  # characters of each end of a longer one
MOST = BODY_CAP - 1_000  # leaves room for who asks


def shown(tool: str, given: object) -> str:
    """A line with every value or both its ends, then, where that left something out, the whole call."""
    values = given if isinstance(given, Mapping) else {"input": given}
    words = {str(name): _words(value) for name, value in values.items()}
    order = sorted(words, key=lambda name: _rank(name, words[name]))
    line = ", ".join(f"{spelled(name)} {_in_short(words[name])}" for name in order)
    whole = [f"{spelled(name)}: {words[name]}" for name in order]
    left_out = any(len(words[name]) > SHORT for name in order)
    told = "\n".join(
        [f"{spelled(tool)}: {line}", *(["the whole call:", *whole] if left_out else [])]
    )
    if len(told) > MOST:
        raise BadInput(
            f"a call of {len(told):,} characters cannot be approved",
            why="a person approves what can be shown whole",
            next="make it in smaller parts",
        )
    return told


def _words(value: Any) -> str:
    """A value on one line, which it cannot end."""
    return spelled(json.dumps(value, ensure_ascii=False, sort_keys=True, default=str))


def _rank(name: str, words: str) -> tuple[bool, bool, str]:
    """Short before long, and among them what names a path before the rest."""
    return len(words) > SHORT, "path" not in name and "file" not in name, name


def _in_short(words: str) -> str:
    if len(words) <= SHORT:
        return words
    return f"{words[:END]} … {words[-END:]} ({len(words):,} characters)"
