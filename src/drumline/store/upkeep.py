"""A store as a whole: migrate it, check it, copy it to a file and back."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any

from drumline.errors import BadInput, Conflict, StoreTrouble, Unknown
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

    def close(self) -> None:
        self._engine.close()

    def migrate(self) -> list[str]:
        done = migrations.migrate(self._engine)
        self._engine.begin(writing=True)
        self._engine.run("rebase_tail", {})
        self._engine.commit()
        return done

    def version(self) -> tuple[int, int]:
        return migrations.version(self._engine)

    def check(self) -> Iterator[str]:
        """Everything that is not as it must be, one sentence each."""
        yield from self._engine.integrity()
        try:
            self._engine.begin(writing=False)
            for row in self._engine.run("wrong_waits", {}):
                yield f"{row['team']}: T-{row['number']} waits for {row['waits']}, in truth for {row['unmet']}"
            for row in self._engine.run("wrong_waiters", {}):
                yield f"{row['team']}: {row['waited_by']} wait for T-{row['number']}, in truth {row['waiting']}"
            for row in self._engine.run("loose_ends", {}):
                yield f"{row['team']}: {row['loose']} points at nothing"
            yield from self._differences()
        except StoreTrouble as error:
            yield f"{error.what}: {error.why}"
        finally:
            self._engine.rollback()

    def backup(self, path: str) -> dict[str, int]:
        """Copy everything, as of one moment, into a new SQLite store."""
        unfinished = f"{path}.{os.urandom(4).hex()}"
        target = Sqlite(unfinished, WallClock(), gate=False, durable=True)
        try:
            migrations.migrate(target)
            copied = _copy(self._engine, target)
            target.script(["PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA journal_mode = DELETE"])
        except BaseException:
            target.close()
            _remove(unfinished)
            raise
        target.close()
        _publish(unfinished, path)
        return copied

    def restore(self, path: str) -> dict[str, int]:
        """Fill this empty store from a backup, which is only read."""
        if not os.path.isfile(path):
            raise Unknown(f"no backup at {path}", next="drumline store backup FILE writes one")
        migrations.require_current(self._engine, upgrade=False)
        with tempfile.TemporaryDirectory(prefix="drumline-restore-") as folder:
            source = Sqlite(shutil.copy(path, folder), WallClock(), gate=False)
            try:
                if not migrations.version(source)[0]:
                    raise BadInput(
                        f"{path} is not a backup of Drumline",
                        next="drumline store backup FILE writes one",
                    )
                migrations.require_current(source, upgrade=True)
                return _copy(source, self._engine)
            finally:
                source.close()

    def _differences(self) -> Iterator[str]:
        """Where the tables are not what the log says; only fingerprints are kept in memory."""
        try:
            told = last_words(map(as_event, self._engine.scan("events", ("seq",))), _fingerprint)
        except (ValueError, TypeError, KeyError) as error:
            yield f"the event log cannot be read: {error}"
            return
        for table, keys in KEYS.items():
            for row in self._engine.scan(table, keys):
                key = tuple(row[name] for name in keys)
                if told.pop((table, key), None) != _fingerprint(row):
                    yield _disagreement(table, key)
        for table, key in told:
            yield _disagreement(table, key)


def _fingerprint(row: Mapping[str, Any]) -> int:
    return hash(json.dumps([row[name] for name in sorted(row)]))


def _disagreement(table: str, key: tuple[Any, ...]) -> str:
    return f"{table} {'/'.join(map(str, key))}: the event log and the table disagree"


def _copy(source: Engine, target: Engine) -> dict[str, int]:
    try:
        source.begin(writing=False)
        target.begin(writing=True, durable=True)
        target.schema_lock()
        _refuse_history(target)
        copied = {table: target.load(table, _portable(source, table)) for table in COPIED}
        target.commit()
    except BaseException:
        target.rollback()
        raise
    finally:
        source.rollback()
    return copied


def _refuse_history(target: Engine) -> None:
    if any(True for table in COPIED for _ in target.scan(table, _order(table))):
        raise Conflict(
            "this store is not empty",
            why="a restore never mixes two histories",
            next="name an empty store: drumline store restore FILE --store URL",
        )


def _order(table: str) -> tuple[str, ...]:
    return KEYS.get(table, ("seq",))


def _publish(unfinished: str, path: str) -> None:
    """Give a finished file its name, unless the name is taken, and let the disk know."""
    try:
        os.link(unfinished, path)
        folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
    except FileExistsError:
        raise Conflict(
            f"{path} exists", why="a backup never overwrites", next="name a file that is not there"
        ) from None
    except OSError as error:
        raise StoreTrouble(
            f"{path} cannot be written", why=error.strerror or "", next="name a file elsewhere"
        ) from error
    finally:
        _remove(unfinished)


def _portable(source: Engine, table: str) -> Iterator[Row]:
    """Rows without what only one engine has."""
    for row in source.scan(table, _order(table)):
        row.pop("tx", None)
        yield row


def _remove(path: str) -> None:
    for name in (path, f"{path}-wal", f"{path}-shm"):
        if os.path.lexists(name):
            os.unlink(name)
