"""Usage limits: an account that a runtime will not serve pauses every member on it until it resets."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from drumline.control.postings import may_post
from drumline.errors import BadInput
from drumline.team.actor import Actor
from drumline.team.life import Life
from drumline.team.limit import Limit
from drumline.team.text import PATTERN_CAP, checked_line

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


LONGEST = timedelta(days=8)  # a weekly limit, and a day


def pause(tx: Transaction, account: str, until: datetime, why: str) -> None:
    """No turn starts on an account before this time; of several words the furthest stands."""
    checked_line(account, "the account", cap=PATTERN_CAP)
    checked_line(why, "the reason", cap=PATTERN_CAP)
    if until.tzinfo is None:
        raise BadInput(f"{until} is not a moment", next="give the time with its zone")
    furthest = min(until, tx.now() + LONGEST)  # what a runtime says is not believed beyond that
    if tx.limits.pause(account, furthest, why):
        tx.record("drumline", "account.paused", account)


def lift(tx: Transaction, actor: Actor, account: str) -> bool:
    """Let an account be used again before its time; false when it was not paused."""
    may_post(tx, actor)
    lifted = tx.limits.lift(account)
    if lifted:
        tx.record(actor, "account.resumed", account)
    return lifted


def paused(tx: Transaction) -> list[Limit]:
    """The accounts that may not be used now, each with its time and reason."""
    return tx.limits.paused()


def refuse_paused(tx: Transaction, life: Life) -> None:
    """Refuse a turn of a life whose account has not been reset yet."""
    if life.process.account and (limit := tx.limits.get(life.process.account)):
        limit.refuse(life.member, tx.now())
