"""One transaction: statements run, and how each changed row looks afterwards."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from drumline.store.engine import Call, Engine, Row, micros
from drumline.team.actor import Actor
from drumline.team.journal import KEYS

MANY = 16  # rows that are worth a journey of their own: fewer travel as statements, together
_OF_AN_EVENT = ("actor", "verb", "subject", "changes")
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Filling:
    """How rows are added whose every column is known: a statement for one row, and one for many."""

    def __init__(self, one: str, many: str, columns: str) -> None:
        self.one, self.many, self.columns = one, many, columns.split()

    def named(self, row: tuple[Any, ...]) -> Row:
        return dict(zip(self.columns, row, strict=True))


class Session:
    """One transaction of one team: what was read, what was changed, and what to say about it."""

    def __init__(self, engine: Engine, team: str, *, alone: bool = False) -> None:
        self.team = team
        self._alone = alone
        self._engine = engine
        self._changes: list[str] = []
        self._events: list[tuple[str, str, str, str]] = []

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
        """Change one task and say so, if that can be told at a glance; where it matters, as all there is."""
        event = {"actor": actor, "verb": verb, "team": self.team}
        done = self._engine.at_once(statement, {**event, **parameters}, alone=self._alone)
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
        self._changes.extend(
            _encode([table, {key: row[key] for key in keys}, "gone"]) for row in rows
        )
        return rows

    def fill(self, filling: Filling, rows: Sequence[tuple[Any, ...]]) -> None:
        """Add rows that whoever made them remembers."""
        if len(rows) >= MANY:
            self._engine.fill(filling.many, rows)
        elif rows:
            self._engine.batch([(filling.one, filling.named(row)) for row in rows])

    def remember(self, table: str, rows: list[Row]) -> None:
        """Remember rows, all as one text: to write each by itself takes twice as long."""
        if rows:
            self._changes.append(_encode([(table, row) for row in rows])[1:-1])

    def remember_image(self, image: str) -> None:
        """Remember rows in the form that the log keeps."""
        self._changes.append(image)

    def record(self, actor: Actor | str, verb: str, subject: str) -> None:
        """Say who did what; the changes since the last word belong to it."""
        self._events.append((str(actor), verb, subject, f"[{','.join(self._changes)}]"))
        self._changes.clear()

    def record_each(self, actor: Actor, verb: str, told: Iterable[tuple[str, str]]) -> None:
        """Say the same of one or more, each with its rows as the log keeps them; other changes go with the first."""
        (subject, image), *others = told
        self.remember_image(image)
        self.record(actor, verb, subject)
        who = str(actor)
        self._events += [(who, verb, subject, f"[{image}]") for subject, image in others]

    def finish(self) -> list[Call]:
        """The events to write with the commit: of many the last, which lets those who follow know."""
        if self._changes:
            changes = json.loads(f"[{','.join(self._changes)}]")
            tables = sorted({table for table, *_ in changes})
            raise AssertionError(f"changed without a word about it: {', '.join(tables)}")
        left = self._events
        if len(left) >= MANY:
            at = micros(self.now())
            self._engine.fill("add_events", [(self.team, at, *event) for event in left[:-1]])
            left = left[-1:]
        return [
            ("add_event", {"team": self.team, **dict(zip(_OF_AN_EVENT, event, strict=True))})
            for event in left
        ]
