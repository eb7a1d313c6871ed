"""A pipeline: the phases that work goes through, and which of them a change of each size needs."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from drumline.errors import Unknown
from drumline.team.tier import Tier


class Zone(StrEnum):
    """Where a phase lies: before, in or after execution."""

    BEFORE = "before"
    EXECUTION = "execution"
    AFTER = "after"


class CountedBy(StrEnum):
    """What decides how many members a phase needs."""

    MODULES = "modules"
    DOMAINS = "domains"


class Loop(StrEnum):
    """Which limit holds for doing a phase again, and what follows once it is reached."""

    VALIDATION = "validation"  # brainstorm and validate: pass, with the gaps written down
    FEASIBILITY = "feasibility"  # a person decides
    PLANNING = "planning"  # plan and verify: go on, with the risks flagged
    EXECUTION = "execution"  # start the member anew, then a person decides


LOOP_LIMITS: Mapping[Loop, int] = {
    Loop.VALIDATION: 3,
    Loop.FEASIBILITY: 3,
    Loop.PLANNING: 2,
    Loop.EXECUTION: 2,
}


EFFORTS = ("low", "medium", "high", "max")
SHARE_MARGIN = 0.05  # how far from its target a zone's share of the cost may lie
ROUNDING = 1e-9


class Execution(StrEnum):
    """Who does a phase's work on a tier's path."""

    TEAM = "team"
    SUBAGENTS = "subagents"  # the lead's own, in the background: no member is started


class Obligation(StrEnum):
    """How much a tool is to be used in a phase."""

    MANDATORY = "mandatory"
    RECOMMENDED = "recommended"
    AS_NEEDED = "as needed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """How hard a member's understanding is tried: how many questions, and whether an alternative is demanded."""

    questions: int = 0
    alternative: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """One stretch of work, which ends at a gate.

    domain       the field that its skills belong to; empty where it has none
    profile      who works in it; empty where the lead does alone
    coordinator  the profile of whoever brings the findings together once all are in; empty for none
    verified     whether members must show that they understand before they work
    handoff      whether each of its tasks closes only once it was handed off
    reviewed     whether the work of each of its tasks is reviewed, then audited, by others than its authors
    human        whether a person decides at its gate
    patience     how many of the team's `stall-after` pass before each step about work that stands still
    tools        patterns of tool names, and how much each is to be used
    delivers     whether it hands the whole over: nobody works in it
    """

    name: str
    title: str
    zone: Zone
    domain: str = ""
    profile: str = ""
    least: int = 1
    most: int = 1
    counted: CountedBy = CountedBy.MODULES
    coordinator: str = ""
    effort: str = ""
    loop: Loop = Loop.EXECUTION
    challenge: Challenge = field(default_factory=Challenge)
    verified: bool = False
    handoff: bool = False
    reviewed: bool = False
    human: bool = False
    patience: int = 1
    tools: Mapping[str, Obligation] = field(default_factory=dict)
    skills: tuple[str, ...] = ()
    delivers: bool = False

    @property
    def lead_only(self) -> bool:
        return not self.profile

    @property
    def numbers(self) -> str:
        """How many may work in it, as a person writes it."""
        return str(self.least) if self.least == self.most else f"{self.least}-{self.most}"

    def members(self, number: int) -> int:
        """How many members it needs where there are so many modules, or domains."""
        return max(self.least, min(self.most, number))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """Phases in their order, and the path of each tier through them.

    embeds       whether briefs carry the shared context whole, rather than say where it is
    shares       the share of the cost that is meant for each zone; one left out has no target
    subagents    the phases of each tier's path that the lead does with subagents of its own
    judged_once  the tiers whose review and audit are one judgement, the gate's
    """

    name: str
    description: str
    phases: tuple[Phase, ...]
    paths: Mapping[Tier, tuple[str, ...]]
    iterations: int = 3
    embeds: bool = True
    shares: Mapping[Zone, float] = field(default_factory=dict)
    subagents: Mapping[Tier, tuple[str, ...]] = field(default_factory=dict)
    judged_once: tuple[Tier, ...] = ()

    def phase(self, name: str) -> Phase:
        for each in self.phases:
            if each.name == name:
                return each
        raise Unknown(
            f"no phase {name[:80]!r} in {self.name}", next=f"drumline pipeline show {self.name}"
        )

    def path(self, tier: Tier) -> tuple[Phase, ...]:
        """The phases a change of this size goes through."""
        return tuple(self.phase(name) for name in self.paths[tier])

    def without(self, names: Collection[str]) -> "Pipeline":
        """The pipeline whose paths leave some phases out."""
        paths = {
            tier: tuple(name for name in path if name not in names)
            for tier, path in self.paths.items()
        }
        return replace(self, paths=paths)

    def with_people_at(self, gates: Collection[str]) -> "Pipeline":
        """The pipeline in which a person decides at the gates of these phases too."""
        named = {self.phase(name).name for name in gates}
        phases = (replace(each, human=each.human or each.name in named) for each in self.phases)
        return replace(self, phases=tuple(phases))

    def after(self, tier: Tier, name: str) -> Phase | None:
        """The phase that follows on a tier's path, also where the path does not go through this one."""
        order = [each.name for each in self.phases]
        at = order.index(name)
        return next((each for each in self.path(tier) if order.index(each.name) > at), None)

    def execution(self, tier: Tier, name: str) -> Execution:
        """Who does a phase's work in a change of this size."""
        return Execution.SUBAGENTS if name in self.subagents.get(tier, ()) else Execution.TEAM

    def kept(self, zone: Zone, share: float) -> bool | None:
        """Whether a zone's share of the cost is as meant; None where nothing is meant."""
        target = self.shares.get(zone)
        return None if target is None else abs(share - target) <= SHARE_MARGIN + ROUNDING
