"""Subagents: begun inside a member's running turn, which pays for them, while there is money for one more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.control import handoffs, limits
from drumline.control.budgets import may_go_on
from drumline.control.lives import find, present
from drumline.errors import BadInput, BudgetSpent, NotReady
from drumline.team.budget import Budgets, No, Yes
from drumline.team.handoff_text import render_summary
from drumline.team.quoting import quoted
from drumline.team.secrets import redact
from drumline.team.text import BODY_CAP, PATTERN_CAP
from drumline.team.turn import Turn, TurnOutcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.control.ports import Transaction
    from drumline.team.ids import TaskId
    from drumline.team.subagent import Errand


def start(tx: Transaction, turn: Turn, name: str, budgets: Budgets, beside: int) -> Yes:
    """Begin a subagent; what it may cost. Refused without a turn, without money, and on a resting account.

    `beside` are the member's other subagents: each may have a request in flight.
    """
    found = present(tx, find(tx, turn.member, turn.incarnation))
    limits.refuse_paused(tx, found)
    running = tx.turns.running(found)
    if running is None or running.number != turn.number:
        raise NotReady(f"no turn of {turn.member} runs that could pay for a subagent")
    tx.turns.lock_spending()
    verdict = may_go_on(tx, turn.member, running.opening, budgets, beside)
    if isinstance(verdict, No):
        raise BudgetSpent(
            f"{turn.member} starts no subagent: {verdict.why}",
            why="one starts only while there is money for the dearest request so far",
            next="stop here: the lead raises the budget or ends the work",
        ).audited(turn.member, "subagent.refused", _called(turn, name))
    tx.record(turn.member, "subagent.started", _called(turn, name))
    return verdict


def end(tx: Transaction, turn: Turn, name: str, outcome: TurnOutcome) -> None:
    """Say how a subagent ended."""
    tx.record(turn.member, "subagent.ended", f"{_called(turn, name)} {outcome}")


def with_handoffs(tx: Transaction, errand: Errand, tasks: Sequence[TaskId]) -> Errand:
    """An errand with what members handed off of these tasks: whoever runs it reads no board itself."""
    parts = [errand.prompt]
    for task in tasks:
        kept = handoffs.find(tx, task)
        words = quoted(redact(render_summary(kept.handoff, kept.origin)))
        parts.append(f"What {kept.origin.member} handed off of {task}:\n\n{words}")
    prompt = "\n\n".join(parts)
    if len(prompt) > BODY_CAP:
        raise BadInput(
            f"{len(tasks)} handoffs are too much for one subagent",
            why=f"with them the prompt has {len(prompt):,} characters, and {BODY_CAP:,} are taken",
            next="give it fewer of them, and others to another",
        )
    return errand._replace(prompt=prompt)


def _called(turn: Turn, name: str) -> str:
    return f"{turn.name} {name}"[:PATTERN_CAP]
