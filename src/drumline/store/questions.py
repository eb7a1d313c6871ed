"""The rows of questions."""

import json
from typing import Any

from drumline.store.engine import Row, from_rows, instant, moment
from drumline.store.session import Session
from drumline.team.ids import QuestionId, TaskId
from drumline.team.question import Asking, Question, QuestionKind, QuestionState


@from_rows
def as_question(row: Row) -> Question:
    """A row of `questions` as the noun it is."""
    return Question(
        id=QuestionId(row["number"]),
        kind=QuestionKind(row["kind"]),
        asker=row["asker"],
        incarnation=row["incarnation"],
        task=TaskId(row["task"]) if row["task"] is not None else None,
        holds=bool(row["holds"]),
        what=row["what"],
        options=tuple(json.loads(row["options"])),
        recommended=row["recommended"],
        state=QuestionState(row["state"]),
        choice=row["choice"],
        words=row["words"],
        by=row["answerer"],
        asked_at=instant(row["asked_at"]),
        ended_at=moment(row["ended_at"]),
    )


class Questions:
    """What one team's members want to hear from a person or the lead."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def lock(self) -> None:
        self._session.read("lock_questions")

    def add(self, asking: Asking, asker: str, incarnation: int | None) -> Question:
        session = self._session
        number = session.write("counters", "next_number", name="question", step=1)[0]["value"]
        if asking.holds:
            session.write("tasks", "add_waits", number=int(asking.task or 0), more=1)
        return self._changed(
            "add_question",
            number,
            kind=asking.kind.value,
            asker=asker,
            incarnation=incarnation,
            task=None if asking.task is None else int(asking.task),
            holds=int(asking.holds),
            sameness=asking.sameness,
            what=asking.what,
            options=json.dumps(asking.choices, ensure_ascii=False),
            recommended=asking.recommended,
        )

    def get(self, question: QuestionId) -> Question | None:
        return self._one("get_question", number=int(question))

    def same(self, sameness: str) -> Question | None:
        return self._one("same_question", sameness=sameness)

    def page(self, *, everything: bool, after: int, most: int) -> list[Question]:
        return self._all(
            "list_questions" if everything else "open_questions", after=after, most=most
        )

    def about(self, task: TaskId) -> list[Question]:
        return self._all("questions_about", task=int(task))

    def asked_by(self, asker: str, incarnation: int) -> list[Question]:
        return self._all("questions_of", asker=asker, incarnation=incarnation)

    def still_asked(self, asker: str) -> list[Question]:
        return self._all("open_questions_of", asker=asker)

    def close(self, question: Question) -> Question:
        if question.holds:
            self._session.write("tasks", "add_waits", number=int(question.task or 0), more=-1)
        return self._changed(
            "close_question",
            question.id,
            state=question.state.value,
            choice=question.choice,
            words=question.words,
            answerer=question.by,
        )

    def _changed(self, name: str, number: int, **parameters: Any) -> Question:
        return as_question(
            self._session.write("questions", name, number=int(number), **parameters)[0]
        )

    def _all(self, name: str, **parameters: Any) -> list[Question]:
        return [as_question(row) for row in self._session.read(name, **parameters)]

    def _one(self, name: str, **parameters: Any) -> Question | None:
        return next(iter(self._all(name, **parameters)), None)
