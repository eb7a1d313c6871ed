"""The play: where each conversation is in the scenario, and what came back from its tools.

The CLIs ask again when an answer failed or was lost. The same request therefore gets the same answer;
only news moves a conversation on.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from threading import Lock
from typing import NamedTuple

from drumline.runtimes.checkout import branch_of
from drumline.runtimes.rehearsal.exchange import Answer, Asked, Called, Speaker
from drumline.team.scenario import ANYTHING, Fault, Prompt, Scenario, Turn, chosen
from drumline.team.scenario_rounds import (
    TOOL_USE,
    Round,
    filled,
    filled_call,
    first_task,
    last_fence,
    rounds,
    unmet,
)

MOST_CONVERSATIONS = 10_000
MOST_FAILURES = 1_000
SHOWN = 200
REFUSAL = "refusal"
UNSCRIPTED = "The scenario has no turn that answers this."


class Failure(NamedTuple):
    """An expectation that did not come true, and whose it was."""

    member: str
    where: str
    what: str


@dataclass(slots=True)
class Conversation:
    """How far one conversation is: its turn, the round of it, and which calls are still open."""

    number: int
    turns: tuple[Turn, ...]
    played: frozenset[int] = frozenset()
    begun: int = 0
    turn: int | None = None
    rounds: tuple[Round, ...] = ()
    at: int = 0
    faulted: int = 0
    answered: bool = False
    asked: Asked | None = None
    task: str = ""
    fence: str = ""
    prompt: str = ""
    last_result: str = ""
    open: dict[str, Called] = field(default_factory=dict)

    @property
    def round(self) -> Round:
        return self.rounds[self.at] if self.rounds else Round(said=(UNSCRIPTED,))

    def fault(self) -> Fault | None:
        """What is wrong with the next answer, while it is."""
        fault = self.round.fault
        if fault is None or (fault.times is not None and self.faulted >= fault.times):
            return None
        return fault

    def begin(self, asked: Asked) -> None:
        """Choose the turn that answers what was heard."""
        self.begun += 1
        self.task, self.prompt = first_task(asked.heard), asked.heard
        prompt = Prompt(
            text=asked.heard,
            task=self.task,
            turn=self.begun,
            subagent=bool(asked.speaker.agent),
        )
        self.turn = chosen(self.turns, self.played, prompt)
        self.played |= {self.turn} if self.turn is not None else set()
        self.rounds = rounds(self.turns[self.turn]) if self.turn is not None else ()
        self.at, self.faulted, self.answered = 0, 0, False

    def advance(self, asked: Asked) -> None:
        """Move to where this request is: the same round again, the next, or a new turn."""
        before, self.asked = self.asked, asked
        if before is not None and self._is_same(asked, before):
            return
        if before is None or asked.interrupted or not self._continues(asked, before):
            self.begin(asked)
        elif self.answered:
            self.at, self.faulted, self.answered = self.at + 1, 0, False

    def _is_same(self, asked: Asked, before: Asked) -> bool:
        """Whether a question was asked before, in the same words or only more insistently."""
        if asked.depth != before.depth:
            return False
        fault = self.round.fault
        refused = REFUSAL in {self.round.end, fault.kind if fault else ""}
        return asked.news == before.news or (asked.insists and refused)

    def _continues(self, asked: Asked, before: Asked) -> bool:
        """Whether news belong to the turn: they bring what its last round asked for."""
        if not self.answered:  # the round went wrong so far, and comes after its fault's last time
            counted = self.round.fault is not None and self.round.fault.times is not None
            return counted and asked.depth != before.depth
        more = self.at + 1 < len(self.rounds)
        return more and (self.round.end != TOOL_USE or bool(asked.results))

    def values(self, member: str) -> dict[str, str]:
        """What the placeholders of this conversation stand for."""
        return {
            "task": self.task,
            "fence": self.fence,
            "member": member,
            "branch": branch_of(member),
            "last_result": self.last_result,
            "prompt": self.prompt,
        }


class Play:
    """A scenario as it is played to any number of conversations at once."""

    def __init__(self, scenario: Scenario, mark: str, given: Mapping[str, str]) -> None:
        """`mark` keeps ids apart from those of another play; `given` beats our own placeholders."""
        self._scenario, self._mark, self._given = scenario, mark, given
        self._lock = Lock()
        self._numbers = count(1)
        self._conversations: dict[Speaker, Conversation] = {}
        self._failures: list[Failure] = []

    def answer(self, asked: Asked) -> Answer:
        """The model's answer; what came back from tools is compared with what was expected."""
        with self._lock:
            conversation = self._conversation(asked.speaker)
            if asked.aside:
                return Answer(id=f"{self._mark}_{conversation.number}_aside", said=("Summary.",))
            self._take(conversation, asked)
            before = conversation.begun
            conversation.advance(asked)
            if conversation.turn is None and conversation.begun != before:
                self._fail(asked.speaker.member, "turn", f"no turn answers: {asked.heard[:SHOWN]}")
            return self._spoken(conversation, asked)

    def failures(self) -> list[Failure]:
        """Every expectation not met, those whose result never came included."""
        with self._lock:
            return [*self._failures, *self._unanswered()]

    def unplayed(self) -> list[str]:
        """The turns nobody came to, as `member turn 2`."""
        with self._lock:
            return list(self._left())

    def _conversation(self, speaker: Speaker) -> Conversation:
        if speaker not in self._conversations:
            if len(self._conversations) >= MOST_CONVERSATIONS:
                self._conversations.pop(next(iter(self._conversations)))
            turns = self._scenario.turns(speaker.member)
            self._conversations[speaker] = Conversation(next(self._numbers), turns)
        return self._conversations[speaker]

    def _take(self, conversation: Conversation, asked: Asked) -> None:
        """Compare results with what was expected of them, each once."""
        for name, result in asked.results.items():
            called = conversation.open.pop(name, None)
            if called is None:
                continue
            conversation.last_result = result.text
            conversation.task = conversation.task or first_task(result.text)
            conversation.fence = last_fence(result.text) or conversation.fence
            missing = unmet(called.call.expect, result)
            if missing:
                self._fail(asked.speaker.member, called.call.name, missing)

    def _spoken(self, conversation: Conversation, asked: Asked) -> Answer:
        fault = conversation.fault()
        conversation.faulted += fault is not None
        conversation.answered = fault is None
        where = (conversation.number, conversation.begun, conversation.at, conversation.faulted)
        name = "_".join((self._mark, *map(str, where)))
        values = {**conversation.values(asked.speaker.member), **self._given}
        each = conversation.round
        if fault is not None and fault.kind == REFUSAL:
            each = Round(usage=each.usage, wait=each.wait, end=REFUSAL)
        answer = _answer(name, each, fault, values)
        if fault is None:
            conversation.open |= {called.id: called for called in answer.calls}
        return answer

    def _fail(self, member: str, where: str, what: str) -> None:
        if len(self._failures) < MOST_FAILURES:
            self._failures.append(Failure(member, where, what))

    def _unanswered(self) -> Iterator[Failure]:
        for speaker, conversation in self._conversations.items():
            for called in conversation.open.values():
                if called.call.expect != ANYTHING:
                    yield Failure(speaker.member, called.call.name, "no result came back")

    def _left(self) -> Iterator[str]:
        talks = self._conversations.values()
        played = {id(talk.turns[index]) for talk in talks for index in talk.played}
        for member, turns in self._scenario.members.items():
            for number, turn in enumerate(turns, start=1):
                if id(turn) not in played:
                    yield f"{member} turn {number}"


def _answer(name: str, each: Round, fault: Fault | None, values: Mapping[str, str]) -> Answer:
    calls = (filled_call(call, values) for call in each.calls)
    return Answer(
        id=name,
        thoughts=filled(each.thoughts, values),
        said=filled(each.said, values),
        calls=tuple(Called(f"{name}_{index}", call) for index, call in enumerate(calls)),
        structured=filled(each.structured, values),
        usage=each.usage,
        end=each.end,
        wait=each.wait,
        fault=fault,
    )
