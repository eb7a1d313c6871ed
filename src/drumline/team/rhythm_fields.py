"""The rhythm of a team as its manifest may set it."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from drumline.team.fields import Field, whole
from drumline.team.rhythm import USUAL, Rhythm
from drumline.team.span import SPAN, span_of

SAYS = {
    "wake_delay": "A member is looked at so long after something happened.",
    "nudge_cooldown": "At least so long between two nudges of a member.",
    "nudges_per_hour": "A member is nudged in an hour, at most.",
    "report_lease": "A member's word that it is working holds.",
    "blocked_lease": "A member's word that it is blocked holds.",
    "silent_after": "A member in a turn that tells nothing for so long is silent.",
    "stall_after": "Work that has not moved for so long is nudged, after as long again taken up anew.",
    "look_around": "Everyone is looked at so often, whatever happened.",
}


def _field(name: str, usual: Any) -> Field:
    kind = SPAN if isinstance(usual, timedelta) else whole(0, 60)
    default = _shown(usual) if isinstance(usual, timedelta) else usual
    return Field(name=name.replace("_", "-"), kind=kind, default=default, says=SAYS[name])


def _shown(span: timedelta) -> str:
    minutes, seconds = divmod(int(span.total_seconds()), 60)
    return f"{minutes * 60 + seconds}s" if seconds else f"{minutes}m"


FIELDS = tuple(map(_field, Rhythm._fields, USUAL))


def rhythm_said(values: Mapping[str, Any]) -> Rhythm:
    """The rhythm of settings read by these fields, their names as attributes have them."""
    read: dict[str, Any] = {
        name: span_of(said) if isinstance(said, str) else said for name, said in values.items()
    }
    return USUAL._replace(**read)
