"""The rows of settled turns, and how many came to what."""

import json
from collections.abc import Sequence
from datetime import datetime

from drumline.store.engine import Row, from_rows, micros
from drumline.store.session import Session
from drumline.team.settled import Filed, Why


@from_rows
def as_filed(row: Row) -> Filed:
    """A row of `settled_turns` as the noun it is."""
    return Filed(row["id"], row["arrival"], Why(row["why"]), row["member"])


class SettledTurns:
    """Events of turns that ended in one team, each once."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, filed: Sequence[Filed]) -> set[str]:
        """Remember events; the arrivals of those that were new."""
        rows = json.dumps(filed)
        new = self._session.write("settled_turns", "add_settled", rows=rows) if filed else []
        return {row["arrival"] for row in new}

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
