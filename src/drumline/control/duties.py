"""Duties: what exactly one process of all hosts does, held by a lease of the store's clock."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from drumline.errors import BadInput
from drumline.team.duty import Duty
from drumline.team.text import checked_line

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


def hold(tx: Transaction, duty: str, holder: str, lease: timedelta) -> bool:
    """Take a duty that is free or whose lease ran out; whether it is this holder's now."""
    _checked(duty, holder, lease)
    held = tx.duties.hold(duty, holder, lease)
    if held is not None:
        new = held.since + lease == held.lease_until
        tx.record(holder, "duty.held" if new else "duty.renewed", duty)
    return held is not None


def renew(tx: Transaction, duty: str, holder: str, lease: timedelta) -> bool:
    """Keep a duty for longer; false when it is no longer this holder's."""
    _checked(duty, holder, lease)
    held = tx.duties.renew(duty, holder, lease)
    if held is not None:
        tx.record(holder, "duty.renewed", duty)
    return held is not None


def let_go(tx: Transaction, duty: str, holder: str) -> bool:
    """Give a duty up; false when it was no longer this holder's."""
    gone = tx.duties.let_go(duty, holder)
    if gone:
        tx.record(holder, "duty.let-go", duty)
    return gone


def held(tx: Transaction) -> list[Duty]:
    """Every duty that someone has by a valid lease."""
    found = tx.duties.all()
    now = tx.now()
    return [duty for duty in found if duty.held(now)]


def tell_refusal(tx: Transaction, host: str, why: str) -> None:
    """Record that someone was turned away at a plane's doorway."""
    tx.record(f"plane:{host}", "doorway.refused", why[:300])


def _checked(duty: str, holder: str, lease: timedelta) -> None:
    checked_line(duty, "the duty")
    checked_line(holder, "the holder")
    if lease <= timedelta(0):
        raise BadInput(f"a lease of {lease} cannot be held", next="choose a lease above zero")
