"""An agenda: what a member should be doing now, each with the exact next command.

It is made of items from several sources, most pressing first. A later step adds a source; whoever
reads an agenda only sees items. Its fingerprint is made from what the items say, never from the time.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from enum import IntEnum
from hashlib import blake2b
from itertools import accumulate
from typing import NamedTuple

from drumline.team.ids import MessageId, QuestionId
from drumline.team.message import Kind
from drumline.team.quoting import inline
from drumline.team.task import Task
from drumline.team.text import one_line

MOST = 5  # items that are named; the others are counted
MANY = 20  # items of one source; the others are one
LONGEST_TITLE = 80
LONGEST_PROMISE = 200  # letters of names; the others are counted
LETTERS = 32
SAY = "say how it stands: drumline report working, or drumline report blocked WHY"


class Source(IntEnum):
    """Where an item comes from, most pressing first."""

    STALLED = 1
    MAIL = 2
    QUESTION = 3
    CLAIMED = 4
    GIVING = 5
    READY = 6


INTERRUPTING = frozenset({Source.STALLED, Source.MAIL, Source.QUESTION})  # in the midst of a turn
OWN = frozenset({Source.MAIL, Source.QUESTION, Source.CLAIMED})


class Letter(NamedTuple):
    """A message that wants something done, without its words."""

    id: MessageId
    kind: Kind
    sender: str
    sent_at: datetime


class Asked(NamedTuple):
    """A question that waits for an answer, without its words."""

    id: QuestionId
    asked_at: datetime


class Item(NamedTuple):
    """One thing to do: since when, what it is about, what to say of it, and the command that comes next."""

    source: Source
    since: datetime
    subject: str
    says: str
    next: str

    @property
    def line(self) -> str:
        return f"{self.says}: {self.next}"


class Agenda(NamedTuple):
    """What there is to do, most pressing first."""

    items: tuple[Item, ...] = ()

    @property
    def fingerprint(self) -> str:
        """The same for the same items, whenever they are looked at; empty for none."""
        if not self.items:
            return ""
        said = "\n".join(f"{each.source}\t{each.subject}\t{each.says}" for each in self.items)
        return blake2b(said.encode("utf-8", "replace"), digest_size=LETTERS // 2).hexdigest()

    @property
    def oldest(self) -> datetime | None:
        """Since when something has been on it."""
        return min((each.since for each in self.items), default=None)

    def only(self, sources: Collection[Source]) -> "Agenda":
        """The same without what comes from elsewhere."""
        return Agenda(tuple(each for each in self.items if each.source in sources))

    @property
    def own(self) -> "Agenda":
        """What nobody else can take off this member's hands."""
        return self.only(OWN)

    def lines(self, most: int = MOST) -> list[str]:
        """One line an item, the first few of them."""
        left = len(self.items) - most
        more = [f"and {left} more: drumline report"] if left > 0 else []
        return [*(f"- {each.line}" for each in self.items[:most]), *more]

    def told(self, head: str, foot: str = "", *, cap: int) -> str:
        """Words about it, never more than the cap: what is least pressing is left out first, and nothing cut."""
        fewer = (self.lines(most) for most in range(MOST, -1, -1))
        whole = ("\n".join(filter(None, (head, *lines, foot))) for lines in fewer)
        return next(said for said in whole if len(said) <= cap)


def agenda_of(*sources: Iterable[Item]) -> Agenda:
    """The agenda that these sources make."""
    return Agenda(tuple(sorted(each for source in sources for each in source)))


def stalled(since: datetime, tasks: Sequence[Task]) -> list[Item]:
    """What has not moved for too long: the tasks that are held, else all there is."""
    if not tasks:
        says = "nothing here has moved for a while"
        return [Item(Source.STALLED, since, "all", says, f"begin with it, or {SAY}")]
    return [
        Item(
            Source.STALLED,
            since,
            str(task.id),
            f"{_named(task)} (claim {task.fence}) has not moved for a while",
            f"end it with drumline task done {task.id} --fence {task.fence}, or {SAY}",
        )
        for task in tasks
    ]


def mail(letters: Iterable[Letter]) -> list[Item]:
    """Messages that want something done, oldest first."""
    found = [
        Item(
            Source.MAIL,
            each.sent_at,
            str(each.id),
            f"{each.id}, {each.kind} from {each.sender}, waits for you",
            f"drumline mail read {each.id}, then drumline mail ack {each.id}",
        )
        for each in letters
    ]
    return _folded(found, "drumline mail inbox")


def questions(asked: Iterable[Asked]) -> list[Item]:
    """Questions that the lead may answer, oldest first."""
    found = [
        Item(
            Source.QUESTION,
            each.asked_at,
            str(each.id),
            f"{each.id} waits for your answer",
            f"drumline question show {each.id}",
        )
        for each in asked
    ]
    return _folded(found, "drumline question list")


def _folded(items: list[Item], all_of_them: str) -> list[Item]:
    """The oldest of many, and one for all others, which tells when another one came."""
    if len(items) <= MANY:
        return items
    newest, more = items[-1], len(items) - MANY
    says = f"{more} more wait for you, the newest is {newest.subject}"
    return [*items[:MANY], newest._replace(says=says, next=all_of_them)]


def claimed(tasks: Iterable[Task]) -> list[Item]:
    """Tasks that the member holds and nobody works on."""
    return [
        Item(
            Source.CLAIMED,
            task.claimed_at or task.updated_at,
            str(task.id),
            f"{_named(task)} is yours (claim {task.fence}){_promised(task)}, and is not done",
            f"drumline task done {task.id} --fence {task.fence}, once it is",
        )
        for task in tasks
    ]


def giving(tasks: Iterable[Task], idle: str) -> list[Item]:
    """Ready tasks that only the lead may give out, and one who could have them."""
    return [
        Item(
            Source.GIVING,
            task.updated_at,
            str(task.id),
            f"{_named(task)} is ready, and nobody has it",
            f"drumline task claim {task.id} --member {idle}",
        )
        for task in tasks
    ]


def ready(tasks: Iterable[Task]) -> list[Item]:
    """Ready tasks that the member may take."""
    return [
        Item(
            Source.READY,
            task.updated_at,
            str(task.id),
            f"{_named(task)} is ready for you",
            f"drumline task claim {task.id}",
        )
        for task in tasks
    ]


def _named(task: Task) -> str:
    """A task as a line of ours names it; its title is somebody's words."""
    return f"{task.id} {inline(one_line(task.title, LONGEST_TITLE))}"


def _promised(task: Task) -> str:
    """What a task promises, so far as it can be named before its command."""
    names = [inline(one_line(each, LONGEST_TITLE)) for each in task.outputs]
    ends = accumulate(len(name) for name in names)
    count = max(1, sum(end <= LONGEST_PROMISE for end in ends))
    left = len(names) - count
    more = f" and {left} more" if left > 0 else ""
    return f" and promises {', '.join(names[:count])}{more}" if names else ""
