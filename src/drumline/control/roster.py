"""Who is on the team, one life after another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from drumline.errors import NotAllowed, NotHolder, Unknown
from drumline.team.actor import Actor, Role
from drumline.team.member import Member
from drumline.team.rights import Charter, Constitution, Right

if TYPE_CHECKING:
    from drumline.control.ports import Transaction

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
    """Refuse what the constitution keeps from teammates, and whatever a past life still says."""
    living(tx, actor)
    if actor.role is Role.TEAMMATE:
        constitution(tx).require(actor, right)


def living(tx: Transaction, actor: Actor) -> None:
    """A member acts only while it is here, in its present life, and as lead only while it leads."""
    if actor.role is Role.PERSON:
        return
    member = active_member(tx, actor.name, incarnation=actor.incarnation)
    if actor.role is Role.LEAD and not member.lead:
        raise NotAllowed(
            f"{actor.name} does not lead team {tx.team}", next="drumline team show   # who leads"
        )


def own_hands(actor: Actor, member: str) -> None:
    if actor.role is Role.TEAMMATE and actor.name != member:
        raise NotAllowed(
            f"{actor.name} cannot act for {member}",
            why="a member acts only for itself",
            next=f"leave it to {member}, or ask the lead",
        )


def active_member(
    tx: Transaction, name: str, *, incarnation: int | None = None, staying: bool = False
) -> Member:
    """A member that is here now, in the life it says it is; `staying` keeps it so to the end."""
    found = tx.roster.lock(name) if staying else tx.roster.get(name)
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


def known_profile(tx: Transaction, profile: str) -> None:
    """Refuse a profile nobody has: such a task could never be claimed."""
    if profile and profile not in (have := profiles(tx)):
        guess = _nearest(profile, have)
        raise Unknown(
            f"no member has the profile {profile!r}",
            why=f"profiles on this team: {', '.join(have) or 'none'}",
            next=f"did you mean {guess}?" if guess else "drumline team show",
        )


def profiles(tx: Transaction) -> list[str]:
    """The profiles that members have."""
    return sorted({member.profile for member in tx.roster.everyone() if member.active} - {""})


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


def begin_life(tx: Transaction, actor: Actor | str, name: str) -> Member:
    """A new process fills a member's place: the old one's claims return to the board."""
    active_member(tx, name)
    member = tx.roster.begin_life(name)  # first the life, then its claims: none slips in between
    tx.tasks.release_all(name)
    tx.waking.drop_waiting(name, "another life began")
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


def in_the_name_of(tx: Transaction, member: str, actor: Actor) -> Actor:
    """The member whose work it is, whoever speaks for it."""
    own = actor.name == member and not actor.by
    return actor if own else acting_as(tx, member)._replace(by=str(actor))


def person(name: str) -> Actor:
    """Whoever sits at the terminal."""
    return Actor(name, Role.PERSON)


def _nearest(name: str, names: Sequence[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only a refusal pays for it

    return next(iter(get_close_matches(name, names, n=1)), "")
