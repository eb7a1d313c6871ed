"""Nudges: whether a member should be told what waits for it, and what it is told.

A nudge is made for one agenda of one life, at most once. That a turn settled is never a reason by itself:
the decision knows only how things are.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from drumline.errors import IllegalMove
from drumline.team.agenda import INTERRUPTING, Agenda, Source
from drumline.team.life import RENEWAL, LifeState
from drumline.team.posting import Wanted
from drumline.team.rhythm import HOUR, Rhythm, passed
from drumline.team.situation import Situation

MOST_TRIES = 3
WORDS_CAP = 2_000
IN_A_CALL = "it is in a tool call"
LONGEST_PAUSE = timedelta(minutes=5)  # between looks at who is in a call


class NudgeState(StrEnum):
    WAITING = "waiting"  # for its member's runner to send it
    SENDING = "sending"  # on its way, or lost on it: never sent again
    DELIVERED = "delivered"
    DROPPED = "dropped"  # nobody was told


MOVES: Mapping[NudgeState, frozenset[NudgeState]] = {
    NudgeState.WAITING: frozenset({NudgeState.SENDING, NudgeState.DROPPED}),
    NudgeState.SENDING: frozenset(
        {NudgeState.DELIVERED, NudgeState.WAITING, NudgeState.DROPPED},  # the last two: refused
    ),
    NudgeState.DELIVERED: frozenset(),
    NudgeState.DROPPED: frozenset({NudgeState.WAITING}),
}


class Nudge(NamedTuple):
    """Words for one life about one agenda, and how far they are."""

    member: str
    incarnation: int
    fingerprint: str
    text: str
    state: NudgeState
    made_at: datetime
    tries: int = 0
    why: str = ""
    sent_at: datetime | None = None
    ended_at: datetime | None = None

    @property
    def name(self) -> str:
        return f"{self.member}/{self.incarnation}/{self.fingerprint[:8]}"

    def move(self, new: NudgeState) -> "Nudge":
        """The nudge in its new state."""
        if new not in MOVES[self.state]:
            raise IllegalMove(self.name, self.state, new, noun="nudge", next="drumline status")
        return self._replace(state=new)


class Told(NamedTuple):
    """What a member was told before: about exactly this, and when at all in the last hour."""

    about_this: bool = False
    times: tuple[datetime, ...] = ()
    asked_at: datetime | None = None  # since when a person is asked what to do about it


NOTHING_TOLD = Told()


class Tell(NamedTuple):
    """Nudge the member now, about this."""

    agenda: Agenda


class Leave(NamedTuple):
    """Leave the member alone."""

    why: str


class LookAgain(NamedTuple):
    """Leave the member alone until then."""

    at: datetime
    why: str


Decision = Tell | Leave | LookAgain


def spoken(agenda: Agenda, seen: Situation) -> Agenda:
    """What of its agenda a member is told: who is at work, not what it is at; who is run, not what is ready.

    A runner takes what is ready for its member by itself.
    """
    if seen.at_work:
        found = agenda.only(INTERRUPTING)
    else:
        run = seen.life is not None
        found = agenda.only(set(Source) - {Source.READY}) if run else agenda
    stalled = found.only({Source.STALLED})
    return Agenda() if found == stalled and seen.task_at is None else found


def decide(agenda: Agenda, seen: Situation, told: Told, rhythm: Rhythm, now: datetime) -> Decision:
    """Whether this member is to be nudged now; `told` is about what it would be told of this agenda."""
    if no := out_of_the_question(agenda, seen, now):
        return no
    if told.about_this:
        return Leave("it was told about exactly this")
    said = spoken(agenda, seen)
    if told.asked_at is not None and not any(each.since > told.asked_at for each in said.items):
        return Leave("a person is asked about it, and nothing came since")
    return cooling(told.times, rhythm, now) or Tell(said)


def out_of_the_question(agenda: Agenda, seen: Situation, now: datetime) -> Leave | LookAgain | None:
    """Why a member is not nudged now, as far as that is known without what it was told before."""
    if seen.left(now):  # whoever comes back is looked at when its turn ends
        return Leave("nobody has been at its session for long")
    return held_back(agenda, seen, now)


def held_back(agenda: Agenda, seen: Situation, now: datetime) -> Leave | LookAgain | None:
    """Why nobody speaks to this member now, whatever it was told before; None when one may."""
    if why := _unreachable(seen, now):
        return Leave(why)
    if seen.limited(now) and seen.limited_until is not None:
        return LookAgain(seen.limited_until, "its account is paused by a usage limit")
    if not spoken(agenda, seen).items:
        return Leave("nothing waits for its word")
    if seen.report is not None and seen.report.covers(agenda, now):
        return LookAgain(seen.report.until, f"it said that it is {seen.report.stands}")
    if (since := seen.signs.tool_since) is not None:  # its end is told: the longer, the less often
        return LookAgain(now + min(max(RENEWAL, now - since), LONGEST_PAUSE), IN_A_CALL)
    return None


def _unreachable(seen: Situation, now: datetime) -> str:
    """Why a member cannot be spoken to, or must not be."""
    reasons = (
        (not seen.member.active, "it was removed"),
        (seen.is_person, "it is a person"),
        (_unwanted(seen), f"it is wanted {seen.wanted}"),
        (seen.life is None and not seen.by_hand, "it does not run"),
        (seen.gone(now), "its process is gone"),
        (seen.life in {LifeState.STOPPING, LifeState.PAUSED}, f"it is {seen.life}"),
        (seen.asked, "it waits for a person"),
    )
    return next((why for is_so, why in reasons if is_so), "")


def _unwanted(seen: Situation) -> bool:
    """Whether it is to rest; that nobody is to run it is no word about who drives it by hand."""
    return seen.wanted in {Wanted.STOPPED, Wanted.PAUSED} and not seen.by_hand


def cooling(times: Sequence[datetime], rhythm: Rhythm, now: datetime) -> LookAgain | None:
    """When the next nudge may be, if not now."""
    most = rhythm.nudges_per_hour
    if not most:
        return LookAgain(now + HOUR, "nobody is to be nudged")
    recent = sorted(each for each in times if not passed(each, HOUR, now))
    if recent and now - recent[-1] < rhythm.nudge_cooldown:
        return LookAgain(recent[-1] + rhythm.nudge_cooldown, "it was told something a moment ago")
    if len(recent) >= most:
        return LookAgain(recent[-most] + HOUR, "it was told enough for an hour")
    return None


def words(agenda: Agenda) -> str:
    """What a member is told of its agenda."""
    head = "From Drumline, which keeps your team in step. This waits for you:"
    foot = "If you are at it: drumline report working. If you cannot go on: drumline report blocked WHY."
    return agenda.told(head, foot, cap=WORDS_CAP)
