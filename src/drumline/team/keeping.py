"""How much members remember, and for how long: the numbers of a team's memory."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from drumline.team.fields import Field, Record, whole

SAYS = {
    "core_lines": "Lines of learnings a member is told in every task.",
    "core_references": "A learning used so often is told in every task.",
    "task_lines": "Lines of learnings a member is told besides, by what its task is about.",
    "stale_days": "A learning that nobody used for so many days goes to the archive.",
    "confirmed_runs": "A learning used in so many runs may become a rule.",
    "note_days": "A note from another member is settled within so many days.",
}


class Keeping(NamedTuple):
    """Every number of a team's memory; the manifest's `settings.memory` has the same names."""

    core_lines: int = 30
    core_references: int = 5
    task_lines: int = 30
    stale_days: int = 21
    confirmed_runs: int = 3
    note_days: int = 14

    @property
    def stale_after(self) -> timedelta:
        return timedelta(days=self.stale_days)

    @property
    def notes_within(self) -> timedelta:
        return timedelta(days=self.note_days)


KEEPING = Keeping()

MEMORY = Record(
    tuple(
        Field(
            name=name.replace("_", "-"),
            kind=whole(1, 10_000),
            default=usual,
            says=SAYS[name],
        )
        for name, usual in KEEPING._asdict().items()
    )
)


def keeping_said(values: Mapping[str, Any]) -> Keeping:
    """The numbers of a manifest's `settings.memory`; what it leaves out is as usual."""
    return KEEPING._replace(**{name.replace("-", "_"): value for name, value in values.items()})
