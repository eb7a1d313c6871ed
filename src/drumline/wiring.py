"""The one module that names concrete classes: read it top to bottom to see what a command uses.

Adapters are imported where they are made: a command pays only for what it uses.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING
from zlib import crc32

from drumline.errors import BadInput, Unknown
from drumline.settings import Settings
from drumline.store.engine import Engine, WallClock

if TYPE_CHECKING:
    from drumline.control import files, ports

LONGEST_MANIFEST = 1_000_000  # more than a manifest may have: reading it is then refused


def open_engine(url: str) -> Engine:
    """The database behind a URL."""
    if url.startswith("sqlite:///"):
        from drumline.store.sqlite import Sqlite

        path, _, durability = url.removeprefix("sqlite:///").partition("?durability=")
        return Sqlite(path, WallClock(), durable=durability == "full")
    if url.startswith(("postgresql://", "postgres://")):
        from drumline.store.postgres import Postgres

        return Postgres(url)
    raise BadInput(
        f"{url[:80]!r} is not the URL of a store",
        next="sqlite:///PATH or postgresql://USER@HOST/DATABASE",
    )


def open_store(settings: Settings) -> ports.Store:
    """This repository's team, as the store knows it; what the manifest newly says is taken over."""
    from drumline.store.database import Database
    from drumline.store.migrations import require_current

    engine = open_engine(settings.store)
    require_current(engine, upgrade=engine.name == "sqlite")
    known = _known_team(engine, settings)
    if known is None:
        known = _register(engine, settings, joining=False)
    return Database(engine, known)


def register_team(settings: Settings, *, joining: bool = False) -> str:
    """Found the manifest's team on its store, or join it there; the team's name."""
    from drumline.store.migrations import require_current

    engine = open_engine(settings.store)
    try:
        require_current(engine, upgrade=engine.name == "sqlite")
        return _register(engine, settings, joining=joining)
    finally:
        engine.close()


def open_upkeep(url: str) -> ports.Upkeep:
    """The store as a whole, whatever its schema."""
    from drumline.store.upkeep import Caretaker

    return Caretaker(open_engine(url))


def team_files(settings: Settings) -> files.TeamFiles:
    """What the repository says about its team."""
    from drumline.store.worktree import Worktree

    return Worktree(settings.root, settings.manifest)


def repository(settings: Settings) -> files.Repository:
    """The repository as a place for new files."""
    from drumline.store.worktree import Worktree

    return Worktree(settings.root, settings.manifest)


def exists_in(settings: Settings) -> Callable[[str], bool]:
    """Whether a path, relative to the repository, is there."""
    return lambda path: os.path.exists(os.path.join(settings.root, path))


def operator() -> str:
    """The person at the terminal: the user the operating system knows."""
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"uid-{os.getuid()}"


def _known_team(engine: Engine, settings: Settings) -> str | None:
    engine.begin(writing=False)
    try:
        home = {"home": _home(settings), "digest": _digest(settings)}
        rows = engine.run("find_home", home)
    finally:
        engine.rollback()
    return str(rows[0]["team"]) if rows else None


def _register(engine: Engine, settings: Settings, *, joining: bool) -> str:
    from drumline.control import registration
    from drumline.store.database import Database
    from drumline.store.manifests import read_manifest

    digest = _digest(settings)
    manifest = read_manifest(settings.manifest, settings.root)
    said = registration.said_by(manifest, home=_home(settings), digest=digest)
    Database(engine, manifest.team).do(registration.register, said, joining=joining)
    return manifest.team


def _home(settings: Settings) -> str:
    return f"{os.uname().nodename}:{settings.root}"


def _digest(settings: Settings) -> str:
    try:
        with open(settings.manifest, "rb") as file:
            text = file.read(LONGEST_MANIFEST)
        return (
            f"{crc32(text):08x}-{len(text)}"  # to notice an edit; hashlib costs every command 3 ms
        )
    except OSError as error:
        raise Unknown(
            f"the manifest {settings.manifest} cannot be read",
            why=error.strerror or "",
            next="drumline init",
        ) from error
