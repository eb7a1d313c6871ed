"""The shared context of a run: published by who leads, sent to who lacks it, confirmed by who received it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from drumline.control import mail, questions
from drumline.control.roster import active_member, lead, living
from drumline.control.runs_found import find as find_run
from drumline.control.runs_found import no_run_yet
from drumline.errors import BadInput, Conflict, NotAllowed, NotReady, Unknown
from drumline.team import wording
from drumline.team.actor import Actor, Role
from drumline.team.context import (
    WHY_CAP,
    ContextVersion,
    Holding,
    Sections,
    Stale,
    WholeWhen,
    audience,
    checked_sections,
    in_life,
)
from drumline.team.context import stale as stale_among
from drumline.team.context_delta import Delta, delta, whole_when
from drumline.team.context_form import refuse_oversize
from drumline.team.context_letter import about_run, letter
from drumline.team.message import Kind
from drumline.team.question import Asking, QuestionKind
from drumline.team.request import signed
from drumline.team.task import TaskState
from drumline.team.text import checked_line
from drumline.team.wording_forms import Acknowledgement, Action

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.member import Member

LETTERS = 1000  # of those that wait for a member, looked through for updates it has dealt with


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """What is to become the next version; `version` is the one it was edited from, or is to be.

    It is measured against the context window of who will read it.
    """

    sections: Sections
    window: int
    why: str = ""
    version: int | None = None


class Published(NamedTuple):
    """A new version, and whom it was sent to."""

    version: ContextVersion
    sent: tuple[Offer, ...]


class Offer(NamedTuple):
    """What one member was sent: everything, and why, or only what is new."""

    member: str
    version: int
    items: int
    whole: WholeWhen | None


def publish(tx: Transaction, actor: Actor, run: str, publication: Publication) -> Published:
    """Make the next version and send it to everyone who holds an older one."""
    _leads(tx, actor, "publish a context", run)
    sections = checked_sections(publication.sections)
    refuse_oversize(sections, publication.window)
    checked_line(publication.why, "the reason", cap=WHY_CAP, empty=True)
    _refuse_frozen(tx, run)
    tx.contexts.lock()
    newest = tx.contexts.newest(run)
    _refuse_overtaken(run, newest, publication.version, sections)
    number = newest.number + 1 if newest else 1
    made = tx.contexts.add(run, number, sections, signed(actor), publication.why)
    _author_holds(tx, actor, made)
    tx.record(actor, "context.published", f"{run} v{number}")
    return Published(made, _offer(tx, actor, made))


def offer(tx: Transaction, run: str) -> tuple[Offer, ...]:
    """Send the newest version, in the lead's name, to whoever was not sent it in its present life."""
    tx.contexts.lock()
    newest = tx.contexts.newest(run)
    return _offer(tx, lead(tx).acting(), newest) if newest else ()


def owing(tx: Transaction, run: str) -> bool:
    """Whether somebody was not sent the newest version in its present life."""
    newest = tx.contexts.newest(run)
    return newest is not None and bool(_unsent(tx, newest))


def want_whole(tx: Transaction, actor: Actor, run: str, *, lost: bool = False) -> tuple[Offer, ...]:
    """A member that asks, or that lost its context, holds nothing until it was sent everything."""
    member = _itself(tx, actor)
    tx.contexts.lock()
    newest = find(tx, run)
    why = WholeWhen.LOST if lost else WholeWhen.ASKED
    _forget(tx, run, [member], why)
    tx.record(actor, "context.lost" if lost else "context.asked", f"{run} v{newest.number}")
    return _offer(tx, lead(tx).acting(), newest)


def brief_again(tx: Transaction, actor: Actor, run: str, names: Sequence[str]) -> tuple[Offer, ...]:
    """Send members everything once more, whatever they hold; the caller says why in the log."""
    tx.contexts.lock()
    newest = tx.contexts.newest(run)
    if newest is None:
        return ()
    meant = [each for each in audience(tx.roster.everyone()) if each.name in names]
    _forget(tx, run, [each for each in meant if each.name != actor.name], WholeWhen.ASKED)
    tx.record(actor, "context.again", f"{run}: {','.join(each.name for each in meant)}")
    return _offer(tx, actor, newest)


def acknowledge(tx: Transaction, actor: Actor, run: str, said: Acknowledgement) -> Holding:
    """A member's own word on the version it was sent; it holds it once every item is applied."""
    member = _itself(tx, actor)
    tx.contexts.lock()
    newest = find(tx, run)
    was = in_life(tx.contexts.holding(run, member.name), member)
    _refuse_other(run, newest, was, said)
    taken = said.applied == said.total
    kept = tx.contexts.keep(
        run,
        was._replace(
            held=said.version if taken else was.held,
            applied=said.applied,
            impact=said.impact,
            action=said.action,
            needs=None if taken else was.needs,
            said_at=tx.now(),
        ),
    )
    tx.record(actor, "context.acknowledged", f"{run} v{said.version} {said.action}")
    if taken:
        _letters_done(tx, actor, run, said.version)
    if actor.role is not Role.LEAD:
        mail.send(tx, actor, [lead(tx).name], wording.render(said), Kind.ACKNOWLEDGEMENT)
    if said.action is Action.NEED_CLARIFICATION:
        questions.ask(tx, actor, _clarification(run, member, said))
    return kept


def find(tx: Transaction, run: str, version: int | None = None) -> ContextVersion:
    """One version of a run's context: the newest, if no number is said."""
    found = tx.contexts.newest(run) if version is None else tx.contexts.get(run, version)
    if found is not None:
        return found
    which = "context" if version is None else f"version {version} of its context"
    newest = tx.contexts.newest(run)
    raise Unknown(
        f"run {run!r} has no {which}",
        why=f"the newest is {newest.number}" if newest else "nobody published one",
        next="drumline context publish FILE --run NAME",
    )


def chosen_run(tx: Transaction, run: str = "") -> str:
    """The run that is meant: named, else at work, else the last that has a context, else the last."""
    if run:
        return run if tx.tasks.permanent(run) else find_run(tx, run).name
    at_work = tx.run_at_work()
    if found := at_work[0] if at_work else tx.contexts.last_run():
        return found
    raise no_run_yet(tx)


def who(tx: Transaction, run: str) -> list[Holding]:
    """What each member holds in its present life."""
    holdings = tx.contexts.holdings(run)
    members = audience(tx.roster.everyone())
    return [in_life(holdings.get(member.name), member) for member in members]


def stale(tx: Transaction, run: str, members: Sequence[str] | None = None) -> list[Stale]:
    """Who of these, or of all, does not hold the newest version: a gate stays shut while anyone does not.

    A run without a context keeps nobody waiting.
    """
    newest = tx.contexts.newest(run)
    if newest is None:
        return []
    asked = [each for each in tx.roster.everyone() if members is None or each.name in members]
    return stale_among(asked, tx.contexts.holdings(run), newest.number)


def is_paused(tx: Transaction, run: str, member: str) -> bool:
    """Whether a member said that it pauses, in its present life, and has not said otherwise since."""
    return in_life(tx.contexts.holding(run, member), active_member(tx, member)).paused


def _leads(tx: Transaction, actor: Actor, deed: str, run: str) -> None:
    living(tx, actor)
    if actor.role not in {Role.PERSON, Role.LEAD}:
        raise NotAllowed(
            f"{actor.name} may not {deed}",
            why="what everyone goes by is the lead's to say",
            next="tell the lead: drumline mail send --to lead …",
        ).audited(str(actor), "context.refused", run)


def _itself(tx: Transaction, actor: Actor) -> Member:
    """The member that speaks, in its own life: nobody else knows what it received."""
    living(tx, actor)
    if actor.role is Role.PERSON or actor.by:
        raise NotAllowed(
            "a context is confirmed by the member that received it",
            why="nobody else knows what is in its mind",
            next="drumline context who   # who holds which version",
        )
    return active_member(tx, actor.name, incarnation=actor.incarnation, staying=True)


def _refuse_frozen(tx: Transaction, run: str) -> None:
    """Refuse where nobody reads it any more, and while somebody judges by it."""
    tx.runs.lock()  # no gate opens meanwhile
    found = tx.tasks.permanent(run)
    if found is None:
        raise Unknown(
            f"no run {run[:80]!r} in team {tx.team}",
            why="a context belongs to a run",
            next="drumline run list",
        )
    if found.state in {TaskState.COMPLETED, TaskState.CANCELLED}:
        now = tx.runs.get(run)
        raise NotReady(
            f"{run} is {now.state if now else found.state}",
            why="nobody goes by its context any more",
            next='drumline run "GOAL"',
        )
    if judged := [gate for gate in tx.runs.gates(run) if gate.open]:
        raise NotReady(
            f"the gate of {judged[0].phase} in {run} is being judged",
            why="a context does not change under who judges by it",
            next=f"drumline gate show {judged[0].phase} --run {run}   # publish after its verdict",
        )


def _refuse_overtaken(
    run: str, newest: ContextVersion | None, written: int | None, sections: Sections
) -> None:
    """Refuse what was written from an older version, or says nothing new."""
    number = newest.number if newest else 0
    if written is not None and written not in {number, number + 1}:
        raise Conflict(
            f"the text says version {written}, the newest of {run} is {number}",
            why="somebody published in between"
            if written < number
            else "versions follow each other",
            next=f"drumline context diff {written} {number}   # then edit the newest",
        )
    if newest is not None and newest.sections == sections:
        raise Conflict(
            f"version {number} of {run} says exactly this already", next="drumline context who"
        )


def _refuse_other(run: str, newest: ContextVersion, was: Holding, said: Acknowledgement) -> None:
    """Refuse a word on anything but what this life was sent last."""
    if said.version != newest.number:
        raise Conflict(
            f"version {said.version} of {run} is not the newest: that is {newest.number}",
            next="drumline mail inbox   # the newest update waits there",
        )
    if was.offered != said.version:
        raise NotReady(
            f"version {said.version} of {run} was not sent to this life of {was.member} yet",
            why="what was not received cannot be confirmed",
            next="drumline context ask   # it is sent at once",
        )
    if was.total != said.total:
        raise BadInput(
            f"the update to version {said.version} has {was.total} items, not {said.total}",
            next=f"say --items N/{was.total}",
        )


def _author_holds(tx: Transaction, actor: Actor, made: ContextVersion) -> None:
    """Whoever wrote a version knows it; a person has no holding."""
    member = tx.roster.get(actor.name) if actor.role is Role.LEAD else None
    if member is None or not audience([member]):
        return
    items, number = len(made.sections), made.number
    tx.contexts.keep(
        made.run,
        Holding(
            member.name, member.incarnation, number, number, items, items, "it is the author's"
        )._replace(action=Action.CONTINUE, needs=None, offered_at=tx.now(), said_at=tx.now()),
    )


def _forget(tx: Transaction, run: str, members: Sequence[Member], why: WholeWhen) -> None:
    for member in members:
        was = in_life(tx.contexts.holding(run, member.name), member)
        tx.contexts.keep(run, was._replace(offered=0, held=0, applied=0, total=0, needs=why))


def _offer(tx: Transaction, actor: Actor, newest: ContextVersion) -> tuple[Offer, ...]:
    """Send a version to each who was not sent it in its present life: once, however often this is asked."""
    unsent = _unsent(tx, newest)
    steps = {held: _step(tx, newest, held) for held in {each.held for each in unsent}}
    return tuple(_send(tx, actor, newest, (each, steps[each.held])) for each in unsent)


def _unsent(tx: Transaction, newest: ContextVersion) -> list[Holding]:
    return [each for each in who(tx, newest.run) if each.offered < newest.number]


def _step(tx: Transaction, newest: ContextVersion, held: int) -> tuple[Delta, Sections]:
    """What is new since a version, and that version; the same for everyone who holds it."""
    older = tx.contexts.get(newest.run, held)
    old = older.sections if older else ()
    return delta(old, newest.sections), old


def _send(
    tx: Transaction,
    actor: Actor,
    newest: ContextVersion,
    lacking: tuple[Holding, tuple[Delta, Sections]],
) -> Offer:
    holding, (news, old) = lacking
    sent = letter(newest, holding, news, whole_when(holding, newest.number, news, old))
    tx.contexts.keep(newest.run, holding.sent(newest.number, sent.items, tx.now()))
    tx.record(actor, "context.sent", f"{newest.run} v{newest.number} to {holding.member}")
    mail.send(tx, actor, [holding.member], wording.render(sent.update), Kind.CONTEXT_UPDATE)
    return Offer(holding.member, newest.number, sent.items, sent.whole)


def _letters_done(tx: Transaction, actor: Actor, run: str, version: int) -> None:
    """The updates that this confirms need no other word."""
    waiting = tx.mail.inbox(actor.name, everything=False, after=0, most=LETTERS)
    done = [each.id for each in waiting if about_run(each, run, version)]
    if done:
        mail.acknowledge(tx, actor, done)


def _clarification(run: str, member: Member, said: Acknowledgement) -> Asking:
    occasion = sha256(said.impact.encode()).hexdigest()[:16]
    return Asking(
        QuestionKind.CLARIFICATION,
        f"{member.name} needs to know more of version {said.version} of the context of {run}:"
        f" {said.impact}",
        f"context {run} v{said.version} {member.name}/{member.incarnation} {occasion}",
    )
