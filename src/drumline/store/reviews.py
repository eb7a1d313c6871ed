"""The rows of what was done for the tasks of runs, and of what others said of it."""

import json

from drumline.store.engine import Row, from_rows, instant, packed, remembered
from drumline.store.session import Session
from drumline.team.handoff import Severity
from drumline.team.ids import TaskId
from drumline.team.review import Flaw, Opinion, Review, Step, Word, Work

_STEPS = {step.value: step for step in Step}
_WORDS = {word.value: word for word in Word}


@from_rows
def as_work(row: Row) -> Work:
    """A row of `works` as the noun it is."""
    return Work(
        task=TaskId(row["number"]),
        run=row["run"],
        phase=row["phase"],
        authors=tuple(json.loads(row["authors"])),
        version=row["version"],
        base=row["base"],
        merged=row["merged"],
        via=row["via"],
    )


@from_rows
def as_review(row: Row) -> Review:
    """A row of `reviews` as the noun it is."""
    return Review(
        run=row["run"],
        task=TaskId(row["number"]),
        step=_STEPS[row["step"]],
        version=row["version"],
        by=row["author"],
        opinion=Opinion(_WORDS[row["word"]], row["summary"], _flaws(row["flaws"])),
        at=instant(row["said_at"]),
        occasion=row["occasion"],
    )


def _flaws(text: str) -> tuple[Flaw, ...]:
    if text == "[]":
        return ()
    return tuple(
        Flaw(what, Severity(severity), file, line)
        for what, severity, file, line in json.loads(text)
    )


known_work, known_review = remembered(as_work), remembered(as_review)


class Reviews:
    """What one team's members did in runs, and what was said of it."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def keep_work(self, work: Work) -> Work:
        rows = self._session.write(
            "works",
            "keep_work",
            number=int(work.task),
            run=work.run,
            phase=work.phase,
            authors=packed(work.authors),
            version=work.version,
            base=work.base,
            merged=work.merged,
            via=work.via,
        )
        return as_work(rows[0])

    def works(self, run: str) -> list[Work]:
        return [known_work(row) for row in self._session.read("works_of_run", run=run)]

    def keep(self, review: Review) -> Review:
        said = review.opinion
        rows = self._session.write(
            "reviews",
            "keep_review",
            number=int(review.task),
            step=review.step.value,
            version=review.version,
            run=review.run,
            author=review.by,
            word=said.word.value,
            summary=said.summary,
            flaws=packed(said.flaws),
            occasion=review.occasion,
        )
        return as_review(rows[0])

    def of_run(self, run: str) -> list[Review]:
        return [known_review(row) for row in self._session.read("reviews_of_run", run=run)]

    def of_task(self, task: TaskId) -> list[Review]:
        return [as_review(row) for row in self._session.read("reviews_of_task", number=int(task))]
