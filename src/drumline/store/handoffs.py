"""The rows of handoffs, and of what waits for them."""

import json

from drumline.errors import Refused, StoreTrouble
from drumline.store.engine import Row, from_rows, instant, packed
from drumline.store.session import Session
from drumline.team.document import Reading
from drumline.team.handoff import Handoff, Kept, Origin, facts, read_handoff
from drumline.team.ids import TaskId
from drumline.team.json_tree import tree


@from_rows
def as_kept(row: Row) -> Kept:
    """A row of `handoffs` as the noun it is."""
    return Kept(
        origin=Origin(TaskId(row["number"]), row["member"], row["run"], row["phase"]),
        version=row["version"],
        fence=row["fence"],
        folder=row["folder"],
        handoff=_said(row["said"]),
        at=instant(row["at"]),
    )


def _said(text: str) -> Handoff:
    try:
        return read_handoff(Reading(tree(json.loads(text))))
    except Refused as refused:
        raise StoreTrouble(
            "the store holds a handoff that cannot be read",
            why=refused.why,
            next="drumline store check",
        ) from refused


class Handoffs:
    """What members of one team left for others."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, origin: Origin, fence: int, folder: str, handoff: Handoff) -> Kept:
        said = packed(facts(handoff))
        rows = self._session.write(
            "handoffs",
            "add_handoff",
            number=int(origin.task),
            member=origin.member,
            fence=fence,
            run=origin.run,
            phase=origin.phase,
            folder=folder,
            said=said,
        )
        return as_kept(rows[0])

    def last(self, task: TaskId) -> Kept | None:
        return self._one(self._session.read("last_handoff", number=int(task)))

    def in_folder(self, folder: str) -> Kept | None:
        return self._one(self._session.read("handoffs_in_folder", folder=folder))

    def of_run(self, run: str) -> list[Kept]:
        return [as_kept(row) for row in self._session.read("handoffs_of_run", run=run)]

    def awaited_by(self, task: TaskId) -> list[str]:
        return [row["member"] for row in self._session.read("awaited_by", number=int(task))]

    def awaiting(self, run: str, member: str) -> list[TaskId]:
        rows = self._session.read("awaiting", run=run, member=member)
        return [TaskId(row["number"]) for row in rows]

    def owed_to(self, task: TaskId, member: str) -> list[TaskId]:
        rows = self._session.read("owed_to", number=int(task), member=member)
        return [TaskId(row["number"]) for row in rows]

    def wait_for(self, task: TaskId, member: str) -> None:
        self._session.write("awaits", "add_await", number=int(task), member=member)
        self._session.write("tasks", "add_waits", number=int(task), more=1)

    def wait_no_more(self, task: TaskId, member: str) -> None:
        self._session.delete("awaits", "remove_await", number=int(task), member=member)
        self._session.write("tasks", "add_waits", number=int(task), more=-1)

    @staticmethod
    def _one(rows: list[Row]) -> Kept | None:
        return as_kept(rows[0]) if rows else None
