"""How strict a gate is: two attempts leave no point open, a third passes once its gaps are written down.

What the lead judges can be good enough with gaps. A fact cannot: it is so, whichever attempt it is.
"""

from collections.abc import Sequence

from drumline.team.gate import Gate, Point, is_relaxed
from drumline.team.text import PATTERN_CAP, one_line
from drumline.team.verdict import Call, Verdict

UNSAID = "nothing was said of it"


def ruled(gate: Gate, said: Verdict) -> Call:
    """What a lead's word comes to: an approval holds where nothing, or nothing grave, speaks against it."""
    if said.call is not Call.APPROVE:
        return said.call
    if any(point.holds is False for point in gate.points):
        return Call.ITERATE
    unmet = _unmet(gate, said)
    if is_relaxed(gate.iteration):
        unmet = [point for point in unmet if not point.why.strip()]
    return Call.ITERATE if unmet else Call.APPROVE


def told(gate: Gate, said: Verdict, by: str) -> tuple[Point, ...]:
    """The points that were left to the lead, as it said; what a machine knows stands."""
    return tuple(
        Point(point.name, *said.points[point.name], by)
        for point in gate.points
        if point.holds is None and point.name in said.points
    )


def guidance(gate: Gate, said: Verdict) -> str:
    """What must be otherwise next time: in the lead's words, else what kept its approval from holding."""
    if said.guidance or said.call is not Call.APPROVE or ruled(gate, said) is Call.APPROVE:
        return said.guidance
    against = [point for point in gate.points if point.holds is False]
    return gaps([*against, *_unmet(gate, said)])


def gaps(points: Sequence[Point]) -> str:
    """What a gate left open, in one line."""
    found = [
        f"{point.name}: {point.why.strip() or UNSAID}" for point in points if point.holds is False
    ]
    return one_line("; ".join(found), PATTERN_CAP) if found else ""


def _unmet(gate: Gate, said: Verdict) -> list[Point]:
    """Points left to the lead that it did not say to hold: one it passed over is not met either."""
    left = [point.name for point in gate.points if point.holds is None]
    answers = {name: said.points.get(name, (False, "")) for name in left}
    return [Point(name, holds, why) for name, (holds, why) in answers.items() if not holds]
