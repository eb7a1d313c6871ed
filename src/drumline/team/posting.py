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

    def is_halt(self, since: datetime) -> bool:
        """Whether a person, and no run in a person's name, said since then that the member is not to run."""
        by_person = self.by.startswith("person:") and " by " not in self.by
        return self.wanted is not Wanted.RUNNING and by_person and self.since >= since

    def says(self, wanted: Wanted, host: str) -> bool:
        """Whether it says exactly this already."""
        return (self.wanted, self.host) == (wanted, host)
