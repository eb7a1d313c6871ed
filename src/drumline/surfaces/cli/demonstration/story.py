"""What happened, told line by line from the event log, and what the whole log proves."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from drumline.control import views
from drumline.control.ports import Store
from drumline.team.ids import TaskId
from drumline.team.journal import Event, Row

PAGE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One thing worth telling; a `turn` of the plot has a sentence and stays in view."""

    verb: str
    at: float = 0.0
    subject: str = ""
    who: str = ""
    words: str = ""
    turn: str = ""
    answer: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """Who took a task, and the number the claim got."""

    owner: str
    fence: int


@dataclass(slots=True)
class Ledger:
    """The log, counted."""

    verbs: Counter[str] = field(default_factory=Counter)
    claims: dict[str, list[Claim]] = field(default_factory=dict)
    completed: Counter[str] = field(default_factory=Counter)
    finishers: dict[str, str] = field(default_factory=dict)

    def count(self, event: Event) -> None:
        self.verbs[event.verb] += 1
        if event.verb == "task.claimed":
            row = next(_rows(event, "tasks"))
            self.claims.setdefault(event.subject, []).append(Claim(row["owner"], row["fence"]))
        elif event.verb == "task.completed":
            self.completed[event.subject] += 1
            self.finishers[event.subject] = event.actor

    @property
    def events(self) -> int:
        return self.verbs.total()


def whole_log(store: Store) -> Ledger:
    """Everything that happened, read again from the beginning."""
    ledger, cursor = Ledger(), ""
    while True:
        events, cursor = store.ask(views.events, cursor=cursor, most=PAGE)
        if not events:
            return ledger
        for event in events:
            ledger.count(event)


def told(events: Iterable[Event], since: datetime) -> Iterator[Line]:
    """The events a watcher wants to see; renewals and acknowledgements are only counted."""
    for event in events:
        if tell := TOLD.get(event.verb):
            at = (event.at - since).total_seconds()
            yield replace(tell(event), at=at, subject=event.subject)


def _claimed(event: Event) -> Line:
    row = next(_rows(event, "tasks"))
    words = f"fence {row['fence']}  {row['title']}"
    return Line(verb="claimed", who=event.actor, words=words)


def _completed(event: Event) -> Line:
    freed = " ".join(_freed(event))
    return Line(verb="completed", who=event.actor, words=f"frees {freed}" if freed else "")


def _expired(_: Event) -> Line:
    return Line(verb="expired", words="nobody renewed the lease: back on the board")


def _sent(event: Event) -> Line:
    head, text = next(_rows(event, "messages")), next(_rows(event, "message_texts"))
    words = f"to {head['recipient']}: {text['body']}"
    return Line(verb="sent", who=event.actor, words=words)


def _freed(event: Event) -> Iterator[str]:
    """The tasks that waited for this one, and now for nothing."""
    for row in _rows(event, "tasks"):
        if row["state"] == "pending" and row["waits"] == 0:
            yield str(TaskId(row["number"]))


def _rows(event: Event, table: str) -> Iterator[Row]:
    return (change.row for change in event.changes if change.table == table)


TOLD: Mapping[str, Callable[[Event], Line]] = {
    "task.claimed": _claimed,
    "task.completed": _completed,
    "task.expired": _expired,
    "mail.sent": _sent,
}
