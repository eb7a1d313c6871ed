"""A standstill: which step of the ladder is due about a member whose work does not move.

It was nudged when it was noticed. After as long again another life takes the work up; where that cannot
be, or was done often enough, the lead is asked, and a person when the lead does not say.
"""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from drumline.team.ladder import RESPAWNS

WITHOUT_A_TASK = 1  # lives in a row that are ended where nobody's task is in them


class Step(StrEnum):
    """What is done next about a standstill."""

    ANEW = "anew"
    LEAD = "lead"
    PERSON = "person"


class Standstill(NamedTuple):
    """What the next step is decided from.

    noticed_at  when the watchdog noticed it, and the member was to be nudged
    span        how long each step has to help
    startable   whether we run it, and it is in no call that may still end
    holds       whether a task is in its hands
    respawns    how often its work was taken up anew because it stood still
    asked_at    since when the lead, or a person, is asked about exactly this
    answered    whether there is an answer, or it is a person who is asked
    led         whether a lead other than itself could answer
    """

    noticed_at: datetime
    span: timedelta
    startable: bool = True
    holds: bool = True
    respawns: int = 0
    asked_at: datetime | None = None
    answered: bool = False
    led: bool = False

    @property
    def most(self) -> int:
        """How many lives may be spent on it."""
        return RESPAWNS if self.holds else WITHOUT_A_TASK


def due(found: Standstill, now: datetime) -> Step | None:
    """The step that is due now; None while the one before has time to help, or somebody decides."""
    if found.asked_at is not None:
        unheard = not found.answered and now - found.asked_at >= found.span
        return Step.PERSON if unheard else None
    if now - found.noticed_at < found.span:
        return None
    if found.startable and found.respawns < found.most:
        return Step.ANEW
    return Step.LEAD if found.led else Step.PERSON
