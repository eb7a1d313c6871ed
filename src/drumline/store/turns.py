"""The rows of turns."""

from typing import Any

from drumline.store.engine import Row, from_rows, instant, moment
from drumline.store.session import Session
from drumline.team.ids import TaskId
from drumline.team.life import Life
from drumline.team.turn import STATE_AFTER, Opening, Turn, TurnOutcome, TurnState


@from_rows
def as_turn(row: Row) -> Turn:
    """A row of `turns` as the noun it is."""
    task = None if row["task"] is None else TaskId(row["task"])
    return Turn(
        member=row["member"],
        incarnation=row["incarnation"],
        number=row["number"],
        opening=Opening(row["prompt"], task, row["run"]),
        state=TurnState(row["state"]),
        outcome=TurnOutcome(row["outcome"]) if row["outcome"] else None,
        started_at=instant(row["started_at"]),
        settled_at=moment(row["settled_at"]),
    )


class Turns:
    """What one team's members were asked, and how it ended."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def lock_spending(self) -> None:
        self._session.read("lock_spending")

    def add(self, life: Life, opening: Opening) -> Turn:
        task = None if opening.task is None else int(opening.task)
        said = {"task": task, "run": opening.run, "prompt": opening.prompt}
        return as_turn(self._session.write("turns", "add_turn", **_of(life), **said)[0])

    def get(self, life: Life, number: int) -> Turn | None:
        return self._one(self._session.read("get_turn", **_of(life), number=number))

    def running(self, life: Life) -> Turn | None:
        return self._one(self._session.read("running_turn", **_of(life)))

    def page(self, member: str, *, after: tuple[int, int], most: int) -> list[Turn]:
        place = {"incarnation": after[0], "number": after[1]}
        rows = self._session.read("list_turns", member=member, **place, most=most)
        return [as_turn(row) for row in rows]

    def others_on(self, task: TaskId, *, but: str) -> int:
        return int(self._session.read("turns_on_task", task=int(task), member=but)[0]["turns"])

    def others_in(self, run: str, *, but: str) -> int:
        return int(self._session.read("turns_in_run", run=run, member=but)[0]["turns"])

    def settle(self, turn: Turn, outcome: TurnOutcome) -> Turn | None:
        """The turn as it ended; None when someone ended it before."""
        said = {"state": STATE_AFTER[outcome].value, "outcome": outcome.value}
        return self._one(
            self._session.write("turns", "settle_turn", **_of(turn), number=turn.number, **said)
        )

    @staticmethod
    def _one(rows: list[Row]) -> Turn | None:
        return as_turn(rows[0]) if rows else None


def _of(life: Life | Turn) -> dict[str, Any]:
    return {"member": life.member, "incarnation": life.incarnation}
