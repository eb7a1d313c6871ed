"""What a runner needs of the machine it stands on: folders, a guard, verbs, and a way to hand work in."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, Protocol

from drumline.control.briefing import Surroundings
from drumline.control.lessons import Reflected
from drumline.control.ports import Store
from drumline.runtimes.runtime import Given, Guard, Runtime, Start, Verbs
from drumline.team.ids import TaskId
from drumline.team.life import Life, Process
from drumline.team.manifest import MemberEntry
from drumline.team.prices import Price
from drumline.team.profile import Profile
from drumline.team.quoting import quoted
from drumline.team.reflection import Reflection
from drumline.team.review import Work
from drumline.team.server import Needs
from drumline.team.subagent import Answered, Errand, Spawn
from drumline.team.task import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarters:
    """Where a member lives on this machine.

    work       where it works: its own checkout, or the repository itself where it may write nothing
    own        whether that is a checkout of its own
    home       what its CLI keeps
    temporary  its own TMPDIR
    door       where it meets its runner: socket, token and leash
    diary      what it did, line by line
    """

    work: Path
    own: bool
    home: Path
    temporary: Path
    door: Path
    diary: Path


class Handed(NamedTuple):
    """What became of work that was handed in; refused work comes with what its member is told.

    `waits` is what a person must do before good work can be taken in. What is `counted` already has a
    bound of its own.
    """

    accepted: bool
    what: str = ""
    why: str = ""
    next: str = ""
    waits: str = ""
    counted: bool = False

    @property
    def said(self) -> str:
        """All of it, as a member reads it; what is quoted in it is data."""
        way_out = f"Next: {self.next}" if self.next else ""
        return "\n".join(filter(None, (self.what, quoted(self.why), way_out)))


class Hands(Protocol):
    """Takes work in: looks at it, has it verified, merges it, and closes the task."""

    def hand_in(self, task: TaskId, fence: int) -> Handed: ...
    def resume(self, task: TaskId, fence: int) -> Handed | None:
        """Take in what was handed in before and found good; none where there is no such work."""
        ...

    def changed_files(self) -> tuple[str, ...] | None: ...


class Provision(NamedTuple):
    """The MCP servers for a task, whether it needs any, and why those it needs cannot be used."""

    servers: tuple[Given, ...] = ()
    bound: bool = False
    lacking: Mapping[str, str] = MappingProxyType({})


class Annexes(Protocol):
    """Where a member's subagents work: in its own quarters, each behind a door of its own."""

    def serve(self, member: str, ask: Callable[[Errand], Answered]) -> None:
        """From now on the member's own verb asks here."""
        ...

    def allowed(self, member: str, errand: Errand) -> Profile:
        """The profile an errand asks for; refused to whoever may not start one of it, or not yet."""
        ...

    def writes(self, member: str, spawn: Spawn) -> bool:
        """Whether a subagent may change the member's checkout."""
        ...

    def folder(self, member: str) -> Path:
        """Where the member finds what is too long for its context."""
        ...

    def guard(self, life: Life, spawn: Spawn) -> Guard: ...
    def room(self, life: Life, spawn: Spawn, guard: Guard) -> AbstractAsyncContextManager[Start]:
        """What a subagent's conversation begins with, served and held for as long as this is entered."""
        ...


class Post(Protocol):
    """One machine of a team, for those who run its members."""

    @property
    def store(self) -> Store: ...
    @property
    def annexes(self) -> Annexes: ...
    def now(self) -> datetime: ...
    def entry(self, member: str) -> MemberEntry: ...
    def takes_work(self, entry: MemberEntry) -> bool:
        """Whether a member takes tasks by itself: a lead gives them out, unless it works too."""
        ...

    def around(self) -> Surroundings: ...
    def learn(self, member: str, task: Task, account: Reflection) -> Reflected:
        """Write down what a member says it learnt, and count what it used."""
        ...

    def price(self, model: str) -> Price: ...
    def process(self, entry: MemberEntry) -> Process: ...
    def runtime(self, entry: MemberEntry) -> Runtime: ...
    def trust(self, entry: MemberEntry) -> None:
        """Refuse a runtime whose guard was not proved on this machine, with these very settings."""
        ...

    def quarters(self, entry: MemberEntry, life: Life) -> Quarters:
        """Folders for this member, made where they are missing; a checkout is never made over another."""
        ...

    def stand(self, entry: MemberEntry, life: Life, task: Task | None) -> None:
        """Write where the member stands, for everyone who judges."""
        ...

    def take_up(self, quarters: Quarters, entry: MemberEntry) -> tuple[str, ...]:
        """Bring the member's checkout to where the team's work is; the files that were left uncommitted."""
        ...

    def provide(self, entry: MemberEntry, quarters: Quarters, needs: Needs) -> Provision:
        """The member's MCP servers, as they are registered now; those a task needs are asked."""
        ...

    def changes(self, works: Sequence[Work]) -> str:
        """What some works changed, as whoever judges them reads it."""
        ...

    def guard(self, life: Life, quarters: Quarters) -> Guard: ...
    def hands(self, life: Life, quarters: Quarters, task: Task) -> Hands: ...
    def start(self, entry: MemberEntry, life: Life, quarters: Quarters, guard: Guard) -> Start: ...
    def doorway(
        self, life: Life, quarters: Quarters, guard: Guard, verbs: Verbs
    ) -> AbstractAsyncContextManager[None]:
        """Serve the member's own processes for as long as this is entered."""
        ...
