"""Kinds of words on the command line: ids, and spans of time."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Generic, TypeVar

import click

from drumline.errors import BadInput
from drumline.team.ids import MessageId, QuestionId, RequestId, TaskId

T = TypeVar("T")

UNITS = {"s": "seconds", "m": "minutes", "h": "hours"}


class Read(click.ParamType[T], Generic[T]):
    """A word that a parser of ours reads."""

    def __init__(self, name: str, parse: Callable[[str], T]) -> None:
        self.name = name
        self._parse = parse

    def convert(self, value: Any, *_: object) -> T:
        return self._parse(value) if isinstance(value, str) else value


def span_of(text: str) -> timedelta:
    """`90s`, `15m` or `2h` as a span of time."""
    if not re.fullmatch(r"[0-9]{1,6}[smh]", text):
        raise BadInput(f"{text[:80]!r} is not a span of time", next="say 90s, 15m or 2h")
    return timedelta(**{UNITS[text[-1]]: int(text[:-1])})


TASK = Read("task", TaskId.parse)
MESSAGE = Read("message", MessageId.parse)
QUESTION = Read("question", QuestionId.parse)
REQUEST = Read("request", RequestId.parse)
SPAN = Read("span", span_of)
