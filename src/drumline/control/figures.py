"""What a monitor counts: the whole team at one moment."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from drumline.control import charges, duties, views
from drumline.control.muster import Present, muster
from drumline.team.charge import Scope
from drumline.team.duty import host_of

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.staffing import House


class Figures(NamedTuple):
    """The status, who is present, what each member has cost, and how long each host's plane is up."""

    status: views.Status
    present: list[Present]
    micros: dict[str, int]
    planes: dict[str, timedelta]


def figures(tx: Transaction, house: House | None, *, exists: Callable[[str], bool]) -> Figures:
    """Everything that is counted; who left the team still counts for what it cost."""
    now = tx.now()
    held = ((host_of(duty.name), duty) for duty in duties.held(tx))
    spent = charges.spent_by_each(tx, Scope.MEMBER)
    return Figures(
        views.status(tx, exists=exists),
        muster(tx, house),
        {name: total.usage.micros for name, total in spent.items()},
        {host: now - duty.since for host, duty in held if host},
    )
