"""A member's plan, and its answers: the forms it gives them in before it may change anything."""

from collections.abc import Mapping
from typing import Any

from drumline.team.answer_form import for_runtimes, one_of, outlined, read_answer, wanted, words
from drumline.team.fields import Many, Record, Schema, line
from drumline.team.text import FILES_CAP, PATTERN_CAP
from drumline.team.wording_forms import Risk

WORDS_CAP = 4_000
MOST_STEPS = 50

PLAN = Record(
    (
        wanted(
            "files",
            Many(line("a path or glob", PATTERN_CAP), "paths", most=FILES_CAP),
            "Every file you are about to change.",
        ),
        wanted("changes", line("one line", PATTERN_CAP), "What changes, in one line."),
        wanted("risk", one_of(Risk), "How much it may break."),
        wanted(
            "steps",
            Many(words(WORDS_CAP), "steps", most=MOST_STEPS),
            "The steps, in order, and how each is checked.",
        ),
    )
)
ANSWERS = Record(
    (
        wanted(
            "answers",
            Many(words(WORDS_CAP), "answers", most=MOST_STEPS),
            "One answer to each question, in their order, with what shows it.",
        ),
    )
)


def read_plan(given: str | Mapping[str, Any]) -> dict[str, Any]:
    return read_answer(PLAN, given, "the plan")


def read_answers(given: str | Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(read_answer(ANSWERS, given, "the answers")["answers"])


def schema(form: Record) -> Schema:
    found: Schema = for_runtimes(form.schema())
    return found


def outline(form: Record) -> list[str]:
    return outlined(form)
