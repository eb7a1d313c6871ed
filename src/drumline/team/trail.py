"""The audit trail read back: its lines, which of them are wanted, and who used which tool when."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from drumline.team.journal import Event
from drumline.team.tool_use import Used

NO_PHASE = "-"
PHASE_ENTERED, PHASE_LEFT = "phase.entered", "phase.left"

Phases = Sequence[tuple[datetime, str]]


class Entry(NamedTuple):
    """One line of the trail; `facts` has what it says, under the line's own keys."""

    facts: Mapping[str, Any]
    at: datetime | None

    @property
    def tool(self) -> str:
        return self._said("tool")

    @property
    def member(self) -> str:
        return self._said("team_member")

    @property
    def by(self) -> str:
        """Who made the call: the member, and which of its subagents if one did."""
        return " ".join(filter(None, (self.member or "-", self._said("subagent"))))

    @property
    def target(self) -> str:
        return self._said("command") or self._said("file_path")

    @property
    def refused(self) -> str:
        return self._said("refused")

    def _said(self, key: str) -> str:
        return str(self.facts.get(key) or "")


class Wanted(NamedTuple):
    """Which lines somebody asked for; what is empty does not matter."""

    member: str = ""
    tool: str = ""
    since: datetime | None = None

    def takes(self, entry: Entry) -> bool:
        if self.since is not None and (entry.at is None or entry.at < self.since):
            return False
        return self.member in {"", entry.member} and self.tool in {"", entry.tool}


class Use(NamedTuple):
    """How often a member called a tool in a phase, and how often it was refused."""

    member: str
    phase: str
    tool: str
    calls: int
    refused: int


def entry(line: bytes) -> Entry | None:
    """A line as it was written; None for what a killed writer left, or nobody of ours wrote."""
    try:
        facts = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return Entry(facts, _moment(facts.get("ts"))) if isinstance(facts, dict) else None


def phases(events: Iterable[Event]) -> list[tuple[datetime, str]]:
    """From when which phase held, oldest first, as the event log tells it."""
    return [
        (event.at, event.subject if event.verb == PHASE_ENTERED else NO_PHASE)
        for event in events
        if event.verb in {PHASE_ENTERED, PHASE_LEFT}
    ]


def phase_at(known: Phases, moment: datetime | None) -> str:
    """The phase that held at a moment; `-` before the first, between two, and when it cannot be told."""
    if moment is None:
        return NO_PHASE
    place = bisect_right(known, moment, key=lambda change: change[0])
    return known[place - 1][1] if place else NO_PHASE


def tool_use(entries: Iterable[Entry], known: Phases) -> list[Use]:
    """Calls per member, phase and tool, in that order."""
    calls: Counter[tuple[str, str, str]] = Counter()
    refused: Counter[tuple[str, str, str]] = Counter()
    for one in entries:
        key = (one.member, phase_at(known, one.at), one.tool)
        calls[key] += 1
        refused[key] += bool(one.refused)
    return [Use(*key, calls[key], refused[key]) for key in sorted(calls)]


def whole(counted: Iterable[Used], noted: Iterable[Use]) -> list[Use]:
    """All that is known of tool use: what was counted over all runs, and what only the trail tells."""
    known: dict[tuple[str, str, str], Use] = {}
    for each in counted:
        key = (each.member, each.phase or NO_PHASE, each.tool)
        had = known.get(key, Use(*key, 0, 0))
        known[key] = Use(*key, had.calls + each.calls, had.refused + each.refused)
    for use in noted:
        key = (use.member, use.phase, use.tool)
        if key not in known or known[key].calls < use.calls:
            known[key] = use
    return [known[key] for key in sorted(known)]


def _moment(said: object) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(said))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
