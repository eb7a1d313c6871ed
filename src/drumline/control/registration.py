"""Taking over what a repository's manifest says of its team."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from drumline.errors import Conflict
from drumline.team.member import HUMAN, Member
from drumline.team.rights import CONSTITUTIONS, Charter, Constitution

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.manifest import Manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """What a repository's manifest says, and which repository it is."""

    constitution: Constitution
    members: tuple[Member, ...]
    home: str
    digest: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def charter(self) -> Charter:
        lead = next(member.name for member in self.members if member.lead)
        return Charter(self.constitution, lead, self.settings)


def said_by(manifest: Manifest, *, home: str, digest: str) -> Registration:
    """What a manifest says; a human who leads has a seat too, so that mail finds it."""
    members = [
        Member(
            name=member.name,
            lead=member.name == manifest.lead,
            profile=member.profile or "",
            runtime=member.runtime,
            model=member.model,
        )
        for member in manifest.members
    ]
    if manifest.lead == HUMAN:
        members.append(Member(name=HUMAN, lead=True, runtime=HUMAN))
    return Registration(
        constitution=CONSTITUTIONS[manifest.constitution],
        members=tuple(members),
        home=home,
        digest=digest,
        settings={"lease-by-hand": manifest.settings.lease_by_hand.total_seconds()},
    )


def register(tx: Transaction, said: Registration, *, joining: bool = False) -> bool:
    """Take over what a repository's manifest says; true when the team is new here.

    A name that another repository uses is refused unless this one asks to join it.
    """
    new = tx.roster.found(said.charter)
    homes = tx.roster.homes()
    if not new and said.home not in homes and not joining:
        raise Conflict(
            f"team {tx.team} is on this store already, from {', '.join(homes)}",
            why="two repositories share a board only when asked to",
            next="drumline init --join   # or choose another team name",
        )
    if not new:
        tx.roster.update(said.charter)
    tx.roster.set_home(said.home, said.digest)
    _seat(tx, said.members, removing=len(homes.keys() | {said.home}) == 1)
    tx.record(f"home:{said.home}", "team.founded" if new else "team.updated", tx.team)
    return new


def _seat(tx: Transaction, members: Sequence[Member], *, removing: bool) -> None:
    named = {member.name for member in members}
    for member in members:
        if (old := tx.roster.get(member.name)) is None or _differs(old, member):
            tx.roster.seat(member)
    for old in tx.roster.everyone():
        if removing and old.active and old.name not in named:
            tx.tasks.release_all(old.name)
            tx.roster.remove(old.name)


def _differs(old: Member, new: Member) -> bool:
    return not old.active or (old.lead, old.profile, old.runtime, old.model) != (
        new.lead,
        new.profile,
        new.runtime,
        new.model,
    )
