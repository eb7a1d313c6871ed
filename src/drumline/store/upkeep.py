"""A store as a whole: migrate it, check it, copy it to a file and back."""

import os
from collections.abc import Iterator, Mapping
from typing import Any

from drumline.errors import Conflict, Unknown
from drumline.store import migrations
from drumline.store.engine import Engine, Row, WallClock
from drumline.store.journal import as_event
from drumline.store.sqlite import Sqlite
from drumline.team.journal import KEYS, last_words

COPIED = (*KEYS, "events")


class Caretaker:
    """What an operator does to a store, beside the team's own work."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def migrate(self) -> list[str]:
        return migrations.migrate(self._engine)

    def version(self) -> tuple[int, int]:
        return migrations.version(self._engine)

    def check(self) -> Iterator[str]:
        """Everything that is not as it must be, one sentence each."""
        yield from self._engine.integrity()
        self._engine.begin(writing=False)
        try:
            for row in self._engine.run("wrong_waits", {}):
                yield f"{row['team']}: T-{row['number']} waits for {row['waits']}, in truth for {row['unmet']}"
            for row in self._engine.run("loose_ends", {}):
                yield f"{row['team']}: {row['loose']} points at nothing"
            yield from self._differences()
        finally:
            self._engine.rollback()

    def backup(self, path: str) -> dict[str, int]:
        """Copy everything, as of one moment, into a new SQLite store."""
        if os.path.exists(path):
            raise Conflict(
                f"{path} exists",
                why="a backup never overwrites",
                next="name a file that is not there",
            )
        unfinished = f"{path}.unfinished"
        _remove(unfinished)
        target = Sqlite(unfinished, WallClock(), durable=True)
        try:
            migrations.migrate(target)
            copied = _copy(self._engine, target)
            target.script(["PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA journal_mode = DELETE"])
        finally:
            target.close()
        os.link(unfinished, path)  # fails rather than overwrites if someone was faster
        _remove(unfinished)
        return copied

    def restore(self, path: str) -> dict[str, int]:
        """Fill this empty store from a backup."""
        if not os.path.isfile(path):
            raise Unknown(f"no backup at {path}", next="drumline store backup FILE writes one")
        migrations.require_current(self._engine, upgrade=False)
        self._engine.begin(writing=False)
        taken = any(
            True for table in COPIED for _ in self._engine.scan(table, KEYS.get(table, ("seq",)))
        )
        self._engine.rollback()
        if taken:
            raise Conflict(
                "this store is not empty",
                why="a restore never mixes two histories",
                next="name an empty store: drumline store restore FILE --store URL",
            )
        source = Sqlite(path, WallClock())
        try:
            migrations.require_current(source, upgrade=True)
            return _copy(source, self._engine)
        finally:
            source.close()

    def _differences(self) -> Iterator[str]:
        """Where the tables are not what the log says; only fingerprints are kept in memory."""
        told = last_words(map(as_event, self._engine.scan("events", ("seq",))), _fingerprint)
        for table, keys in KEYS.items():
            for row in self._engine.scan(table, keys):
                key = tuple(row[name] for name in keys)
                if told.pop((table, key), None) != _fingerprint(row):
                    yield _disagreement(table, key)
        for table, key in told:
            yield _disagreement(table, key)


def _fingerprint(row: Mapping[str, Any]) -> int:
    return hash(tuple(row[name] for name in sorted(row)))


def _disagreement(table: str, key: tuple[Any, ...]) -> str:
    return f"{table} {'/'.join(map(str, key))}: the event log and the table disagree"


def _copy(source: Engine, target: Engine) -> dict[str, int]:
    source.begin(writing=False)
    target.begin(writing=True, durable=True)
    try:
        copied = {table: target.load(table, _portable(source, table)) for table in COPIED}
        target.commit()
    except BaseException:
        target.rollback()
        raise
    finally:
        source.rollback()
    return copied


def _portable(source: Engine, table: str) -> Iterator[Row]:
    """Rows without what only one engine has."""
    for row in source.scan(table, KEYS.get(table, ("seq",))):
        row.pop("tx", None)
        yield row


def _remove(path: str) -> None:
    for name in (path, f"{path}-wal", f"{path}-shm", f"{path}.gate"):
        if os.path.lexists(name):
            os.unlink(name)
