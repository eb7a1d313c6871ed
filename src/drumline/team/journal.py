"""What happened: events that carry the rows they changed, so that the log alone gives the state."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

Row = Mapping[str, Any]
T = TypeVar("T")

KEYS: Mapping[str, tuple[str, ...]] = {
    "teams": ("team",),
    "homes": ("team", "home"),
    "counters": ("team", "name"),
    "members": ("team", "name"),
    "tasks": ("team", "number"),
    "task_texts": ("team", "number"),
    "task_metadata": ("team", "number", "field"),
    "dependencies": ("team", "number", "waits_for"),
    "messages": ("team", "id"),
    "message_texts": ("team", "id"),
    "requests": ("team", "number"),
    "questions": ("team", "number"),
    "handoffs": ("team", "number", "version"),
    "awaits": ("team", "number", "member"),
    "postings": ("team", "member"),
    "lives": ("team", "member", "incarnation"),
    "last_words": ("team", "member", "incarnation"),
    "turns": ("team", "member", "incarnation", "number"),
    "charges": ("team", "member", "source", "incarnation", "turn", "number"),
    "spending": ("team", "scope", "name"),
    "duties": ("team", "duty"),
    "limits": ("team", "account"),
    "settled_turns": ("team", "id"),
    "sittings": ("team", "session"),
    "wakes": ("team", "member"),
    "nudges": ("team", "member", "incarnation", "fingerprint"),
    "reports": ("team", "member"),
    "signs": ("team", "member"),
    "attendance": ("team", "member"),
    "runs": ("team", "number"),
    "run_tasks": ("team", "number"),
    "judgements": ("team", "run", "kind", "subject", "attempt"),
    "works": ("team", "number"),
    "reviews": ("team", "number", "step", "version"),
    "gates": ("team", "run", "phase", "iteration"),
    "run_questions": ("team", "run", "occasion"),
    "contexts": ("team", "run", "version"),
    "holdings": ("team", "run", "member"),
    "deviations": ("team", "run", "number"),
    "run_modes": ("team", "run"),
    "kits": ("team", "run", "phase", "member"),
    "tool_uses": ("team", "run", "phase", "member", "tool"),
    "team_notes": ("team", "run", "number"),
    "runtime_claims": ("team", "number"),
    "understandings": ("team", "run", "task", "member", "incarnation"),
    "directives": ("team", "number", "fence", "occasion"),
    "citations": ("team", "member", "learning", "number"),
}


class Change(NamedTuple):
    """One row as it is after an event; `gone` when the row was deleted and only its key is left."""

    table: str
    row: Row
    gone: bool = False

    @property
    def key(self) -> tuple[Any, ...]:
        return tuple(self.row[column] for column in KEYS[self.table])


class Event(NamedTuple):
    """One thing that happened, who did it and what it left behind.

    `cursor` is its place in a log that was tailed: whoever saw it goes on from there.
    """

    seq: int
    team: str
    at: datetime
    actor: str
    verb: str
    subject: str
    changes: tuple[Change, ...] = ()
    cursor: str = ""


Place = tuple[str, tuple[Any, ...]]
Tables = dict[str, dict[tuple[Any, ...], Row]]


def last_words(events: Iterable[Event], keep: Callable[[Row], T]) -> dict[Place, T]:
    """What a log says last about every row that is left, each as `keep` wants it.

    Events may come in any order: `seq` decides which word is the last.
    """
    said: dict[Place, T] = {}
    at: dict[Place, int] = {}
    for event in events:
        for change in event.changes:
            place = (change.table, change.key)
            if at.get(place, -1) > event.seq:
                continue
            at[place] = event.seq
            if change.gone:
                said.pop(place, None)
            else:
                said[place] = keep(change.row)
    return said


def fold(events: Iterable[Event]) -> Tables:
    """The tables that a log describes."""
    tables: Tables = {table: {} for table in KEYS}
    for (table, key), row in last_words(events, lambda row: row).items():
        tables[table][key] = row
    return tables
