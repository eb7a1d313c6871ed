"""A request: what only the lead may do, asked for by whoever may not."""

import re
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from drumline.errors import BadInput, IllegalMove, NotHolder
from drumline.team.actor import Actor, Role
from drumline.team.ids import RequestId
from drumline.team.member import HUMAN, Member

WHAT_CAP = 4_000
RESULT_CAP = 2_000
SHOWN = 120

_CONSTRAINT = re.compile(r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+")
_PERSON = f"{Role.PERSON}:"


class RequestState(StrEnum):
    FILED = "filed"
    TAKEN = "taken"
    DONE = "done"
    FAILED = "failed"
    DECLINED = "declined"


MOVES: Mapping[RequestState, frozenset[RequestState]] = {
    RequestState.FILED: frozenset({RequestState.TAKEN, RequestState.DECLINED}),
    RequestState.TAKEN: frozenset(RequestState) - {RequestState.TAKEN},
    RequestState.DONE: frozenset(),
    RequestState.FAILED: frozenset(),
    RequestState.DECLINED: frozenset(),
}


class Request(NamedTuple):
    """One thing asked of the lead; `by` is who has begun it, carried it out or declined it."""

    id: RequestId
    requester: str
    what: str
    filed_at: datetime
    state: RequestState = RequestState.FILED
    constraint: str = ""
    by: str | None = None
    incarnation: int | None = None
    fence: int = 0
    result: str = ""
    taken_at: datetime | None = None
    lease_until: datetime | None = None
    ended_at: datetime | None = None

    def move(self, new: RequestState) -> "Request":
        """The request in its new state; leaving `taken` ends the lease."""
        if new not in MOVES[self.state]:
            raise IllegalMove(str(self.id), self.state, new, noun="request")
        return self._replace(state=new, lease_until=None)

    def expired(self, now: datetime) -> bool:
        """Whether whoever began it let the lease run out."""
        return self.lease_until is not None and self.lease_until <= now

    def held_by(self, actor: Actor, fence: int | None) -> None:
        """Refuse a word about a taken request from anyone but its taker and a person."""
        if problem := self._take_problem(actor, fence):
            raise NotHolder(
                f"{self.id} was not changed: {problem}",
                why="only who took a request, or a person, says how it went",
                next=f"drumline request show {self.id}",
            )

    def _take_problem(self, actor: Actor, fence: int | None) -> str:
        if fence is not None and fence != self.fence:
            return f"fence {fence} is stale, it was taken again with number {self.fence}"
        if actor.role is Role.PERSON:
            return ""
        if self.by != signed(actor):
            return f"{self.by} has it, not {actor.name}"
        if actor.incarnation is not None and actor.incarnation != self.incarnation:
            return f"it was taken in life {self.incarnation} of {self.by}, not in life {actor.incarnation}"
        return ""


def signed(actor: Actor) -> str:
    """The name under which a request remembers someone, whoever spoke for them."""
    return str(actor._replace(by=""))


def seat_of(signature: str) -> str:
    """Where mail finds whom a request names: every person has the one seat of the human."""
    return HUMAN if signature.startswith(_PERSON) else signature


def gone(held: Request, taker: Member | None) -> bool:
    """Whether the member that took a request left or lives another life; of a person nobody knows."""
    if held.by is None or held.by.startswith(_PERSON):
        return False
    return taker is None or not taker.active or taker.incarnation != held.incarnation


def may_take_over(held: Request, actor: Actor, taker: Member | None, *, now: datetime) -> bool:
    """Whether a take is stale for this actor: its lease ran out, or a person sees its taker gone."""
    return held.expired(now) or (actor.role is Role.PERSON and gone(held, taker))


def checked_constraint(text: str) -> str:
    """A constraint's id, or nothing."""
    if text and (len(text) > SHOWN or not _CONSTRAINT.fullmatch(text)):
        raise BadInput(
            f"{text[:80]!r} is not a constraint's id",
            why="an id reads C-TEAM-004",
            next="drumline policy list   # or leave it out",
        )
    return text


def headline(what: str) -> str:
    """The first line of what is asked, short enough for a list."""
    lines = what.strip().splitlines()
    first = lines[0] if lines else ""
    return f"{first[:SHOWN]}…" if len(lines) > 1 or len(first) > SHOWN else first
