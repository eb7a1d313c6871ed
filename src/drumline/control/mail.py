"""Mail: a sent message is stored, stays until acknowledged, and never goes to nobody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from drumline.control import modes
from drumline.control.roster import active_member, addressed, constitution, living
from drumline.control.waking import wake
from drumline.errors import BadInput, NotAllowed, Unknown
from drumline.team import text, wording
from drumline.team.actor import Actor, Role
from drumline.team.ids import MessageId
from drumline.team.member import HUMAN, Member
from drumline.team.message import EVERYONE, WANTING, Kind, Message, cap, forbidden, named
from drumline.team.preset import MemoryRight
from drumline.team.team_memory import right_of

if TYPE_CHECKING:
    from drumline.control.ports import Transaction

PAGE = 100
SUBJECT = 200


def send(
    tx: Transaction, actor: Actor, to: Sequence[str], body: str, kind: Kind | None = None
) -> list[Message]:
    """Store a message for each recipient, or for none of them."""
    living(tx, actor)
    _refuse_forgery(actor, body, to)
    kind = _kind_of(body, kind)
    text.checked(body, f"the {kind}", cap=cap(kind))
    recipients = _recipients(tx, actor, to, kind)
    peers = modes.agreed(tx).peers
    for member in recipients:
        role = member.acting().role
        why = forbidden(kind, actor.role, role, peers=peers)
        if why := why or _unread(tx, actor, role, (kind, body)):
            refusal = NotAllowed(
                f"{actor.name} may not send {named(kind)} to {member.name}",
                why=why,
                next="send it as a status to the lead: drumline mail send --to lead …",
            )
            raise refusal.audited(str(actor), "mail.refused", f"{kind} to {member.name}")
    sent = [tx.mail.add(actor.name, member.name, kind, body) for member in recipients]
    tx.record(actor, "mail.sent", ",".join(str(message.id) for message in sent))
    for member in recipients if kind in WANTING else ():
        wake(tx, member.name, "mail came")
    return sent


def _unread(tx: Transaction, actor: Actor, recipient: Role, letter: tuple[Kind, str]) -> str:
    """Why the lead does not hear a teammate at all in the present run, or not of this."""
    if actor.role is not Role.TEAMMATE or recipient is not Role.LEAD:
        return ""
    member = active_member(tx, actor.name)
    right = right_of(constitution(tx).name, member.profile)
    if letter[0] is Kind.MEMORY_UPDATE and right is MemoryRight.READ_ONLY:
        return f"its profile {right}"
    return modes.unread_by_lead(tx, member, *letter)


def inbox(
    tx: Transaction, member: str, *, everything: bool = False, after: int = 0, most: int = PAGE
) -> list[Message]:
    """What waits for a member's word, in the order it came."""
    name = addressed(tx, member).name
    return tx.mail.inbox(name, everything=everything, after=after, most=most)


def read(tx: Transaction, actor: Actor, message: MessageId) -> Message:
    """Open a message; it stays until acknowledged, and is read only when its recipient reads it."""
    found = _own(tx, actor, message)
    reader = HUMAN if actor.role is Role.PERSON else actor.name
    if found.read_at is None and found.recipient == reader and tx.mail.mark(message, "read"):
        tx.record(actor, "mail.read", str(message))
    return _get(tx, message)


def acknowledge(tx: Transaction, actor: Actor, messages: Sequence[MessageId]) -> list[Message]:
    """Say that messages were dealt with; saying it twice changes nothing."""
    done = [
        str(message)
        for message in messages
        if _own(tx, actor, message).acked_at is None and tx.mail.mark(message, "acked")
    ]
    if done:
        tx.record(actor, "mail.acked", ",".join(done))
    return [_get(tx, message) for message in messages]


def confirm_delivery(tx: Transaction, message: MessageId) -> Message:
    """A runtime proved that the message entered its member's conversation."""
    if _get(tx, message).delivered_at is None and tx.mail.mark(message, "delivered"):
        tx.record("drumline", "mail.delivered", str(message))
    return _get(tx, message)


def _refuse_forgery(actor: Actor, body: str, to: Sequence[str]) -> None:
    """A teammate's letter may not even look like a word of the lead; a quotation begins with >."""
    if actor.role is Role.TEAMMATE and (kind := wording.imitated(body)):
        raise NotAllowed(
            f"{actor.name} may not send {named(kind)}",
            why=f"only the lead sends {named(kind)}",
            next="say it in your own words, or quote it with > in front",
        ).audited(str(actor), "mail.refused", _subject(kind, to))


def _subject(kind: Kind, to: Sequence[str]) -> str:
    """A letter in the log; what is no name is spelled, so that it can be kept and forges no line."""
    names = (name if text.is_name(name) or name == EVERYONE else ascii(name) for name in to)
    return f"{kind} to {','.join(names)}"[:SUBJECT]


def _kind_of(body: str, kind: Kind | None) -> Kind:
    """What the words say they are; a kind that is asked for must agree with them."""
    spoken = wording.parse(body)
    if spoken is None:
        if kind is None or kind is Kind.NOTE:
            return Kind.NOTE
        raise BadInput(
            f"that is not the text of {named(kind)}",
            why=f"{named(kind)} reads: {wording.FORMS[kind]}",
            next="say it in that form, or send it as a note",
        )
    if kind is not None and kind is not spoken.kind:
        raise BadInput(
            f"the text is {named(spoken.kind)}, not {named(kind)}",
            next=f"send it with --kind {spoken.kind}",
        )
    return spoken.kind


def _recipients(tx: Transaction, actor: Actor, to: Sequence[str], kind: Kind) -> list[Member]:
    if not to:
        raise BadInput("a message needs a recipient", next="name one: --to NAME")
    if (EVERYONE in to) != (kind is Kind.PHASE_BROADCAST):
        raise NotAllowed(
            f"{named(kind)} cannot go to {', '.join(to)[:80]}",
            why="a broadcast is for phase transitions, and a phase transition is for everyone",
            next="name the members it concerns: --to NAME",
        ).audited(str(actor), "mail.refused", _subject(kind, to))
    if EVERYONE in to:
        here = [member for member in tx.roster.everyone() if member.active]
        return [member for member in here if member.name != actor.name]
    found = {member.name: member for member in (addressed(tx, name) for name in to)}
    return list(found.values())


def _get(tx: Transaction, message: MessageId) -> Message:
    if found := tx.mail.get(message):
        return found
    raise Unknown(f"no message {message} in team {tx.team}", next="drumline mail inbox NAME")


def _own(tx: Transaction, actor: Actor, message: MessageId) -> Message:
    living(tx, actor)
    found = _get(tx, message)
    if actor.role is not Role.PERSON and actor.name != found.recipient:
        raise NotAllowed(
            f"{message} is for {found.recipient}, not for {actor.name}",
            next=f"drumline mail inbox {actor.name}",
        ).audited(str(actor), "mail.refused", str(message))
    return found
