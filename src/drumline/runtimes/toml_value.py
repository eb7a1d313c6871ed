"""TOML values on one line, for programs that take settings as arguments."""

import json
import re
from collections.abc import Mapping, Sequence

BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def toml_value(value: object) -> str:
    """The value as inline TOML that reads back as the same value."""
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        pairs = (f"{_key(name)}={toml_value(one)}" for name, one in value.items())
        return "{" + ",".join(pairs) + "}"
    if isinstance(value, Sequence):
        return "[" + ",".join(map(toml_value, value)) + "]"
    raise TypeError(f"TOML has no way to say {value!r}")


def _key(name: str) -> str:
    return name if BARE_KEY.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    """A basic string: JSON's escapes are TOML's, except that TOML wants DEL escaped too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
