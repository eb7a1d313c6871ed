"""One transaction: statements run, and how each changed row looks afterwards."""

import json
from datetime import datetime
from typing import Any

from drumline.store.engine import Call, Engine, Row
from drumline.team.actor import Actor
from drumline.team.journal import KEYS

SEVERAL = 2  # events that are written with one statement
_OF_AN_EVENT = ("actor", "verb", "subject", "changes")
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Session:
    """One transaction of one team: what was read, what was changed, and what to say about it."""

    def __init__(self, engine: Engine, team: str, *, alone: bool = False) -> None:
        self.team = team
        self._alone = alone
        self._engine = engine
        self._changes: list[list[Any]] = []
        self._events: list[dict[str, Any]] = []

    def now(self) -> datetime:
        return self._engine.now()

    def read(self, statement: str, /, **parameters: Any) -> list[Row]:
        parameters["team"] = self.team
        return self._engine.run(statement, parameters)

    def write(self, table: str, statement: str, /, **parameters: Any) -> list[Row]:
        """Change rows and remember how they look now."""
        rows = self.read(statement, **parameters)
        self.remember(table, rows)
        return rows

    def write_at_once(self, actor: str, verb: str, statement: str, **parameters: Any) -> list[Row]:
        """Change one task and say so: as one statement that needs no commit, where that is all there is."""
        if self._alone:
            event = {"actor": actor, "verb": verb, "team": self.team}
            done = self._engine.at_once(statement, {**event, **parameters})
            if done is not None:
                return done
        rows = self.write("tasks", statement, **parameters)
        if rows:
            self.record(actor, verb, f"T-{rows[0]['number']}")
        return rows

    def delete(self, table: str, statement: str, /, **parameters: Any) -> list[Row]:
        """Remove rows and remember their keys."""
        rows = self.read(statement, **parameters)
        keys = KEYS[table]
        self._changes.extend([table, {key: row[key] for key in keys}, "gone"] for row in rows)
        return rows

    def remember(self, table: str, rows: list[Row]) -> None:
        self._changes.extend([table, row] for row in rows)

    def record(self, actor: Actor | str, verb: str, subject: str) -> None:
        """Say who did what; the changes since the last word belong to it."""
        event = {"actor": str(actor), "verb": verb, "subject": subject, "team": self.team}
        self._events.append({**event, "changes": _encode(self._changes)})
        self._changes = []

    def finish(self) -> list[Call]:
        """The events to write with the commit."""
        if self._changes:
            tables = sorted({change[0] for change in self._changes})
            raise AssertionError(f"changed without a word about it: {', '.join(tables)}")
        if len(self._events) < SEVERAL:
            return [("add_event", event) for event in self._events]
        rows = [tuple(event[name] for name in _OF_AN_EVENT) for event in self._events]
        return [("add_events", {"team": self.team, "rows": _encode(rows)})]
