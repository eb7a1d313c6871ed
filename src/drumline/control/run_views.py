"""A run as people are shown it: the same field names on every surface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from drumline.control import runs
from drumline.control.summaries import cost_of

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.moves import Seen
    from drumline.team.run import Run


class Shown(NamedTuple):
    """A run, what it waits for, and what people are to say before it can go on."""

    run: Run
    waits_for: str = ""
    questions: tuple[str, ...] = ()

    def facts(self) -> dict[str, Any]:
        """The run as every surface shows it."""
        run = self.run
        return {
            "run": run.name,
            "goal": run.goal,
            "state": run.state.value,
            "tier": run.tier.value if run.tier else None,
            "pipeline": run.pipeline.name,
            "phase": run.phase or None,
            "iteration": run.iteration,
            "lead": run.lead,
            "mode": run.mode.value,
            "task": str(run.task),
            "why": run.why or None,
            "waits_for": self.waits_for or None,
            "questions": list(self.questions),
            "commit": run.commit or None,
            "started_at": run.started_at.isoformat(),
            "ended_at": run.ended_at.isoformat() if run.ended_at else None,
        }


class Scene(NamedTuple):
    """What is drawn: the run as it is decided from, how each member is, its cost and its age."""

    seen: Seen
    liveness: dict[str, str]
    usd: float
    seconds: float


def shown(tx: Transaction, name: str) -> Shown:
    """One run, without a name the newest."""
    return _shown(tx, runs.find(tx, name))


def every(tx: Transaction) -> list[Shown]:
    """Every run, newest first."""
    return [_shown(tx, run) for run in runs.page(tx)]


def scene(tx: Transaction, name: str) -> Scene:
    """A run as a screen shows it."""
    run = runs.find(tx, name)
    lived = {member: said for member, (said, _, _) in tx.attended().items()}
    until = run.ended_at or tx.now()
    seconds = (until - run.started_at).total_seconds()
    return Scene(runs.look(tx, name), lived, cost_of(tx, name), seconds)


def _shown(tx: Transaction, run: Run) -> Shown:
    if run.over:  # it waits for nothing, and looking at all of it would be dear
        return Shown(run)
    name = run.name
    return Shown(run, runs.waiting_for(tx, name), tuple(runs.unanswered(tx, name)))
