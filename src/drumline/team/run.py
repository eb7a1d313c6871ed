"""A run: one goal on its way through a pipeline, from its permanent task to its delivery."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from drumline.errors import Conflict
from drumline.team.actor import Actor, Role
from drumline.team.ids import QuestionId, TaskId
from drumline.team.pipeline import Phase, Pipeline
from drumline.team.run_mode import MODES, RunMode, RunRules
from drumline.team.task import Task
from drumline.team.text import checked, one_line
from drumline.team.tier import Tier

GOAL_CAP = 20_000
COORDINATING = "coordinator"  # the key of the task that brings a phase's findings together
TITLE = 100


class RunState(StrEnum):
    WORKING = "working"
    STOPPED = "stopped"  # by a person, who may let it go on
    DELIVERED = "delivered"
    ABORTED = "aborted"
    REVERTED = "reverted"  # delivered, and taken back


OVER = frozenset({RunState.DELIVERED, RunState.ABORTED, RunState.REVERTED})
MOVES = {
    RunState.WORKING: frozenset({RunState.STOPPED, RunState.DELIVERED, RunState.ABORTED}),
    RunState.STOPPED: frozenset({RunState.WORKING, RunState.ABORTED}),
    RunState.DELIVERED: frozenset({RunState.REVERTED}),
    RunState.ABORTED: frozenset[RunState](),
    RunState.REVERTED: frozenset[RunState](),
}
STANDS = {
    RunState.WORKING: "it goes on by itself",
    RunState.STOPPED: "it rests until somebody lets it go on",
    RunState.DELIVERED: "its work is in your branch: it can only be taken back",
    RunState.ABORTED: "it was ended for good",
    RunState.REVERTED: "it was taken back, and is over",
}


class Run(NamedTuple):
    """One run, as it stands.

    pipeline   as it was when the run began: what is written about it later changes no run
    tier       how large the change is; none until somebody said so
    phase, iteration   where it is, and the how-many-eth time
    base, branch       what the user stood on when it began, and where it is delivered
    commit             as what it was delivered
    mode               how its lead works
    """

    name: str
    goal: str
    pipeline: Pipeline
    lead: str
    task: TaskId
    started_by: str
    started_at: datetime
    state: RunState = RunState.WORKING
    tier: Tier | None = None
    chosen: bool = False  # the tier, by a person
    phase: str = ""
    iteration: int = 0
    modules: int = 0
    domains: int = 0
    why: str = ""
    base: str = ""
    branch: str = ""
    commit: str = ""
    ended_at: datetime | None = None
    mode: RunMode = RunMode.DEFAULT

    def acting(self) -> Actor:
        """A run acts for whoever began it."""
        return Actor(self.started_by, Role.PERSON, by=self.name)

    @property
    def rules(self) -> RunRules:
        """What its mode asks of it."""
        return MODES[self.mode]

    @property
    def over(self) -> bool:
        return self.state in OVER

    @property
    def stands(self) -> str:
        """Why it is where it is, or what that means where nobody said why."""
        return self.why or STANDS[self.state]

    @property
    def title(self) -> str:
        return one_line(self.goal, TITLE)

    @property
    def now_in(self) -> Phase | None:
        """The phase it is in; none before the first."""
        return self.pipeline.phase(self.phase) if self.phase else None

    def moved(self, new: RunState, why: str = "") -> "Run":
        if new not in MOVES[self.state]:
            same = new is self.state
            raise Conflict(
                f"{self.name} is {self.state}{' already' if same else f': it cannot become {new}'}",
                why=self.stands,
                next=f"drumline run show {self.name}",
            )
        return self._replace(state=new, why=why)


class RunTask(NamedTuple):
    """A task of a run: of which phase and iteration, under which key, and how often it failed."""

    task: Task
    phase: str
    iteration: int
    key: str = ""
    failures: int = 0


def is_of(each: RunTask, run: Run) -> bool:
    """Whether a task belongs to where a run is; one that came up on the way belongs where it came up."""
    return (each.phase or run.phase, each.iteration or run.iteration) == (run.phase, run.iteration)


def is_synthesis(each: RunTask, run: Run) -> bool:
    """Whether a task brings together what was found where a run is."""
    return each.key == COORDINATING and is_of(each, run)


class Asked(NamedTuple):
    """What a person was asked in a run, and answered."""

    question: QuestionId
    state: str
    choice: str
    what: str
    words: str

    @property
    def open(self) -> bool:
        return self.state == "open"

    @property
    def answered(self) -> bool:
        return self.state == "answered"


def checked_goal(goal: str) -> str:
    """A goal that can be kept, shown and told to a model."""
    return checked(goal.strip(), "the goal", cap=GOAL_CAP)
