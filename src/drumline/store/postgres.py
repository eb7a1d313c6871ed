"""PostgreSQL: the same promises under many hosts."""

import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime
from functools import cache
from itertools import chain
from typing import Any
from uuid import uuid4

from drumline.errors import StoreTrouble
from drumline.store.engine import Call, Clock, Row, instant, micros, not_text
from drumline.store.queries import named, pyformat

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

OLDEST = 130_000  # xid8
PATIENCE = 10
FOLLOW = 60.0
FEW = 100  # rows that are read at once
SCHEMA_LOCK = 0x6472756D  # "drum", one migration at a time per database
_DRAWN = {"messages": "id", "events": "seq"}
_DRIVER = (psycopg.Error, IndexError, AssertionError)  # an interrupted pipeline loses count
_BEGIN = {  # whoever waited for a lock must see what its holder did, whatever the server's default is
    True: "BEGIN ISOLATION LEVEL READ COMMITTED",
    False: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
}


@cache
def _spelled(name: str, database_clock: bool) -> str:  # noqa: FBT001 - it is part of a key
    return pyformat(named(Postgres.name, name), database_clock=database_clock)


@cache
def _with_event(name: str, database_clock: bool) -> str:  # noqa: FBT001 - as above
    """A change and its event as one statement."""
    whole = named(Postgres.name, "with_event").replace("{statement}", named(Postgres.name, name))
    return pyformat(whole, database_clock=database_clock)


class Postgres:
    """One connection to one database.

    BEGIN travels with the first statement and COMMIT with the last, and a verb that is one statement
    needs neither.
    """

    name = "postgres"
    gapless = False

    def __init__(self, url: str, clock: Clock | None = None) -> None:
        self._clock = clock
        self._url = url
        self._begin = _BEGIN[True]
        self._open = False
        self._now = 0
        self._follower = f"{uuid4()}"
        self._following = ("", 0.0)
        self._process = os.getpid()
        self._parents: list[
            psycopg.Connection[Row]
        ] = []  # kept: dropping one would end the parent's
        self._cursor: psycopg.Cursor[Row] | None = None
        self._link = self._connect()

    def _sql(self, name: str) -> str:
        return _spelled(name, self._clock is None)

    def _connect(self) -> psycopg.Connection[Row]:
        with _reaching:
            link = psycopg.connect(
                self._url,
                row_factory=dict_row,
                prepare_threshold=2,
                autocommit=True,
                connect_timeout=PATIENCE,
            )
            # planning these statements takes longer than running them, and one plan fits all
            link.execute("SET plan_cache_mode = force_generic_plan")
        if link.info.server_version < OLDEST:
            link.close()
            raise StoreTrouble(
                "the PostgreSQL server is too old",
                why=f"it is version {link.info.server_version // 10_000}, Drumline needs 13 or later",
                next="use a newer server",
            )
        self._following = ("", 0.0)
        return link

    def begin(self, *, writing: bool, durable: bool = False) -> None:  # noqa: ARG002 - every commit is durable here
        if self._process != os.getpid():  # after a fork the old link is the parent's
            self._parents.append(self._link)
            self._process, self._link = os.getpid(), self._connect()
        if not self._idle():  # the server went away between two verbs, or an end was interrupted
            self._link.close()
            self._link = self._connect()
        self._begin, self._open = _BEGIN[writing], False
        if self._clock:
            self._now = micros(self._clock.now())

    def run(self, name: str, parameters: dict[str, Any]) -> list[Row]:
        if not self._open:
            return self.batch([(name, parameters)])[0]  # with its BEGIN in one round trip
        return self._ask(self._sql(name), parameters)

    def batch(self, calls: Sequence[Call]) -> list[list[Row]]:
        """Send all, then read all: one round trip."""
        with _translating:
            with self._link.pipeline():
                self._enter()
                cursors = [self._send(self._sql(name), given) for name, given in calls]
            return [_rows(cursor) for cursor in cursors]

    def fill(self, name: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Add many rows, each with the columns that the statement names: by COPY, which takes least a row."""
        with _translating:
            self._enter()
            with self._link.cursor().copy(named(self.name, name).encode()) as copy:
                for row in rows:
                    copy.write_row(row)

    def at_once(self, name: str, parameters: dict[str, Any], *, alone: bool) -> list[Row]:
        """A change and its event as one statement; as a part of more it would keep the row it only looked at."""
        if self._open or not alone:
            return []
        with self._deciding:
            said = self._ask(_with_event(name, self._clock is None), parameters)
        return [row for each in said for _, row in json.loads(each["changes"])]

    def _enter(self) -> None:
        if not self._open:
            self._link.execute(self._begin)
            self._open = True

    def _ask(self, statement: str, parameters: dict[str, Any]) -> list[Row]:
        """Answers that are read before the next question share a cursor: to make one takes a while."""
        with _translating:
            if self._cursor is None or self._cursor.connection is not self._link:
                self._cursor = self._link.cursor()
            return _rows(self._send(statement, parameters, self._cursor))

    def _send(
        self, statement: str, parameters: dict[str, Any], cursor: psycopg.Cursor[Row] | None = None
    ) -> psycopg.Cursor[Row]:
        parameters["now"] = self._now
        return (cursor or self._link).execute(statement, parameters)

    def commit(self, last: Sequence[Call] = ()) -> None:
        """The last statements and COMMIT in one round trip."""
        if not self._open and not last:
            return
        with self._deciding if last else nullcontext(), _translating, self._link.pipeline():
            self._enter()
            for name, parameters in last:
                self._send(self._sql(name), parameters)
            if last:
                self._send(self._sql("notify_followers"), {"team": last[0][1]["team"]})
            self._link.execute("COMMIT")
        self._open = False

    @property
    @contextmanager
    def _deciding(self) -> Iterator[None]:
        """A link that is lost while the server decides leaves open what it has decided: that is told."""
        try:
            yield
        except StoreTrouble as trouble:
            if self._link.pgconn.status == psycopg.pq.ConnStatus.OK:
                raise
            raise StoreTrouble(
                "the PostgreSQL store went away amid a change: it is stored, or it is not",
                why=trouble.why,
                next="look before you do it again: drumline events",
            ) from trouble.__cause__

    def rollback(self) -> None:
        """Undo what is open; a link that cannot is closed, and so is its transaction."""
        self._open = False
        try:
            if self._link.pgconn.pipeline_status == psycopg.pq.PipelineStatus.OFF:
                with suppress(psycopg.Error):
                    self._end()
        finally:
            if not self._idle():
                self._link.close()

    def _end(self) -> None:
        """Leave what is open; at a ROLLBACK the driver forgets all it prepared, and a question needs none."""
        whole = self._link.pgconn.transaction_status == psycopg.pq.TransactionStatus.INTRANS
        if whole and self._begin == _BEGIN[False]:
            self._link.commit()
        else:
            self._link.rollback()

    def _idle(self) -> bool:
        """Whether a verb may begin on this link: an interrupted one can leave answers on the way."""
        link = self._link.pgconn
        return (
            link.status == psycopg.pq.ConnStatus.OK
            and link.pipeline_status == psycopg.pq.PipelineStatus.OFF
            and link.transaction_status == psycopg.pq.TransactionStatus.IDLE
        )

    def now(self) -> datetime:
        if self._clock:
            return self._clock.now()
        with _translating:
            found = self._link.execute(
                "SELECT (extract(epoch FROM transaction_timestamp()) * 1000000)::bigint AS at"
            ).fetchone()
        return instant(found["at"] if found else 0)

    def script(self, statements: Sequence[str]) -> None:
        with _translating:
            self._enter()
            for statement in statements:
                self._link.execute(statement)

    def schema_lock(self) -> None:
        with _translating:
            self._enter()
            self._link.execute("SELECT pg_advisory_xact_lock(%s)", (SCHEMA_LOCK,))

    def hold(self, tables: Sequence[str]) -> None:
        """Let nobody else write to these tables before this transaction ends."""
        names = psycopg.sql.SQL(", ").join(map(psycopg.sql.Identifier, tables))
        with _translating:
            self._enter()
            self._link.execute(psycopg.sql.SQL("LOCK TABLE {} IN EXCLUSIVE MODE").format(names))

    def tables(self) -> set[str]:
        with _translating:
            found = self._link.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = ANY (current_schemas(false))"
            )
            return {row["tablename"] for row in found}

    def conflict(self, error: Exception) -> bool:
        """Whether doing it again from the start is the remedy."""
        again = (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)
        return isinstance(error.__cause__, again)

    def changed(self, team: str, seconds: float) -> bool:
        """Wait for a hint that something was written, at most `seconds`."""
        self.begin(writing=True)
        if self._following[0] != team:
            self._follow(team, seconds)
            return True  # something may have been written before we listened
        if time.monotonic() > self._following[1]:
            self._follow(team, seconds)
        with _translating:
            hints = self._link.notifies(timeout=seconds, stop_after=1)
            return any(hint.payload == team for hint in hints)

    def _follow(self, team: str, seconds: float) -> None:
        """Ask to be told, for longer than the next wait."""
        span = FOLLOW + seconds
        self.script(["LISTEN drumline"])
        lease = int(span * 1_000_000)
        self.run("follow", {"team": team, "name": self._follower, "lease": lease})
        self.commit()
        self._following = (team, time.monotonic() + FOLLOW / 2)

    def integrity(self) -> list[str]:
        return []  # the server keeps its own pages; our rows are checked by `store check`

    def scan(self, table: str, order: Sequence[str]) -> Iterator[Row]:
        columns = psycopg.sql.SQL(", ").join(map(psycopg.sql.Identifier, order))
        form = psycopg.sql.SQL("SELECT * FROM {} ORDER BY {}")
        query = form.format(psycopg.sql.Identifier(table), columns)
        with _translating:
            self._enter()
            few = self._link.execute(query + psycopg.sql.SQL(f" LIMIT {FEW + 1}")).fetchall()
            if len(few) <= FEW:  # as in most tables: a cursor would take three round trips more
                yield from few
                return
            with self._link.cursor(name=f"scan_{table}") as cursor:
                yield from cursor.execute(query)

    def load(self, table: str, rows: Iterator[Row]) -> int:
        first = next(rows, None)
        if first is None:
            return 0
        columns = psycopg.sql.SQL(", ").join(map(psycopg.sql.Identifier, first))
        query = psycopg.sql.SQL("COPY {} ({}) FROM STDIN")
        name = psycopg.sql.Identifier(table)
        count = 0
        with _translating:
            self._enter()
            with self._link.cursor().copy(query.format(name, columns)) as copy:
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
        if self._following[0] and not self._link.closed:
            with suppress(StoreTrouble):  # who stops listening is forgotten in a minute anyway
                self.begin(writing=True)
                self.run("unfollow", {"team": self._following[0], "name": self._follower})
                self.commit()
        self._link.close()


def _rows(cursor: psycopg.Cursor[Row]) -> list[Row]:
    result = cursor.pgresult
    return cursor.fetchall() if result and result.nfields else []


def _interrupt(error: BaseException | None) -> BaseException | None:
    """What stopped the driver, when its own complaint only comes after that."""
    while isinstance(error, Exception):
        error = error.__context__
    return error


class _Translating:
    """Says a server's trouble in our words; a plain class, since every statement passes through it."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, _: object, error: BaseException | None, *__: object) -> None:
        if isinstance(error, UnicodeError):
            raise not_text() from error
        if isinstance(error, _DRIVER):
            if interrupt := _interrupt(error):
                raise interrupt
            raise StoreTrouble(
                f"the PostgreSQL store {self._what}",
                why=str(error).splitlines()[0] if str(error) else type(error).__name__,
                next="check the server, the URL of the store and what its user may do there",
            ) from error


_translating = _Translating("refused a statement")
_reaching = _Translating("cannot be reached")
