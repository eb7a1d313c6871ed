"""What a run does at its gates, and with its delivery."""

from collections.abc import Sequence

from drumline.team import strictness, verdict
from drumline.team.asking_moves import ABORT, ACCEPT, AGAIN, choice, lead_says, person_says
from drumline.team.gate import OF_THE_LEAD, Gate, GateState, Onward, Point, PointName, onward
from drumline.team.judgement import Judgement, JudgementKind
from drumline.team.member import HUMAN
from drumline.team.moves import (
    Anew,
    AskPerson,
    CloseGate,
    Deliver,
    End,
    Enter,
    Move,
    OpenGate,
    Seen,
    Wait,
)
from drumline.team.observation import Observation
from drumline.team.pipeline import Phase
from drumline.team.reduced_scope import REDUCE, left_out, limit
from drumline.team.review_moves import accepted, kept_at_gate
from drumline.team.run import Run, RunState, RunTask
from drumline.team.task import TaskState
from drumline.team.text import PATTERN_CAP, one_line
from drumline.team.tier import Tier
from drumline.team.verdict import Call

DELIVERY = "delivery"  # what a person is asked about what stands in its way


def gated(seen: Seen, phase: Phase, own: Sequence[RunTask]) -> list[Move]:
    """What is to be done about a phase whose work is done."""
    run = seen.run
    gate = seen.gates.get((phase.name, run.iteration))
    if gate is None:
        if seen.shut:
            return [Wait("; ".join(point.why for point in seen.shut))]
        return [OpenGate(phase.name, run.iteration, _checklist(own, seen.known))]
    if gate.open:
        return _judged(seen, phase, gate)
    return _after(seen, phase, gate)


def _checklist(own: Sequence[RunTask], facts: Sequence[Point]) -> tuple[Point, ...]:
    """What a machine can tell is told; the rest is the lead's to say."""
    told: dict[str, Point] = {point.name: point for point in facts}
    done = sum(each.task.state is TaskState.COMPLETED for each in own)
    known = {
        PointName.ARTEFACTS: f"{done} of {len(own)} tasks completed, the rest dropped",
        PointName.HANDOFFS: "each completed task was handed in, and what it must hand over is there",
    }
    own_points = (
        told.pop(name)
        if name in told
        else Point(name)
        if name in OF_THE_LEAD
        else Point(name, holds=True if done else None, why=known[name], by="drumline")
        for name in PointName
    )
    return (*own_points, *told.values())


def _judged(seen: Seen, phase: Phase, gate: Gate) -> list[Move]:
    run = seen.run
    if phase.human or run.lead == HUMAN:
        what = f"{run.name}: {phase.name} {phase.title} is done. May the run go on?"
        occasion = f"gate/{phase.name}/{run.iteration}"
        said = choice(seen, occasion)
        if not said:
            options = tuple(each.value for each in Call)
            return person_says(seen, AskPerson(occasion, what, options, Call.APPROVE))
        return [_closed_by_person(seen, phase, Call(said), seen.asked[occasion].words)]
    found = lead_says(seen, JudgementKind.JUDGE, phase.name, run.iteration)
    if not isinstance(found, Judgement):
        return found
    said_by_lead = verdict.at_gate(found.answer or {})
    left = [
        each
        for each in seen.observations
        if each.critical and each.number not in said_by_lead.settled
    ]
    known = _with_critical(gate, left)
    return [
        CloseGate(
            phase.name,
            run.iteration,
            strictness.ruled(known, said_by_lead),
            (*strictness.told(known, said_by_lead, found.by), *_unsettled(gate, known)),
            found.by,
            said_by_lead.summary,
            strictness.guidance(known, said_by_lead),
            said_by_lead.settled,
        )
    ]


def _closed_by_person(seen: Seen, phase: Phase, call: Call, words: str) -> Move:
    """What a person said in the queue is kept as it is where it was said at the gate itself."""
    again = call is Call.ITERATE
    summary, guidance = ("", words) if again else (words, "")
    return CloseGate(phase.name, seen.run.iteration, call, (), HUMAN, summary, guidance)


def _with_critical(gate: Gate, left: Sequence[Observation]) -> Gate:
    """The gate as it is judged: a critical observation that nobody settled is a fact against it."""
    if not left:
        return gate
    why = one_line("; ".join(each.line for each in left), PATTERN_CAP)
    unmet = Point(PointName.ISSUES, holds=False, why=why, by="drumline")
    return gate._replace(
        points=tuple(
            unmet if point.name == unmet.name and point.holds is not False else point
            for point in gate.points
        )
    )


def _unsettled(opened: Gate, judged: Gate) -> tuple[Point, ...]:
    """The points that turned out not to hold after a gate was opened."""
    return tuple(point for point in judged.points if point not in opened.points)


def _after(seen: Seen, phase: Phase, gate: Gate) -> list[Move]:
    """What follows a verdict."""
    run = seen.run
    if gate.state is GateState.APPROVED:
        gaps = strictness.gaps(gate.points) or left_out(seen, phase)
        return [*kept_at_gate(seen, phase, gate), next_phase(run, phase, gaps)]
    if gate.state is GateState.ABORTED:
        return [End(RunState.ABORTED, gate.summary or f"the gate of {phase.name} said so")]
    again = Enter(phase.name, run.iteration + 1)
    match onward(run.pipeline, phase, run.iteration):
        case Onward.AGAIN:
            return [again]
        case Onward.PASS:
            return [next_phase(run, phase, gate.guidance or gate.summary or "gaps")]
        case Onward.RESPAWN:
            return [*_all_anew(seen, phase), again]
        case _:
            return _out_of_tries(seen, phase, gate, again)


def _all_anew(seen: Seen, phase: Phase) -> list[Move]:
    why = f"{phase.name} is done again, by members that begin anew"
    return [
        Anew(place.name, why)
        for place in seen.places
        if place.running and place.profile == phase.profile
    ]


def _out_of_tries(seen: Seen, phase: Phase, gate: Gate, again: Enter) -> list[Move]:
    """Once more, less of it, as it is, or not at all: that is a person's to say."""
    run, occasion = seen.run, limit(phase.name, seen.run.iteration)
    said = choice(seen, occasion)
    if said in {AGAIN, REDUCE}:
        return [again]
    if said == ACCEPT:
        return [next_phase(run, phase, gate.guidance or gate.summary or "gaps")]
    what = (
        f"{run.name}: {phase.name} {phase.title} was done {run.iteration} times and is still not"
        f" approved: {gate.guidance or gate.summary}"
    )
    less = () if phase.lead_only else (REDUCE,)
    return person_says(seen, AskPerson(occasion, what, (AGAIN, *less, ACCEPT, ABORT)))


def delivering(seen: Seen) -> list[Move]:
    """Deliver; what stood in the way is tried again once a person says so."""
    tries = sum(occasion.startswith(f"{DELIVERY}/") for occasion in seen.asked)
    said = choice(seen, f"{DELIVERY}/{tries}")
    if tries and not said:
        return [Wait("a person is to make way for the delivery")]
    if tries and said == ABORT:
        return [End(RunState.ABORTED, "it could not be delivered, and a person aborted")]
    return accepted(seen) or [Deliver()]


def next_phase(run: Run, phase: Phase, flags: str = "") -> Move:
    """The phase that follows on the run's path."""
    following = run.pipeline.after(run.tier or Tier.COMPLEX, phase.name)
    if following is None:
        return End(RunState.ABORTED, f"no phase follows {phase.name}")
    return Enter(following.name, flags=flags)
