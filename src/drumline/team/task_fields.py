"""Who may write which field of a task: what runners saw and what planners say is not its holder's to write.

Every field that is not here is a note, and whoever holds the task may write it.
"""

from collections.abc import Mapping
from enum import StrEnum

from drumline.team.task import BUDGET, HANDED_IN, KEPT, LACKS, NEEDS, VERIFIED, VERIFY

BRIEF = "brief"  # how a task is to be done, in the words of whoever planned it
REFLECTION = "reflection"  # a member's account of its work, as its runner took it
UNREADABLE = "unreadable-reflection"  # where an account is kept that nobody could read
MISMATCH = "mismatch"  # where that account and the work differ
FAILED_TRIES = "failed-tries"  # how often the work did not go well, which is bounded
FAILED = "failed"  # why a task was given up
CANCELLED = "cancelled"  # why nobody is to work on it


class Writer(StrEnum):
    DRUMLINE = "drumline"  # by the verb that saw to it, never by hand
    PLANNER = "planner"  # by whoever may edit tasks


WRITERS: Mapping[str, Writer] = {
    **dict.fromkeys((VERIFIED, HANDED_IN, KEPT), Writer.DRUMLINE),
    **dict.fromkeys((REFLECTION, UNREADABLE, MISMATCH, FAILED_TRIES), Writer.DRUMLINE),
    **dict.fromkeys((FAILED, CANCELLED), Writer.DRUMLINE),
    **dict.fromkeys((VERIFY, BUDGET, NEEDS, LACKS, BRIEF), Writer.PLANNER),
}


def writer_of(name: str) -> Writer | None:
    """Who writes a field, or the part of one that a dotted name means; none for a note."""
    return WRITERS.get(name.partition(".")[0])
