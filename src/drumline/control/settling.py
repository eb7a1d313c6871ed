"""A member's turn ended: marked, and the member looked at; whether anything was done, nobody says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control import roster, waking

if TYPE_CHECKING:
    from drumline.control.ports import Transaction

WHY = "turn settled"


def turn_ended(tx: Transaction, name: str) -> None:
    """Remember that a member's turn ended and have it looked at; whoever leads is not."""
    member = tx.roster.get(name)
    if member is None or not member.active:
        return
    roster.settle(tx, name)
    if not member.lead:
        waking.wake(tx, name, WHY)
