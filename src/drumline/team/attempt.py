"""What comes after a turn that did not go well: the same again, giving the task back, or the life's end."""

from typing import NamedTuple

from drumline.team.life import WhyEnded
from drumline.team.outcome import Ending, Outcome
from drumline.team.turn import TurnOutcome

MOST_RETRIES = 5
MOST_CRASHES = 2
FIRST_PAUSE, LONGEST_PAUSE = 2.0, 60.0  # seconds


class GoOn(NamedTuple):
    """The turn went well."""


class Again(NamedTuple):
    """The same question once more, after a pause; `anew` in a new conversation."""

    pause: float
    anew: bool = False


class GiveBack(NamedTuple):
    """The task goes back to the board for whoever takes it up."""

    why: str


class GiveUp(NamedTuple):
    """The task is given up: asking again, by whomever, gets the same answer."""

    why: str


class Leave(NamedTuple):
    """The life ends, and the task goes back to the board with it."""

    why: WhyEnded


Step = GoOn | Again | GiveBack | GiveUp | Leave

TURN_OUTCOME = {ending: TurnOutcome(ending.value) for ending in Ending}


def after(outcome: Outcome, failures: int) -> Step:
    """The next step, when so many turns in a row, this one included, did not go well."""
    match outcome.ending:
        case Ending.RETRY:
            return _retried(outcome, failures)
        case Ending.CRASHED:
            anew = failures <= MOST_CRASHES
            return Again(0.0, anew=True) if anew else Leave(WhyEnded.CRASHED)
        case Ending.REFUSED:
            return GiveUp(outcome.why)
        case Ending.INTERRUPTED:
            return GiveBack(outcome.why)
        case _:
            return GoOn() if outcome.succeeded else Leave(WhyEnded.BUDGET)


def _retried(outcome: Outcome, failures: int) -> Step:
    if failures > MOST_RETRIES:
        return GiveBack(f"{failures} tries failed: {outcome.why}")
    return Again(min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE))
