"""The rows of settled turns, and how many came to what."""

from collections.abc import Sequence
from datetime import datetime

from drumline.store.engine import Row, from_rows, micros, packed
from drumline.store.session import Filling, Session
from drumline.team.settled import Filed, Why

_SETTLED = Filling("add_settled", "add_settled_many", "team id arrival why member settled_at")


@from_rows
def as_filed(row: Row) -> Filed:
    """A row of `settled_turns` as the noun it is."""
    return Filed(row["id"], row["arrival"], Why(row["why"]), row["member"])


class SettledTurns:
    """Events of turns that ended in one team, each once."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, filed: Sequence[Filed]) -> set[str]:
        """Remember events; the arrivals of those that were new.

        What is known is asked for first: to add and read back what came of it takes twice as long a row.
        """
        if not filed:
            return set()
        session = self._session
        session.read("lock_settled")
        found = session.read("known_settled", ids=packed([each.id for each in filed]))
        known, now = {row["id"] for row in found}, micros(session.now())
        new: dict[str, Filed] = {}
        for each in filed:
            if each.id not in known:
                new.setdefault(each.id, each)
        rows = [
            (session.team, each.id, each.arrival, each.why.value, each.member, now)
            for each in new.values()
        ]
        session.fill(_SETTLED, rows)
        session.remember("settled_turns", [_SETTLED.named(row) for row in rows])
        return {each.arrival for each in new.values()}

    def get(self, settled: str) -> Filed | None:
        rows = self._session.read("get_settled", id=settled)
        return as_filed(rows[0]) if rows else None

    def move(self, filed: Filed) -> None:
        said = {"id": filed.id, "why": filed.why.value, "member": filed.member}
        self._session.write("settled_turns", "move_settled", **said)

    def forget(self, before: datetime, *, most: int) -> int:
        facts = {"before": micros(before), "most": most}
        return len(self._session.delete("settled_turns", "forget_settled", **facts))

    def count(self, why: Why, step: int) -> None:
        self._session.write("counters", "next_number", name=f"settled:{why}", step=step)
