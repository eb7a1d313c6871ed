"""Spans of time as a manifest writes them: 60s, 15m, 1h."""

from datetime import timedelta

from drumline.team.fields import matching

UNITS = {"s": "seconds", "m": "minutes", "h": "hours"}
SHAPE = r"[1-9][0-9]{0,3}s|[1-9][0-9]{0,2}m|(?:[1-9]|1[0-9]|2[0-4])h"
SPAN = matching(SHAPE, "a time such as 60s, 15m or 1h, at most 24h")


def span_of(text: str) -> timedelta:
    """The span that a text of this shape means."""
    return timedelta(**{UNITS[text[-1]]: int(text[:-1])})
