"""Handing in: what a runner says of work it looked at itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from drumline.control.board import locked
from drumline.control.lives import present
from drumline.team.ids import TaskId
from drumline.team.life import Life
from drumline.team.task import VERIFIED, Holder
from drumline.team.text import checked_line

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


class Proof(NamedTuple):
    """For which claim on which commit a task's check has passed."""

    fence: int
    commit: str


def prove(tx: Transaction, life: Life, task: TaskId, proof: Proof) -> None:
    """Note that a task's check passed; said by the runner, which ran it, never by the member."""
    present(tx, life)
    checked_line(proof.commit, "the commit")
    locked(tx, task).held_by(Holder(life.member, life.incarnation, proof.fence))
    tx.tasks.merge(task, {f"{VERIFIED}.fence": proof.fence, f"{VERIFIED}.commit": proof.commit})
    tx.record(f"runner:{life.process.host}", "task.verified", str(task))
