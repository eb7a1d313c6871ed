"""A judgement: what only the lead can decide, asked as one structured question and answered in its form.

Asked means written down: whoever comes back after a crash finds what was asked, and its answer.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from drumline.errors import Conflict

MOST_TRIES = 2  # a call that was cut off may be paid again once


class JudgementKind(StrEnum):
    """What is to be decided."""

    CLASSIFY = "classify"  # how large the change is, and for a small one what to do
    PLAN = "plan"  # the tasks of a phase
    VERIFY = "verify"  # whether a member understands
    CHALLENGE = "challenge"  # what to ask whoever seems to
    DEFENCE = "defence"  # whether it answered well
    APPROVE = "approve"  # whether a member's plan may be carried out
    JUDGE = "judge"  # whether a phase is over
    REVIEW = "review"  # whether a task's work is good
    AUDIT = "audit"  # whether it holds against everything the team goes by
    CONSOLIDATE = "consolidate"  # which learnings say one thing, and which become rules


class JudgementState(StrEnum):
    ASKED = "asked"
    TAKEN = "taken"  # a call is being made
    ANSWERED = "answered"
    FAILED = "failed"  # no answer that could be read came


class Matter(NamedTuple):
    """What a judgement is about; on one matter a thing is asked once."""

    run: str
    kind: JudgementKind
    subject: str
    attempt: int = 1

    @property
    def name(self) -> str:
        return f"{self.run}/{self.kind}/{self.subject}/{self.attempt}"


class Judgement(NamedTuple):
    """One judgement, as it stands.

    asked   who is to answer
    tries   how many calls were begun for it; each is paid
    words   what was answered where nobody could read it
    """

    matter: Matter
    prompt: str
    asked_at: datetime
    state: JudgementState = JudgementState.ASKED
    answer: Mapping[str, Any] | None = None
    by: str = ""
    tries: int = 0
    incarnation: int | None = None
    words: str = ""
    ended_at: datetime | None = None
    asked: str = ""

    @property
    def open(self) -> bool:
        return self.state in {JudgementState.ASKED, JudgementState.TAKEN}

    @property
    def spent(self) -> bool:
        """Whether no further call is made for it by itself; a person may have it asked anew."""
        return self.tries % MOST_TRIES == 0

    def taken(self, by: str, incarnation: int | None) -> "Judgement":
        """The judgement while a call is made for it."""
        self._refuse_closed()
        return self._replace(
            state=JudgementState.TAKEN, by=by, incarnation=incarnation, tries=self.tries + 1
        )

    def answered(self, answer: Mapping[str, Any], by: str) -> "Judgement":
        """The judgement with its answer; one that has an answer keeps it."""
        self._refuse_closed()
        return self._replace(state=JudgementState.ANSWERED, answer=answer, by=by)

    def unanswered(self, words: str) -> "Judgement":
        """After a call without an answer that could be read: asked again, or given up."""
        self._refuse_closed()
        state = JudgementState.FAILED if self.spent else JudgementState.ASKED
        return self._replace(state=state, words=words)

    def given_up(self, why: str) -> "Judgement":
        """The judgement where nobody waits for an answer any more."""
        self._refuse_closed()
        return self._replace(state=JudgementState.FAILED, words=why)

    def asked_anew(self) -> "Judgement":
        """The judgement asked again, as a person had it, or answered what its answer asked."""
        return self._replace(state=JudgementState.ASKED, answer=None)

    def _refuse_closed(self) -> None:
        if not self.open:
            raise Conflict(
                f"{self.matter.name} is {self.state} already",
                why=f"{self.by} said so" if self.by else "",
                next=f"drumline run show {self.matter.run}",
            )
