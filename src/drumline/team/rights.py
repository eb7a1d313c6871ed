"""What each role may do to the board and to mail under a constitution."""

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from drumline.errors import NotAllowed
from drumline.team.actor import Actor, Role

USUAL_LEASE = timedelta(minutes=15)  # of a claim by hand, where a team says nothing about it
LEASE_BY_HAND = "lease-by-hand"  # the setting that says how long such a claim lasts
HANDOFF_REFUSALS = "handoff-refusals"  # the setting that ends asking for a handoff
LEAD_WORKS = "lead-works"  # the setting by which a lead takes tasks itself


class Right(StrEnum):
    """A thing done to the board."""

    EDIT = "create or edit tasks"
    CLAIM = "claim a task"
    FINISH = "report on a task it holds"


class Constitution(NamedTuple):
    """The rules a team chose; presets are named, never guessed."""

    name: str
    teammates: frozenset[Right]
    peers: bool
    crossing: frozenset[str] = frozenset({"integrator"})

    def lets(self, right: Right) -> bool:
        """Whether teammates have a right."""
        return right in self.teammates

    def require(self, actor: Actor, right: Right) -> None:
        if actor.role is Role.TEAMMATE and right not in self.teammates:
            raise NotAllowed(
                f"{actor.name} may not {right}",
                why=f"under {self.name} that is the lead's",
                next="ask the lead: drumline mail send --to lead …",
            )


class Charter(NamedTuple):
    """What a team agreed on: its rules and its numbers."""

    constitution: Constitution
    settings: Mapping[str, Any]

    @property
    def lease_by_hand(self) -> timedelta:
        seconds = self.settings.get(LEASE_BY_HAND)
        return USUAL_LEASE if seconds is None else timedelta(seconds=seconds)

    @property
    def handoff_refusals(self) -> int:
        """How often a task is refused for want of its handoff before a person is asked."""
        return int(self.settings.get(HANDOFF_REFUSALS, 3))


CONSTITUTIONS: Mapping[str, Constitution] = {
    "constitution-4": Constitution("constitution-4", frozenset(), peers=False),
    "constitution-10": Constitution(
        "constitution-10", frozenset({Right.CLAIM, Right.FINISH}), peers=True
    ),
}
DEFAULT_CONSTITUTION = "constitution-10"


@lru_cache(maxsize=16)
def granting(role: Role, right: Right) -> tuple[str, ...]:
    """The constitutions under which a role has a right."""
    return tuple(
        name
        for name, found in CONSTITUTIONS.items()
        if role is not Role.TEAMMATE or right in found.teammates
    )
