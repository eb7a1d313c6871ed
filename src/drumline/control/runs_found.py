"""A run by its name, for every verb that is given one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.errors import Unknown

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.run import Run


def find(tx: Transaction, name: str) -> Run:
    """One run, as it is now; without a name the newest."""
    if name and (found := tx.runs.get(name)):
        return found
    newest = tx.runs.page(most=1)
    if name:
        why = f"the newest it has is {newest[0].name}" if newest else "it has had none yet"
        raise Unknown(f"no run {name[:80]!r} in team {tx.team}", why=why, next="drumline run list")
    if newest:
        return newest[0]
    raise no_run_yet(tx)


def no_run_yet(tx: Transaction) -> Unknown:
    """What is said where a run is meant and none was ever begun."""
    return Unknown(
        "there was no run yet",
        why=f"nobody has begun one with team {tx.team}",
        next='drumline run "GOAL"',
    )
