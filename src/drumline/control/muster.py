"""The muster: every member that a process can fill the place of, what is wanted of it, and what it does."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from drumline.control import attendance
from drumline.control.attendance import Seen
from drumline.control.passes import staffing
from drumline.team.charge import Scope
from drumline.team.life import Life
from drumline.team.member import HUMAN
from drumline.team.posting import Wanted
from drumline.team.staffing import House, Wait

if TYPE_CHECKING:
    from drumline.control.ports import Transaction

ABSENT = "absent"
ANYWHERE = House("", 1_000_000)


class Present(NamedTuple):
    """One member at one moment."""

    name: str
    runtime: str
    wanted: Wanted
    state: str
    life: Life | None
    task: str
    since: datetime | None
    micros: int
    paused_until: datetime | None = None
    why: str = ""
    liveness: str = ""
    liveness_since: datetime | None = None

    def facts(self) -> dict[str, Any]:
        """The member as every surface shows it."""
        life = self.life
        return {
            "name": self.name,
            "runtime": self.runtime,
            "wanted": self.wanted.value,
            "state": self.state,
            "liveness": self.liveness or None,
            "liveness_since": self.liveness_since,
            "life": life.incarnation if life else None,
            "host": life.process.host if life else None,
            "pid": life.process.pid if life else None,
            "session": life.process.session if life else None,
            "task": self.task or None,
            "since": self.since,
            "cost_usd": self.micros / 1_000_000,
            "paused_until": self.paused_until,
            "why": self.why or None,
        }


def muster(tx: Transaction, house: House | None = None) -> list[Present]:
    """Every member with a runtime, by name; for a host also why someone wanted there does not run."""
    waits = _waits(tx, house) if house is not None else {}
    words = tx.lives.last_words()
    postings = {each.member: each.wanted for each in tx.postings.all()}
    lives = {life.member: life for life in tx.lives.open()}
    held = {task.owner: str(task.id) for task in tx.tasks.held()}
    looked = {each.name: each for each in attendance.look(tx)}
    resting = {limit.account: limit.until for limit in tx.limits.paused()}
    spent = {each.name: each.usage.micros for each in tx.charges.totals(Scope.MEMBER)}
    found = []
    for member in tx.roster.everyone():
        if not member.active or member.runtime == HUMAN:
            continue
        life = lives.get(member.name)
        found.append(
            Present(
                member.name,
                member.runtime,
                postings.get(member.name, Wanted.STOPPED),
                life.state.value if life else ABSENT,
                life,
                held.get(member.name, ""),
                life.started_at if life else None,
                spent.get(member.name, 0),
                resting.get(life.process.account) if life else None,
                _why(waits.get(member.name, ""), "" if life else words.get(member.name, "")),
                *_attends(looked.get(member.name)),
            )
        )
    return found


def kept_away(tx: Transaction, house: House = ANYWHERE) -> dict[str, str]:
    """Who is to run and does not, by name, and why; that a host is full is known only of a host."""
    living, waits = {life.member for life in tx.lives.open()}, _waits(tx, house)
    words = tx.lives.last_words()
    away = [
        each.member
        for each in tx.postings.all()
        if each.wanted is Wanted.RUNNING and each.member not in living
    ]
    found = {name: _why(waits.get(name, ""), words.get(name, "")) for name in away}
    return {name: why for name, why in found.items() if why}


def _attends(seen: Seen | None) -> tuple[str, datetime | None]:
    """How a member is, and since when, if that was seen before."""
    if seen is None:
        return "", None
    return seen.live.value, None if seen.differs else seen.situation.since


def _why(waits: str, last_words: str) -> str:
    """Why a member does not run: what keeps it now, and what its last life left to say."""
    return "; ".join(filter(None, (waits, last_words)))


def _waits(tx: Transaction, house: House) -> dict[str, str]:
    return {
        move.member: move.why
        for move in staffing(tx, house, tx.lives.open())
        if isinstance(move, Wait)
    }
