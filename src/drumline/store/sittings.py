"""The rows of sessions that people opened for members."""

import json
from collections.abc import Iterable
from datetime import datetime

from drumline.store.engine import Row, from_rows, micros
from drumline.store.session import Session
from drumline.team.sitting import Sitting


@from_rows
def as_sitting(row: Row) -> Sitting:
    """A row of `sittings` as the noun it is."""
    return Sitting(
        session=row["session"],
        runtime=row["runtime"],
        member=row["member"],
        incarnation=row["incarnation"],
        cwd=row["cwd"],
        by=row["author"],
    )


class Sittings:
    """Who sits in which session of an agent CLI."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def of(self, member: str, incarnation: int) -> list[Sitting]:
        rows = self._session.read("sittings_of", member=member, incarnation=incarnation)
        return [as_sitting(row) for row in rows]

    def get(self, session: str) -> Sitting | None:
        rows = self._session.read("get_sitting", session=session)
        return as_sitting(rows[0]) if rows else None

    def set(self, sitting: Sitting) -> Sitting:
        facts = sitting._asdict()
        facts["author"] = facts.pop("by")
        return as_sitting(self._session.write("sittings", "set_sitting", **facts)[0])

    def among(self, sessions: Iterable[str], folders: Iterable[str]) -> list[Sitting]:
        """Those in these sessions, and those in these folders."""
        named = {"sessions": json.dumps(sorted(sessions)), "folders": json.dumps(sorted(folders))}
        return [as_sitting(row) for row in self._session.read("sittings_among", **named)]

    def forget(self, before: datetime, *, most: int) -> int:
        facts = {"before": micros(before), "most": most}
        return len(self._session.delete("sittings", "forget_sittings", **facts))
