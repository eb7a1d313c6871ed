"""A duty: what exactly one process of all hosts does, held by a lease."""

from datetime import datetime
from typing import NamedTuple

PLANE = "plane:"
WAKING = "waking"  # of keeping the team in step


class Duty(NamedTuple):
    """One duty and who has it; whoever reads it compares the lease with the store's clock."""

    name: str
    holder: str
    since: datetime
    lease_until: datetime

    def held(self, now: datetime) -> bool:
        return now < self.lease_until


def plane_of(host: str) -> str:
    """The duty of being the one plane of a host."""
    return f"{PLANE}{host}"


def host_of(duty: str) -> str:
    """The host whose plane a duty is; empty for any other duty."""
    return duty.removeprefix(PLANE) if duty.startswith(PLANE) else ""


def spool_of(home: str) -> str:
    """The duty of draining the spool of a repository."""
    return f"spool:{home}"
