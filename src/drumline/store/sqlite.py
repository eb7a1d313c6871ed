"""SQLite: one file, many processes, writers in a fair queue."""

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from drumline.errors import StoreBusy, StoreTrouble
from drumline.store.engine import Call, Clock, Row, micros
from drumline.store.queries import statements

OLDEST = (3, 35, 0)  # RETURNING
PATIENCE = 30.0
POLL = 0.05


class Gate:
    """A queue in front of the write lock.

    SQLite's own busy-retry sleeps and starves: a writer can wait seconds while others pass. A file
    lock wakes its waiters at once, and whoever leaves steps aside so that one of them goes next.
    The kernel opens the gate of a killed process.
    """

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def enter(self) -> None:
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def leave(self) -> None:
        fcntl.flock(self._file, fcntl.LOCK_UN)
        os.sched_yield()

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class Sqlite:
    """One connection to one file."""

    name = "sqlite"

    def __init__(
        self, path: str, clock: Clock, *, gate: bool = True, durable: bool = False
    ) -> None:
        _ready_for(path)
        self.path = path
        self._clock = clock
        self._durable = durable
        self._sql = statements(self.name)
        self._link = sqlite3.connect(
            path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
        )
        self._inside = False
        self._now = 0
        self._seen = -1
        self._full: bool | None = None
        self._open()
        self._gate = Gate(f"{path}.gate") if gate else None

    def _open(self) -> None:
        self._link.row_factory = _as_row
        try:
            self._link.execute("PRAGMA journal_mode = WAL")
            self._sync(full=self._durable)
        except sqlite3.DatabaseError as error:
            self._link.close()
            raise _trouble(self.path, error) from error

    def _sync(self, *, full: bool) -> None:
        """Whether a commit waits for the disk; without it only a power cut can lose the last ones."""
        if full is not self._full:
            self._link.execute(f"PRAGMA synchronous = {'FULL' if full else 'NORMAL'}")
            self._full = full

    def begin(self, *, writing: bool, durable: bool = False) -> None:
        self._sync(full=durable or self._durable)
        if writing and self._gate:
            self._gate.enter()
            self._inside = True
        try:
            self._link.execute("BEGIN IMMEDIATE" if writing else "BEGIN")
        except sqlite3.DatabaseError as error:
            self._leave()
            raise _trouble(self.path, error) from error
        self._now = micros(self._clock.now())

    def run(self, name: str, parameters: dict[str, Any]) -> list[Row]:
        parameters["now"] = self._now
        try:
            return self._link.execute(self._sql[name], parameters).fetchall()
        except sqlite3.DatabaseError as error:
            raise _trouble(self.path, error) from error

    def batch(self, calls: Sequence[Call]) -> list[list[Row]]:
        return [self.run(name, parameters) for name, parameters in calls]

    def commit(self, last: Sequence[Call] = ()) -> None:
        self.batch(last)
        try:
            self._link.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            raise _trouble(self.path, error) from error
        self._leave()

    def rollback(self) -> None:
        if self._link.in_transaction:
            self._link.execute("ROLLBACK")
        self._leave()

    def _leave(self) -> None:
        if self._inside and self._gate:
            self._inside = False
            self._gate.leave()

    def now(self) -> datetime:
        return self._clock.now()

    def script(self, statements: Sequence[str]) -> None:
        for statement in statements:
            self._link.execute(statement)

    def schema_lock(self) -> None:
        """BEGIN IMMEDIATE is the lock."""

    def tables(self) -> set[str]:
        found = self._link.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {row["name"] for row in found}

    def conflict(self, error: Exception) -> bool:  # noqa: ARG002 - one writer at a time: none can arise
        return False

    def changed(self, team: str, seconds: float) -> bool:  # noqa: ARG002 - the file does not say whose
        """Wait until another connection wrote, at most `seconds`."""
        end = time.monotonic() + seconds
        while True:
            version = self._link.execute("PRAGMA data_version").fetchone()["data_version"]
            if version != self._seen:
                self._seen = version
                return True
            if time.monotonic() >= end:
                return False
            time.sleep(POLL)

    def integrity(self) -> list[str]:
        found = [row["integrity_check"] for row in self._link.execute("PRAGMA integrity_check")]
        return [] if found == ["ok"] else found

    def scan(self, table: str, order: Sequence[str]) -> Iterator[Row]:
        yield from self._link.execute(f"SELECT * FROM {table} ORDER BY {', '.join(order)}")  # noqa: S608 - our own names

    def load(self, table: str, rows: Iterator[Row]) -> int:
        count = 0
        for row in rows:
            count += 1
            names = ", ".join(row)
            places = ", ".join(f":{name}" for name in row)
            self._link.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", row)  # noqa: S608 - our own names
        return count

    def close(self) -> None:
        self._link.close()
        if self._gate:
            self._gate.close()


def _as_row(cursor: sqlite3.Cursor, values: tuple[Any, ...]) -> Row:
    return dict(zip((column[0] for column in cursor.description), values, strict=True))


def _ready_for(path: str) -> None:
    if sqlite3.sqlite_version_info < OLDEST:
        raise StoreTrouble(
            f"SQLite {sqlite3.sqlite_version} is too old",
            why="Drumline needs 3.35 or later, which Python brings with it",
            next="use a newer Python, or PostgreSQL: --store postgresql://…",
        )
    folder = os.path.dirname(os.path.abspath(path))
    try:
        if not os.path.isdir(folder):
            os.makedirs(folder, mode=0o700, exist_ok=True)
            with open(os.path.join(folder, ".gitignore"), "w", encoding="utf-8") as file:
                file.write("*\n")  # what moves is never committed
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise StoreTrouble(
            f"the store {path} cannot be opened",
            why=error.strerror or str(error),
            next="check the folder's owner and free space, or name another store: --store sqlite:///PATH",
        ) from error


def _trouble(path: str, error: sqlite3.Error) -> StoreTrouble:
    if "locked" in str(error) or "busy" in str(error):
        return StoreBusy(
            f"the store {path} is busy",
            why=f"another process has held it for {PATIENCE:.0f} s: {error}",
            next="look for a stopped process that has it open, then try again",
        )
    return StoreTrouble(
        f"the store {path} cannot be used",
        why=str(error),
        next=f"drumline store check --store sqlite:///{path}",
    )
