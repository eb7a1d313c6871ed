"""What every runtime promises its runner: conversations that are begun, asked, told, interrupted and ended.

A runtime tells facts as they happen. What they mean for the board, the money and the life is decided by
the runner, which stands outside whatever confines the member.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from drumline.team.charge import Report
from drumline.team.confinement import Confinement
from drumline.team.outcome import Outcome
from drumline.team.profile import Profile


class Can(StrEnum):
    """What a runtime is able to do; what it is not is done without, and said."""

    CALLBACKS = "callbacks"  # it asks us, in our own process, before each tool call
    MID_TURN = "mid-turn"  # words reach the model while a turn runs
    RECEIPTS = "receipts"  # it proves that words entered the conversation
    APPROVALS = "approvals"
    STRUCTURED = "structured"
    COST = "cost"
    RESUME = "resume"


class Guard(Protocol):
    """Rules on calls before they are made and notes them afterwards, as hook events tell them."""

    def before(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        """A ruling: `decision` allow or deny, `constraint`, `what`, `why`, `next`; refusals are noted."""
        ...

    def after(self, event: Mapping[str, Any]) -> None:
        """Note what was done."""
        ...


Approve = Callable[[Mapping[str, Any]], Awaitable[Mapping[str, str]]]  # a ruling by a person


class Answer(NamedTuple):
    """What one of our own commands answered."""

    code: int
    out: str
    err: str


class Verbs(Protocol):
    """Drumline's own commands, spoken by one member in one of its lives."""

    def run(self, words: Sequence[str], stdin: str = "", cwd: str = "") -> Answer:
        """The answer to a command, given without the word drumline."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A server a member is given: words that start it, or an address; without a `needed` one no turn begins."""

    name: str
    file: Path
    words: tuple[str, ...] = ()
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    needed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What a conversation is begun with.

    work         the folder the member works in
    home         what its CLI may keep between turns and lives
    temporary    its own TMPDIR
    variables    the whole environment of its processes but for the runtime's own additions
    approve      asks a person about calls that the permission mode leaves to one
    leash        a FIFO the runner holds open; when it is closed, every process of the life is killed
    servers      the MCP servers it is given besides ours
    bound        the task needs some: what searches the web without asking the guard must not stand in
    effort       how much thought the work is worth, as the runtime calls it; empty where that is its own to say
    subagent     the profile of whoever speaks in the member's name; empty where it is the member itself
    profiles     those it may start by its runtime's own tool, each with all that it is told
    schema       how its first turn is to be answered, for whoever must know before it is asked
    """

    member: str
    work: Path
    home: Path
    temporary: Path
    leash: Path
    confinement: Confinement
    guard: Guard
    verbs: Verbs
    variables: Mapping[str, str]
    system: str = ""
    model: str = ""
    tools: Sequence[str] = ()
    permission_mode: str = "dontAsk"
    approve: Approve | None = None
    session: str = ""
    servers: Sequence[Given] = ()
    bound: bool = False
    settings: Mapping[str, str] = field(default_factory=dict)
    effort: str = ""
    subagent: str = ""
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    schema: Mapping[str, Any] | None = None


class Entered(NamedTuple):
    """The runtime's own name for the conversation, by which it can be resumed."""

    session: str


class Said(NamedTuple):
    """Words of the member, for the log."""

    text: str


class Called(NamedTuple):
    """A tool was called, for the log; `result` is ok, refused or failed."""

    tool: str
    what: str
    result: str


class Metered(NamedTuple):
    """A reading of the runtime's meter."""

    report: Report


class Limited(NamedTuple):
    """The account may not be used before this time; None where the runtime did not say."""

    until: datetime | None
    why: str


class Received(NamedTuple):
    """Words that were sent have entered the conversation."""

    id: str


class Ended(NamedTuple):
    """The turn is over: how, the last words, and the answer where one with a schema was asked for."""

    outcome: Outcome
    text: str = ""
    answer: Mapping[str, Any] | None = None


Fact = Entered | Said | Called | Metered | Limited | Received | Ended


class Conversation(Protocol):
    """One member's talk with its runtime."""

    def turn(self, prompt: str, schema: Mapping[str, Any] | None = None) -> AsyncIterator[Fact]:
        """Ask once; the facts until the turn is over, the last of which is Ended, always."""
        ...

    @property
    def listens(self) -> bool:
        """Whether words would reach the model now: a turn runs, and hears what is said beside it."""
        ...

    async def tell(self, text: str, id: str) -> bool:  # noqa: A002 - the word every runtime has for it
        """Give the model words while a turn runs; false where that is not possible now."""
        ...

    async def interrupt(self) -> None:
        """End the running turn politely; its facts still come to an end."""
        ...

    async def end(self) -> None:
        """End the conversation and every process of it."""
        ...


class Runtime(Protocol):
    """Where members live."""

    @property
    def name(self) -> str: ...

    @property
    def able(self) -> frozenset[Can]: ...

    async def begin(self, start: Start) -> Conversation:
        """A conversation that can be asked; refused where the runtime is not here."""
        ...
