"""A gate: nothing of the next phase begins before somebody said that this one is over."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from drumline.errors import Conflict
from drumline.team.pipeline import LOOP_LIMITS, Loop, Phase, Pipeline
from drumline.team.verdict import Call


class GateState(StrEnum):
    OPEN = "open"  # it is being judged
    APPROVED = "approved"
    ITERATED = "iterated"
    ABORTED = "aborted"


AFTER = {
    Call.APPROVE: GateState.APPROVED,
    Call.ITERATE: GateState.ITERATED,
    Call.ABORT: GateState.ABORTED,
}


class PointName(StrEnum):
    """The checklist of every gate."""

    ARTEFACTS = "artefacts"
    QUALITY = "quality"
    ISSUES = "issues"
    CONFLICTS = "conflicts"
    HANDOFFS = "handoffs"


ASKED: Mapping[str, str] = {
    PointName.ARTEFACTS: "Everything this phase was to bring is there.",
    PointName.QUALITY: "It is good enough for the next phase to stand on.",
    PointName.ISSUES: "No critical matter is unresolved.",
    PointName.CONFLICTS: "Nothing that members made contradicts or collides.",
    PointName.HANDOFFS: "Who worked has handed over what the next ones need.",
}
OF_THE_LEAD = (PointName.QUALITY, PointName.ISSUES, PointName.CONFLICTS)


class Point(NamedTuple):
    """One line of a checklist: whether it holds, what shows it, and who says so; None while nobody has."""

    name: str
    holds: bool | None = None
    why: str = ""
    by: str = ""


class Gate(NamedTuple):
    """One gate of a run, of one of a phase's iterations."""

    run: str
    phase: str
    iteration: int
    opened_at: datetime
    state: GateState = GateState.OPEN
    points: tuple[Point, ...] = ()
    summary: str = ""
    guidance: str = ""
    by: str = ""
    ended_at: datetime | None = None

    @property
    def name(self) -> str:
        return f"{self.run}/{self.phase}/{self.iteration}"

    @property
    def open(self) -> bool:
        return self.state is GateState.OPEN

    def closed(self, call: Call, points: Iterable[Point], by: str) -> "Gate":
        """The gate with its verdict; one that has a verdict keeps it."""
        if not self.open:
            raise Conflict(
                f"the gate of {self.phase} in {self.run} is {self.state} already",
                why=f"{self.by} said so" if self.by else "",
                next=f"drumline gate show {self.phase} --run {self.run}",
            )
        said = {point.name: point for point in points}
        return self._replace(
            state=AFTER[call],
            points=tuple(said.get(point.name, point) for point in self.points),
            by=by,
        )


class Onward(StrEnum):
    """What follows a gate that wants the phase done again."""

    AGAIN = "again"
    PASS = "pass"  # noqa: S105 - with the gaps, or the risks, written down
    RESPAWN = "respawn"  # again, by members started anew
    PERSON = "person"


ONCE_REACHED = {
    Loop.VALIDATION: Onward.PASS,
    Loop.PLANNING: Onward.PASS,
    Loop.FEASIBILITY: Onward.PERSON,
    Loop.EXECUTION: Onward.RESPAWN,
}


def onward(pipeline: Pipeline, phase: Phase, iteration: int) -> Onward:
    """What follows when a phase is to be done again after so many times.

    Its own loop's limit and the pipeline's are counted apart: whichever is reached first decides.
    """
    loop = LOOP_LIMITS[phase.loop]
    if iteration < min(loop, pipeline.iterations):
        return Onward.AGAIN
    if loop <= pipeline.iterations:
        found = ONCE_REACHED[phase.loop]
        once_more = found is Onward.RESPAWN and iteration == loop < pipeline.iterations
        return found if found is not Onward.RESPAWN or once_more else Onward.PERSON
    return Onward.PERSON


def is_relaxed(iteration: int) -> bool:
    """Whether gaps that are written down are good enough: the first two times they are not."""
    return iteration > 2  # noqa: PLR2004 - the first two attempts are strict
