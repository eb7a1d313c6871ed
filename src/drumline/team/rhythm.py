"""The rhythm of a team: after how long its members are looked at, nudged and asked after."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


class Rhythm(NamedTuple):
    """Every delay of waking and nudging; the manifest's settings have the same names."""

    wake_delay: timedelta = MINUTE / 4
    nudge_cooldown: timedelta = 10 * MINUTE
    nudges_per_hour: int = 2
    report_lease: timedelta = 15 * MINUTE
    blocked_lease: timedelta = 30 * MINUTE
    silent_after: timedelta = 5 * MINUTE
    stall_after: timedelta = 20 * MINUTE
    look_around: timedelta = MINUTE

    def kept(self) -> dict[str, Any]:
        """What a team chose otherwise, as its record keeps it: spans in seconds."""
        both: Any = zip(self._fields, self, USUAL, strict=True)
        return {
            _written(name): said.total_seconds() if isinstance(said, timedelta) else said
            for name, said, usual in both
            if said != usual
        }


USUAL = Rhythm()


def passed(since: datetime | None, span: timedelta, now: datetime) -> bool:
    """Whether it is time again; a clock that was set back has nobody wait until it is where it was."""
    return since is None or not timedelta(0) <= now - since < span


def rhythm_in(settings: Mapping[str, Any]) -> Rhythm:
    """The rhythm that a team's record tells; what it leaves out is as usual."""
    return Rhythm(*map(_told, map(settings.get, map(_written, Rhythm._fields)), USUAL))


def _written(name: str) -> str:
    return name.replace("_", "-")


def _told(said: Any, usual: Any) -> Any:
    if said is None:
        return usual
    return timedelta(seconds=said) if isinstance(usual, timedelta) else int(said)
