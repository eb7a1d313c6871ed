"""Postings: what is wanted of members, said by the lead or a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control.roster import active_member, living
from drumline.errors import NotAllowed
from drumline.team.actor import Actor, Role
from drumline.team.life import fillable
from drumline.team.posting import ANY_HOST, Posting, Wanted
from drumline.team.text import checked_line

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


def want(
    tx: Transaction, actor: Actor, member: str, state: Wanted, host: str = ANY_HOST
) -> Posting:
    """Say what a member is to do, and where; saying it twice changes nothing, unless it means something anew."""
    may_post(tx, actor)
    fillable(active_member(tx, member))
    checked_line(host, "the host", empty=True)
    said = tx.postings.get(member)
    if said is not None and said.says(state, host) and not _means_anew(tx, member, state):
        return said
    posting = tx.postings.set(member, state, host, str(actor))
    tx.record(actor, f"member.wanted-{state}", member)
    return posting


def _means_anew(tx: Transaction, member: str, state: Wanted) -> bool:
    """Who is to run and does not live gets another chance; who was sat down for since is to stop again."""
    if state is Wanted.RUNNING:
        return tx.lives.lock_open(member) is None
    seen = tx.waking.situation(member)
    return seen is not None and seen.by_hand


def wanted_here(tx: Transaction, host: str) -> list[Posting]:
    """What is wanted of members on this host, or on any; of whoever left nothing is."""
    return tx.postings.here(host)


def may_post(tx: Transaction, actor: Actor) -> None:
    """Refuse whoever is neither the lead nor a person."""
    living(tx, actor)
    if actor.role is Role.TEAMMATE:
        raise NotAllowed(
            f"{actor.name} may not start, stop or pause members",
            why="who runs is the lead's or a person's to say",
            next="ask the lead: drumline mail send --to lead …",
        ).audited(str(actor), "posting.refused", actor.name)
