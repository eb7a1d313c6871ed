"""The one module that names concrete classes: read it top to bottom to see what a command uses.

Adapters are imported where they are made: a command pays only for what it uses.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from zlib import crc32

from drumline.errors import BadInput, StoreTrouble, Unknown
from drumline.settings import Settings
from drumline.store.engine import Engine, WallClock

if TYPE_CHECKING:
    from drumline.control import coverage as proofs
    from drumline.control import ports
    from drumline.control.policy import PolicyFiles
    from drumline.control.scan import Changes
    from drumline.control.trail import Trail
    from drumline.store.engine import Row
    from drumline.store.worktree import Worktree
    from drumline.team.confinement import Confinement
    from drumline.team.layer import Layer
    from drumline.team.manifest import Manifest
    from drumline.team.request_result import Ended

LONGEST_SCAN = 600.0  # seconds
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


def open_store(settings: Settings, *, reading: bool = False) -> ports.Store:
    """This repository's team, as the store knows it.

    What the manifest newly says is taken over by the next command that changes something.
    """
    from drumline.store.database import Database
    from drumline.store.migrations import require_current

    if settings.fresh:
        _manifest(settings)  # a store is made only for a team whose manifest is sound
        _state_folder(settings)
    engine = open_engine(settings.store)
    try:
        require_current(engine, upgrade=engine.name == "sqlite")
        known = _known_team(engine, settings)
        if known is None and reading:
            known = _founded_team(engine, settings)
        return Database(engine, known or _register(engine, settings, joining=False))
    except BaseException:
        engine.close()
        raise


def refuse_taken(settings: Settings, team: str, *, joining: bool = False) -> None:
    """Refuse a store that cannot be used, or a team's name that another repository has there."""
    from drumline.control.registration import taken
    from drumline.store.migrations import version

    if settings.fresh:
        return
    engine = open_engine(settings.store)
    try:
        known = _ask(engine, "list_homes", team=team) if version(engine)[0] else []
        if known and not joining and all(row["home"] != _home(settings) for row in known):
            raise taken(team, [str(row["place"]) for row in known])
    finally:
        engine.close()


def register_team(settings: Settings, *, joining: bool = False) -> str:
    """Found the manifest's team on its store, or join it there; the team's name."""
    from drumline.store.migrations import require_current

    _manifest(settings)
    _state_folder(settings)
    engine = open_engine(settings.store)
    try:
        require_current(engine, upgrade=engine.name == "sqlite")
        return _register(engine, settings, joining=joining)
    finally:
        engine.close()


def open_upkeep(url: str, *, create: bool) -> ports.Upkeep:
    """The store as a whole, whatever its schema."""
    from drumline.store.upkeep import Caretaker

    return Caretaker(open_engine(url, create=create))


def worktree(settings: Settings) -> Worktree:
    """The repository's own files: what they say of the team, and a place for new ones."""
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
    """The team this manifest, as it is now, was registered for."""
    found = _ask(engine, "find_home", home=_home(settings), digest=_digest(settings))
    return str(found[0]["team"]) if found else None


def _founded_team(engine: Engine, settings: Settings) -> str | None:
    """The team a changed manifest names, if this repository is on it already."""
    team = _manifest(settings).team
    homes = _ask(engine, "list_homes", team=team)
    return team if any(row["home"] == _home(settings) for row in homes) else None


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
    manifest = _manifest(settings)
    place = f"{os.uname().nodename}:{settings.state_root}".encode(
        errors="backslashreplace"
    ).decode()
    said = registration.said_by(manifest, home=_home(settings), place=place, digest=digest)
    Database(engine, manifest.team).do(registration.register, said, joining=joining)
    return manifest.team


def _manifest(settings: Settings) -> Manifest:
    from drumline.store.manifests import read_manifest

    return read_manifest(settings.manifest, settings.root)


def _home(settings: Settings) -> str:
    """Which repository this is, wherever it stands and wherever its store is."""
    return _kept_once(_state_folder(settings), "home", os.urandom(8).hex())


def _state_folder(settings: Settings) -> str:
    """The folder for what moves, which git never sees."""
    folder = os.path.join(settings.state_root, ".drumline")
    _kept_once(folder, ".gitignore", "*\n")
    return folder


def _kept_once(folder: str, name: str, text: str) -> str:
    """What a small file says, written whole by whoever needs it first."""
    path = os.path.join(folder, name)
    try:
        if not os.path.exists(path):
            _write_whole(folder, path, text)
        with open(path, encoding="utf-8") as file:
            return file.read(64)
    except (OSError, UnicodeDecodeError) as error:
        raise StoreTrouble(
            f"{path} cannot be kept", why=str(error), next="make the folder writable for yourself"
        ) from error


def _write_whole(folder: str, path: str, text: str) -> None:
    """Nobody reads half of it, and whoever was faster is not overwritten."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    unfinished = f"{path}.{os.urandom(4).hex()}"
    with open(unfinished, "x", encoding="utf-8") as file:
        file.write(text)
    with suppress(FileExistsError):
        os.link(unfinished, path)
    os.unlink(unfinished)


def _digest(settings: Settings) -> str:
    try:
        with open(settings.manifest, "rb") as file:
            text = file.read(LONGEST_MANIFEST)
        return f"{crc32(text):08x}-{len(text)}"  # notices an edit; hashlib costs each command 3 ms
    except OSError as error:
        raise Unknown(
            f"the manifest {settings.manifest} cannot be read",
            why=error.strerror or "",
            next="drumline init",
        ) from error


def confinement(said: Confinement, checkout: str = "") -> Confinement:
    """What was said, checked; a checkout is writable but for what stays the lead's in it."""
    from pathlib import Path

    from drumline.runtimes.checkout import holes_in
    from drumline.runtimes.places import checked

    if not checkout:
        return checked(said)
    folder = Path(checkout).absolute()
    return checked(said.adding(writable=[str(folder)], holes=holes_in(folder)))


def layers() -> tuple[Layer, ...]:
    """What this machine's kernel can hold a member to."""
    from drumline.runtimes import confine

    return confine.layers()


def run_confined(argv: Sequence[str], held: Confinement, variables: Mapping[str, str]) -> int:
    """Run a command confined; its exit code."""
    from drumline.runtimes import confine

    return confine.confine(argv, held, variables)


def run_in_bash(
    settings: Settings, text: str, seconds: int, show: Callable[[str], object]
) -> Ended:
    """Run a command line at the repository's root; how it ended."""
    from drumline.runtimes import bash

    return bash.run(text, settings.root, seconds=seconds, show=show)


def members_above() -> set[str]:
    """The members in whose process trees this command runs."""
    from drumline.runtimes import ancestry

    return ancestry.members_above()


def open_trail(settings: Settings) -> Trail:
    """This repository's audit trail: its files, and the hooks' way to turn them over."""
    from drumline.hooks.trail import rotate
    from drumline.store.trails import AuditFiles

    folder = os.path.join(_state_folder(settings), "audit")
    return AuditFiles(folder, home=_home(settings), rotate=rotate)


class Judging:
    """The judge on this machine, for rows that name their own folder."""

    def __init__(self, settings: Settings | None) -> None:
        from drumline.control import policy
        from drumline.hooks import ruling

        manifest = manifest_of(settings) if settings is not None else None
        rules = policy.in_force(policy_files(settings), manifest)
        self._root = settings.root if settings is not None else ""
        world = ruling.this_machine({"settings": rules["settings"]})
        self._bench = policy.Bench(rules, manifest, world)

    def rule(self, row: dict[str, Any]) -> dict[str, str]:
        return self._bench.rule(row, self._root_of).facts()

    def _root_of(self, cwd: str) -> str:
        from drumline.store.policies import repository_of

        inside = cwd == self._root or cwd.startswith(f"{self._root}/")
        return self._root if self._root and (inside or not cwd) else repository_of(cwd)


def open_bench(settings: Settings | None) -> Judging:
    """The judge, under this repository's rules or, outside one, the built-in ones."""
    return Judging(settings)


def policy_files(settings: Settings | None) -> PolicyFiles:
    """A repository's rules; outside one there are only the built-in ones."""
    from drumline.store.policies import Policies

    root = settings.root if settings is not None else os.path.sep
    state = settings.state_root if settings is not None else os.path.sep
    return Policies(root, os.path.join(state, ".drumline"))


def manifest_of(settings: Settings) -> Manifest:
    """What the repository's manifest says now."""
    return _manifest(settings)


def publish_policy(settings: Settings) -> str:
    """Compile the rules for the hooks; the policy's name."""
    from drumline.control import policy
    from drumline.store.policies import libraries

    _state_folder(settings)
    return policy.publish(policy_files(settings), _manifest(settings), libraries())


def cover_policy(settings: Settings | None) -> tuple[list[proofs.Row], list[str]]:
    """Every rule through every layer of this machine, and those with a gap nobody declared."""
    import tempfile
    from pathlib import Path

    from drumline.control import coverage, policy
    from drumline.hooks.probing import HookLayer
    from drumline.runtimes.probing import KernelLayer
    from drumline.store.policies import libraries
    from drumline.team import registry

    manifest = manifest_of(settings) if settings is not None else None
    rules = policy.in_force(policy_files(settings), manifest)
    known = {each["id"] for each in registry.built_in()["constraints"]}
    with tempfile.TemporaryDirectory(prefix="drumline-coverage-") as folder:
        place = Path(folder)
        layers: list[coverage.Layer] = [
            JudgeLayer(),
            HookLayer(place, libraries()),
            KernelLayer(place),
        ]
        rows = list(coverage.coverage(rules, layers))
    return rows, coverage.unsound(rows, known.__contains__)


class JudgeLayer:
    """The judge in this process as a layer."""

    name = "judge"

    def refuses(self, probe: dict[str, Any], rules: dict[str, Any]) -> bool | None:
        from drumline.control.policy import Bench
        from drumline.hooks import ruling

        world = ruling.this_machine({"settings": rules["settings"]})
        return not Bench(rules, None, world).rule(probe, lambda _: "/repository").allowed


def hook_settings(settings: Settings, runtime: str, user: str) -> dict[str, Any] | list[str]:
    """What starts an agent CLI with our hooks in it; the compiled rules are brought up to date."""
    import sys

    from drumline.hooks import guard
    from drumline.runtimes import claude_settings, codex_settings

    publish_policy(settings)
    words = [sys.executable, "-I", "-S", str(guard.__file__), _state_folder(settings)]
    if runtime == "codex":
        return codex_settings.launch_arguments(words)
    theirs = claude_settings.inline(user) if user else None
    if user and theirs is None:
        raise BadInput("these settings are not a JSON object", next="give the object itself")
    return claude_settings.fragment(words, user=theirs)


def changes(folder: str, *, commits: str = "", files: Sequence[str] = ()) -> Changes:
    """What is to be scanned: files, commits, or else what is staged."""
    from time import monotonic

    from drumline.hooks.changes import Commits, Files, Staged

    until = monotonic() + LONGEST_SCAN
    if files:
        return Files(folder, files, until)
    return Commits(folder, commits, until) if commits else Staged(folder, until)
