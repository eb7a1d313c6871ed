"""The rows of usage limits."""

from datetime import datetime

from drumline.store.engine import Row, from_rows, instant, micros
from drumline.store.session import Session
from drumline.team.limit import Limit


@from_rows
def as_limit(row: Row) -> Limit:
    """A row of `limits` as the noun it is."""
    return Limit(row["account"], instant(row["until"]), row["why"], instant(row["since"]))


class Limits:
    """Accounts that one team may not use for a while."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def pause(self, account: str, until: datetime, why: str) -> bool:
        """Whether this reaches further than what was said before."""
        said = {"account": account, "until": micros(until), "why": why}
        return bool(self._session.write("limits", "pause_account", **said))

    def get(self, account: str) -> Limit | None:
        rows = self._session.read("get_limit", account=account)
        return as_limit(rows[0]) if rows else None

    def paused(self) -> list[Limit]:
        return [as_limit(row) for row in self._session.read("list_limits")]

    def lift(self, account: str) -> bool:
        return bool(self._session.delete("limits", "lift_limit", account=account))
