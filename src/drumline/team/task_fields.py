"""Who may write which field of a task: what runners saw and what planners say is not its holder's to write.

Every field that is not here is a note, and whoever holds the task may write it.
"""

from collections.abc import Mapping
from enum import StrEnum

from drumline.team.task import BUDGET, HANDED_IN, KEPT, LACKS, NEEDS, VERIFIED, VERIFY

BRIEF = "brief"  # how a task is to be done, in the words of whoever planned it
REFLECTION = "reflection"  # a member's account of its work, as its runner took it
UNLEARNT = "unlearnt"  # whose account said what is not written down yet
LEARNING = "learning"  # the learnings of it that are new, while they are written down
UNREADABLE = "unreadable-reflection"  # where an account is kept that nobody could read
MISMATCH = "mismatch"  # where that account and the work differ
FAILED_TRIES = "failed-tries"  # how often the work did not go well, which is bounded
FAILED = "failed"  # why a task was given up
CANCELLED = "cancelled"  # why nobody is to work on it
REPLAN = "replan"  # of a run: the deviation for which its work is planned anew
PHASE = "phase"  # the phase of its run that a task belongs to
UNPHASED = "0"  # the phase of what belongs to none
HANDOFF = "handoff"  # `required` where a task closes only with a handoff
HANDED_OFF = "handed-off"  # the version of the last one
UNHANDED = "handoff-refusals"  # how often it was to be closed without one, which is bounded
OBSERVATIONS = "observations"  # on a permanent task: by its name, what was noticed on the way
RECLASSIFIED = "reclassified"  # on a permanent task: which size became which, and where
ESCALATIONS = "escalations"  # on a permanent task: by task, the steps of the ladder
LEAD_LIVES = (
    "lead-lives"  # on a permanent task: the first life of the lead in the run, and the last
)
STARTED = "started"  # on a permanent task: by member, in which phase and iteration it was let run
DELIVERING = "delivering"  # on a permanent task: what its delivery runs, and since when
RESPAWNS = "respawns"  # how often a task was taken up anew because it stood still
PHASE_SIGNALS = "phase_signals"  # on a permanent task: by phase and task, how it went


class Writer(StrEnum):
    DRUMLINE = "drumline"  # by the verb that saw to it, never by hand
    PLANNER = "planner"  # by whoever may edit tasks


WRITERS: Mapping[str, Writer] = {
    **dict.fromkeys((VERIFIED, HANDED_IN, KEPT), Writer.DRUMLINE),
    **dict.fromkeys(
        (REFLECTION, UNLEARNT, LEARNING, UNREADABLE, MISMATCH, FAILED_TRIES), Writer.DRUMLINE
    ),
    **dict.fromkeys((FAILED, CANCELLED, REPLAN, HANDED_OFF, UNHANDED), Writer.DRUMLINE),
    **dict.fromkeys(
        (ESCALATIONS, RESPAWNS, RECLASSIFIED, OBSERVATIONS, LEAD_LIVES, STARTED), Writer.DRUMLINE
    ),
    DELIVERING: Writer.DRUMLINE,
    **dict.fromkeys((VERIFY, BUDGET, NEEDS, LACKS, BRIEF), Writer.PLANNER),
    **dict.fromkeys((PHASE, HANDOFF, PHASE_SIGNALS), Writer.PLANNER),
}


def writer_of(name: str) -> Writer | None:
    """Who writes a field, or the part of one that a dotted name means; none for a note."""
    return WRITERS.get(name.partition(".")[0])
