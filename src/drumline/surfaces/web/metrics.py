"""Figures in the text format that Prometheus reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from drumline.control.muster import ABSENT
from drumline.team.life import LifeState

if TYPE_CHECKING:
    from drumline.control.figures import Figures

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
STATES = (ABSENT, *(state.value for state in LifeState if state is not LifeState.ENDED))


class Family(NamedTuple):
    """One thing that is counted, by the values of one label; a count of no kind has the label ''."""

    name: str
    says: str
    label: str
    counts: Mapping[str, float]
    kind: str = "gauge"

    def lines(self) -> Iterator[str]:
        yield f"# HELP {self.name} {self.says}"
        yield f"# TYPE {self.name} {self.kind}"
        for value, count in self.counts.items():
            label = f'{{{self.label}="{_quoted(value)}"}}' if self.label else ""
            yield f"{self.name}{label} {count}"


def page(found: Figures, version: str) -> str:
    """All figures, one a line."""
    return "".join(f"{line}\n" for family in _families(found, version) for line in family.lines())


def _families(found: Figures, version: str) -> Iterator[Family]:
    status = found.status
    unread = {seat.member.name: seat.unread for seat in status.seats}
    states = Counter(each.state for each in found.present)
    attention = {
        "stuck": len(status.stuck),
        "expired": len(status.expired),
        "lagging": len(status.lagging),
    }
    cost = {name: micros / 1_000_000 for name, micros in found.micros.items()}
    up = {host: span.total_seconds() for host, span in found.planes.items()}
    yield Family("drumline_info", "The version that answers.", "version", {version: 1})
    yield Family("drumline_tasks", "Tasks on the board.", "state", status.counts)
    yield Family("drumline_tasks_ready", "Tasks that could be claimed.", "", {"": status.ready})
    yield Family("drumline_tasks_blocked", "Tasks that wait for others.", "", {"": status.blocked})
    yield Family("drumline_tasks_attention", "Tasks that need a look.", "why", attention)
    yield Family("drumline_members", "Members by state.", "state", {s: states[s] for s in STATES})
    yield Family("drumline_mail_unread", "Letters not read yet.", "member", unread)
    yield Family("drumline_spending_usd_total", "What it has cost.", "member", cost, "counter")
    yield Family(
        "drumline_settled_turns_total", "Events of hooks.", "reason", status.drained, "counter"
    )
    yield Family("drumline_plane_uptime_seconds", "How long a plane is up.", "host", up)


def _quoted(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
