"""A question: what waits for a person, or the lead, to say; asked once, kept with its answer."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from drumline.errors import BadInput, Conflict
from drumline.team.actor import Actor, Role
from drumline.team.ids import QuestionId, TaskId
from drumline.team.text import BODY_CAP, checked

WHAT_CAP = 4_000
WORDS_CAP = 4_000
OPTIONS_CAP = 10
NUMBER = 4  # digits: of longer ones none numbers an option


class QuestionKind(StrEnum):
    APPROVAL = "approval"  # may this call be made?
    OBSTACLE = "obstacle"  # what is in the way of a task
    NEED = "need"  # something a task needs is not there
    PROPOSAL = "proposal"  # a task that a member would add
    HELP = "help"  # a member wants a person's word
    STALL = "stall"  # what to do about a member whose work does not move
    ESCALATED = "escalated"  # the same, when the lead has not said
    RUN = "run"  # how a run is to go on
    CLARIFICATION = "clarification"  # what the shared context means to a member


class QuestionState(StrEnum):
    OPEN = "open"
    ANSWERED = "answered"
    WITHDRAWN = "withdrawn"


ALLOW, REFUSE = "allow", "refuse"
GO_ON, AGAIN, WITHOUT, CANCEL = "go on", "again", "without it", "cancel"
TAKE_UP, TURN_DOWN = "take up", "turn down"
ITERATE, AS_WRITTEN = "iterate", "as written"
LEAVE_IT, START_ANEW, HAND_BACK = "leave it", "start it anew", "give the task back"

USUAL: Mapping[QuestionKind, tuple[str, ...]] = {
    QuestionKind.APPROVAL: (ALLOW, REFUSE),
    QuestionKind.OBSTACLE: (GO_ON, CANCEL),
    QuestionKind.NEED: (AGAIN, WITHOUT, CANCEL),
    QuestionKind.PROPOSAL: (TAKE_UP, TURN_DOWN),
    QuestionKind.HELP: (),
    QuestionKind.STALL: (LEAVE_IT, START_ANEW, HAND_BACK),
    QuestionKind.ESCALATED: (LEAVE_IT, START_ANEW, HAND_BACK),
    QuestionKind.RUN: (),
    QuestionKind.CLARIFICATION: (),
}
FOR_PEOPLE = frozenset(
    {QuestionKind.APPROVAL, QuestionKind.HELP, QuestionKind.RUN, QuestionKind.ESCALATED}
)
OF_A_STANDSTILL = frozenset({QuestionKind.STALL, QuestionKind.ESCALATED})
# what a lead asks about itself, a person answers
NOT_ITS_OWN = frozenset({QuestionKind.STALL, QuestionKind.CLARIFICATION})
ENDS_ITS_TASK = frozenset({CANCEL, TURN_DOWN})
WANTS_WORDS: Mapping[str, str] = {
    ITERATE: "what is to be done otherwise",
    AS_WRITTEN: "what you write, a line each",
}


class Asking(NamedTuple):
    """What is to be asked. `sameness` names the occasion: on one occasion a thing is asked once.

    A question that holds its task keeps everyone from taking it until there is an answer.
    """

    kind: QuestionKind
    what: str
    sameness: str
    task: TaskId | None = None
    holds: bool = False
    options: tuple[str, ...] | None = None
    recommended: str = ""

    @property
    def choices(self) -> tuple[str, ...]:
        return USUAL[self.kind] if self.options is None else self.options


class Question(NamedTuple):
    """One question, as it stands; `asker` signs it, `by` signed the answer."""

    id: QuestionId
    kind: QuestionKind
    asker: str
    what: str
    asked_at: datetime
    incarnation: int | None = None
    task: TaskId | None = None
    holds: bool = False
    options: tuple[str, ...] = ()
    recommended: str = ""
    state: QuestionState = QuestionState.OPEN
    choice: str = ""
    words: str = ""
    by: str | None = None
    ended_at: datetime | None = None

    @property
    def open(self) -> bool:
        return self.state is QuestionState.OPEN

    @property
    def ends_its_task(self) -> bool:
        return self.task is not None and self.choice in ENDS_ITS_TASK

    @property
    def said(self) -> str:
        """The answer in one text."""
        return ": ".join(filter(None, (self.choice, self.words)))

    def answered(self, choice: str, words: str, by: str) -> "Question":
        """The question with its answer; one that has an answer keeps it."""
        if not self.open:
            raise Conflict(
                f"{self.id} was {self.state} already",
                why=f"{self.by} said {self.said!r}" if self.by else "nobody waits for it any more",
                next="drumline question list",
            )
        chosen = chosen_of(self.options, choice) if self.options else choice
        checked(words, "the answer", cap=WORDS_CAP) if words else None
        if not chosen and not words.strip():
            raise BadInput(
                f"{self.id} wants words",
                why="it offers no answers to choose from",
                next=f"drumline question answer {self.id} TEXT",
            )
        if wanted := WANTS_WORDS.get(chosen, "") if not words.strip() else "":
            raise BadInput(
                f"{chosen!r} wants words: {wanted}",
                why="whoever goes on is told nothing else",
                next=f"drumline question answer {self.id} {chosen!r} --words TEXT",
            )
        return self._replace(state=QuestionState.ANSWERED, choice=chosen, words=words, by=by)


def may_answer(question: Question, actor: Actor) -> bool:
    """People answer everything; the lead what does not need a person, and not whether it gets on itself."""
    if actor.role is Role.PERSON:
        return True
    own = question.kind in NOT_ITS_OWN and question.asker == actor.name
    return actor.role is Role.LEAD and question.kind not in FOR_PEOPLE and not own


def chosen_of(options: Sequence[str], said: str) -> str:
    """The option that was meant: its words, their beginning, or its number in the list."""
    words = " ".join(said.lower().split())
    if words.isdecimal() and len(words) <= NUMBER and 1 <= int(words) <= len(options):
        return options[int(words) - 1]
    plain = {each: " ".join(each.lower().split()) for each in options}
    found = [each for each in options if plain[each] == words] or [
        each for each in options if words and plain[each].startswith(words)
    ]
    if len(found) == 1:
        return found[0]
    raise BadInput(
        f"{said[:80]!r} is not one of the answers" if words else "which answer?",
        why=f"the answers are: {', '.join(options)}",
        next=f"say one of them, or its number 1 to {len(options)}",
    )


def checked_asking(asking: Asking) -> Asking:
    """A question that people can be shown."""
    whole = asking.kind is QuestionKind.APPROVAL  # of what is approved nothing is left out
    checked(asking.what, "the question", cap=BODY_CAP if whole else WHAT_CAP)
    if len(asking.choices) > OPTIONS_CAP or len(set(asking.choices)) != len(asking.choices):
        raise BadInput(
            f"a question has at most {OPTIONS_CAP} answers, each once", next="offer fewer"
        )
    if asking.recommended and asking.recommended not in asking.choices:
        raise BadInput("what is recommended is not among the answers", next="recommend one of them")
    return asking
