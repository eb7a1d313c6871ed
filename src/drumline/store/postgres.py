"""PostgreSQL: the same promises under many hosts."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain
from typing import Any
from uuid import uuid4

from drumline.errors import StoreTrouble
from drumline.store.engine import Call, Clock, Row, instant, micros
from drumline.store.queries import pyformat, statements

try:
    import psycopg
    import psycopg.sql
    from psycopg.rows import dict_row
except ImportError as missing:
    raise StoreTrouble(
        "PostgreSQL support is not installed",
        why=str(missing),
        next="pip install 'drumline[postgres]'",
    ) from missing

FOLLOW = 30_000_000
_DRAWN = {"messages": "id", "events": "seq"}
SCHEMA_LOCK = 0x6472756D  # "drum", one migration at a time per database


class Postgres:
    """One connection to one database; several statements travel together where they can."""

    name = "postgres"

    def __init__(self, url: str, clock: Clock | None = None) -> None:
        self._clock = clock
        self._follower = f"{uuid4()}"
        self._following = ""
        self._now = 0
        self._sql = {
            name: pyformat(text, database_clock=clock is None)
            for name, text in statements(self.name).items()
        }
        self._url = url
        self._link = self._connect()

    def _connect(self) -> psycopg.Connection[Row]:
        try:
            link = psycopg.connect(self._url, row_factory=dict_row, prepare_threshold=2)
        except psycopg.Error as error:
            raise _trouble(error, "cannot be reached") from error
        self._following = ""
        return link

    def begin(self, *, writing: bool, durable: bool = False) -> None:  # noqa: ARG002 - every commit is durable here
        if self._link.broken:  # the server went away between two verbs: nothing of ours was open
            self._link = self._connect()
        level = "READ_COMMITTED" if writing else "REPEATABLE_READ"
        wanted = psycopg.IsolationLevel[level]
        if self._link.isolation_level is not wanted:
            self._link.isolation_level = wanted
        if self._clock:
            self._now = micros(self._clock.now())

    def run(self, name: str, parameters: dict[str, Any]) -> list[Row]:
        return self.batch([(name, parameters)])[0]

    def batch(self, calls: Sequence[Call]) -> list[list[Row]]:
        """Send all, then read all: one round trip, with BEGIN on board when it is the first."""
        try:
            with self._link.pipeline():
                cursors = [self._send(name, parameters) for name, parameters in calls]
            return [cursor.fetchall() if cursor.description else [] for cursor in cursors]
        except psycopg.Error as error:
            raise self._translated(error) from error

    def _send(self, name: str, parameters: dict[str, Any]) -> psycopg.Cursor[Row]:
        parameters["now"] = self._now
        return self._link.execute(self._sql[name], parameters)

    def commit(self, last: Sequence[Call] = ()) -> None:
        """The last statements and COMMIT in one round trip."""
        try:
            with self._link.pipeline():
                for name, parameters in last:
                    self._send(name, parameters)
                if last:
                    self._send("notify_followers", {"team": last[0][1]["team"]})
                self._link.commit()
        except psycopg.Error as error:
            raise self._translated(error) from error

    def rollback(self) -> None:
        if not self._link.closed:
            self._link.rollback()

    def now(self) -> datetime:
        if self._clock:
            return self._clock.now()
        found = self._link.execute(
            "SELECT (extract(epoch FROM transaction_timestamp()) * 1000000)::bigint AS at"
        ).fetchone()
        return instant(found["at"] if found else 0)

    def script(self, statements: Sequence[str]) -> None:
        for statement in statements:
            self._link.execute(statement)

    def schema_lock(self) -> None:
        self._link.execute("SELECT pg_advisory_xact_lock(%s)", (SCHEMA_LOCK,))

    def tables(self) -> set[str]:
        found = self._link.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = ANY (current_schemas(false))"
        )
        return {row["tablename"] for row in found}

    def conflict(self, error: Exception) -> bool:
        """Whether doing it again from the start is the remedy."""
        cause = error.__cause__
        return isinstance(
            cause, psycopg.errors.DeadlockDetected | psycopg.errors.SerializationFailure
        )

    def changed(self, team: str, seconds: float) -> bool:
        """Wait for a hint that something was written, at most `seconds`."""
        if self._following != team:
            self._link.execute("LISTEN drumline")
            self._link.commit()
            self._following = team
        self.begin(writing=True)
        self.run("follow", {"team": team, "name": self._follower, "lease": FOLLOW})
        self.commit()
        for hint in self._link.notifies(timeout=seconds, stop_after=1):
            return hint.payload == team
        return False

    def integrity(self) -> list[str]:
        return []  # the server keeps its own pages; our rows are checked by `store check`

    def scan(self, table: str, order: Sequence[str]) -> Iterator[Row]:
        columns = psycopg.sql.SQL(", ").join(map(psycopg.sql.Identifier, order))
        query = psycopg.sql.SQL("SELECT * FROM {} ORDER BY {}")
        with self._link.cursor(name=f"scan_{table}") as cursor:
            yield from cursor.execute(query.format(psycopg.sql.Identifier(table), columns))

    def load(self, table: str, rows: Iterator[Row]) -> int:
        first = next(rows, None)
        if first is None:
            return 0
        columns = psycopg.sql.SQL(", ").join(map(psycopg.sql.Identifier, first))
        query = psycopg.sql.SQL("COPY {} ({}) FROM STDIN")
        count = 0
        with self._link.cursor().copy(query.format(psycopg.sql.Identifier(table), columns)) as copy:
            for row in chain([first], rows):
                count += 1
                copy.write_row(list(row.values()))
        self._catch_up(table)
        return count

    def _catch_up(self, table: str) -> None:
        """Let the next number drawn be above every number brought in."""
        if column := _DRAWN.get(table):
            query = psycopg.sql.SQL(
                "SELECT setval(pg_get_serial_sequence({}, {}), (SELECT max({}) FROM {}))"
            )
            name = psycopg.sql.Identifier(column)
            self._link.execute(query.format(table, column, name, psycopg.sql.Identifier(table)))

    def close(self) -> None:
        if self._following and not self._link.closed and not self._link.broken:
            self.begin(writing=True)
            self.run("unfollow", {"team": self._following, "name": self._follower})
            self.commit()
        self._link.close()

    def _translated(self, error: psycopg.Error) -> StoreTrouble:
        return _trouble(error, "refused a statement")


def _trouble(error: psycopg.Error, what: str) -> StoreTrouble:
    return StoreTrouble(
        f"the PostgreSQL store {what}",
        why=str(error).splitlines()[0] if str(error) else type(error).__name__,
        next="check the server and the URL of the store, then: drumline store check",
    )
