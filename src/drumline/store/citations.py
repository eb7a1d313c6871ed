"""The rows of what learnings were good for."""

import json
from collections.abc import Iterable

from drumline.store.engine import instant
from drumline.store.session import Session
from drumline.team.ids import TaskId
from drumline.team.learning import Use


class Citations:
    """Uses of learnings in one team."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, learning: str, member: str, task: TaskId | None, run: str, how: str) -> bool:
        number = 0 if task is None else int(task)
        place = {"learning": learning, "member": member, "number": number, "run": run, "how": how}
        return bool(self._session.write("citations", "add_citation", **place))

    def uses(self, member: str, learnings: Iterable[str]) -> dict[str, Use]:
        named = json.dumps(list(learnings))
        rows = self._session.read("uses_of", member=member, learnings=named)
        return {
            row["learning"]: Use(row["times"], row["runs"], instant(row["last"])) for row in rows
        }

    def pass_on(self, member: str, learning: str, heir: str, into: str) -> bool:
        names = {"member": member, "learning": learning, "heir": heir, "into": into}
        return bool(self._session.write("citations", "pass_on_citations", **names))
