"""Requests: what only the lead may do is asked for, carried out one at a time, and answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from drumline.control import mail
from drumline.control.roster import active_member, charter, living
from drumline.errors import BadInput, Conflict, NotAllowed, NothingReady, NotReady, Unknown
from drumline.team import text
from drumline.team.actor import Actor, Role
from drumline.team.ids import RequestId
from drumline.team.member import HUMAN
from drumline.team.message import Kind
from drumline.team.request import (
    WHAT_CAP,
    Request,
    RequestState,
    checked_constraint,
    may_take_over,
    seat_of,
    signed,
)
from drumline.team.request_result import Outcome, filed_letter, kept, result_letter
from drumline.team.secrets import find_secrets

if TYPE_CHECKING:
    from drumline.control.ports import Transaction

NO_TIME = timedelta(0)


def file(tx: Transaction, actor: Actor, what: str, constraint: str = "") -> Request:
    """Ask the lead for something; the same words are not asked twice while they wait."""
    living(tx, actor)
    checked_constraint(constraint)
    _refuse_secrets(text.checked(what, "the request", cap=WHAT_CAP))
    tx.requests.lock()
    if same := tx.requests.same(signed(actor), what):
        raise Conflict(
            f"{same.id} asks for exactly this, and is {same.state}",
            why="what is asked twice would be done twice",
            next=f"wait for mail about it, or look: drumline request show {same.id}",
        )
    request = tx.requests.add(signed(actor), what, constraint)
    tx.record(actor, "request.filed", str(request.id))
    leads = [member.name for member in tx.roster.everyone() if member.lead and member.active]
    _write(tx, actor, leads, filed_letter(request))
    return request


def find(tx: Transaction, request: RequestId) -> Request:
    """One request, as it is now."""
    if found := tx.requests.get(request):
        return found
    raise Unknown(f"no request {request} in team {tx.team}", next="drumline request list --all")


def page(
    tx: Transaction, *, everything: bool = False, after: int = 0, most: int = 1000
) -> list[Request]:
    """What was asked, oldest first: what still waits, or everything."""
    return tx.requests.page(everything=everything, after=after, most=most)


def next_to_take(tx: Transaction) -> Request:
    """The oldest request that nobody has ended; one that is taken goes before all others."""
    if found := tx.requests.taken() or tx.requests.next_filed():
        return found
    raise NothingReady("no request waits", next="drumline request list --all")


def may_carry_out(tx: Transaction, actor: Actor) -> None:
    """Refuse whoever is neither the lead nor a person."""
    living(tx, actor)
    if actor.role is Role.TEAMMATE:
        raise NotAllowed(
            f"{actor.name} may not carry out requests",
            why="what is asked of the lead is for the lead or a person",
            next="wait for mail about yours: drumline request list",
        ).audited(str(actor), "request.refused", actor.name)


def refuse_under(tx: Transaction, members: Iterable[str]) -> None:
    """Refuse a process that a teammate's process started, whatever name it gives itself."""
    for name in sorted(members):
        member = tx.roster.get(name)
        if member and member.active and not member.lead:
            may_carry_out(tx, member.acting())


def refuse_unlawful(
    tx: Transaction, actor: Actor, request: RequestId, ruling: Mapping[str, str]
) -> None:
    """What is refused to everyone does not become allowed by being asked of the lead."""
    if ruling["decision"] == "deny":
        raise NotAllowed(
            f"{find(tx, request).id} was not run: {ruling['what']} [{ruling['constraint']}]",
            why=ruling["why"],
            next=f"drumline request decline {request} WHY",
        ).audited(str(actor), "request.refused", str(request))


def take(
    tx: Transaction, actor: Actor, request: RequestId, *, at_least: timedelta = NO_TIME
) -> Request:
    """Begin one request; of any number of takers exactly one gets it, and only while none is begun."""
    may_carry_out(tx, actor)
    tx.requests.lock()
    find(tx, request)
    _make_room(tx, actor)
    find(tx, request).move(RequestState.TAKEN)
    taken = tx.requests.take(
        request, _in_this_life(tx, actor), max(charter(tx).lease_by_hand, at_least)
    )
    tx.record(actor, "request.taken", str(request))
    return taken


def take_next(tx: Transaction, actor: Actor, *, at_least: timedelta = NO_TIME) -> Request:
    """Begin the oldest request that waits."""
    tx.requests.lock()
    return take(tx, actor, next_to_take(tx).id, at_least=at_least)


def finish(
    tx: Transaction,
    actor: Actor,
    request: RequestId,
    outcome: Outcome,
    *,
    fence: int | None = None,
) -> Request:
    """Say how a taken request went; the requester is told in the same breath."""
    may_carry_out(tx, actor)
    tx.requests.lock()
    found = find(tx, request)
    state = RequestState.DONE if outcome.ok else RequestState.FAILED
    found.move(state)
    found.held_by(actor, fence)
    return _ended(tx, actor, found._replace(state=state, result=kept(outcome.result)))


def decline(tx: Transaction, actor: Actor, request: RequestId, why: str) -> Request:
    """Say no to a request, and why; the requester is told in the same breath."""
    may_carry_out(tx, actor)
    text.checked(why, "the reason", cap=text.PATTERN_CAP)
    tx.requests.lock()
    found = find(tx, request)
    found.move(RequestState.DECLINED)
    if found.state is RequestState.TAKEN:
        found.held_by(actor, None)
    no = found._replace(state=RequestState.DECLINED, by=signed(actor), result=kept(why))
    return _ended(tx, actor, no)


def give_back(
    tx: Transaction, actor: Actor, request: RequestId, *, fence: int | None = None
) -> Request:
    """Let go of a taken request: it waits again, and another may be begun."""
    may_carry_out(tx, actor)
    tx.requests.lock()
    found = find(tx, request)
    found.move(RequestState.FILED)
    found.held_by(actor, fence)
    back = tx.requests.give_back(request)
    tx.record(actor, "request.released", str(request))
    return back


def _refuse_secrets(what: str) -> None:
    for line, kind in find_secrets(what):
        raise BadInput(
            f"the request has a secret in line {line}: {kind}",
            why="a request is kept, mailed and shown",
            next="name the variable or the file that holds it instead",
        )


def _make_room(tx: Transaction, actor: Actor) -> None:
    """Take back what is stale; refuse while another request is under way."""
    held = tx.requests.taken()
    if held is None:
        return
    taker = tx.roster.get(held.by or "")
    if not may_take_over(held, actor, taker, now=tx.now()):
        raise NotReady(
            f"{held.id} is taken by {held.by}",
            why="requests are carried out one at a time; its lease runs until"
            f" {held.lease_until:%H:%M:%S} UTC",
            next=f"wait for it; a person who knows it is stopped: drumline request release {held.id}",
        )
    tx.requests.give_back(held.id)
    tx.record("drumline", "request.expired", str(held.id))


def _in_this_life(tx: Transaction, actor: Actor) -> Actor:
    """A member's take belongs to the life that speaks, whether it says so or not."""
    if actor.role is Role.PERSON:
        return actor
    return actor._replace(incarnation=active_member(tx, actor.name).incarnation)


def _ended(tx: Transaction, actor: Actor, request: Request) -> Request:
    ended = tx.requests.close(request)
    tx.record(actor, f"request.{ended.state}", str(ended.id))
    _write(tx, actor, [seat_of(ended.requester)], result_letter(ended))
    return ended


def _write(tx: Transaction, actor: Actor, to: list[str], body: str) -> None:
    """Mail whoever of these is here and did not do it; who left does not hold the others up."""
    person = actor.role is Role.PERSON
    sender = actor._replace(name=HUMAN, by=str(actor)) if person else actor
    here = [
        name
        for name in to
        if name != sender.name and (member := tx.roster.get(name)) and member.active
    ]
    if here:
        mail.send(tx, sender, here, body, Kind.NOTE)
