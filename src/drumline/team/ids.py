"""Numbers that people read and write with a letter in front."""

import re
from typing import ClassVar, Self

from drumline.errors import BadInput

RUN = "run-"


class Numbered(int):
    """A number of one kind of thing: `T-12`, `M-7`."""

    letter: ClassVar[str]
    noun: ClassVar[str]
    where: ClassVar[str]

    def __str__(self) -> str:
        return f"{self.letter}-{int(self)}"

    __repr__ = __str__

    @classmethod
    def parse(cls, text: str) -> Self:
        if not re.fullmatch(rf"{cls.letter}-[1-9][0-9]{{0,17}}", text.upper()):
            raise BadInput(
                f"{text[:80]!r} is not a {cls.noun} id",
                why=f"a {cls.noun} id reads {cls.letter}-12",
                next=cls.where,
            )
        return cls(text[2:])


def run_name(number: int) -> str:
    """What a run is called."""
    return f"{RUN}{number}"


def run_number(name: str) -> int:
    """The number in a run's name; of a name that is none, a number no run has."""
    found = re.fullmatch(rf"{RUN}([0-9]{{1,18}})", name)
    return int(found[1]) if found else -1


class TaskId(Numbered):
    """A task's number in its team."""

    letter, noun, where = "T", "task", "drumline task list"


class MessageId(Numbered):
    """A message's number in its store."""

    letter, noun, where = "M", "message", "drumline mail inbox NAME"


class RequestId(Numbered):
    """A request's number in its team."""

    letter, noun, where = "R", "request", "drumline request list"


class QuestionId(Numbered):
    """A question's number in its team."""

    letter, noun, where = "Q", "question", "drumline question list"
