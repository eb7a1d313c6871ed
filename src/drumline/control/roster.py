"""Who is on the team: taken from the manifest, kept in the store, one life after another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from drumline.control.ports import Transaction
from drumline.errors import Conflict, NotAllowed, NotHolder, Unknown
from drumline.team.actor import Actor, Role
from drumline.team.member import Member
from drumline.team.rights import Charter, Constitution, Right

LEAD = "lead"


def charter(tx: Transaction) -> Charter:
    """What this team agreed on."""
    if found := tx.roster.charter():
        return found
    raise Unknown(f"no team {tx.team} on this store", next="drumline init")


def constitution(tx: Transaction) -> Constitution:
    """The rules this team chose."""
    return charter(tx).constitution


def require(tx: Transaction, actor: Actor, right: Right) -> None:
    """Refuse what the constitution keeps from teammates."""
    if actor.role is Role.TEAMMATE:
        constitution(tx).require(actor, right)


def active_member(tx: Transaction, name: str, *, incarnation: int | None = None) -> Member:
    """A member that is here now, in the life it says it is."""
    found = tx.roster.get(name)
    if found is None:
        raise unknown_member(tx, name)
    if not found.active:
        raise NotAllowed(
            f"{name} was removed from team {tx.team}", next="drumline team show   # who is here"
        )
    if incarnation is not None and incarnation != found.incarnation:
        raise NotHolder(
            f"{name} is in life {found.incarnation}, this is life {incarnation}",
            why="a newer process took this member's place",
            next="stop: your successor has the work",
        )
    return found


def addressed(tx: Transaction, name: str) -> Member:
    """The member a letter names; `lead` finds whoever leads."""
    if name == LEAD:
        return lead(tx)
    return active_member(tx, name)


def lead(tx: Transaction) -> Member:
    for member in tx.roster.everyone():
        if member.lead and member.active:
            return member
    raise Unknown(f"team {tx.team} has no lead", next="drumline team check")


def unknown_member(tx: Transaction, name: str) -> Unknown:
    """The refusal that lists who there is."""
    here = [member.name for member in tx.roster.everyone() if member.active]
    return Unknown(
        f"no member {name[:80]!r} in team {tx.team}",
        why=f"members: {', '.join(here)}",
        next=f"did you mean {guess}?" if (guess := _nearest(name, here)) else "drumline team show",
    )


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


def begin_life(tx: Transaction, actor: Actor, name: str) -> Member:
    """A new process fills a member's place: the old one's claims return to the board."""
    active_member(tx, name)
    tx.tasks.release_all(name)
    member = tx.roster.begin_life(name)
    tx.record(actor, "member.began", name)
    return member


def settle(tx: Transaction, name: str) -> None:
    """Remember that a member's turn ended: a reason to look, never progress."""
    active_member(tx, name)
    tx.roster.settle(name)
    tx.record(name, "member.settled", name)


def acting_as(tx: Transaction, name: str) -> Actor:
    """The member `name` as an actor."""
    return addressed(tx, name).acting()


def person(name: str) -> Actor:
    """Whoever sits at the terminal."""
    return Actor(name, Role.PERSON)


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


def _nearest(name: str, names: Sequence[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only a refusal pays for it

    return next(iter(get_close_matches(name, names, n=1)), "")
