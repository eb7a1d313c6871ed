"""A member's situation: all that is known of it at one moment, read in one go."""

from datetime import datetime, timedelta
from typing import NamedTuple

from drumline.team.life import LifeState
from drumline.team.member import HUMAN, Member
from drumline.team.posting import Wanted
from drumline.team.report import Report, Stands

# of a session by hand only the end of a turn is known, never its own
LEFT_AFTER = timedelta(hours=4)


class Signs(NamedTuple):
    """What a runner noticed of its member: when it last told something or wrote, and the call it is in."""

    heard_at: datetime | None = None
    wrote_at: datetime | None = None
    tool: str = ""
    tool_since: datetime | None = None


class Noticed(NamedTuple):
    """The same signs as a runner tells them: how long ago, since two hosts' clocks are never compared."""

    heard: timedelta | None = None
    wrote: timedelta | None = None
    tool: str = ""
    tool_for: timedelta | None = None


class Situation(NamedTuple):
    """One member: what is wanted, who lives, what it does, and what it last said.

    task_at    when a task that it holds last changed
    asked      whether a person is asked to allow a call of this life
    attends    what it was last seen doing, and since when
    free_at    since when nothing holds it up, as far as that was seen
    sat_at     when somebody sat down for it, as it is now, in a session of their own
    stalled_at when the watchdog noticed that nothing moves
    """

    member: Member
    wanted: Wanted | None = None
    wanted_since: datetime | None = None
    life: LifeState | None = None
    began_at: datetime | None = None
    lease_until: datetime | None = None
    turn_at: datetime | None = None
    signs: Signs = Signs()
    limited_until: datetime | None = None
    report: Report | None = None
    task_at: datetime | None = None
    asked: bool = False
    attends: str = ""
    since: datetime | None = None
    free_at: datetime | None = None
    sat_at: datetime | None = None
    stalled_at: datetime | None = None

    @property
    def is_person(self) -> bool:
        return self.member.runtime == HUMAN

    @property
    def by_hand(self) -> bool:
        """Whether somebody drives it in a session of their own: nobody wants it run, and it was here.

        Of being stopped and being sat down for, the later word counts.
        """
        if self.life is not None or self.wanted not in {None, Wanted.STOPPED}:
            return False
        if self.wanted is Wanted.STOPPED:
            stopped = self.wanted_since
            return self.sat_at is not None and (stopped is None or self.sat_at >= stopped)
        signs = (self.sat_at, self.member.settled_at, self.task_at)
        return any(each is not None for each in signs)

    def left(self, now: datetime) -> bool:
        """Whether a session by hand has been left: it holds nothing, and nobody was there for long."""
        if not self.by_hand or self.task_at is not None:
            return False
        times = (self.member.settled_at, self.sat_at, self.progress_at)
        last = max((each for each in times if each is not None), default=None)
        return last is None or now - last >= LEFT_AFTER

    @property
    def at_work(self) -> bool:
        """Whether it is at work now, as far as anybody can tell.

        A runner is at whatever its member holds, also between two turns. Of a session by hand only the
        end of a turn is known, or the word that it is done: who did something since is at it again.
        """
        if not self.by_hand:
            return self.turn_at is not None or self.task_at is not None
        done = self.report.said_at if self.report and self.report.stands is Stands.DONE else None
        ends = [each for each in (self.member.settled_at, done) if each is not None]
        return not ends or (self.progress_at is not None and self.progress_at > max(ends))

    @property
    def idle(self) -> bool:
        """Whether it is there and has nothing to do: one could give it a task."""
        if self.by_hand:
            return self.task_at is None and not self.at_work
        return self.life is LifeState.IDLE

    @property
    def progress_at(self) -> datetime | None:
        """When it last got on: with a task, a file, or by its own word; the end of a turn is no progress."""
        said = self.report.said_at if self.report else None
        times = (self.task_at, self.signs.wrote_at, said, self.began_at)
        return max((each for each in times if each is not None), default=None)

    @property
    def heard_at(self) -> datetime | None:
        """When its runtime last told anything in its running turn."""
        times = (self.turn_at, self.signs.heard_at)
        return max((each for each in times if each is not None), default=None)

    def limited(self, now: datetime) -> bool:
        """Whether its account may not be used now."""
        return self.limited_until is not None and now < self.limited_until

    def gone(self, now: datetime) -> bool:
        """Whether its process let the lease run out."""
        return self.lease_until is not None and self.lease_until <= now
