"""The one module that names concrete classes: read it top to bottom to see what a command uses."""

import os
from collections.abc import Callable
from hashlib import blake2b
from typing import TYPE_CHECKING

from drumline.control import ports, roster
from drumline.errors import BadInput, Unknown
from drumline.settings import Settings
from drumline.store.engine import Engine, WallClock
from drumline.team.member import HUMAN, Member
from drumline.team.rights import CONSTITUTIONS

if TYPE_CHECKING:  # most commands never look at the team's files
    from drumline.control import files

LONGEST_MANIFEST = 1_000_000  # more than a manifest may have: reading it is then refused


def open_engine(url: str) -> Engine:
    """The database behind a URL."""
    if url.startswith("sqlite:///"):
        from drumline.store.sqlite import Sqlite  # noqa: PLC0415 - only the engine in use is loaded

        path, _, durability = url.removeprefix("sqlite:///").partition("?durability=")
        return Sqlite(path, WallClock(), durable=durability == "full")
    if url.startswith(("postgresql://", "postgres://")):
        from drumline.store.postgres import Postgres  # noqa: PLC0415 - as above

        return Postgres(url)
    raise BadInput(
        f"{url[:80]!r} is not the URL of a store",
        next="sqlite:///PATH or postgresql://USER@HOST/DATABASE",
    )


def open_store(settings: Settings) -> ports.Store:
    """This repository's team, as the store knows it; what the manifest newly says is taken over."""
    from drumline.store.database import Database  # noqa: PLC0415 - as above
    from drumline.store.migrations import require_current  # noqa: PLC0415 - as above

    engine = open_engine(settings.store)
    require_current(engine, upgrade=engine.name == "sqlite")
    known = _known_team(engine, settings)
    if known is None:
        known = _register(engine, settings, joining=False)
    return Database(engine, known)


def register_team(settings: Settings, *, joining: bool = False) -> str:
    """Found the manifest's team on its store, or join it there; the team's name."""
    from drumline.store.migrations import require_current  # noqa: PLC0415 - as above

    engine = open_engine(settings.store)
    try:
        require_current(engine, upgrade=engine.name == "sqlite")
        return _register(engine, settings, joining=joining)
    finally:
        engine.close()


def open_upkeep(url: str) -> ports.Upkeep:
    """The store as a whole, whatever its schema."""
    from drumline.store.upkeep import Caretaker  # noqa: PLC0415 - as above

    return Caretaker(open_engine(url))


def team_files(settings: Settings) -> "files.TeamFiles":
    """What the repository says about its team."""
    from drumline.store.worktree import Worktree  # noqa: PLC0415 - as above

    return Worktree(settings.root, settings.manifest)


def repository(settings: Settings) -> "files.Repository":
    """The repository as a place for new files."""
    from drumline.store.worktree import Worktree  # noqa: PLC0415 - as above

    return Worktree(settings.root, settings.manifest)


def exists_in(settings: Settings) -> Callable[[str], bool]:
    """Whether a path, relative to the repository, is there."""
    return lambda path: (settings.root / path).exists()


def operator() -> str:
    """The person at the terminal: the user the operating system knows."""
    import pwd  # noqa: PLC0415 - as above

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
    from drumline.store.database import Database  # noqa: PLC0415 - as above
    from drumline.store.manifests import read_manifest  # noqa: PLC0415 - a changed manifest pays for YAML

    digest = _digest(settings)
    manifest = read_manifest(settings.manifest, settings.root)
    members = [
        Member(
            name=member.name,
            lead=member.name == manifest.lead,
            profile=member.profile or "",
            runtime=member.runtime,
            model=member.model,
        )
        for member in manifest.members
    ]
    if manifest.lead == HUMAN:
        members.append(Member(name=HUMAN, lead=True, runtime=HUMAN))
    said = roster.Registration(
        constitution=CONSTITUTIONS[manifest.constitution],
        members=tuple(members),
        home=_home(settings),
        digest=digest,
        settings={"lease-by-hand": manifest.settings.lease_by_hand.total_seconds()},
    )
    Database(engine, manifest.team).do(roster.register, said, joining=joining)
    return manifest.team


def _home(settings: Settings) -> str:
    return f"{os.uname().nodename}:{settings.root}"


def _digest(settings: Settings) -> str:
    try:
        with settings.manifest.open("rb") as file:
            return blake2b(file.read(LONGEST_MANIFEST), digest_size=16).hexdigest()
    except OSError as error:
        raise Unknown(
            f"the manifest {settings.manifest} cannot be read",
            why=error.strerror or "",
            next="drumline init",
        ) from error
