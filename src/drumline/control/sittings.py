"""Sittings: which session of an agent CLI a person opened for which member."""

from __future__ import annotations

from posixpath import normpath
from typing import TYPE_CHECKING

from drumline.control.roster import active_member, living, own_hands
from drumline.errors import BadInput, Conflict
from drumline.team.actor import Actor
from drumline.team.life import fillable
from drumline.team.sitting import Sitting, checked_sitting

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


def sit(tx: Transaction, actor: Actor, sitting: Sitting) -> Sitting:
    """Remember in which session a member sits that no runner runs; a session has one member."""
    living(tx, actor)
    own_hands(actor, sitting.member)
    checked_sitting(sitting)
    member = fillable(active_member(tx, sitting.member))
    if sitting.runtime != member.runtime:
        raise BadInput(
            f"{member.name} lives in {member.runtime}, not in {sitting.runtime}",
            next=f"open a session of {member.runtime}, or change the manifest",
        )
    _refuse_beside(tx, sitting)
    folder = sitting.cwd and normpath(sitting.cwd)
    whole = sitting._replace(incarnation=member.incarnation, cwd=folder, by=str(actor))
    told = tx.sittings.set(whole)
    tx.record(actor, "member.sat-down", member.name)
    return told


def _refuse_beside(tx: Transaction, sitting: Sitting) -> None:
    """A member whose runner lives has its session already, and nobody sits in another's."""
    if life := tx.lives.lock_open(sitting.member):
        raise Conflict(
            f"{sitting.member} lives on {life.process.host} as process {life.process.pid}",
            why="its runner knows the end of every turn",
            next=f"drumline member attach {sitting.member}   # takes over its own session",
        )
    if others := tx.lives.in_sessions([sitting.session]):
        raise Conflict(
            f"that session is {others[0].member}'s, in life {others[0].incarnation}",
            why="a session of a runner's is not a person's to give away",
            next="give the id of the session that you opened",
        )
