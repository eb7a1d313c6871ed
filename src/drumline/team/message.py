"""A message: what members tell each other, and which kinds may pass between whom."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from drumline.team.actor import Role
from drumline.team.ids import MessageId

EVERYONE = "*"


class Kind(StrEnum):
    """What a message is for; the constitution names all but the plain note."""

    NOTE = "note"
    DIRECTIVE = "directive"
    IMPACT_ANALYSIS = "impact-analysis"
    IMPACT_VERIFIED = "impact-verified"
    IMPACT_REJECTED = "impact-rejected"
    VERIFICATION_QUESTION = "verification-question"
    CONTEXT_UPDATE = "context-update"
    ACKNOWLEDGEMENT = "acknowledgement"
    STATUS = "status"
    PLAN = "plan"
    APPROVAL = "approval"
    REJECTION = "rejection"
    CHALLENGE = "challenge"
    CHALLENGE_RESPONSE = "challenge-response"
    MEMORY_UPDATE = "memory-update"
    PHASE_BROADCAST = "phase-broadcast"


FROM_LEAD = frozenset(
    {
        Kind.DIRECTIVE,
        Kind.IMPACT_VERIFIED,
        Kind.IMPACT_REJECTED,
        Kind.CONTEXT_UPDATE,
        Kind.APPROVAL,
        Kind.REJECTION,
        Kind.CHALLENGE,
        Kind.PHASE_BROADCAST,
    }
)
TO_LEAD = frozenset(
    {
        Kind.IMPACT_ANALYSIS,
        Kind.ACKNOWLEDGEMENT,
        Kind.STATUS,
        Kind.PLAN,
        Kind.CHALLENGE_RESPONSE,
        Kind.MEMORY_UPDATE,
    }
)

WANTING = frozenset(Kind) - {
    Kind.NOTE,
    Kind.ACKNOWLEDGEMENT,
    Kind.STATUS,
    Kind.MEMORY_UPDATE,
    Kind.PHASE_BROADCAST,
}  # something done: an idle member is given a turn for them, the others wait for its next one
WANTING_A_WORD = frozenset(
    {
        Kind.IMPACT_ANALYSIS,
        Kind.VERIFICATION_QUESTION,
        Kind.PLAN,
        Kind.CHALLENGE,
        Kind.CHALLENGE_RESPONSE,
    }
)  # having been told of them is not enough: they wait until they are acknowledged

CAPS = {
    Kind.DIRECTIVE: 120_000,  # it may carry the whole shared context
    Kind.CONTEXT_UPDATE: 120_000,
    Kind.IMPACT_ANALYSIS: 30_000,
    Kind.STATUS: 500,
}
CAP = 10_000


class Message(NamedTuple):
    """One letter to one member, kept until acknowledged."""

    id: MessageId
    sender: str
    recipient: str
    kind: Kind
    body: str
    sent_at: datetime
    delivered_at: datetime | None = None
    read_at: datetime | None = None
    acked_at: datetime | None = None

    @property
    def state(self) -> str:
        if self.acked_at:
            return "acked"
        if self.read_at:
            return "read"
        return "delivered" if self.delivered_at else "sent"


def named(kind: Kind) -> str:
    """A kind with its article, for a sentence."""
    return f"{'an' if kind[0] in 'ai' else 'a'} {kind}"


def cap(kind: Kind) -> int:
    return CAPS.get(kind, CAP)


def forbidden(kind: Kind, sender: Role, recipient: Role, *, peers: bool) -> str:
    """Why this kind may not pass between these roles; empty when it may.

    A person who is not a member speaks with the lead's voice. Questions of a verification go both
    ways between lead and member.
    """
    leads = sender is not Role.TEAMMATE
    if kind in FROM_LEAD:
        return "" if leads else f"only the lead sends {named(kind)}"
    if kind in TO_LEAD:
        if leads:
            return f"{named(kind)} comes from a teammate"
        return "" if recipient is Role.LEAD else f"{named(kind)} goes to the lead"
    if kind is Kind.VERIFICATION_QUESTION and not leads and recipient is not Role.LEAD:
        return f"{named(kind)} is between the lead and one member"
    if not peers and not leads and recipient is Role.TEAMMATE:
        return "this team's constitution lets teammates write only to the lead"
    return ""
