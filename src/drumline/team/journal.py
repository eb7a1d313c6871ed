"""What happened: events that carry the rows they changed, so that the log alone gives the state."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

Row = Mapping[str, Any]

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
    """One thing that happened, who did it and what it left behind."""

    seq: int
    team: str
    at: datetime
    actor: str
    verb: str
    subject: str
    changes: tuple[Change, ...] = ()


Tables = dict[str, dict[tuple[Any, ...], Row]]


def fold(events: Iterable[Event]) -> Tables:
    """The tables that a log describes.

    Events may come in any order: `seq` decides which word about a row is the last.
    """
    tables: Tables = {table: {} for table in KEYS}
    told: dict[tuple[str, tuple[Any, ...]], int] = {}
    for event in events:
        for change in event.changes:
            place = (change.table, change.key)
            if told.get(place, -1) > event.seq:
                continue
            told[place] = event.seq
            if change.gone:
                tables[change.table].pop(change.key, None)
            else:
                tables[change.table][change.key] = change.row
    return tables
