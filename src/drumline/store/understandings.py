"""The rows of understandings: how far each life of a member is with its task."""

import json
from typing import Any

from drumline.store.engine import Row, from_rows, packed, remembered
from drumline.store.session import Session
from drumline.team.challenge import Asked
from drumline.team.ids import TaskId
from drumline.team.understanding import Stage, Terms, Understanding, Whose


@from_rows
def as_understanding(row: Row) -> Understanding:
    """A row of `understandings` as the noun it is."""
    return Understanding(
        whose=Whose(row["run"], TaskId(row["task"]), row["member"], row["incarnation"]),
        phase=row["phase"],
        terms=Terms(row["level"], bool(row["plans"])),
        stage=Stage(row["stage"]),
        attempt=row["attempt"],
        plan_attempt=row["plan_attempt"],
        analysis=json.loads(row["analysis"]) if row["analysis"] is not None else None,
        asked=tuple(Asked(*each) for each in json.loads(row["asked"])),
        plan=json.loads(row["plan"]) if row["plan"] is not None else None,
        why=row["why"],
        rejections=tuple(json.loads(row["rejections"])),
        left=tuple(json.loads(row["remains"])),
    )


known_understanding = remembered(as_understanding)


class Understandings:
    """How far one team's members have shown that they understand."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def begin(self, new: Understanding) -> bool:
        rows = self._session.write(
            "understandings",
            "begin_understanding",
            phase=new.phase,
            level=new.terms.level,
            plans=int(new.terms.plans),
            remains=packed(new.left),
            **_key(new.whose),
        )
        return bool(rows)

    def get(self, member: str, incarnation: int, task: TaskId) -> Understanding | None:
        where = {"member": member, "incarnation": incarnation, "task": int(task)}
        rows = self._session.read("get_understanding", **where)
        return as_understanding(rows[0]) if rows else None

    def of_run(self, run: str) -> list[Understanding]:
        return [
            as_understanding(row) for row in self._session.read("understandings_of_run", run=run)
        ]

    def under_way(self, run: str) -> list[Understanding]:
        rows = self._session.read("understandings_under_way", run=run)
        return [known_understanding(row) for row in rows]

    def save(self, found: Understanding) -> Understanding:
        rows = self._session.write(
            "understandings",
            "save_understanding",
            stage=found.stage.value,
            attempt=found.attempt,
            plan_attempt=found.plan_attempt,
            analysis=None if found.analysis is None else packed(found.analysis),
            asked=packed(found.asked),
            plan=None if found.plan is None else packed(found.plan),
            why=found.why,
            rejections=packed(found.rejections),
            **_key(found.whose),
        )
        return as_understanding(rows[0])


def _key(whose: Whose) -> dict[str, Any]:
    return {**whose._asdict(), "task": int(whose.task)}
