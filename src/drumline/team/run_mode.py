"""The modes of a run: how much goes through the lead, and what it reads itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

COORDINATOR = "coordinator"  # the profile of whoever brings findings together


class RunMode(StrEnum):
    """How the lead of a run works."""

    DEFAULT = "default"
    DELEGATE = "delegate"
    SINGLE_SESSION = "single-session"


class LeadWork(StrEnum):
    """What a lead does in a run."""

    OBSERVE = "observe"
    COORDINATE = "coordinate"
    ENFORCE = "enforce"
    SYNTHESIZE = "synthesize"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRules:
    """What a mode asks of a run.

    lead            what is left to the lead
    peers           whether members write to each other whatever the constitution says
    only_synthesis  whether the lead reads what a coordinator made of the findings, and no finding itself
    """

    says: str
    lead: frozenset[LeadWork] = frozenset(LeadWork)
    peers: bool = False
    only_synthesis: bool = False

    @property
    def lead_takes_part(self) -> bool:
        """Whether the lead may do work of the run itself, by whatever hands."""
        return LeadWork.SYNTHESIZE in self.lead


MODES: Mapping[RunMode, RunRules] = {
    RunMode.DEFAULT: RunRules(
        says="The lead observes, coordinates, holds to the rules and puts together."
    ),
    RunMode.DELEGATE: RunRules(
        says="Members coordinate among themselves; the lead only coordinates.",
        lead=frozenset({LeadWork.COORDINATE}),
        peers=True,
    ),
    RunMode.SINGLE_SESSION: RunRules(
        says="Whoever is started works in the background; the lead reads the coordinator's synthesis alone.",
        only_synthesis=True,
    ),
}
