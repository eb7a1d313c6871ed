"""Who is to be running on a host: decided from what is wanted and who lives, whatever happened before."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from itertools import takewhile
from typing import NamedTuple

from drumline.team.life import Life, WhyEnded
from drumline.team.posting import ANY_HOST, Posting, Wanted

GRACE = timedelta(seconds=60)  # what a runner has to end by itself once it is told
FIRST_PAUSE = timedelta(seconds=1)
LONGEST_PAUSE = timedelta(minutes=5)
CRASHES = frozenset({WhyEnded.CRASHED})
HOPELESS = 5  # crashes in a row after which a person had better look


class Begin(NamedTuple):
    """Start a process for a member."""

    member: str


class Wait(NamedTuple):
    """A member is not started, or not ended, now; `until` says for how long, where that is known.

    `why` says why somebody who is wanted does not run.
    """

    member: str
    why: str = ""
    until: datetime | None = None


class End(NamedTuple):
    """A process that was told to end and did not."""

    life: Life


Move = Begin | Wait | End


class Past(NamedTuple):
    """How a member's lives ended lately: so many crashes in a row, the last at this time.

    `spent` is when its last life ended because there was no money left.
    """

    crashes: int = 0
    last: datetime | None = None
    spent: datetime | None = None

    def pause(self) -> timedelta:
        """How long to leave a member whose lives keep crashing alone: twice as long each time."""
        if not self.crashes:
            return timedelta(0)
        doubled: int = 2 ** min(self.crashes - 1, 20)
        return min(FIRST_PAUSE * doubled, LONGEST_PAUSE)


NO_PAST = Past()


class House(NamedTuple):
    """One host: its name, how many members may be at work on it, and those being started now."""

    host: str
    room: int
    starting: frozenset[str] = frozenset()

    @property
    def full(self) -> str:
        """Why nobody else is started here."""
        several = "member is" if self.room == 1 else "members are"
        return f"{self.room} {several} at work on this host"


def past_of(lives: Iterable[Life]) -> Past:
    """The crashes since a member's last good end, from its lives, newest first."""
    ended = [life for life in lives if life.ended]
    crashed = list(takewhile(lambda life: life.why in CRASHES, ended))
    spent = ended[0].ended_at if ended and ended[0].why is WhyEnded.BUDGET else None
    return Past(len(crashed), crashed[0].ended_at if crashed else None, spent)


def unable(posting: Posting, past: Past) -> str:
    """Why a member that is to run will not by itself; empty where another life may do."""
    if past.spent is not None and posting.since <= past.spent:
        return "its budget is spent"
    hopeless = past.crashes >= HOPELESS and past.last is not None and posting.since <= past.last
    return f"crashed {past.crashes} times in a row" if hopeless else ""


def moves(
    postings: Iterable[Posting],
    lives: Mapping[str, Life],
    pasts: Mapping[str, Past],
    house: House,
    now: datetime,
) -> list[Move]:
    """What to do now on this host; asked again it says the same until something changed."""
    found: list[Move] = []
    here = {name for name, life in lives.items() if life.process.host == house.host}
    room = house.room - len(here | house.starting)
    for posting in postings:
        life = lives.get(posting.member)
        if posting.wanted is Wanted.RUNNING and life is None:
            move = _begin(posting, pasts.get(posting.member, NO_PAST), house, now)
            if isinstance(move, Begin) and room <= 0:
                move = Wait(posting.member, house.full)
            room -= isinstance(move, Begin)
            found += [move] if move else []
        elif life is not None and _is_to_end(posting, life, house):
            left = posting.since + GRACE
            found.append(End(life) if now >= left else Wait(posting.member, until=left))
    return found


def _begin(posting: Posting, past: Past, house: House, now: datetime) -> Begin | Wait | None:
    if posting.member in house.starting:
        return None
    if past.spent is not None and posting.since <= past.spent:
        way_out = f"raise it, then: drumline member start {posting.member}"
        return Wait(posting.member, f"its budget is spent: {way_out}")
    if past.last is not None and posting.since <= past.last and now < past.last + past.pause():
        until = past.last + past.pause()
        left = int((until - now).total_seconds()) + 1
        often = "once" if past.crashes == 1 else f"{past.crashes} times in a row"
        why = f"crashed {often}: again in {left} s"
        return Wait(posting.member, why, until)
    return Begin(posting.member)


def _is_to_end(posting: Posting, life: Life, house: House) -> bool:
    """Whether a process of this host is not wanted here."""
    elsewhere = posting.host not in {ANY_HOST, house.host}
    unwanted = posting.wanted is Wanted.STOPPED or elsewhere
    return unwanted and life.process.host == house.host
