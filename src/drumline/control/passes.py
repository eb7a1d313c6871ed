"""What a pass reads: who is to be started or ended on a host, and what the members of a process should know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from drumline.team.duty import plane_of
from drumline.team.life import LifeState
from drumline.team.posting import Wanted
from drumline.team.staffing import House, Move, moves, past_of, unable

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.life import Life

LIVES_LOOKED_AT = 20


class Look(NamedTuple):
    """What the members of one process need to know to go on, read at one moment."""

    wanted: Mapping[str, Wanted]
    ready: frozenset[str] = frozenset()  # whom something ready would fit
    given: frozenset[str] = frozenset()  # who was given something
    plane: bool = False
    nudged: frozenset[str] = frozenset()  # for whom a nudge waits
    judges: frozenset[str] = frozenset()  # who is asked to judge something

    def calls(self, member: str) -> frozenset[str]:
        """What there may be for a member to do."""
        whom = {"ready": self.ready, "given": self.given, "nudged": self.nudged}
        return frozenset(what for what, members in whom.items() if member in members)


def staffing(tx: Transaction, house: House, living: Iterable[Life]) -> list[Move]:
    """What to do now about the members wanted on a host, when these live."""
    postings = tx.postings.here(house.host)
    lives = {life.member: life for life in living}
    missing = [each.member for each in postings if each.member not in lives]
    pasts = {name: past_of(tx.lives.of(name, most=LIVES_LOOKED_AT)) for name in missing}
    return moves(postings, lives, pasts, house, tx.now())


def unable_to_run(tx: Transaction) -> dict[str, str]:
    """Who is to run and does not live, or only begins to, and will not by itself: by name, why."""
    here = {life.member for life in tx.lives.open() if life.state is not LifeState.STARTING}
    missing = [
        each
        for each in tx.postings.all()
        if each.wanted is Wanted.RUNNING and each.member not in here
    ]
    found = {
        each.member: unable(each, past_of(tx.lives.of(each.member, most=LIVES_LOOKED_AT)))
        for each in missing
    }
    return {name: why for name, why in found.items() if why}


def look(tx: Transaction, members: Iterable[str], host: str) -> Look:
    """What is wanted of these members, for whom there is something, and whether a plane is here."""
    said = {posting.member: posting.wanted for posting in tx.postings.here(host)}
    now = tx.now()
    plane = any(duty.name == plane_of(host) and duty.held(now) for duty in tx.duties.all())
    return Look(
        {name: said.get(name, Wanted.STOPPED) for name in members},
        _fitting(tx, members),
        frozenset(task.owner for task in tx.tasks.held() if task.owner),
        plane,
        tx.waking.everyone_nudged(),
        tx.leads_asked(),
    )


def _fitting(tx: Transaction, members: Iterable[str]) -> frozenset[str]:
    """Whom something ready would fit."""
    profiles = {each.name: each.profile for each in tx.roster.everyone()}
    fitting = {
        profile
        for profile in {profiles.get(name, "") for name in members}
        if tx.tasks.ready(profile=profile, after=None, most=1)
    }
    return frozenset(name for name in members if profiles.get(name, "") in fitting)
