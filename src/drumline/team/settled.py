"""A settled turn: what the event of a turn that ended says of it, whichever runtime it came from.

An event wakes, it proves nothing: whose turn it was is found out later, and what the agent said last is
never read. The id is made of the runtime, its session, its turn and the hash of the whole event.
"""

import json
import re
from collections.abc import Mapping
from enum import StrEnum
from hashlib import sha256
from typing import Any, NamedTuple

LONGEST = 262_144  # bytes of an event
LONGEST_HINT = 400  # bytes that the hook adds to it

_NAME = re.compile(
    r"(?:[0-9]{8}T[0-9]{6}Z|(?P<oversize>oversize))-[0-9]{1,10}-[0-9a-f-]{1,36}"
    r"\.(?P<provider>[a-z0-9-]{1,31})\.json"
)
_HINT = re.compile(
    rb'\n\{"drumline":\{"team":"(?P<team>[A-Za-z0-9._-]{0,64})",'
    rb'"member":"(?P<member>[A-Za-z0-9._-]{0,64})","life":"(?P<life>[A-Za-z0-9._-]{0,18})"\}\}\n'
)
_HINT_BEGINS = b'\n{"drumline":'
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_PATH = re.compile(r"/[^\x00-\x1f\x7f-\x9f\ud800-\udfff]{0,4095}")
SETTLED = "settled"  # the word by which an event that was filed before is known again


class Why(StrEnum):
    """What became of an event."""

    WOKE = "woke"
    UNKNOWN = "unknown"  # nothing says whose turn it was
    AMBIGUOUS = "ambiguous"  # more than one member could be meant
    REMOVED = "removed"
    LEAD = "lead"
    STALE = "stale"  # of an earlier life
    INACTIVE = "inactive"  # of a member that does not run and is not to
    RUNTIME = "other-runtime"  # of another runtime than the member's
    SESSION = "other-session"  # of another session than the one its member is in
    TRANSCRIPT = "other-transcript"  # kept where its member's is not
    DUPLICATE = "duplicate"
    NAME = "bad-name"  # of the file
    KIND = "not-a-file"
    OWNER = "not-ours"  # somebody else's file
    OVERSIZE = "oversize"
    MALFORMED = "malformed"
    EVENT = "other-event"  # than the end of a turn
    REFUSED = "refused"  # by the store


UNREAD = frozenset(
    {Why.NAME, Why.KIND, Why.OWNER, Why.OVERSIZE, Why.MALFORMED, Why.EVENT, Why.REFUSED}
)
UNSETTLED = tuple(why for why in Why if why not in UNREAD | {Why.WOKE, Why.DUPLICATE})


class Hints(NamedTuple):
    """Whose turn it was by the word of its session's environment: nobody has checked it."""

    team: str = ""
    member: str = ""
    life: int | None = None


NO_HINTS = Hints()


class Filed(NamedTuple):
    """What became of an event, as the store remembers it."""

    id: str
    arrival: str
    why: Why
    member: str = ""


class SettledTurn(NamedTuple):
    """A turn that ended; what its event did not say is empty."""

    provider: str
    arrival: str  # the name under which its event arrived
    digest: str
    session: str = ""
    turn: str = ""
    transcript: str = ""
    cwd: str = ""
    hints: Hints = NO_HINTS

    @property
    def id(self) -> str:
        """The same for the same event; a turn that its runtime does not name has its arrival's name."""
        return f"{self.provider}:{self.session or '-'}:{self.turn or self.arrival}:{self.digest}"


class Form(NamedTuple):
    """Where a runtime's event says what we need to know."""

    event: tuple[str, str]
    session: str = "session_id"
    turn: str = "turn_id"
    transcript: str = "transcript_path"


STOP = Form(("hook_event_name", "Stop"))
_OURS = Form(("", ""), "session", "turn", "transcript")
FORMS: Mapping[str, tuple[Form, ...]] = {
    "claude": (STOP._replace(turn="prompt_id"),),
    "codex": (STOP, Form(("type", "agent-turn-complete"), "thread-id", "turn-id")),
}


def provider_of(name: str) -> str | Why:
    """The runtime a file of the spool comes from by its name, or why there is nothing to read in it."""
    found = _NAME.fullmatch(name)
    if found is None:
        return Why.NAME
    return Why.OVERSIZE if found["oversize"] else found["provider"]


def settled_turn(provider: str, arrival: str, raw: bytes) -> SettledTurn | Why:
    """The turn that an event tells the end of, or why it does not."""
    event, hints = _parted(raw)
    if len(event) > LONGEST:
        return Why.OVERSIZE
    try:
        said = json.loads(event.decode())
    except (ValueError, RecursionError):
        return Why.MALFORMED
    if not isinstance(said, dict):
        return Why.MALFORMED
    if isinstance(filed := said.get(SETTLED), dict):
        return _again(provider, arrival, filed)
    for form in FORMS.get(provider, (STOP,)):
        name, word = form.event
        if said.get(name) == word:
            digest = sha256(event).hexdigest()[:32]
            return SettledTurn(provider, arrival, digest, *_read(form, said), hints)
    return Why.EVENT


def begun_turn(facts: Mapping[str, Any]) -> SettledTurn:
    """A turn that begins, in the words of a settled one: whose it is, is found out in the same way."""
    return _told(facts, _fitting(_WORD, facts.get("provider")))


def kept(turn: SettledTurn, filed: Filed) -> dict[str, Any]:
    """All that is kept of an event, so that it can be looked at again: none of what the agent said."""
    hints = dict(zip(Hints._fields, turn.hints, strict=True))
    facts = zip(SettledTurn._fields, (*turn[:-1], hints), strict=True)
    return {SETTLED: dict(facts), "reason": filed.why.value, "member": filed.member}


def _parted(raw: bytes) -> tuple[bytes, Hints]:
    """The event, and what the hook has added on a line of its own."""
    at = raw.rfind(_HINT_BEGINS)
    found = _HINT.fullmatch(raw, at) if at >= 0 else None
    if found is None:
        return raw, NO_HINTS
    team, member, life = found.groups()
    hints = Hints(team.decode(), member.decode(), int(life) if life.isdigit() else None)
    return raw[:at], hints


def _read(form: Form, said: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """The session, the turn, the transcript and the folder that an event tells of."""
    return (
        _fitting(_WORD, said.get(form.session)),
        _fitting(_WORD, said.get(form.turn)),
        _fitting(_PATH, said.get(form.transcript)),
        _fitting(_PATH, said.get("cwd")),
    )


def _again(provider: str, arrival: str, facts: Mapping[str, Any]) -> SettledTurn | Why:
    """An event that was filed before; its hash is that of the event it once was."""
    digest = _fitting(_WORD, facts.get("digest"))
    if not digest or facts.get("arrival") != arrival or facts.get("provider") != provider:
        return Why.MALFORMED
    return _told(facts, provider, arrival, digest)


def _told(
    facts: Mapping[str, Any], provider: str, arrival: str = "", digest: str = ""
) -> SettledTurn:
    """A turn with what is told of it in our own words."""
    hints = facts.get("hints")
    said = hints if isinstance(hints, dict) else {}
    life = said.get("life")
    told = Hints(
        _fitting(_WORD, said.get("team")),
        _fitting(_WORD, said.get("member")),
        life if type(life) is int else None,
    )
    return SettledTurn(provider, arrival, digest, *_read(_OURS, facts), told)


def _fitting(pattern: re.Pattern[str], word: object) -> str:
    """A word that is what it must be, else nothing: agents' words end here."""
    return word if isinstance(word, str) and pattern.fullmatch(word) else ""
