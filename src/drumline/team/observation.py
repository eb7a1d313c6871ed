"""An observation: what somebody noticed on the way, kept with its run and acted on while that goes on."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from drumline.errors import BadInput, Conflict
from drumline.team.handoff import GRAVE, Severity
from drumline.team.quoting import inline
from drumline.team.text import one_line

WHAT_CAP = 1_000
MOST = 200  # of one run
SHOWN = 20  # before a judge, or a member
EACH = 300  # characters of one there


class Observation(NamedTuple):
    """One thing that was noticed.

    where    the phase and iteration it was noticed in
    routed   the wave of work that was told of it; empty while none was
    settled  what became of it, and who said so; empty while it is open
    """

    number: int
    severity: Severity
    what: str
    by: str
    at: datetime
    where: str = ""
    routed: str = ""
    settled: str = ""

    @property
    def name(self) -> str:
        return f"O-{self.number}"

    @property
    def open(self) -> bool:
        return not self.settled

    @property
    def grave(self) -> bool:
        """Whether it is open and may not wait for the end of the run."""
        return self.open and self.severity in GRAVE

    @property
    def critical(self) -> bool:
        """Whether it is open and lets no phase pass."""
        return self.open and self.severity is Severity.CRITICAL

    @property
    def line(self) -> str:
        """It in one line, for whoever must mind it: another's words, quoted."""
        return f"{self.name} {self.severity}, by {self.by}: {inline(one_line(self.what, EACH))}"

    def settle(self, how: str) -> "Observation":
        if self.settled:
            raise Conflict(f"{self.name} was settled already", why=self.settled)
        return self._replace(settled=how)

    def facts(self) -> dict[str, Any]:
        """It as JSON has it, on the permanent task and on every surface."""
        return {
            **self._asdict(),
            "severity": self.severity.value,
            "at": self.at.isoformat(timespec="microseconds").replace("+00:00", "Z"),
        }


def from_facts(found: Mapping[str, Any]) -> Observation:
    """The observation that these facts describe."""
    return Observation(
        **{
            **found,
            "severity": Severity(found["severity"]),
            "at": datetime.fromisoformat(found["at"]),
        }
    )


def gravest(found: Iterable[Observation]) -> list[Observation]:
    """Those that may not wait, the critical first; as many as whoever reads them can mind."""
    ranked = sorted(
        (each for each in found if each.grave), key=lambda each: (not each.critical, each.number)
    )
    return ranked[:SHOWN]


def numbered(text: str) -> int:
    """The number in an observation's name."""
    digits = text.upper().removeprefix("O-")
    if not (digits.isdecimal() and len(digits) < len(str(MOST)) + 1):
        raise BadInput(
            f"{text[:80]!r} is no observation",
            why="an observation reads O-3",
            next="drumline observation list",
        )
    return int(digits)
