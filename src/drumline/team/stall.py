"""Stalls: work that should move and does not, noticed by how things are and never by turns that settle."""

from datetime import datetime
from enum import StrEnum

from drumline.team.agenda import Agenda
from drumline.team.liveness import Liveness
from drumline.team.report import Stands
from drumline.team.rhythm import Rhythm
from drumline.team.situation import Situation

MOVING = frozenset({Liveness.WORKING, Liveness.IN_TOOL, Liveness.SILENT, Liveness.IDLE_WITH_WORK})


class Moved(StrEnum):
    """What the watchdog finds of one member."""

    ON = "on"  # it gets on, or need not
    NOT = "not"  # nothing has moved for too long
    UNKNOWN = "unknown"  # too early to tell: whatever was found before stands


def standstill(seen: Situation, live: Liveness, agenda: Agenda, now: datetime) -> datetime | None:
    """Since when nothing has moved of what should; None where nothing need move.

    It begins neither before a member could move, nor while its own word holds that it works or cannot.
    """
    since = _unmoved(seen, live, agenda) if live in MOVING else None
    if since is None:
        return None
    said = seen.report
    held = said is not None and said.stands in {Stands.WORKING, Stands.BLOCKED}
    until = said.until if said is not None and held else None
    times = (since, free_since(seen, live, now), until)
    return max(each for each in times if each is not None)


def free_since(seen: Situation, live: Liveness, now: datetime) -> datetime | None:
    """Since when nothing holds a member up; None while something does, or nobody has looked before."""
    if live not in MOVING or not seen.attends:
        return None
    return seen.free_at if seen.attends in MOVING else now


def _unmoved(seen: Situation, live: Liveness, agenda: Agenda) -> datetime | None:
    """Who holds a task is measured by its progress; who does not, by how long something waits for it."""
    if seen.task_at is not None:
        return seen.progress_at
    if live is Liveness.SILENT:
        return seen.heard_at
    times = (agenda.oldest, seen.progress_at)
    return max((each for each in times if each is not None), default=None) if agenda.items else None


def moved(
    seen: Situation, live: Liveness, since: datetime | None, rhythm: Rhythm, now: datetime
) -> Moved:
    """Whether a member gets on, given since when nothing of its work has moved."""
    if live not in MOVING:
        return Moved.ON
    if since is None:
        return Moved.UNKNOWN
    if seen.stalled_at is not None and since > seen.stalled_at:
        return Moved.ON
    return Moved.NOT if now - since >= rhythm.stall_after else Moved.UNKNOWN
