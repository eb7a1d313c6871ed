"""SQLite: one file, many processes, writers in a fair queue."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from datetime import datetime
from errno import EACCES
from functools import cache
from itertools import chain
from typing import Any

from drumline.errors import StoreTrouble, Unknown
from drumline.store.engine import Call, Clock, Row, instant, micros
from drumline.store.gate import Gate
from drumline.store.queries import named
from drumline.store.sqlite_trouble import Translating, busy, emptied, gone, replaced, torn

OLDEST = (3, 35, 0)  # RETURNING
PATIENCE = 30.0
POLL = 0.05
FRESH = 200_000_000  # nanoseconds: a durable write is on the log before it counts, for what the disk takes
FOUNDING = 1.0
WIDE = 20  # rows that one statement adds, where there are many
_OPEN: weakref.WeakSet[Sqlite] = weakref.WeakSet()
_FOUNDING_ONE = threading.Lock()
_TORN: dict[str, sqlite3.Connection] = {}  # kept open: closing one would undo the parent's work


class Sqlite:
    """One connection to one file."""

    name = "sqlite"
    gapless = True

    def __init__(
        self,
        path: str,
        clock: Clock,
        *,
        gate: bool = True,
        durable: bool = False,
        create: bool = True,
    ) -> None:
        self.path, self._place = path, os.path.abspath(path)
        self.patience = PATIENCE
        self._clock = clock
        self._durable = durable
        self._full: bool | None = None
        self._gate: Gate | None = None
        self._inside = self._due = False
        self._writing = self._durably = False
        self._parted = False
        self.at_work = False
        self._now = 0
        self._seen, self._log = -1, (-1, 0)
        self._translating = Translating(self)
        with _FOUNDING_ONE:  # between making a file and closing it nobody here may lock it
            self._make_room(create=create)
            self._connect()
        self._file = _identity(self._place)
        if gate:
            with self._translating:
                self._gate = Gate(f"{path}.gate")
        _OPEN.add(self)

    def _connect(self) -> None:
        place = os.path.realpath(self.path)  # SQLite keeps the log beside it, not beside a link
        if place in _TORN:
            raise torn(self.path)
        self._wal = f"{place}-wal"
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
                self._cursor = self._link.cursor()
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
        if _size(f"{self.path}.gate") and not os.path.exists(self.path):
            raise gone(self.path)
        if not create and not os.path.exists(self.path):
            raise Unknown(
                f"no store at {self.path}",
                next="check the path; a team's first task makes its store",
            )
        if self._emptied():
            raise emptied(self.path)
        with self._translating:
            os.makedirs(os.path.dirname(os.path.abspath(self.path)), mode=0o700, exist_ok=True)
            self._found_file()

    def _found_file(self) -> None:
        """Make the file where there is none.

        One that is there is never opened beside SQLite: closing it again would take away every lock
        this process holds on it, and another process could then delete the log under our writes.
        """
        try:
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        except FileExistsError:
            if not os.access(self.path, os.R_OK | os.W_OK):
                raise PermissionError(EACCES, os.strerror(EACCES), self.path) from None

    def _emptied(self) -> bool:
        """Whether what others have written is gone; one that is just being founded is soon not empty."""
        end = time.monotonic() + FOUNDING
        while _size(f"{self.path}.gate") and _size(self.path) == 0:
            if time.monotonic() >= end:
                return True
            time.sleep(POLL)
        return False

    def _sync(self, *, full: bool) -> None:
        """Whether a commit waits for the disk; without it only a power cut can lose the last ones."""
        if full is not self._full:
            self._link.execute(f"PRAGMA synchronous = {'FULL' if full else 'NORMAL'}")
            self._full = full

    def _own(self) -> None:
        if self._parted:
            self._see_same()  # else a file would be made
            self._full = None
            self._connect()
            self._parted = False

    def _see_same(self) -> None:
        """See to it that what lies at the path is still the store that was opened: what is written elsewhere is lost."""
        found = _identity(self._place)
        if found is None:
            raise gone(self.path)
        if found != self._file:
            raise replaced(self.path)

    def part(self) -> None:
        """In a forked child: give up the parent's link, as SQLite believes its locks to be ours."""
        if self._parted:
            return
        if self.at_work or self._link.in_transaction:
            _TORN[os.path.realpath(self.path)] = self._link
            self._link = sqlite3.connect(":memory:")
        self._link.close()
        self._parted, self._inside, self._due, self.at_work = True, False, False, False

    def begin(self, *, writing: bool, durable: bool = False) -> None:
        """Whoever is to wait for its turn does so at the first statement: what comes before holds nobody up."""
        if not self._parted and (self._inside or self._link.in_transaction):
            self.rollback()  # an end that was itself interrupted
        self._own()
        self._writing, self._durably = writing, durable or self._durable
        self._due = True

    def _enter(self) -> None:
        """Begin what is due, if anything is."""
        if not self._due:
            return
        with self._translating:
            self._sync(full=self._durably)
            if self._writing and self._gate:
                self._inside = True  # from here on an interrupt may find us in the gate
                if not self._gate.enter(self.patience):
                    self._inside = False
                    why = f"a process stands in {self.path}.gate and does not move on"
                    raise busy(self.path, self.patience, why)
            self._link.execute("BEGIN IMMEDIATE" if self._writing else "BEGIN")
        self._see_same()
        self._now = micros(self._clock.now())
        self._due = False

    def run(self, name: str, parameters: dict[str, Any]) -> list[Row]:
        if self._due:
            self._enter()
        parameters["now"] = self._now
        with self._translating:
            return _rows(self._cursor.execute(named(self.name, name), parameters))

    def batch(self, calls: Sequence[Call]) -> list[list[Row]]:
        return [self.run(name, parameters) for name, parameters in calls]

    def fill(self, name: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Add many rows, each with the columns that the statement names."""
        wide = len(rows) - len(rows) % WIDE
        self._enter()
        with self._translating:
            self._link.executemany(_wide(name), _joined(rows[:wide]))
            self._link.executemany(named(self.name, name), rows[wide:])

    def at_once(self, name: str, parameters: dict[str, Any], *, alone: bool) -> None:
        """Not here: a change and its event are two statements of one transaction."""

    def commit(self, last: Sequence[Call] = ()) -> None:
        self.batch(last)
        if not self._due:
            with self._translating:
                self._link.execute("COMMIT")
        self._leave()

    def rollback(self) -> None:
        try:
            if not self._parted and self._link.in_transaction:
                with self._translating:  # by the same cursor: a question half read would stay open
                    self._cursor.execute("ROLLBACK")
        finally:
            self._leave()

    def _leave(self) -> None:
        self._due = False
        if self._inside and self._gate:
            self._gate.leave()
            self._inside = False

    def now(self) -> datetime:
        """The time at which this transaction began."""
        self._enter()
        return instant(self._now)

    def script(self, statements: Sequence[str]) -> None:
        self._enter()
        with self._translating:
            for statement in statements:
                self._link.execute(statement)

    def schema_lock(self) -> None:
        """BEGIN IMMEDIATE is the lock."""
        self._enter()

    def hold(self, tables: Sequence[str]) -> None:  # noqa: ARG002 - the whole file is held
        """Nor needs one that nobody writes to these tables another."""
        self._enter()

    def tables(self) -> set[str]:
        self._enter()
        with self._translating:
            found = self._link.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return {name for (name,) in found}

    def conflict(self, error: Exception) -> bool:  # noqa: ARG002 - one writer at a time: none can arise
        return False

    def changed(self, team: str, seconds: float) -> bool:  # noqa: ARG002 - the file does not say whose
        """Wait until another connection wrote, at most `seconds`."""
        self._own()
        self._see_same()
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self._log_moved() and self._has_news():
                return True
            time.sleep(min(POLL, left))
        return self._has_news()

    def _log_moved(self) -> bool:
        """Whether the log was written to, as its file tells: to ask SQLite itself takes ten times as long.

        A write may hide behind one of the same instant: who waits asks SQLite in the end.
        """
        before = self._log
        try:
            found = os.stat(self._wal)
        except OSError:
            return True
        self._log = (found.st_mtime_ns, found.st_size)
        return self._log != before or abs(time.time_ns() - found.st_mtime_ns) < FRESH

    def _has_news(self) -> bool:
        before = self._seen
        with self._translating:
            (self._seen,) = self._link.execute("PRAGMA data_version").fetchone()
        return self._seen != before

    def integrity(self) -> list[str]:
        from drumline.store.sqlite_schema import strange  # noqa: PLC0415 - only who checks pays for it

        self._own()
        try:
            found = [line for (line,) in self._link.execute("PRAGMA integrity_check")]
            torn = [] if found == ["ok"] else found
            return [*torn, *strange(self._link, self.name)]
        except sqlite3.DatabaseError as error:
            return [f"{self.path}: {error}"]

    def scan(self, table: str, order: Sequence[str]) -> Iterator[Row]:
        self._enter()
        with self._translating:
            found = self._link.execute(f"SELECT * FROM {table} ORDER BY {', '.join(order)}")  # noqa: S608 - our own names
            names = [column[0] for column in found.description]
            for values in found:
                yield dict(zip(names, values, strict=True))

    def load(self, table: str, rows: Iterator[Row]) -> int:
        count = 0
        self._enter()
        with self._translating:
            for row in rows:
                count += 1
                names = ", ".join(row)
                places = ", ".join(f":{name}" for name in row)
                self._link.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", row)  # noqa: S608 - our own names
        return count

    def close(self) -> None:
        _OPEN.discard(self)
        self._link.close()
        if self._gate:
            self._gate.close()


def _identity(path: str) -> tuple[int, int] | None:
    """Which file lies there, if any: by name alone one that was put in its place looks the same."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _size(path: str) -> int | None:
    try:
        return os.stat(path).st_size
    except OSError:
        return None


def _part_from_parent() -> None:
    for engine in list(_OPEN):
        engine.part()


os.register_at_fork(after_in_child=_part_from_parent)


@cache
def _wide(name: str) -> str:
    """A statement that adds one row, for WIDE of them: a row then takes three fifths of the time."""
    head, values = named(Sqlite.name, name).split("VALUES ")
    return f"{head}VALUES {', '.join([values] * WIDE)}"


def _joined(rows: Sequence[tuple[Any, ...]]) -> Iterator[list[Any]]:
    """The columns of WIDE rows after one another."""
    for at in range(0, len(rows), WIDE):
        yield list(chain.from_iterable(rows[at : at + WIDE]))


def _rows(found: sqlite3.Cursor) -> list[Row]:
    if found.description is None:  # a statement that tells nothing
        return []
    names = [column[0] for column in found.description]
    return [dict(zip(names, values, strict=False)) for values in found]
