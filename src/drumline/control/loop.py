"""The round: what keeps a team in step, decided from the store and done in small steps.

Whoever has the duty goes round: those whose time has come are looked at, everyone now and then, and what
a look finds is written by verbs of its own. A round that is cut off anywhere is made up for by the next,
and one member that cannot be looked at keeps nobody from the others: it is told in the log and put off.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from drumline.control import attendance, reconcile, watchdog
from drumline.errors import DrumlineError, StoreBusy, StoreTooNew, StoreTooOld
from drumline.team.member import HUMAN
from drumline.team.text import PATTERN_CAP, one_line

if TYPE_CHECKING:
    from drumline.control.attendance import Seen
    from drumline.control.ports import Store, Transaction
    from drumline.team.nudge import Decision

OF_THE_STORE = (StoreBusy, StoreTooNew, StoreTooOld)  # about nobody: a row that cannot be read is


def settle_due(store: Store) -> int:
    """Look at everyone whose time has come; how many there were."""
    total = 0
    while found := _settled(store):
        total += found
        if found < reconcile.AT_ONCE:
            break
    return total


def look_around(store: Store) -> None:
    """Look at everyone: keep how each is, wake whom nobody woke, ask about who does not get on."""
    try:
        _look_around(store)
    except OF_THE_STORE:
        raise
    except Exception:  # noqa: BLE001 - whatever it is about one of them, it must not be about all
        for member in store.ask(_everyone):
            with _alone(store, member):
                _look_around(store, member)


def _settled(store: Store) -> int:
    """Those whose time has come, in one transaction; where that cannot be, each in its own."""
    try:
        return store.do(reconcile.settle_due)
    except OF_THE_STORE:
        raise
    except Exception:  # noqa: BLE001 - as above
        found = store.do(reconcile.due)
        for member in found:
            with _alone(store, member):
                store.do(reconcile.settle, member)
        return len(found)


@contextmanager
def _alone(store: Store, member: str) -> Iterator[None]:
    """What goes wrong about one member is told, and the member put off; a store that is gone says so again."""
    try:
        yield
    except OF_THE_STORE:
        raise
    except Exception as error:  # noqa: BLE001 - as above
        why = error.what if isinstance(error, DrumlineError) else f"{type(error).__name__}: {error}"
        store.do(reconcile.put_off, member, one_line(why, PATTERN_CAP))


def _look_around(store: Store, member: str = "") -> None:
    looked, overlooked, overdue = store.ask(_looked, member)
    if changed := [each for each in looked if each.changed]:
        store.do(attendance.keep, changed)
    if moving := [each for each in changed if each.moves]:
        store.do(watchdog.let_go, moving)
    if overlooked:
        store.do(reconcile.wake_overlooked, overlooked)
    if overdue:
        _climbed(store, overdue)


def _climbed(store: Store, members: list[str]) -> None:
    """The steps that are due, together; where that cannot be, each in its own transaction."""
    try:
        store.do(watchdog.climb, members)
    except OF_THE_STORE:
        raise
    except Exception:  # noqa: BLE001 - as above
        for each in members:
            with _alone(store, each):
                store.do(watchdog.climb, [each])


def _everyone(tx: Transaction) -> list[str]:
    return [each.name for each in tx.roster.everyone() if each.active and each.runtime != HUMAN]


def _looked(tx: Transaction, member: str = "") -> tuple[list[Seen], dict[str, Decision], list[str]]:
    """Everything a look around needs to know, of one moment and of everyone, or of one."""
    if member:
        found = attendance.look_at(tx, member)
        looked = [] if found is None else [found]
    else:
        looked = attendance.look(tx)
    return looked, reconcile.overlooked(tx, looked), watchdog.overdue(tx, looked)
