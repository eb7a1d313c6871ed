"""A claim about an agent CLI: what somebody says of it, which no rule may lean on before a probe showed it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from drumline.team.document import Node, Problem
from drumline.team.ids import Numbered

SAYS_CAP = 1_000
MOST = 1_000  # of one team
_NAMED = re.compile(r"\bclaim (F-[1-9][0-9]{0,5})\b", re.IGNORECASE)


class ClaimId(Numbered):
    """A claim's number in its team."""

    letter, noun, where = "F", "claim", "drumline claim list"


class Trust(StrEnum):
    """How far a claim may be leaned on, with the CLI that is installed."""

    VERIFIED = "verified"
    UNVERIFIED = "unverified"  # no probe showed it of this version
    REFUTED = "refuted"  # its probe failed with this version
    CORRECTED = "corrected"  # another claim that was shown stands in its place


class RuntimeClaim(NamedTuple):
    """One claim, and what its last trial came to.

    probe     the probe of `doctor --probe` that would show it
    corrects  the claim in whose place it is to stand
    version   the version of the CLI that it was tried with; empty while it never was
    """

    id: ClaimId
    runtime: str
    probe: str
    says: str
    by: str
    made_at: datetime
    corrects: ClaimId | None = None
    version: str = ""
    passed: bool = False
    detail: str = ""
    tried_at: datetime | None = None

    def facts(self, trust: Trust) -> dict[str, Any]:
        """The claim as every surface shows it."""
        return {
            **self._asdict(),
            "id": str(self.id),
            "made_at": self.made_at.isoformat(),
            "corrects": str(self.corrects) if self.corrects else None,
            "version": self.version or None,
            "tried_at": self.tried_at.isoformat() if self.tried_at else None,
            "trust": trust.value,
        }


def trusts(claims: Iterable[RuntimeClaim], versions: Mapping[str, str]) -> dict[ClaimId, Trust]:
    """How far each claim may be leaned on, given the version of each CLI that is installed here."""
    listed = list(claims)
    found = {each.id: _shown(each, versions.get(each.runtime, "")) for each in listed}
    replaced = [each.corrects for each in listed if found[each.id] is Trust.VERIFIED]
    return found | {each: Trust.CORRECTED for each in replaced if each in found}


def _shown(claim: RuntimeClaim, version: str) -> Trust:
    if not version or claim.version != version:
        return Trust.UNVERIFIED
    return Trust.VERIFIED if claim.passed else Trust.REFUTED


def leaning(root: Node, trust: Mapping[ClaimId, Trust]) -> Iterator[Problem]:
    """The rules of a registry whose source names a claim that may not be leaned on."""
    rules = root.fields().get("constraints")
    for index, rule in enumerate(rules.items() if rules is not None else ()):
        source = rule.fields().get("source")
        if source is None or not isinstance(source.value, str):
            continue
        for name in _NAMED.findall(source.value):
            found = trust.get(ClaimId.parse(name))
            if found is not Trust.VERIFIED:
                said = f"claim {name.upper()}, which is {found or 'not known here'}"
                way = f"a claim that was shown: drumline claim prove {name.upper()}"
                yield Problem(source.line, f"constraints[{index}].source", said, way)
