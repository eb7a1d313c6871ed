"""A report: a member's own word about how it stands, which holds for a while and for one agenda."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from drumline.errors import BadInput, NotReady
from drumline.team.agenda import Agenda
from drumline.team.rhythm import Rhythm
from drumline.team.text import PATTERN_CAP, checked_line

SHORTEST, LONGEST = timedelta(minutes=1), timedelta(minutes=60)


class Stands(StrEnum):
    WORKING = "working"
    BLOCKED = "blocked"
    DONE = "done"


class Saying(NamedTuple):
    """What a member wants to say of itself, and for how long that is to hold."""

    stands: Stands
    words: str = ""
    lease: timedelta | None = None


class Report(NamedTuple):
    """What a member said in one of its lives about one agenda, and until when that holds."""

    member: str
    incarnation: int
    stands: Stands
    words: str
    fingerprint: str
    until: datetime
    said_at: datetime

    def holds(self, now: datetime) -> bool:
        return now < self.until

    def covers(self, agenda: Agenda, now: datetime) -> bool:
        """Whether it answers for all that is the member's own on this agenda, and still does."""
        return self.holds(now) and self.fingerprint == agenda.own.fingerprint


def lease_of(saying: Saying, rhythm: Rhythm) -> timedelta:
    """How long a report holds: as asked for or as usual, but neither for a moment nor for a day."""
    usual = rhythm.blocked_lease if saying.stands is Stands.BLOCKED else rhythm.report_lease
    return max(SHORTEST, min(usual if saying.lease is None else saying.lease, LONGEST))


def checked_words(saying: Saying) -> None:
    """Refuse words that cannot be kept; who is blocked says by what."""
    if saying.stands is Stands.BLOCKED and not saying.words.strip():
        raise BadInput(
            "blocked by what?",
            why="whoever could help must know",
            next='drumline report blocked "T-7 is not merged"',
        )
    checked_line(saying.words, "the report", cap=PATTERN_CAP, empty=True)


def refuse_undone(stands: Stands, agenda: Agenda) -> None:
    """Refuse the word `done` while something is left that only this member can end."""
    if stands is Stands.DONE and (left := agenda.own.items):
        raise NotReady(
            f"you are not done: {', '.join(item.subject for item in left)}",
            why="what is yours ends by its own verb, not by a report",
            next="\n".join(item.next for item in left),
        )
