"""The one place that names concrete classes: read it top to bottom to see what a command uses.

Adapters are imported where they are made: a command pays only for what it uses.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from zlib import crc32

from drumline.errors import BadInput, NotAllowed, Refused, Unknown
from drumline.settings import Settings
from drumline.store.engine import Engine, WallClock
from drumline.wiring.home import (
    has_moved,
    home_of,
    is_of_this_manifest,
    note_manifest,
    place_of,
    refuse_copy,
    state_folder,
)

if TYPE_CHECKING:
    from drumline.control import ports
    from drumline.store.engine import Row
    from drumline.store.worktree import Worktree
    from drumline.team.manifest import Manifest

Inside = Callable[[], Mapping[str, int | None]]  # in whose processes we run, in which lives

LONGEST_MANIFEST = 1_000_000  # more than a manifest may have: reading it is then refused


def open_engine(url: str, *, create: bool = True) -> Engine:
    """The database behind a URL."""
    if url.startswith("sqlite:///"):
        from drumline.store.sqlite import Sqlite

        path, _, wish = url.removeprefix("sqlite:///").partition("?")
        if path in {"", ":memory:"}:
            raise BadInput("a store needs a file", next="name one: sqlite:///PATH")
        if wish not in {"", "durability=full"}:
            raise BadInput(
                f"{wish[:80]!r} is not a wish a store knows", next="say ?durability=full"
            )
        return Sqlite(path, WallClock(), durable=bool(wish), create=create)
    if url.startswith(("postgresql://", "postgres://")):
        from drumline.store.postgres import Postgres

        return Postgres(url)
    raise BadInput(
        f"{url.partition(':')[0][:20]!r} is not a kind of store",
        next="sqlite:///PATH or postgresql://USER@HOST/DATABASE",
    )


def open_store(settings: Settings, *, reading: bool = False, inside: Inside = dict) -> ports.Store:
    """This repository's team, as the store knows it.

    What the manifest newly says is taken over by the next command that changes something and is a
    person's or the present lead's.
    """
    from drumline.store.database import Database
    from drumline.store.migrations import require_current

    if settings.fresh:
        _refuse_founding(manifest_of(settings), inside)  # a store is made only for a sound team
        state_folder(settings)
    engine = open_engine(settings.store)
    try:
        require_current(engine, upgrade=engine.name == "sqlite")
        known = _known_team(engine, settings) or _team_as_it_was(
            engine, settings, inside, reading=reading
        )
        return Database(engine, known or _register(engine, settings, joining=False))
    except BaseException:
        engine.close()
        raise


def open_as_it_was(settings: Settings) -> ports.Store:
    """This repository's team as the store last knew it, whatever its manifest says."""
    from drumline.store.database import Database
    from drumline.store.migrations import require_current

    engine = open_engine(settings.store, create=False)
    try:
        require_current(engine, upgrade=False)
        team = _last_team(engine, settings)
        _leave_behind(engine, settings, team)
        return Database(engine, team)
    except BaseException:
        engine.close()
        raise


def open_again(settings: Settings, team: str) -> ports.Store:
    """A team's store once more, for another thread of a process that has it open."""
    from drumline.store.database import Database

    return Database(open_engine(settings.store, create=False), team)


def open_left(settings: Settings, team: str) -> list[ports.Store]:
    """The stores of the teams that this manifest named before it named this one."""
    from drumline.store.database import Database

    if settings.fresh:
        return []
    engine = open_engine(settings.store, create=False)
    try:
        rows = _ask(engine, "teams_of_home", home=home_of(settings))
        named = [str(row["team"]) for row in rows if row["team"] != team]
        left = [each for each in named if is_of_this_manifest(settings, each)]
        for each in left:
            _leave_behind(engine, settings, each)
    finally:
        engine.close()
    return [Database(open_engine(settings.store, create=False), each) for each in left]


def refuse_taken(settings: Settings, team: str, *, joining: bool = False) -> None:
    """Refuse a store that cannot be used, or a team's name that another repository has there."""
    from drumline.control.registration import taken
    from drumline.store.migrations import version

    if settings.fresh:
        return
    engine = open_engine(settings.store)
    try:
        known = _ask(engine, "list_homes", team=team) if version(engine)[0] else []
        if known and not _is_among(settings, known) and not joining:
            raise taken(team, [str(row["place"]) for row in known])
    finally:
        engine.close()


def register_team(settings: Settings, *, joining: bool = False) -> str:
    """Found the manifest's team on its store, or join it there; the team's name."""
    from drumline.store.migrations import require_current

    manifest_of(settings)
    state_folder(settings)
    engine = open_engine(settings.store)
    try:
        require_current(engine, upgrade=engine.name == "sqlite")
        return _register(engine, settings, joining=joining)
    finally:
        engine.close()


def open_upkeep(
    url: str, tell: Callable[[str], None] = lambda _: None, *, create: bool
) -> ports.Upkeep:
    """The store as a whole, whatever its schema; `tell` hears what is done to it."""
    from drumline.store.upkeep import Caretaker

    return Caretaker(open_engine(url, create=create), tell)


def worktree(settings: Settings) -> Worktree:
    """The repository's own files: what they say of the team, and a place for new ones."""
    from drumline.store.worktree import Worktree

    return Worktree(settings.root, settings.manifest)


def exists_in(settings: Settings) -> Callable[[str], bool]:
    """Whether a path, relative to the repository, is there."""
    return lambda path: os.path.exists(os.path.join(settings.root, path))


def unshared(settings: Settings) -> int:
    """How many commits of the user's own the team's branch has not; none while there is no such branch."""
    if not _may_have_merged(settings):
        return 0
    from contextlib import suppress
    from pathlib import Path

    from drumline.runtimes.bringing import users_commit
    from drumline.runtimes.git import git
    from drumline.runtimes.merging import MERGED, standing

    repository = Path(settings.state_root)
    with suppress(Refused):
        if (team := standing(repository, MERGED)) and (own := users_commit(repository)):
            # a merge is no work of its own: of a run that was delivered the team has all
            words = ("rev-list", "--count", "--no-merges", own, "--not", team, "--")
            return int(git(repository, *words))
    return 0


def _may_have_merged(settings: Settings) -> bool:
    """Whether git is worth asking, which costs every look at the team as much as the look itself."""
    folder = os.path.join(settings.state_root, ".git")
    signs = ("refs/heads/drumline/merged", "reftable")  # a branch, or a form that only git reads
    if any(os.path.exists(os.path.join(folder, sign)) for sign in signs):
        return True
    try:
        with open(os.path.join(folder, "packed-refs"), "rb") as file:
            return b" refs/heads/drumline/merged\n" in file.read()
    except FileNotFoundError:
        return False
    except OSError:  # .git is a file, say: where the branches are git knows
        return True


def operator() -> str:
    """The person at the terminal: the user the operating system knows."""
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"uid-{os.getuid()}"


def _known_team(engine: Engine, settings: Settings) -> str | None:
    """The team this manifest, as it is now and where it is now, was registered for."""
    found = _ask(engine, "find_home", home=home_of(settings), digest=_digest(settings))
    for row in found:
        refuse_copy(settings, row["place"])
    return next((row["team"] for row in found if not has_moved(settings, row["place"])), None)


def _last_team(engine: Engine, settings: Settings) -> str:
    """The team this manifest named last; where that was never noted, the one that joined last."""
    rows = _ask(engine, "teams_of_home", home=home_of(settings))
    own = [row for row in rows if is_of_this_manifest(settings, row["team"])]
    for row in own or rows:
        refuse_copy(settings, row["place"])
        return str(row["team"])
    raise Unknown("no team of this repository is known", next="drumline team check")


def _founded_team(engine: Engine, settings: Settings) -> str | None:
    """The team a changed manifest names, if this repository is on it already."""
    team = manifest_of(settings).team
    return team if _is_among(settings, _ask(engine, "list_homes", team=team)) else None


def _team_as_it_was(
    engine: Engine, settings: Settings, inside: Inside, *, reading: bool
) -> str | None:
    """The team without what the manifest newly says, for those who are not to bring it."""
    founded = _founded_team(engine, settings)
    if founded is None:
        _refuse_founding(manifest_of(settings), inside)
        return None
    return founded if reading or not _may_take_over(engine, founded, inside) else None


def _refuse_founding(manifest: Manifest, inside: Inside) -> None:
    if members := inside():
        raise NotAllowed(
            f"{', '.join(sorted(members))} cannot found team {manifest.team}",
            why="a team is a person's to make, and it is not on this store yet",
            next="ask the person at the terminal: drumline init",
        )


def _is_among(settings: Settings, homes: list[Row]) -> bool:
    """Whether this repository, and not one it was copied from, is one of a team's homes."""
    own = [row for row in homes if row["home"] == home_of(settings)]
    for row in own:
        refuse_copy(settings, row["place"])
    return bool(own)


def _may_take_over(engine: Engine, team: str, inside: Inside) -> bool:
    from drumline.control.registration import may_take_over
    from drumline.store.database import Database

    return Database(engine, team).ask(may_take_over, inside())


def _ask(engine: Engine, statement: str, **parameters: str) -> list[Row]:
    engine.begin(writing=False)
    try:
        return engine.run(statement, dict(parameters))
    finally:
        engine.rollback()


def _register(engine: Engine, settings: Settings, *, joining: bool) -> str:
    from drumline.control import registration
    from drumline.store.database import Database

    digest = _digest(settings)
    manifest = manifest_of(settings)
    said = registration.said_by(
        manifest, home=home_of(settings), place=place_of(settings), digest=digest
    )
    _leave_behind(engine, settings, manifest.team)
    Database(engine, manifest.team).do(registration.register, said, joining=joining)
    note_manifest(settings, manifest.team)
    return manifest.team


def _leave_behind(engine: Engine, settings: Settings, team: str) -> None:
    """Whoever copies a folder has its board as it was, and nobody of the original at work on it."""
    from drumline.control import lives
    from drumline.store.database import Database
    from drumline.wiring.machine import host
    from drumline.wiring.planes import own_door

    if settings.own_store:
        Database(engine, team).do(lives.leave_behind, host(), own_door(settings, team))


def manifest_of(settings: Settings) -> Manifest:
    """What the repository's manifest says now."""
    from drumline.store.manifests import read_manifest

    return read_manifest(settings.ruling_manifest, settings.root)


def _digest(settings: Settings) -> str:
    try:
        with open(settings.ruling_manifest, "rb") as file:
            text = file.read(LONGEST_MANIFEST)
        return f"{crc32(text):08x}-{len(text)}"  # notices an edit; hashlib costs each command 3 ms
    except OSError as error:
        raise Unknown(
            f"the manifest {settings.ruling_manifest} cannot be read",
            why=error.strerror or "",
            next="drumline init",
        ) from error
