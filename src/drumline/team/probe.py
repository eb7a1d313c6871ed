"""Probes of an agent CLI: what was to be seen of it, what was, and what that means for the guards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What one probe came to; `means` is what holds no longer where it did not pass."""

    name: str
    passed: bool
    detail: str
    means: str = ""

    def facts(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "passed": self.passed,
            "detail": self.detail,
            "means": self.means,
        }


class Unclaimed(NamedTuple):
    """A probe of something that a runtime does not say it can do, so that it is not played."""

    name: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """An agent CLI in one version, and what every probe of it came to."""

    runtime: str
    version: str
    program: str
    proofs: tuple[Proof, ...]
    unclaimed: tuple[Unclaimed, ...] = ()

    @property
    def failed(self) -> tuple[Proof, ...]:
        return tuple(proof for proof in self.proofs if not proof.passed)

    def facts(self) -> dict[str, Any]:
        """All of it as data, for `--json`."""
        return {
            "runtime": self.runtime,
            "version": self.version,
            "program": self.program,
            "passed": not self.failed,
            "probes": [proof.facts() for proof in self.proofs],
            "not_claimed": [{"name": each.name, "detail": each.why} for each in self.unclaimed],
        }
