"""The rows of the event log."""

import json
import re

from drumline.errors import BadInput
from drumline.store.engine import Row, from_rows, instant
from drumline.store.session import Session
from drumline.team.journal import Change, Event


@from_rows
def as_event(row: Row) -> Event:
    """A row of `events` as the noun it is."""
    return Event(
        seq=row["seq"],
        team=row["team"],
        at=instant(row["at"]),
        actor=row["actor"],
        verb=row["verb"],
        subject=row["subject"],
        changes=tuple(
            Change(table, after, gone=bool(gone))
            for table, after, *gone in json.loads(row["changes"])
        ),
        cursor=row.get("cursor", ""),
    )


class Events:
    """What happened to one team; a cursor is opaque and never skips a late commit."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def after(self, cursor: str, *, most: int) -> tuple[list[Event], str]:
        tx, seq = _parsed(cursor)
        rows = self._session.read("events_after", tx=tx, seq=seq, most=most)
        return [as_event(row) for row in rows], rows[-1]["cursor"] if rows else cursor

    def verbs_after(self, cursor: str, *, most: int) -> tuple[list[str], str]:
        tx, seq = _parsed(cursor)
        rows = self._session.read("verbs_after", tx=tx, seq=seq, most=most)
        return [row["verb"] for row in rows], rows[-1]["cursor"] if rows else cursor

    def newest(self) -> Event | None:
        rows = self._session.read("newest_event")
        return as_event(rows[0]) if rows else None

    def last(self, *, most: int) -> tuple[list[Event], str]:
        rows = self._session.read("last_events", most=most)
        return [as_event(row) for row in rows[::-1]], rows[0]["cursor"] if rows else ""


def _parsed(cursor: str) -> tuple[str, int]:
    found = re.fullmatch(r"(?:([0-9]{1,18}):)?([0-9]{1,18})", cursor or "0")
    if found is None:
        raise BadInput(
            f"{cursor[:80]!r} is not a place in the event log",
            next="use the cursor a former answer gave, or leave it out",
        )
    return found[1] or "0", int(found[2])
