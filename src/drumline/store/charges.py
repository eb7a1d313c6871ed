"""The rows of charges and their sums."""

from typing import Any

from drumline.store.engine import Row, from_rows, instant
from drumline.store.session import Session
from drumline.team.charge import Charge, Report, Scope, Spending, Usage
from drumline.team.turn import Turn


@from_rows
def as_charge(row: Row) -> Charge:
    """A row of `charges` as the noun it is."""
    return Charge(
        member=row["member"],
        incarnation=row["incarnation"],
        turn=row["turn"],
        source=row["source"],
        number=row["number"],
        model=row["model"],
        basis=row["basis"],
        total=Usage(*(row[f"total_{name}"] for name in Usage._fields)),
        added=_usage(row),
        at=instant(row["charged_at"]),
    )


@from_rows
def as_spending(row: Row) -> Spending:
    """A row of `spending` as the noun it is."""
    return Spending(Scope(row["scope"]), row["name"], _usage(row), row["dearest"])


class Charges:
    """Readings of one team's meters, and what they come to."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def lock_meters(self, member: str) -> None:
        self._session.read("lock_meters", member=member)

    def get(self, turn: Turn, report: Report) -> Charge | None:
        return self._one("get_charge", turn, report)

    def beside(self, turn: Turn, report: Report) -> tuple[Charge | None, Charge | None]:
        """The readings of the same source before and after this one."""
        return self._one("charge_before", turn, report), self._one("charge_after", turn, report)

    def add(self, turn: Turn, report: Report, added: Usage) -> Charge:
        facts = {
            **_place(turn, report),
            **{f"total_{name}": value for name, value in report.reading._asdict().items()},
            **added._asdict(),
            "model": report.model,
            "basis": report.basis,
        }
        return as_charge(self._session.write("charges", "add_charge", **facts)[0])

    def total(self, scope: Scope, name: str) -> Spending:
        rows = self._session.read("get_spending", scope=scope.value, name=name)
        return as_spending(rows[0]) if rows else Spending(scope, name)

    def totals(self, scope: Scope) -> list[Spending]:
        return [as_spending(row) for row in self._session.read("list_spending", scope=scope.value)]

    def spend(self, scope: Scope, name: str, added: Usage) -> Spending:
        sums = {"scope": scope.value, "name": name, **added._asdict()}
        return as_spending(self._session.write("spending", "add_spending", **sums)[0])

    def _one(self, name: str, turn: Turn, report: Report) -> Charge | None:
        rows = self._session.read(name, **_place(turn, report))
        return as_charge(rows[0]) if rows else None


def _place(turn: Turn, report: Report) -> dict[str, Any]:
    """Where a reading stands in the order of its source."""
    return {
        "member": turn.member,
        "source": report.source,
        "incarnation": turn.incarnation,
        "turn": turn.number,
        "number": report.number,
    }


def _usage(row: Row) -> Usage:
    return Usage(*(row[name] for name in Usage._fields))
