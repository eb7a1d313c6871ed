"""A store as a whole: migrate it, check it, copy it to a file and back."""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from drumline.errors import BadInput, Conflict, StoreTrouble, Unknown
from drumline.store import migrations
from drumline.store.engine import Engine, Row, WallClock
from drumline.store.journal import as_event
from drumline.store.sqlite import Sqlite
from drumline.store.tasks import as_task
from drumline.team.journal import KEYS, last_words

COPIED = (*KEYS, "events")
STEP = 1000  # rows between two words about a table
Tell = Callable[[str], None]  # whoever hears what is under way
_ODD = (ValueError, TypeError, LookupError, ArithmeticError, RecursionError)


class Caretaker:
    """What an operator does to a store, beside the team's own work; `tell` hears how far it is."""

    def __init__(self, engine: Engine, tell: Tell = lambda _: None) -> None:
        self._engine, self._tell = engine, tell

    def close(self) -> None:
        self._engine.close()

    def migrate(self) -> list[str]:
        done = migrations.migrate(self._engine, tell=self._tell)
        self._tell("reading the end of the log")
        self._engine.begin(writing=True)
        self._engine.run("rebase_tail", {})
        self._engine.commit()
        return done

    def version(self) -> tuple[int, int]:
        return migrations.version(self._engine)

    def check(self) -> Iterator[str]:
        """Everything that is not as it must be, one sentence each."""
        self._tell("checking pages and keys")
        yield from self._engine.integrity()
        try:
            self._engine.begin(writing=False)
            self._tell("checking counters and references")
            for row in self._engine.run("wrong_waits", {}):
                yield f"{row['team']}: T-{row['number']} waits for {row['waits']}, in truth for {row['unmet']}"
            for row in self._engine.run("wrong_waiters", {}):
                yield f"{row['team']}: {row['waited_by']} wait for T-{row['number']}, in truth {row['waiting']}"
            for row in self._engine.run("loose_ends", {}):
                yield f"{row['team']}: {row['loose']} points at nothing"
            for row in self._engine.run("wrong_spending", {}):
                yield f"{row['team']}: the sum of {row['scope']} {row['name']} is not what was charged"
            yield from self._differences()
        except StoreTrouble as error:
            yield f"{error.what}: {error.why}"
        except _ODD as error:
            yield f"a row cannot be read: {error}"
        finally:
            self._engine.rollback()

    def backup(self, path: str) -> dict[str, int]:
        """Copy everything, as of one moment, into a new SQLite store of the same schema."""
        have = migrations.reached(self._engine)
        if not have:
            raise Unknown("there is nothing to back up", next="a team's first task makes its store")
        unfinished = f"{path}.{os.urandom(4).hex()}"
        target = Sqlite(unfinished, WallClock(), gate=False, durable=True)
        try:
            migrations.migrate(target, to=have)
            copied = _copy(self._engine, target, self._tell)
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
        with _room_for(path) as folder:
            source = Sqlite(_copied(path, folder), WallClock(), gate=False)
            try:
                if not migrations.version(source)[0]:
                    raise BadInput(
                        f"{path} is not a backup of Drumline",
                        next="drumline store backup FILE writes one",
                    )
                migrations.require_current(source, upgrade=True)
                return _copy(source, self._engine, self._tell)
            finally:
                source.close()

    def _differences(self) -> Iterator[str]:
        """Where the tables are not what the log says; only fingerprints are kept in memory."""
        try:
            events = counted(self._engine.scan("events", ("seq",)), "reading events", self._tell)
            told = last_words(map(as_event, events), _fingerprint)
        except (StoreTrouble, *_ODD) as error:
            yield f"the event log cannot be read: {getattr(error, 'why', error)}"
            return
        for table, keys in KEYS.items():
            rows = self._engine.scan(table, keys)
            for row in counted(rows, f"comparing {table}", self._tell):
                key = tuple(row[name] for name in keys)
                said, found = told.pop((table, key), None), _read_fingerprint(row)
                if found is None or said != found:
                    yield _disagreement(table, key)
                elif table == "tasks" and (why := _unreadable(row)):
                    yield f"tasks {'/'.join(map(str, key))}: the row cannot be read: {why}"
        for table, key in told:
            yield _disagreement(table, key)


def counted(rows: Iterator[Row], doing: str, tell: Tell) -> Iterator[Row]:
    """The same rows, with a word about how many there were every so often."""
    tell(doing)
    for number, row in enumerate(rows, start=1):
        if number % STEP == 0:
            tell(f"{doing}: {number:,} rows")
        yield row


def _fingerprint(row: Mapping[str, Any]) -> int:
    return hash(json.dumps([row[name] for name in sorted(row)]))


def _read_fingerprint(row: Row) -> int | None:
    """None for a row that no log can have left: bytes, say, where text belongs."""
    try:
        return _fingerprint(row)
    except _ODD:
        return None


def _unreadable(row: Row) -> str:
    """Why a task cannot be read: a claim that is one statement writes to the log what it did not understand."""
    try:
        as_task(row)
    except StoreTrouble as error:
        return error.why
    return ""


def _disagreement(table: str, key: tuple[Any, ...]) -> str:
    return f"{table} {'/'.join(map(str, key))}: the event log and the table disagree"


def _copy(source: Engine, target: Engine, tell: Tell) -> dict[str, int]:
    try:
        source.begin(writing=False)
        target.begin(writing=True, durable=True)
        target.schema_lock()
        there = source.tables() & target.tables()
        tables = [table for table in COPIED if table in there]
        target.hold(tables)
        _refuse_history(target, tables)
        copied = {
            table: target.load(table, counted(_portable(source, table), f"copying {table}", tell))
            for table in tables
        }
        target.commit()
    except BaseException:
        target.rollback()
        raise
    finally:
        source.rollback()
    return copied


def _refuse_history(target: Engine, tables: list[str]) -> None:
    if any(True for table in tables for _ in target.scan(table, _order(table))):
        raise Conflict(
            "this store is not empty",
            why="a restore never mixes two histories",
            next="name an empty store: drumline store restore FILE --store URL",
        )


@contextmanager
def _room_for(path: str) -> Iterator[str]:
    """A folder for a copy; what the disk refuses is said in our words."""
    try:
        with tempfile.TemporaryDirectory(prefix="drumline-restore-") as folder:
            yield folder
    except OSError as error:
        raise StoreTrouble(
            f"{path} cannot be copied to be read",
            why=f"{error.filename2 or error.filename or path}: {error.strerror or error}",
            next="check the file's owner, and free space where TMPDIR says",
        ) from error


def _copied(path: str, folder: str) -> str:
    """A copy of a file that nobody changes meanwhile."""
    path = os.path.realpath(path)  # SQLite puts its log beside the file, not beside a link to it
    before = _settled(path)
    copy = str(shutil.copyfile(path, os.path.join(folder, "copy.db")))
    if _settled(path) != before:
        raise _in_use(path)
    return copy


def _settled(path: str) -> tuple[int, int, int]:
    """What shows whether a file was changed; refuses one whose last words are still in its log."""
    for log in (f"{path}-wal", f"{path}-journal"):
        if os.path.exists(log) and os.path.getsize(log):
            raise _in_use(path)
    found = os.stat(path)
    return found.st_ino, found.st_size, found.st_mtime_ns


def _in_use(path: str) -> Conflict:
    return Conflict(
        f"{path} is a store in use, not a backup",
        why="a part of it is not in that file yet",
        next=f"drumline store backup FILE --store sqlite:///{path}   # then restore FILE",
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
    """Rows without what only one engine has, such as numbers drawn and not used."""
    for number, row in enumerate(source.scan(table, _order(table)), start=1):
        row.pop("tx", None)
        if table == "events" and not source.gapless:
            row["seq"] = number
        yield row


def _remove(path: str) -> None:
    for name in (path, f"{path}-wal", f"{path}-shm"):
        if os.path.lexists(name):
            os.unlink(name)
