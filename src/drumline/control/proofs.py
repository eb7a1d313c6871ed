"""Proof before completion: a task that carries `verify` closes only for the claim it was proved for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.errors import NotVerified
from drumline.team.ids import TaskId
from drumline.team.task import VERIFIED, VERIFY

if TYPE_CHECKING:
    from drumline.control.ports import Transaction


def refuse_unproved(tx: Transaction, task: TaskId, fence: int) -> None:
    """Refuse to close a task whose check has not passed for this very claim."""
    fields = tx.tasks.fields(task)
    if VERIFY not in fields or fields.get(f"{VERIFIED}.fence") == fence:
        return
    words = fields[VERIFY]
    command = " ".join(map(str, words)) if isinstance(words, list) else str(words)
    raise NotVerified(
        f"{task} is not verified",
        why=f"it closes when `{command}` has passed on what was handed in, run by the member's runner",
        next=f"commit the work and let the runner run it; a person: drumline task done {task} --unverified",
    )
