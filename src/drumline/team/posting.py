"""A posting: what is wanted of a member, whatever its process does at the moment."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

ANY_HOST = ""


class Wanted(StrEnum):
    RUNNING = "running"
    STOPPED = "stopped"
    PAUSED = "paused"


class Posting(NamedTuple):
    """What someone wants of a member, where, and since when; an empty host means any."""

    member: str
    wanted: Wanted
    host: str
    since: datetime
    by: str

    def says(self, wanted: Wanted, host: str) -> bool:
        """Whether it says exactly this already."""
        return (self.wanted, self.host) == (wanted, host)
