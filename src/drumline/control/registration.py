"""Taking over what a repository's manifest says of its team."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from drumline.control.roster import constitution, lead
from drumline.errors import Conflict
from drumline.team.member import HUMAN, Home, Member
from drumline.team.rights import CONSTITUTIONS, HANDOFF_REFUSALS, LEAD_WORKS, LEASE_BY_HAND, Charter

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.manifest import Manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """What a repository's manifest says, and which repository it is."""

    charter: Charter
    members: tuple[Member, ...]
    home: str
    place: str
    digest: str

    @property
    def lead(self) -> str:
        return next(member.name for member in self.members if member.lead)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(member.name for member in self.members)


def said_by(manifest: Manifest, *, home: str, place: str, digest: str) -> Registration:
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
    settings = {
        LEASE_BY_HAND: manifest.settings.lease_by_hand.total_seconds(),
        HANDOFF_REFUSALS: manifest.settings.handoff_refusals,
        **manifest.settings.rhythm.kept(),
        **({LEAD_WORKS: True} if manifest.settings.lead_works else {}),
    }
    return Registration(
        charter=Charter(CONSTITUTIONS[manifest.constitution], settings),
        members=tuple(members),
        home=home,
        place=place,
        digest=digest,
    )


def register(tx: Transaction, said: Registration, *, joining: bool = False) -> bool:
    """Take over what a repository's manifest says; true when the team is new here.

    A name that another repository uses is refused unless this one asks to join it.
    """
    new = tx.roster.found(said.charter)
    tx.roster.lock_team()  # what other repositories name is read when none of them is changing it
    homes = {home.id: home for home in tx.roster.homes()}
    if not new and said.home not in homes:
        _refuse_stranger(tx, said, homes.values(), joining=joining)
    if not new:
        tx.roster.update(said.charter)
    tx.roster.set_home(Home(said.home, said.place, said.names), said.digest)
    others = _other_homes(tx, said, homes.values())
    _seat(tx, said, {*said.names, *(name for home in others for name in home.members)})
    tx.record(f"home:{said.place}", "team.founded" if new else "team.updated", tx.team)
    return new


def may_take_over(tx: Transaction, inside: Mapping[str, int | None]) -> bool:
    """Whether a changed manifest is theirs to bring: a person's, or the lead's in its present life.

    `inside` names the members in whose processes a command runs, and the life each says it is.
    """
    return all(_leads(tx.roster.get(name), life) for name, life in inside.items())


def taken(team: str, places: list[str]) -> Conflict:
    """The refusal of a name that another repository uses."""
    return Conflict(
        f"team {team} is on this store already, from {', '.join(places)}",
        why="two repositories share a board only when asked to",
        next="drumline init --join   # or choose another team name",
    )


def _leads(member: Member | None, life: int | None) -> bool:
    if member is None or not member.active or not member.lead:
        return False
    return life in {None, member.incarnation}


def _other_homes(tx: Transaction, said: Registration, homes: Iterable[Home]) -> list[Home]:
    """The team's other repositories; one that stood where this one stands has lost its name."""
    others = [home for home in homes if home.id != said.home]
    for home in others:
        if home.place == said.place:
            tx.roster.forget_home(home.id)
    return [home for home in others if home.place != said.place]


def _refuse_stranger(
    tx: Transaction, said: Registration, homes: Iterable[Home], *, joining: bool
) -> None:
    """Another repository may share a board when it asks to and agrees who leads and by which rules."""
    if not joining:
        raise taken(tx.team, [home.place for home in homes])
    theirs = (lead(tx).name, constitution(tx).name)
    ours = (said.lead, said.charter.constitution.name)
    if theirs != ours:
        raise Conflict(
            f"team {tx.team} is led by {theirs[0]} under {theirs[1]}, this manifest says"
            f" {ours[0]} under {ours[1]}",
            why="a team has exactly one lead and one constitution",
            next="make the manifests agree, or choose another team name",
        )


def _seat(tx: Transaction, said: Registration, staying: set[str]) -> None:
    """Seat whom the manifest names, keep one lead, remove whom no manifest names any more."""
    for member in said.members:
        if (old := tx.roster.get(member.name)) is None or _differs(old, member):
            tx.roster.seat(member)
    for old in tx.roster.everyone():
        if old.active and old.name not in staying:
            tx.roster.remove(old.name)  # first the seat, then its claims: none slips in between
            tx.tasks.release_all(old.name)
            tx.waking.drop_waiting(old.name, "its member was removed")
        elif old.active and old.lead and old.name != said.lead:
            tx.roster.seat(old._replace(lead=False))


def _differs(old: Member, new: Member) -> bool:
    return not old.active or (old.lead, old.profile, old.runtime, old.model) != (
        new.lead,
        new.profile,
        new.runtime,
        new.model,
    )
