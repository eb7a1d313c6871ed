"""The rows of duties."""

from datetime import timedelta
from typing import Any

from drumline.store.engine import Row, from_rows, instant, span
from drumline.store.session import Session
from drumline.team.duty import Duty


@from_rows
def as_duty(row: Row) -> Duty:
    """A row of `duties` as the noun it is."""
    return Duty(row["duty"], row["holder"], instant(row["since"]), instant(row["lease_until"]))


class Duties:
    """What exactly one process does for a team."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def hold(self, duty: str, holder: str, lease: timedelta) -> Duty | None:
        """The duty, if it is this holder's now."""
        return self._mine("hold_duty", duty=duty, holder=holder, lease=span(lease))

    def renew(self, duty: str, holder: str, lease: timedelta) -> Duty | None:
        """The duty, if it still is this holder's."""
        return self._mine("renew_duty", duty=duty, holder=holder, lease=span(lease))

    def let_go(self, duty: str, holder: str) -> bool:
        return bool(self._session.delete("duties", "let_duty_go", duty=duty, holder=holder))

    def all(self) -> list[Duty]:
        return [as_duty(row) for row in self._session.read("list_duties")]

    def _mine(self, name: str, **parameters: Any) -> Duty | None:
        rows = self._session.write("duties", name, **parameters)
        return as_duty(rows[0]) if rows else None
