"""What a run came to, for whoever reads it afterwards: gates, tasks, cost and time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drumline.control import muster, reviewing, runs
from drumline.team.charge import Scope
from drumline.team.pipeline import Zone
from drumline.team.task_fields import ESCALATIONS

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.moves import Seen

MILLION = 1_000_000


def cost_of(tx: Transaction, name: str) -> float:
    """What a run cost so far, in USD."""
    return tx.charges.total(Scope.RUN, name).usage.micros / MILLION


def summary_of(tx: Transaction, name: str) -> dict[str, Any]:
    """Everything a person wants to know of a run that is over, or not; without a name of the newest."""
    run = runs.find(tx, name)
    seen, spent = runs.look(tx, run.name), tx.charges.total(Scope.RUN, run.name).usage
    until = run.ended_at or tx.now()
    return {
        "run": run.name,
        "goal": run.goal,
        "state": run.state.value,
        "why": run.why or None,
        "waits_for": None if run.over else runs.waiting_for(tx, run.name) or None,
        "away": {} if run.over else muster.kept_away(tx),
        "tier": run.tier.value if run.tier else None,
        "seconds": round((until - run.started_at).total_seconds(), 1),
        "usd": round(spent.micros / MILLION, 4),
        "tokens": spent.input + spent.cached + spent.output,
        "shares": _shares(tx, seen),
        **_calls(tx, seen),
        "gates": [
            {
                "phase": gate.phase,
                "iteration": gate.iteration,
                "state": gate.state.value,
                "by": gate.by,
                "summary": gate.summary,
            }
            for gate in seen.gates.values()
        ],
        "tasks": _tasks(seen),
        "reviews": reviewing.of_run(tx, run.name),
        "escalations": _parts(tx.tasks.fields(run.task), f"{ESCALATIONS}."),
        "gaps": _parts(tx.tasks.fields(run.task), "gaps."),
        "commit": run.commit or None,
    }


def _tasks(seen: Seen) -> list[dict[str, Any]]:
    return [
        {
            "task": str(each.task.id),
            "phase": each.phase or None,
            "state": each.task.state.value,
            "title": each.task.title,
            "failures": each.failures,
        }
        for each in seen.tasks
    ]


def _calls(tx: Transaction, seen: Seen) -> dict[str, int]:
    """How many judgements were asked for, of the lead and of those who look at others' work."""
    found, lead = tx.runs.judgements(seen.run.name), seen.run.lead
    return {
        "lead_calls": sum(each.tries for each in found if each.asked == lead),
        "other_calls": sum(each.tries for each in found if each.asked != lead),
    }


def _shares(tx: Transaction, seen: Seen) -> dict[str, dict[str, Any]]:
    """How much of what members cost lay before, in and after execution, against what was meant."""
    pipeline = seen.run.pipeline
    spent = dict.fromkeys(Zone, 0)
    for each in seen.tasks:
        if each.phase:
            micros = tx.charges.total(Scope.TASK, str(each.task.id)).usage.micros
            spent[pipeline.phase(each.phase).zone] += micros
    total = sum(spent.values())
    shares = {zone: micros / total if total else 0.0 for zone, micros in spent.items()}
    return {
        zone.value: {
            "share": round(share, 3),
            "meant": pipeline.shares.get(zone),
            "kept": pipeline.kept(zone, share) if total else None,
        }
        for zone, share in shares.items()
    }


def _parts(fields: dict[str, Any], prefix: str) -> dict[str, str]:
    """What a permanent task says under a name, part by part; what it says in steps, one behind the other."""
    return {
        name.removeprefix(prefix): "; ".join(map(str, said if isinstance(said, list) else [said]))
        for name, said in fields.items()
        if name.startswith(prefix)
    }
