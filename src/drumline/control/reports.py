"""Reports: a member's own word about how it stands, and what it is shown in return."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from drumline.control.dispatch import show
from drumline.control.roster import active_member, living
from drumline.control.waking import rhythm, wake_at
from drumline.errors import NotAllowed
from drumline.team.actor import Actor, Role
from drumline.team.agenda import Agenda
from drumline.team.report import Report, Saying, checked_words, lease_of, refuse_undone

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.nudge import Nudge


class Answer(NamedTuple):
    """What a member said, if it said something, and what waits for it."""

    member: str
    report: Report | None
    agenda: Agenda
    nudge: Nudge | None = None

    def facts(self) -> dict[str, Any]:
        """The answer as every surface shows it."""
        said = self.report
        return {
            "member": self.member,
            "stands": said.stands.value if said else None,
            "words": said.words if said else None,
            "until": said.until if said else None,
            "agenda": [
                {
                    "about": each.subject,
                    "from": each.source.name.lower(),
                    "says": each.says,
                    "next": each.next,
                    "since": each.since,
                }
                for each in self.agenda.items
            ],
            "nudged": self.nudge is not None,
        }


def report(tx: Transaction, actor: Actor, member: str, saying: Saying) -> Answer:
    """Say how a member stands; it is left alone about what it has before it for so long."""
    checked_words(saying)
    life = _speaks(tx, actor, member)
    agenda, nudge = show(tx, member, itself=actor.name == member)
    refuse_undone(saying.stands, agenda)
    lease = lease_of(saying, rhythm(tx))
    until = tx.now() + lease
    own = agenda.own.fingerprint
    said = Report(member, life, saying.stands, saying.words, own, until, tx.now())
    kept = tx.waking.report(said, lease)
    tx.record(actor, f"report.{saying.stands}", member)
    wake_at(tx, member, "its report is over", kept.until)
    return Answer(member, kept, agenda, nudge)


def ask(tx: Transaction, actor: Actor, member: str) -> Answer:
    """What waits for a member, and what it last said of itself."""
    _speaks(tx, actor, member)
    agenda, nudge = show(tx, member, itself=actor.name == member)
    seen = tx.waking.situation(member)
    said = seen.report if seen is not None and seen.report is not None else None
    return Answer(member, said if said and said.holds(tx.now()) else None, agenda, nudge)


def _speaks(tx: Transaction, actor: Actor, member: str) -> int:
    """The life that speaks: a member's own, or the present one of whom a person speaks for."""
    living(tx, actor)
    if actor.role is not Role.PERSON and actor.name != member:
        raise NotAllowed(
            f"{actor.name} cannot speak for {member}",
            why="how a member stands is its own word",
            next="drumline status   # how it was last seen to be",
        )
    return active_member(tx, member).incarnation
