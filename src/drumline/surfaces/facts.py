"""How facts are written as JSON: the same words on every surface."""

import json
from datetime import UTC, datetime
from typing import Any


def written(facts: Any) -> str:
    """Facts as one line of JSON."""
    return json.dumps(facts, ensure_ascii=False, default=_plain)


def _plain(value: object) -> Any:
    """Values JSON has no word for."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    if isinstance(value, frozenset | set | tuple):
        return sorted(value)
    return str(value)
