"""The rows of directives."""

from drumline.store.engine import Row, from_rows, instant
from drumline.store.session import Session
from drumline.team.directive import Directed
from drumline.team.ids import MessageId, TaskId


@from_rows
def as_directed(row: Row) -> Directed:
    """A row of `directives` as the noun it is."""
    return Directed(
        task=TaskId(row["number"]),
        fence=row["fence"],
        occasion=row["occasion"],
        run=row["run"],
        phase=row["phase"],
        member=row["member"],
        incarnation=row["incarnation"],
        version=row["version"],
        message=MessageId(row["message"]),
        at=instant(row["at"]),
    )


class Directives:
    """What one team's members were told when they were given tasks."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, given: Directed) -> Directed:
        fields = given._asdict()
        del fields["at"]
        fields |= {"number": int(fields.pop("task")), "message": int(given.message)}
        return as_directed(self._session.write("directives", "add_directive", **fields)[0])

    def get(self, task: TaskId, fence: int, occasion: str) -> Directed | None:
        where = {"number": int(task), "fence": fence, "occasion": occasion}
        rows = self._session.read("get_directive", **where)
        return as_directed(rows[0]) if rows else None

    def of_run(self, run: str) -> list[Directed]:
        return [as_directed(row) for row in self._session.read("directives_of_run", run=run)]

    def unheard(self, member: str) -> list[MessageId]:
        rows = self._session.read("directives_unheard", member=member)
        return [MessageId(row["message"]) for row in rows]
