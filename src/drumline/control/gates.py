"""Gates: what is said between phases, by whoever may say it, once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from drumline.control import observations, reviewing, run_moves, run_questions, runs
from drumline.errors import BadInput, Conflict, NotAllowed, NotReady, Unknown
from drumline.team.actor import Actor, Role
from drumline.team.asking_moves import UNANSWERED
from drumline.team.gate import Gate, Point
from drumline.team.judgement import JudgementKind
from drumline.team.member import HUMAN
from drumline.team.strategy_moves import LEAD
from drumline.team.text import BODY_CAP, checked
from drumline.team.verdict import Call

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.run import Run


class Said(NamedTuple):
    """A person's, or the lead's, word at a gate; an empty phase means the one the run is in."""

    phase: str
    call: Call
    why: str = ""


def of_run(tx: Transaction, name: str) -> list[Gate]:
    """A run's gates in the order they were opened."""
    return tx.runs.gates(runs.find(tx, name).name)


def find(tx: Transaction, name: str, phase: str = "") -> Gate:
    """The last gate of a phase, or of all."""
    run = runs.find(tx, name)
    found = [gate for gate in tx.runs.gates(run.name) if phase in {"", gate.phase}]
    if found:
        return found[-1]
    known = [each.name for each in run.pipeline.phases]
    if phase and phase not in known:
        raise Unknown(
            f"{run.name} has no phase {phase[:40]!r}",
            why=f"{run.pipeline.name} has {', '.join(known)}",
            next=f"drumline gate list --run {run.name}",
        )
    raise Unknown(
        f"no gate{f' of {phase}' if phase else ''} was opened in {run.name}",
        why=f"the run is in {run.phase}" if run.phase else "the run is in no phase yet",
        next=f"drumline gate list --run {run.name}",
    )


def say(tx: Transaction, actor: Actor, name: str, said: Said) -> Gate:
    """Close an open gate; the run goes on from what was said."""
    runs.may_steer(tx, actor)
    checked(said.why, "the reason", cap=BODY_CAP, empty=True)
    tx.runs.lock()
    run = runs.find(tx, name)
    _refuse_after_the_end(run)
    gate = _meant(tx, run, said.phase)
    _refuse_without_guidance(gate, said)
    critical = [each.line for each in observations.of_run(tx, run) if each.critical]
    _may_say(actor, run, gate, said.call, critical)
    if said.call is Call.APPROVE:
        reviewing.refuse_unreviewed(tx, run, gate.phase)
    points = [
        Point(point.name, said.call is Call.APPROVE, said.why, str(actor))
        for point in gate.points
        if point.holds is None
    ]
    closed = gate.closed(said.call, points, str(actor))
    again = said.call is Call.ITERATE  # what whoever does it once more must know
    told = closed._replace(guidance=said.why) if again else closed._replace(summary=said.why)
    kept = run_moves.keep_verdict(tx, run, told, actor)
    _withdraw_what_was_asked(tx, run, kept)
    return kept


def _withdraw_what_was_asked(tx: Transaction, run: Run, closed: Gate) -> None:
    """Nobody is asked any more what was asked for this verdict: an answer would come to nothing."""
    at = f"{closed.phase}/{closed.iteration}/"
    judged = f"{JudgementKind.JUDGE}/{at}"
    over = (f"gate/{at}", f"{LEAD}{judged}", f"{UNANSWERED}{judged}")
    for occasion in tx.runs.questions(run.name):
        if f"{occasion}/".startswith(over):
            run_questions.withdraw(tx, run, occasion)


def _refuse_after_the_end(run: Run) -> None:
    if run.over:
        raise Conflict(
            f"{run.name} is {run.state}: nothing is said at its gates any more",
            why=run.stands,
            next=f"drumline run show {run.name}",
        )


def _meant(tx: Transaction, run: Run, phase: str) -> Gate:
    """The gate that is spoken of: of the phase named, else of the one the run is in, this time."""
    if not phase and not run.phase:
        raise NotReady(
            f"{run.name} is in no phase yet: it has no gate",
            why=runs.waiting_for(tx, run.name) or "nobody has looked at it yet",
            next=f"drumline run show {run.name}",
        )
    if phase not in {"", run.phase}:
        return find(tx, run.name, phase)
    if found := tx.runs.gate(run.name, run.phase, run.iteration):
        return found
    raise NotReady(
        f"the gate of {run.phase} in {run.name} is not open yet",
        why=runs.waiting_for(tx, run.name) or "nobody has looked at its work yet",
        next=f"drumline run show {run.name}",
    )


def _refuse_without_guidance(gate: Gate, said: Said) -> None:
    """Refuse to have a phase done again with nothing said: the same would come of it."""
    if said.call is Call.ITERATE and gate.open and not said.why.strip():
        raise BadInput(
            f"what is to be done otherwise in {gate.phase} of {gate.run}?",
            why="whoever does it once more is told nothing else",
            next=f"drumline gate iterate {gate.phase} --run {gate.run} --why TEXT",
        )


def _may_say(actor: Actor, run: Run, gate: Gate, call: Call, open_matters: list[str]) -> None:
    """A person says anything; the lead neither what was kept for a person, nor what a fact speaks against."""
    if actor.role is Role.PERSON:
        return
    if run.lead == HUMAN or run.pipeline.phase(gate.phase).human:
        raise NotAllowed(
            f"{actor.name} may not decide at the gate of {gate.phase} in {run.name}",
            why="a person decides there",
            next="drumline question list   # where the person is asked",
        ).audited(str(actor), "gate.refused", gate.name)
    against = [point.why for point in gate.points if point.holds is False] + open_matters
    if call is Call.APPROVE and against:
        raise NotAllowed(
            f"{actor.name} may not approve {gate.phase} in {run.name}",
            why="; ".join(against),
            next=f"drumline gate iterate {gate.phase} --run {run.name} --why TEXT",
        ).audited(str(actor), "gate.refused", gate.name)


def facts(gate: Gate) -> dict[str, Any]:
    """A gate as every surface shows it."""
    return {
        "run": gate.run,
        "phase": gate.phase,
        "iteration": gate.iteration,
        "state": gate.state.value,
        "by": gate.by or None,
        "points": [point._asdict() for point in gate.points],
        "summary": gate.summary,
        "guidance": gate.guidance,
        "opened_at": gate.opened_at.isoformat(),
        "ended_at": gate.ended_at.isoformat() if gate.ended_at else None,
    }
