"""SQLite: one file, many processes, writers in a fair queue."""

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from drumline.errors import StoreBusy, StoreTrouble, Unknown
from drumline.store.engine import Call, Clock, Row, instant, micros, not_text
from drumline.store.gate import Gate
from drumline.store.queries import statements

OLDEST = (3, 35, 0)  # RETURNING
PATIENCE = 30.0
POLL = 0.05


class Sqlite:
    """One connection to one file."""

    name = "sqlite"

    def __init__(
        self,
        path: str,
        clock: Clock,
        *,
        gate: bool = True,
        durable: bool = False,
        create: bool = True,
    ) -> None:
        self.path = path
        self.patience = PATIENCE
        self._clock = clock
        self._durable = durable
        self._full: bool | None = None
        self._gate: Gate | None = None
        self._inside = False
        self._now = 0
        self._seen = -1
        self._sql = statements(self.name)
        self._translating = _Translating(self)
        self._make_room(create=create)
        self._connect()
        if gate:
            with self._translating:
                self._gate = Gate(f"{path}.gate")

    def _connect(self) -> None:
        with self._translating:
            self._link = sqlite3.connect(
                self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            try:
                self._link.execute(
                    "PRAGMA page_size = 2048"
                )  # a claim touches few bytes of each page
                self._link.execute("PRAGMA journal_mode = WAL")
                self._link.execute(
                    "PRAGMA wal_autocheckpoint = 8000"
                )  # 16 MB: fewer waits for the disk
                self._sync(full=self._durable)
            except sqlite3.DatabaseError:
                self._link.close()
                raise

    def _make_room(self, *, create: bool) -> None:
        """See to it that the file can be opened, and that only its owner can."""
        if sqlite3.sqlite_version_info < OLDEST:
            raise StoreTrouble(
                f"SQLite {sqlite3.sqlite_version} is too old",
                why="Drumline needs 3.35 or later, which Python brings with it",
                next="use a newer Python, or PostgreSQL: --store postgresql://…",
            )
        if not create and not os.path.exists(self.path):
            raise Unknown(
                f"no store at {self.path}",
                next="check the path; a team's first task makes its store",
            )
        with self._translating:
            os.makedirs(os.path.dirname(os.path.abspath(self.path)), mode=0o700, exist_ok=True)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))

    def _sync(self, *, full: bool) -> None:
        """Whether a commit waits for the disk; without it only a power cut can lose the last ones."""
        if full is not self._full:
            self._link.execute(f"PRAGMA synchronous = {'FULL' if full else 'NORMAL'}")
            self._full = full

    def begin(self, *, writing: bool, durable: bool = False) -> None:
        with self._translating:
            self._sync(full=durable or self._durable)
            if writing and self._gate:
                self._inside = self._gate.enter(self.patience)
                if not self._inside:
                    raise self.busy(f"a process stands in {self.path}.gate and does not move on")
            self._link.execute("BEGIN IMMEDIATE" if writing else "BEGIN")
        self._now = micros(self._clock.now())

    def run(self, name: str, parameters: dict[str, Any]) -> list[Row]:
        parameters["now"] = self._now
        with self._translating:
            return _rows(self._link.execute(self._sql[name], parameters))

    def batch(self, calls: Sequence[Call]) -> list[list[Row]]:
        return [self.run(name, parameters) for name, parameters in calls]

    def at_once(self, name: str, parameters: dict[str, Any]) -> None:
        """Not here: a change and its event are two statements of one transaction."""

    def commit(self, last: Sequence[Call] = ()) -> None:
        self.batch(last)
        with self._translating:
            self._link.execute("COMMIT")
        self._leave()

    def rollback(self) -> None:
        try:
            if self._link.in_transaction:
                with self._translating:
                    self._link.execute("ROLLBACK")
        finally:
            self._leave()

    def _leave(self) -> None:
        if self._inside and self._gate:
            self._inside = False
            self._gate.leave()

    def now(self) -> datetime:
        """The time at which this transaction began."""
        return instant(self._now)

    def script(self, statements: Sequence[str]) -> None:
        with self._translating:
            for statement in statements:
                self._link.execute(statement)

    def schema_lock(self) -> None:
        """BEGIN IMMEDIATE is the lock."""

    def tables(self) -> set[str]:
        with self._translating:
            found = self._link.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return {name for (name,) in found}

    def conflict(self, error: Exception) -> bool:  # noqa: ARG002 - one writer at a time: none can arise
        return False

    def changed(self, team: str, seconds: float) -> bool:  # noqa: ARG002 - the file does not say whose
        """Wait until another connection wrote, at most `seconds`."""
        end = time.monotonic() + seconds
        while True:
            with self._translating:
                (version,) = self._link.execute("PRAGMA data_version").fetchone()
            if version != self._seen:
                self._seen = version
                return True
            if time.monotonic() >= end:
                return False
            time.sleep(POLL)

    def integrity(self) -> list[str]:
        try:
            found = [line for (line,) in self._link.execute("PRAGMA integrity_check")]
        except sqlite3.DatabaseError as error:
            return [f"{self.path}: {error}"]
        return [] if found == ["ok"] else found

    def scan(self, table: str, order: Sequence[str]) -> Iterator[Row]:
        with self._translating:
            found = self._link.execute(f"SELECT * FROM {table} ORDER BY {', '.join(order)}")  # noqa: S608 - our own names
            names = [column[0] for column in found.description]
            for values in found:
                yield dict(zip(names, values, strict=True))

    def load(self, table: str, rows: Iterator[Row]) -> int:
        count = 0
        with self._translating:
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

    def busy(self, why: str) -> StoreBusy:
        return StoreBusy(
            f"the store {self.path} is busy",
            why=f"waited {self.patience:.0f} s: {why}",
            next=f"look for a stopped process that has it open: fuser {self.path}.gate",
        )


class _Translating:
    """Says a file's trouble in our words; a plain class, since every statement passes through it."""

    def __init__(self, engine: Sqlite) -> None:
        self._engine = engine

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, _: object, error: BaseException | None, *__: object) -> None:
        path = self._engine.path
        if isinstance(error, sqlite3.Error):
            if "locked" in str(error) or "busy" in str(error):
                raise self._engine.busy(str(error)) from error
            raise StoreTrouble(
                f"the store {path} cannot be used",
                why=str(error),
                next="name another store, or restore a backup: drumline store restore FILE --store URL",
            ) from error
        if isinstance(error, UnicodeError):
            raise not_text() from error
        if isinstance(error, OSError):
            raise StoreTrouble(
                f"the store {path} cannot be opened",
                why=error.strerror or str(error),
                next="check the folder's owner and free space, or name another store: --store sqlite:///PATH",
            ) from error


def _rows(found: sqlite3.Cursor) -> list[Row]:
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, values, strict=False)) for values in found]
