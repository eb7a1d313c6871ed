"""A run as people are shown it: the same field names on every surface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from drumline.control import deliveries, muster, runs
from drumline.control.summaries import cost_of
from drumline.team.run import RunState

if TYPE_CHECKING:
    from drumline.control.deliveries import Step
    from drumline.control.ports import Transaction
    from drumline.team.moves import Seen
    from drumline.team.run import Run
    from drumline.team.staffing import House


class Shown(NamedTuple):
    """A run, what it waits for, and what people are to say before it can go on.

    delivering   what its delivery runs now
    away         who is to run and does not, and why
    """

    run: Run
    waits_for: str = ""
    questions: tuple[str, ...] = ()
    delivering: Step | None = None
    away: Mapping[str, str] = {}

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
            "delivering": self._delivering(),
            "away": dict(self.away),
            "commit": run.commit or None,
            "started_at": run.started_at.isoformat(),
            "ended_at": run.ended_at.isoformat() if run.ended_at else None,
        }

    def _delivering(self) -> dict[str, str] | None:
        step = self.delivering
        return {"what": step.what, "since": step.since.isoformat()} if step else None


class Scene(NamedTuple):
    """What is drawn: the run as it is decided from, how each member is, its cost and its age.

    delivering, away   as of what is shown
    """

    seen: Seen
    liveness: dict[str, str]
    usd: float
    seconds: float
    delivering: Step | None = None
    away: Mapping[str, str] = {}


def shown(tx: Transaction, name: str, house: House = muster.ANYWHERE) -> Shown:
    """One run, without a name the newest; for a host also whom that has no room for."""
    return _shown(tx, runs.find(tx, name), house)


def every(tx: Transaction) -> list[Shown]:
    """Every run, newest first."""
    return [_shown(tx, run) for run in runs.page(tx)]


def scene(tx: Transaction, name: str) -> Scene:
    """A run as a screen shows it."""
    run = runs.find(tx, name)
    lived = {member: said for member, (said, _, _) in tx.attended().items()}
    until = run.ended_at or tx.now()
    seconds = (until - run.started_at).total_seconds()
    step = deliveries.step_under_way(tx, run)
    away = {} if run.over else muster.kept_away(tx)
    return Scene(runs.look(tx, name), lived, cost_of(tx, name), seconds, step, away)


def _shown(tx: Transaction, run: Run, house: House = muster.ANYWHERE) -> Shown:
    if run.over:  # it waits for nothing, and looking at all of it would be dear
        return Shown(run)
    name = run.name
    step, asked = deliveries.step_under_way(tx, run), tuple(runs.unanswered(tx, name))
    away = {} if run.state is RunState.STOPPED else muster.kept_away(tx, house)
    return Shown(run, runs.waiting_for(tx, name), asked, step, away)
