"""One task given to one member: all that a prompt may be made of.

What is not here cannot reach the member: no other task's words, no other member's role, no metadata
but the task's own brief.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from drumline.team.delegation import Delegation
from drumline.team.directive import Injection
from drumline.team.ids import TaskId
from drumline.team.language import Language
from drumline.team.left_out import Withheld
from drumline.team.manifest import MemberEntry
from drumline.team.pipeline import Obligation
from drumline.team.rights import Constitution
from drumline.team.task import Task, TaskState
from drumline.team.team_memory import Briefed
from drumline.team.telling import NOTHING, Told


class Upstream(NamedTuple):
    """A task that comes before: how it stands and which files it left, never its words."""

    task: TaskId
    state: TaskState
    outputs: tuple[str, ...] = ()


class Word(NamedTuple):
    """What somebody was asked about the task, and said."""

    asked: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Who the member is on its team: the same for every task, so that a runtime can keep it warm."""

    team: str
    project: str
    lead: str
    member: MemberEntry
    constitution: Constitution
    language: Language
    rules: str = ""
    learnt: Told = NOTHING
    commits: bool = False  # in a checkout of its own

    @property
    def leads(self) -> bool:
        return self.member.name == self.lead


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """A seat and the one task it is given."""

    seat: Seat
    task: Task
    body: str = ""
    delegation: Delegation = field(default_factory=Delegation)
    upstream: tuple[Upstream, ...] = ()
    waiting: tuple[TaskId, ...] = ()
    without: tuple[str, ...] = ()
    obliged: Mapping[str, Obligation] = field(default_factory=dict)
    note: str = ""
    words: tuple[Word, ...] = ()
    letters: int = 0
    unread: int = 0
    shared: Injection | None = None
    memory: Briefed | None = None
    withheld: Withheld = field(default_factory=Withheld)

    @property
    def held(self) -> bool:
        """Whether this member has claimed the task already."""
        return self.task.owner == self.seat.member.name
