"""What a lead may not decide alone: a question of its own to a person, and another size of the change.

Both are fields of its structured answers, so that nobody has to find them in prose.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from drumline.team.answer_form import one_of, wanted, words
from drumline.team.document import Node, Problem
from drumline.team.fields import Many, Record, line
from drumline.team.secrets import redact
from drumline.team.tier import Tier

ASKED_CAP, OPTION_CAP = 2_000, 120
LEAST, MOST = 2, 3  # options, each one that could be carried out
ABORT = "abort"  # is always offered, by us

QUESTION = Record(
    (
        wanted("what", words(ASKED_CAP), "What must be decided, and what hangs on it."),
        wanted(
            "options",
            Many(line("one way to go on", OPTION_CAP), "ways to go on", least=LEAST, most=MOST),
            "Two or three concrete ways to go on; to abort is always offered beside them.",
        ),
        wanted("recommended", line("one of the options", OPTION_CAP), "The one you would choose."),
    )
)
ASKS = wanted(
    "question",
    QUESTION,
    "Only where a person must choose between strategies: you are asked again with the answer, and the"
    " rest of this answer is not used. Null where you can go on.",
    required=False,
)
RESIZES = wanted(
    "tier",
    one_of(Tier),
    "Only where the change turned out to be of another size than it goes by: a person is asked. Else null.",
    required=False,
)


class StrategicQuestion(NamedTuple):
    """A lead's own question, with its options as it wrote them."""

    what: str
    options: tuple[str, ...]
    recommended: str


def question_in(answer: Mapping[str, Any] | None) -> StrategicQuestion | None:
    """What a lead asks in an answer, if it does."""
    said = (answer or {}).get("question")
    if not isinstance(said, Mapping):
        return None
    options = tuple(redact(each) for each in said["options"])
    best = [each for each in options if _plain(each) == _plain(redact(said["recommended"]))]
    return StrategicQuestion(said["what"], options, "".join(best[:1]))


def tier_in(answer: Mapping[str, Any] | None) -> Tier | None:
    """The size that a lead proposes in an answer, if it does."""
    said = (answer or {}).get("tier")
    return Tier(said) if said else None


def question_problems(root: Node) -> list[Problem]:
    """Options that a person can tell apart, one of them recommended."""
    asked = root.fields().get("question")
    if asked is None or not isinstance(asked.value, Mapping):
        return []
    listed, best = asked.fields().get("options"), asked.fields().get("recommended")
    said = [_plain(each.value) for each in listed.items()] if listed is not None else []
    problems = []
    if len(set(said)) < len(said) or ABORT in said:
        found = repr(ABORT) if ABORT in said else "the same twice"
        allowed = f"options of their own, none of them {ABORT!r}"
        problems.append(Problem(asked.line, "question.options", found, allowed))
    if best is not None and _plain(best.value) not in said:
        problems.append(
            Problem(best.line, "question.recommended", repr(best.value)[:80], "one of the options")
        )
    return problems


def _plain(value: object) -> str:
    return " ".join(str(value).lower().split())
