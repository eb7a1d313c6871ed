"""A turn: one stretch of a member's work, from a prompt to its outcome."""

import re
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from drumline.errors import BadInput
from drumline.team.ids import TaskId
from drumline.team.life import WhyEnded

_DIGEST = re.compile(r"[0-9a-f]{8,128}")


class TurnState(StrEnum):
    RUNNING = "running"
    SETTLED = "settled"
    FAILED = "failed"
    CUT = "cut"


class TurnOutcome(StrEnum):
    """How a turn ended, in the words a runtime's record is judged by."""

    SUCCESS = "success"
    REFUSED = "refused"
    RETRY = "retry"
    BUDGET = "budget"
    INTERRUPTED = "interrupted"
    CRASHED = "crashed"
    LIMITED = "limited"


STATE_AFTER: Mapping[TurnOutcome, TurnState] = {
    TurnOutcome.SUCCESS: TurnState.SETTLED,
    TurnOutcome.REFUSED: TurnState.FAILED,
    TurnOutcome.RETRY: TurnState.FAILED,
    TurnOutcome.BUDGET: TurnState.CUT,
    TurnOutcome.INTERRUPTED: TurnState.CUT,
    TurnOutcome.CRASHED: TurnState.CUT,
    TurnOutcome.LIMITED: TurnState.CUT,
}
CUT_BY: Mapping[WhyEnded, TurnOutcome] = {
    WhyEnded.FINISHED: TurnOutcome.INTERRUPTED,
    WhyEnded.STOPPED: TurnOutcome.INTERRUPTED,
    WhyEnded.CRASHED: TurnOutcome.CRASHED,
    WhyEnded.REPLACED: TurnOutcome.CRASHED,
    WhyEnded.BUDGET: TurnOutcome.BUDGET,
    WhyEnded.LIMIT: TurnOutcome.LIMITED,
}


class Opening(NamedTuple):
    """What a turn is about: its prompt's digest, its task and the run that pays for it."""

    prompt: str
    task: TaskId | None = None
    run: str = ""


class Turn(NamedTuple):
    """One turn of one life."""

    member: str
    incarnation: int
    number: int
    opening: Opening
    started_at: datetime
    state: TurnState = TurnState.RUNNING
    outcome: TurnOutcome | None = None
    settled_at: datetime | None = None

    @property
    def name(self) -> str:
        return f"{self.member}/{self.incarnation}/{self.number}"


def checked_digest(text: str) -> str:
    """A prompt's digest: the prompt itself stays with the runner."""
    if not _DIGEST.fullmatch(text):
        raise BadInput(
            f"{text[:80]!r} is not a digest",
            why="a digest is 8 to 128 of 0-9 a-f",
            next="give the SHA-256 of the prompt, not its words",
        )
    return text
