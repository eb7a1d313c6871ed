"""Three shapes a team can start from: who sits where, and what each may use and own."""

from collections.abc import Mapping
from dataclasses import dataclass, field

READING = ("Read", "Grep", "Glob")
WRITING = ("Read", "Grep", "Glob", "Edit", "Write", "Bash")

LEADING = {"constitution-10": "coordinator"}
BUILDING = {"constitution-4": "implementer", "constitution-10": "implementer"}
TESTING = {"constitution-4": "tester", "constitution-10": "implementer"}
REVIEWING = {"constitution-4": "devils-advocate", "constitution-10": "analyst"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One member to be; `profiles` says which profile fills it under which constitution."""

    name: str
    role: str
    tools: tuple[str, ...] = READING
    owns: tuple[str, ...] = ()
    profiles: Mapping[str, str] = field(default_factory=dict)
    model: str = ""
    budget: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Topology:
    """A shape of team, and what a reader should know about it."""

    name: str
    says: tuple[str, ...]
    lead: str
    seats: tuple[Seat, ...]


def _lead(name: str, role: str) -> Seat:
    return Seat(name=name, role=role, profiles=LEADING, model="opus", budget=2.0)


def _reviewer(name: str, role: str) -> Seat:
    return Seat(name=name, role=role, profiles=REVIEWING)


PARALLEL_SPRINT = Topology(
    name="parallel-sprint",
    says=(
        "Parallel sprint: several members of one profile take ready tasks from the board.",
        "They own no files here: each task names its own.",
    ),
    lead="conductor",
    seats=(
        _lead("conductor", "Plans the tasks, opens the gates, edits nothing"),
        *(
            Seat(
                name=name,
                role="Takes the next ready task, builds it and its tests",
                tools=WRITING,
                profiles=BUILDING,
            )
            for name in ("builder-1", "builder-2", "builder-3")
        ),
        _reviewer("reviewer", "Reads every change before it is accepted"),
    ),
)

ISOLATED_ATTENTION = Topology(
    name="isolated-attention",
    says=(
        "Isolated attention: each member knows one part and owns its files.",
        "Put your own folders under owns; no two members may own one file.",
    ),
    lead="conductor",
    seats=(
        _lead("conductor", "Splits the work by part, opens the gates, edits nothing"),
        Seat(
            name="frontend",
            role="What people see: pages, components, styles",
            tools=WRITING,
            owns=("frontend/**", "web/**"),
            profiles=BUILDING,
        ),
        Seat(
            name="backend",
            role="What happens behind: interfaces, rules, storage",
            tools=WRITING,
            owns=("backend/**", "server/**"),
            profiles=BUILDING,
        ),
        Seat(
            name="qa",
            role="Tests across both parts, reports faults to their owner",
            tools=WRITING,
            owns=("tests/**", "e2e/**"),
            profiles=TESTING,
        ),
    ),
)

REVIEW_SWARM = Topology(
    name="review-swarm",
    says=(
        "Review swarm: several members read one change with different eyes.",
        "None of them edits; one makes a single answer of what they found.",
    ),
    lead="synthesiser",
    seats=(
        _lead("synthesiser", "Hands out the change, weighs the findings, gives one answer"),
        _reviewer("correctness", "Does it do what it says, at the edges too"),
        _reviewer("security", "What could someone make it do"),
        _reviewer("performance", "What does it cost when there is much of it"),
        _reviewer("clarity", "Will the next reader understand it"),
    ),
)

TOPOLOGIES: Mapping[str, Topology] = {
    topology.name: topology for topology in (PARALLEL_SPRINT, ISOLATED_ATTENTION, REVIEW_SWARM)
}
