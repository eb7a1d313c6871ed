"""The moves of a run, and everything they are decided from."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from drumline.team.gate import Gate, Point
from drumline.team.ids import TaskId
from drumline.team.judgement import Judgement, JudgementKind, Matter
from drumline.team.ladder import Rung
from drumline.team.observation import Observation
from drumline.team.review import Chain, Opinion, Review, Step, Work
from drumline.team.run import Run, RunState, RunTask, is_of
from drumline.team.synthesis import Finding
from drumline.team.task import TaskState
from drumline.team.tier import Tier
from drumline.team.understanding import Understanding
from drumline.team.verdict import Call, PlannedTask

GOAL = "goal"  # the subject of a run's first judgement
UNDONE = frozenset({TaskState.PENDING, TaskState.IN_PROGRESS, TaskState.FAILED})
NEVER = ("", 0)  # no phase, no iteration


class Place(NamedTuple):
    """A member as a run sees it: what it can do, whether it is to run, and where the run let it run last.

    Whom the run let run and somebody stopped stays stopped, and so does whom a person halted since it
    began: a person's word counts.
    """

    name: str
    profile: str
    running: bool
    started: tuple[str, int] = NEVER
    free: bool = False  # it lives and holds no task
    unable: str = ""  # why somebody who is to run does not, and will not by itself
    halted: bool = False

    def may_start(self, phase: str, iteration: int) -> bool:
        """Whether the run may let it run where it is now."""
        return not (self.running or self.halted or self.started == (phase, iteration))


class Said(NamedTuple):
    """What a person was asked in a run: open while `choice` is empty."""

    choice: str = ""
    what: str = ""
    words: str = ""


class Seen(NamedTuple):
    """Everything a run is decided from."""

    run: Run
    tasks: Sequence[RunTask] = ()
    judgements: Mapping[tuple[JudgementKind, str, int], Judgement] = {}
    gates: Mapping[tuple[str, int], Gate] = {}
    places: Sequence[Place] = ()
    asked: Mapping[str, Said] = {}
    held: Sequence[tuple[str, ...]] = ()
    assigns: bool = False  # members take no task by themselves
    lead_works: bool = False  # a lead may take tasks itself
    shut: Sequence[Point] = ()  # what keeps a gate shut, whoever judges
    known: Sequence[Point] = ()  # points of its checklist that are facts
    understandings: Sequence[Understanding] = ()
    observations: Sequence[Observation] = ()
    works: Sequence[Work] = ()
    findings: Sequence[Finding] = ()  # what was handed off where the run is
    reviews: Mapping[tuple[TaskId, Step, str], Review] = {}
    replan: tuple[int, str] | None = None  # an architecture change: its number, and what it is


def goes_by_handoffs(seen: Seen) -> bool:
    """Whether what was handed off decides anything: all is done where a run is, to be judged or brought together."""
    run, phase = seen.run, seen.run.now_in
    if phase is None:
        return False
    judged = (run.phase, run.iteration) in seen.gates
    if judged and not (phase.coordinator or run.rules.only_synthesis):
        return False
    return not any(is_of(each, run) and each.task.state in UNDONE for each in seen.tasks)


class Ask(NamedTuple):
    """Ask the lead."""

    matter: Matter


class AskPerson(NamedTuple):
    """Ask a person, once for each occasion."""

    occasion: str
    what: str
    options: tuple[str, ...]
    recommended: str = ""
    task: TaskId | None = None  # whose work came to a person


class Classify(NamedTuple):
    """Keep how large the change is."""

    tier: Tier
    modules: int
    domains: int


class Reclassify(NamedTuple):
    """Go on as a change of another size: a person said so."""

    tier: Tier


class LeaveOut(NamedTuple):
    """Go without some phases: a person said so."""

    phases: tuple[str, ...]


class Enter(NamedTuple):
    """Begin a phase, or do it once more."""

    phase: str
    iteration: int = 1
    flags: str = ""  # what was left open by the phase before


class AddTasks(NamedTuple):
    """Put a phase's tasks on the board."""

    phase: str
    iteration: int
    profile: str
    tasks: tuple[PlannedTask, ...]


class Start(NamedTuple):
    """Let members run."""

    members: tuple[str, ...]


class Assign(NamedTuple):
    """Give a member a task."""

    task: RunTask
    member: str


class Anew(NamedTuple):
    """Start a member anew, whose place in its work another life takes; `note` is what that one must know."""

    member: str
    why: str
    task: TaskId | None = None
    note: str = ""


class Weigh(NamedTuple):
    """Keep what the lead said of a member's understanding, and tell the member."""

    before: Understanding
    after: Understanding
    by: str


class Reopen(NamedTuple):
    """Put a failed task back on the board."""

    task: RunTask
    rung: Rung


class OpenGate(NamedTuple):
    """Let a phase be judged."""

    phase: str
    iteration: int
    points: tuple[Point, ...]


class CloseGate(NamedTuple):
    """Keep a gate's verdict."""

    phase: str
    iteration: int
    call: Call
    points: tuple[Point, ...]
    by: str
    summary: str = ""
    guidance: str = ""
    settled: tuple[int, ...] = ()  # observations that are dealt with


class AskReview(NamedTuple):
    """Have somebody look at a task's work who did not do it."""

    matter: Matter
    chain: Chain
    of: str


class KeepReview(NamedTuple):
    """Keep what was said of a task's work; `occasion` is on which a person said it, where one did."""

    work: Work
    step: Step
    opinion: Opinion
    by: str = ""
    occasion: str = ""


class Mend(NamedTuple):
    """Put a task on the board that mends another's work."""

    chain: Chain
    opinion: Opinion


class Drop(NamedTuple):
    """Take a task off the board; `rung` where that is a step of the ladder."""

    task: RunTask
    rung: Rung | None = None


class Deliver(NamedTuple):
    """Hand the whole over."""


class End(NamedTuple):
    """The run is over."""

    state: RunState
    why: str


class Wait(NamedTuple):
    """Nothing is to be done before something happens."""

    why: str
    person: bool = False  # only a person can make it happen, and none is asked


Move = (
    Ask
    | AskPerson
    | Classify
    | Reclassify
    | LeaveOut
    | Enter
    | AddTasks
    | Start
    | Assign
    | Anew
    | Weigh
    | Reopen
    | OpenGate
    | CloseGate
    | AskReview
    | KeepReview
    | Mend
    | Drop
    | Deliver
    | End
    | Wait
)
