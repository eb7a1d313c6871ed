"""Whether a member works, waits, idles or is gone: told apart, so that nobody has to guess."""

from datetime import datetime, timedelta
from enum import StrEnum

from drumline.team.life import LifeState
from drumline.team.posting import Wanted
from drumline.team.report import Stands
from drumline.team.rhythm import Rhythm
from drumline.team.situation import Situation


class Liveness(StrEnum):
    WORKING = "working"
    IN_TOOL = "in a tool"
    IDLE_DONE = "idle, done"
    IDLE_WITH_WORK = "idle with work"
    BLOCKED = "blocked"
    WAITING = "waits for a person"
    JUDGED = "waits for a verdict"
    LIMITED = "usage limit"
    SILENT = "silent"  # alive, in a turn, and nothing is heard of it
    DEAD = "dead"  # wanted, and no process is there
    STARTING = "starting"
    PAUSED = "paused"
    STOPPING = "stopping"
    AWAY = "away"  # nobody wants it to run


COMING = timedelta(seconds=30)  # what a member has to begin a life once it is wanted

_AS_ITS_LIFE = {
    LifeState.STARTING: Liveness.STARTING,
    LifeState.PAUSED: Liveness.PAUSED,
    LifeState.STOPPING: Liveness.STOPPING,
}


def liveness(
    seen: Situation, rhythm: Rhythm, now: datetime, *, work: bool, judged: bool = False
) -> Liveness:
    """How a member is; `work` says whether its agenda has anything on it.

    `judged` is whose task waits for the lead's word, and it has nothing to do before.
    """
    if seen.left(now) or (seen.life is None and not seen.by_hand):
        return _absent(seen, now)
    if seen.gone(now):
        return Liveness.DEAD
    if seen.life in _AS_ITS_LIFE:
        return _AS_ITS_LIFE[seen.life]
    if held := _held_up(seen, now):
        return held
    return Liveness.JUDGED if judged and not work else _doing(seen, rhythm, now, work=work)


def _absent(seen: Situation, now: datetime) -> Liveness:
    if seen.wanted is not Wanted.RUNNING:
        return Liveness.AWAY
    new = seen.wanted_since is not None and now - seen.wanted_since < COMING
    return Liveness.STARTING if new else Liveness.DEAD


def _held_up(seen: Situation, now: datetime) -> Liveness | None:
    """What keeps a living member from going on, if something does."""
    if seen.limited(now):
        return Liveness.LIMITED
    if seen.asked:
        return Liveness.WAITING
    said = seen.report
    if said is not None and said.stands is Stands.BLOCKED and said.holds(now):
        return Liveness.BLOCKED
    return None


def _doing(seen: Situation, rhythm: Rhythm, now: datetime, *, work: bool) -> Liveness:
    if not seen.at_work:
        return Liveness.IDLE_WITH_WORK if work else Liveness.IDLE_DONE
    if seen.signs.tool_since is not None:
        return Liveness.IN_TOOL
    silent = seen.heard_at is not None and now - seen.heard_at >= rhythm.silent_after
    return Liveness.SILENT if silent else Liveness.WORKING
