"""The round: what keeps a team in step, decided from the store and done in small steps.

Whoever has the duty goes round: those whose time has come are looked at, everyone now and then, and what
a look finds is written by verbs of its own. A round that is cut off anywhere is made up for by the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control import attendance, reconcile, watchdog

if TYPE_CHECKING:
    from drumline.control.attendance import Seen
    from drumline.control.ports import Store, Transaction
    from drumline.team.nudge import Decision


def settle_due(store: Store) -> int:
    """Look at everyone whose time has come; how many there were."""
    total = 0
    while found := store.do(reconcile.settle_due):
        total += found
        if found < reconcile.AT_ONCE:
            break
    return total


def look_around(store: Store) -> None:
    """Look at everyone: keep how each is, wake whom nobody woke, ask about who does not get on."""
    looked, overlooked, overdue = store.ask(_looked)
    if changed := [each for each in looked if each.changed]:
        store.do(attendance.keep, changed)
    if moving := [each for each in changed if each.moves]:
        store.do(watchdog.let_go, moving)
    if overlooked:
        store.do(reconcile.wake_overlooked, overlooked)
    for member in overdue:
        store.do(watchdog.ask, member)


def _looked(tx: Transaction) -> tuple[list[Seen], dict[str, Decision], list[str]]:
    """Everything a look around needs to know, of one moment."""
    looked = attendance.look(tx)
    return looked, reconcile.overlooked(tx, looked), watchdog.overdue(tx, looked)
