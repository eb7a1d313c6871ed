"""A member as the team's record knows it, across its lives."""

from datetime import datetime
from typing import NamedTuple

from drumline.team.actor import Actor, Role

HUMAN = "human"


class Member(NamedTuple):
    """One place on the team; `incarnation` counts the lives that filled it."""

    name: str
    lead: bool = False
    profile: str = ""
    runtime: str = "claude"
    model: str = ""
    active: bool = True
    incarnation: int = 1
    settled_at: datetime | None = None

    def acting(self) -> Actor:
        return Actor(self.name, Role.LEAD if self.lead else Role.TEAMMATE, self.incarnation)


class Home(NamedTuple):
    """A repository that works on a team's board: which, where it was last seen, whom it names."""

    id: str
    place: str
    members: tuple[str, ...]
