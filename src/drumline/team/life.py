"""A life: one process's time in a member's place, from its beginning to its end."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from drumline.errors import BadInput, Conflict, IllegalMove, NotAllowed, NotHolder
from drumline.team.member import HUMAN, Member
from drumline.team.text import PATTERN_CAP, checked_line

LEASE = timedelta(seconds=60)
RENEWAL = timedelta(seconds=20)  # a third of the lease: two renewals may fail before it runs out


class LifeState(StrEnum):
    STARTING = "starting"
    IDLE = "idle"
    WORKING = "working"
    PAUSED = "paused"
    STOPPING = "stopping"
    ENDED = "ended"


class WhyEnded(StrEnum):
    FINISHED = "finished"
    STOPPED = "stopped"
    CRASHED = "crashed"
    REPLACED = "replaced"
    BUDGET = "budget"
    LIMIT = "limit"


_AT_WORK = frozenset(
    {LifeState.IDLE, LifeState.WORKING, LifeState.PAUSED, LifeState.STOPPING},
)
MOVES: Mapping[LifeState, frozenset[LifeState]] = {
    LifeState.STARTING: _AT_WORK,
    LifeState.IDLE: _AT_WORK,
    LifeState.WORKING: _AT_WORK,
    LifeState.PAUSED: _AT_WORK - {LifeState.WORKING},
    LifeState.STOPPING: frozenset({LifeState.STOPPING}),
    LifeState.ENDED: frozenset(),
}


class Process(NamedTuple):
    """What fills a member's place: which process of which host, and how it is reached.

    A pid is used again after a while; with `pid_start`, its start as the kernel tells it, it is not.
    """

    host: str
    pid: int
    pid_start: str
    runtime: str
    socket: str = ""
    session: str = ""
    account: str = ""


class Life(NamedTuple):
    """One incarnation of a member, held by a lease; `why` says how it ended."""

    member: str
    incarnation: int
    process: Process
    started_at: datetime
    state: LifeState = LifeState.STARTING
    why: WhyEnded | None = None
    lease_until: datetime | None = None
    ended_at: datetime | None = None

    @property
    def name(self) -> str:
        return f"{self.member}/{self.incarnation}"

    @property
    def ended(self) -> bool:
        return self.state is LifeState.ENDED

    def expired(self, now: datetime) -> bool:
        """Whether its process let the lease run out."""
        return self.lease_until is not None and self.lease_until <= now

    def move(self, new: LifeState) -> "Life":
        """The life in its new state; it ends only with a reason, never by a move."""
        if new not in MOVES[self.state]:
            raise IllegalMove(
                self.name, self.state, new, noun="life", next="drumline status   # who is here"
            )
        return self._replace(state=new)

    def refuse_ended(self) -> None:
        """Refuse whatever a life says after its end."""
        if self.ended:
            raise NotHolder(
                f"life {self.incarnation} of {self.member} has ended: {self.why}",
                why="its lease ran out or someone ended it, and its claims went back to the board",
                next="stop this process; a new one may begin in its place",
            )

    def refuse_beside(self, now: datetime) -> None:
        """Refuse a second process in a place while the first one's lease is valid."""
        if not self.ended and not self.expired(now):
            raise Conflict(
                f"{self.member} lives on {self.process.host} as process {self.process.pid}",
                why=f"it is {self.state}, and its lease runs until {self.lease_until:%H:%M:%S} UTC",
                next=f"stop that one first, or wait until its lease ran out ({self.name})",
            )


def fillable(member: Member) -> Member:
    """The member, if a process can fill its place."""
    if member.runtime == HUMAN:
        raise NotAllowed(
            f"{member.name} is a person",
            why="a process fills the place of a member with a runtime, never a person's",
            next="drumline team show   # who has a runtime",
        )
    return member


def is_behind(process: Process, door: str) -> bool:
    """Whether a process was begun in the place whose doors are in this folder; no folder names every place."""
    return not door or door in process.socket.split("/")[-2:-1]


def checked_process(process: Process) -> Process:
    """The process itself, or a refusal of what cannot be kept of it."""
    if process.pid < 1:
        raise BadInput(f"{process.pid} is not a process", next="give the number of a process")
    for what in ("host", "pid_start", "runtime"):
        checked_line(getattr(process, what), f"the process's {what}")
    for what in ("socket", "session", "account"):
        value = getattr(process, what)
        checked_line(value, f"the process's {what}", cap=PATTERN_CAP, empty=True)
    return process
