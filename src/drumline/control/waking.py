"""Waking: remembering that a member is to be looked at, so that nobody is left behind.

A wake says only whom to look at. However many things happen to a member, it is looked at once.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from drumline.control.roster import charter
from drumline.team.rhythm import HOUR, Rhythm, rhythm_in

if TYPE_CHECKING:
    from drumline.control.ports import Transaction

DRUMLINE = "drumline"


def wake(tx: Transaction, member: str, why: str) -> None:
    """Have a member looked at after the team's delay; an earlier time that was said before stays."""
    wake_at(tx, member, why, tx.now() + rhythm(tx).wake_delay)


def wake_at(tx: Transaction, member: str, why: str, due: datetime) -> None:
    """Have a member looked at then, unless somebody said earlier."""
    if tx.waking.wake(member, why, due):
        tx.record(DRUMLINE, "member.woken", f"{member}: {why}")


def told_at(tx: Transaction, member: str) -> tuple[datetime, ...]:
    """When a member was told something in the last hour, in whichever life."""
    return tuple(tx.waking.told(member, since=tx.now() - HOUR))


def rhythm(tx: Transaction) -> Rhythm:
    """The delays this team chose."""
    return rhythm_in(charter(tx).settings)
