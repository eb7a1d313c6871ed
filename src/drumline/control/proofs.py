"""Proof before completion: a task that carries `verify` closes only for the claim it was proved for.

One that says `handoff: required` closes only once its holder has handed off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control.awaiting import owed_to
from drumline.errors import NotHandedOff, NotVerified
from drumline.team.ids import TaskId
from drumline.team.task import HANDED_IN, VERIFIED, VERIFY
from drumline.team.task_fields import HANDOFF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.control.ports import Transaction

SHOWN = 5


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


def refuse_unhanded(tx: Transaction, task: TaskId, fence: int) -> None:
    """Refuse to close a task that wants a handoff and has none of this claim.

    Work that was found good before its claim ended keeps the handoff it was found good with.
    """
    fields = tx.tasks.fields(task)
    held = tx.tasks.get(task)
    others = owed_to(tx, held) if held else []
    if HANDOFF not in fields and not others:
        return
    kept = tx.handoffs.last(task)
    found_good = fields.get(f"{HANDED_IN}.member")
    if kept and (kept.fence == fence or kept.origin.member == found_good):
        return
    why = "there is none yet"
    if kept:
        why = f"version {kept.version} is {kept.origin.member}'s, for claim {kept.fence}, and this is claim {fence}"
    raise NotHandedOff(
        f"{task} was not handed off",
        why=f"{_whose(others)}closes with its L1 index and L2 summary, which are made of one call, and {why}",
        next=f"drumline handoff submit --task {task} --fence {fence} -   # or the tool handoff_submit",
    )


def _whose(others: Sequence[TaskId]) -> str:
    """Who waits for a handoff, before the reason that says so."""
    return (
        f"{', '.join(map(str, others[:SHOWN]))} cannot begin without it: it " if others else "it "
    )
