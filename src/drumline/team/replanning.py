"""Work that left the design too far: a person says whether it is planned anew, and the lead then plans."""

from collections.abc import Sequence

from drumline.team.asking_moves import ABORT, choice, person_says
from drumline.team.moves import AskPerson, Drop, Enter, Move, Seen
from drumline.team.pipeline import Phase
from drumline.team.quoting import quoted
from drumline.team.run import RunTask
from drumline.team.task import TaskState

ANEW, KEEP = "plan it anew", "go on as it is"
DONE = frozenset({TaskState.COMPLETED, TaskState.CANCELLED})


def replanned(seen: Seen, phase: Phase, own: Sequence[RunTask]) -> list[Move]:
    """What an architecture change asks of a phase; nothing where there is none, or its gate is there.

    What was done stays done; what was not is dropped, and the phase is planned once more.
    """
    run = seen.run
    if seen.replan is None or (phase.name, run.iteration) in seen.gates:
        return []
    number, what = seen.replan
    occasion = f"replan/{phase.name}/{run.iteration}/{number}"
    said = choice(seen, occasion)
    if said == KEEP:
        return []
    if said == ANEW:
        undone = [each for each in own if each.task.state not in DONE]
        return [*map(Drop, undone), Enter(phase.name, run.iteration + 1)]
    asked = f"{run.name}: the work of {phase.name} {phase.title} left the approved design:"
    return person_says(
        seen, AskPerson(occasion, f"{asked}\n{quoted(what)}", (ANEW, KEEP, ABORT), ANEW)
    )
