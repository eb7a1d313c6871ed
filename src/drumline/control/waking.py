"""Waking: remembering that a member is to be looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


def wake(tx: Transaction, member: str, why: str) -> None:
    """Remember durably that this member is to be looked at."""
    tx.record(member, "member.to-be-looked-at", why)
