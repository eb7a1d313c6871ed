"""Words for situations: a member at noon, as a table of cases says it."""

from datetime import UTC, datetime, timedelta

from drumline.team.agenda import Agenda, Item, Source
from drumline.team.life import LifeState
from drumline.team.member import Member
from drumline.team.posting import Wanted
from drumline.team.report import Report, Stands
from drumline.team.situation import Signs, Situation

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
ADA = Member("ada")
IDLE = Situation(
    ADA,
    wanted=Wanted.RUNNING,
    wanted_since=NOON - timedelta(hours=2),
    life=LifeState.IDLE,
    began_at=NOON - timedelta(hours=2),
    lease_until=NOON + timedelta(minutes=1),
)
BY_HAND = Situation(ADA._replace(settled_at=NOON - timedelta(minutes=1)))


def ago(**span) -> datetime:
    return NOON - timedelta(**span)


def ahead(**span) -> datetime:
    return NOON + timedelta(**span)


def agenda(*subjects, source=Source.MAIL, since=NOON) -> Agenda:
    return Agenda(tuple(Item(source, since, each, f"{each} waits", "do it") for each in subjects))


def said(stands, about: Agenda, until=None, said_at=None) -> Report:
    end = until or ahead(minutes=5)
    own = about.own.fingerprint
    return Report("ada", 1, Stands(stands), "", own, end, said_at or ago(minutes=5))


def at_work(**more) -> Situation:
    return IDLE._replace(**{"life": LifeState.WORKING, "turn_at": ago(minutes=1), **more})


def in_a_call(**more) -> Situation:
    return at_work(signs=Signs(ago(minutes=1), None, "Bash", ago(minutes=1)), **more)
