"""How a run comes by somebody's word: the lead's, or a person's."""

from collections.abc import Iterable

from drumline.team import strategy
from drumline.team.judgement import Judgement, JudgementKind, JudgementState, Matter
from drumline.team.member import HUMAN
from drumline.team.moves import (
    NEVER,
    Ask,
    AskPerson,
    End,
    Move,
    Place,
    Said,
    Seen,
    Start,
    Wait,
)
from drumline.team.quoting import quoted
from drumline.team.run import RunState
from drumline.team.strategy_moves import unsettled

AGAIN, DROP, ACCEPT = "again", "drop the task", "accept as it is"
ABORT = strategy.ABORT
UNANSWERED = "unanswered/"  # occasions on which a lead gave no answer
SHOWN = 1_000  # characters of what nobody could read


def lead_says(
    seen: Seen, kind: JudgementKind, subject: str, attempt: int
) -> Judgement | list[Move]:
    """The lead's answer, or what is to be done to have one."""
    run = seen.run
    matter = Matter(run.name, kind, subject, attempt)
    found = seen.judgements.get((kind, subject, attempt))
    if found is None:
        return _asked(seen, matter)
    if found.state is JudgementState.ANSWERED:
        return unsettled(seen, found) or found
    if found.open:
        return _awaited(seen, matter)
    what = (
        f"{run.lead} gave no answer that could be read when asked to {kind} {subject}. What now?\n"
        + quoted(found.words[:SHOWN])
    )
    occasion = f"{UNANSWERED}{kind}/{subject}/{attempt}/{found.tries}"
    if choice(seen, occasion) == AGAIN:
        return _asked(seen, matter)
    return person_says(seen, AskPerson(occasion, what, (AGAIN, ABORT), AGAIN))


def _awaited(seen: Seen, matter: Matter) -> list[Move]:
    """Wait for whoever is asked, as long as there is anybody who could answer."""
    lead = seen.run.lead
    here = [place for place in seen.places if place.name == lead]
    if not here and lead != HUMAN:
        what = (
            f"{lead} is asked to {matter.kind} {matter.subject} and is not on the team any more."
            f" Take {lead} in again, or end the run."
        )
        return until_mended(seen, AskPerson(f"no-lead/{lead}", what, (AGAIN, ABORT)))
    stopped = "".join(
        f", and is not to run: drumline member start {lead}" for each in here if not each.running
    )
    failing = [each for each in here if each.running and each.unable]
    unable = f", and cannot go on: {named(failing)}" if failing else ""
    why = f"{lead} is asked to {matter.kind} {matter.subject}{stopped}{unable}"
    return [Wait(why, person=bool(stopped or failing))]


def named(failing: Iterable[Place]) -> str:
    """Who does not run that should, and why."""
    return ", ".join(f"{each.name}: {each.unable}" for each in failing)


def _asked(seen: Seen, matter: Matter) -> list[Move]:
    """Ask; a lead that never ran is let run, one that somebody stopped stays stopped."""
    lead = [place for place in seen.places if place.name == seen.run.lead]
    resting = [each for each in lead if not (each.running or each.halted) and each.started == NEVER]
    return [*(Start((each.name,)) for each in resting), Ask(matter)]


def choice(seen: Seen, occasion: str) -> str:
    """What a person chose; empty while nobody has."""
    return seen.asked.get(occasion, Said()).choice


def person_says(seen: Seen, ask: AskPerson) -> list[Move]:
    """Ask, once, and wait; whoever aborts ends the run."""
    if choice(seen, ask.occasion) == ABORT:
        return [End(RunState.ABORTED, f"a person aborted: {ask.what}")]
    return [Wait("a person is asked")] if ask.occasion in seen.asked else [ask]


def until_mended(seen: Seen, ask: AskPerson) -> list[Move]:
    """Ask as often as a person says that something is mended and it is not."""
    tries = sum(occasion.startswith(f"{ask.occasion}/") for occasion in seen.asked)
    last = f"{ask.occasion}/{tries}"
    if tries and choice(seen, last) != AGAIN:
        return person_says(seen, ask._replace(occasion=last))
    return [ask._replace(occasion=f"{ask.occasion}/{tries + 1}")]
