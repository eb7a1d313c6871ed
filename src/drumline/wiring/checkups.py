"""What is looked at when somebody asks whether an installation is sound."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from drumline.errors import DrumlineError
from drumline.store.servers import servers_of
from drumline.team.checkup import (
    MCP,
    Health,
    Line,
    at_least,
    ok,
    problem,
    registrations,
    warning,
)
from drumline.wiring import (
    claims,
    cli_versions,
    doctoring,
    guards,
    machine,
    manifest_of,
    open_store,
    open_upkeep,
    spooling,
    worktree,
)
from drumline.wiring.home import mark_of
from drumline.wiring.quarters import Houses
from drumline.wiring.servers import examined

if TYPE_CHECKING:
    from drumline.control.ports import Store
    from drumline.settings import Settings
    from drumline.team.life import Life
    from drumline.team.manifest import Manifest, MemberEntry
    from drumline.team.server import Registered, Server

PYTHON, SQLITE, GIT = (3, 11), (3, 35), (2, 38)
PACKAGES = {"claude": "pip install 'drumline[claude]'", "codex": "pip install 'drumline[codex]'"}
LOOKING = 10.0  # seconds
SHOWN = 5


def examine(settings: Settings | None) -> Iterator[Line]:
    """The state of this machine and, where there is a team, of its installation."""
    yield from _machine()
    if settings is None:
        yield ok("team", "none here: only the machine was looked at")
        return
    for look in (_team, _texts, _store, _volumes, _turn_hook, _mcp):
        yield from _looked(look, settings)


def _looked(look: Callable[[Settings], Iterator[Line]], settings: Settings) -> Iterator[Line]:
    """All that a look finds; one that is refused is a problem, and the others go on."""
    try:
        yield from look(settings)
    except DrumlineError as error:
        says = f"{error.what}: {error.why}" if error.why else error.what
        yield problem(look.__name__.strip("_"), says, error.next)


def _machine() -> Iterator[Line]:
    import platform
    import sqlite3

    yield at_least("python", platform.python_version(), PYTHON, "install Python 3.11 or later")
    yield at_least("sqlite", sqlite3.sqlite_version, SQLITE, "use a Python built with a later one")
    yield at_least("git", _said_by_git(), GIT, "install git 2.38 or later: merges need it")
    for layer in guards.layers():
        what = f"kernel: {layer.name}"
        fix = "run on a kernel or in a container that gives it; the judge still rules on calls"
        yield ok(what, f"active: {layer.says}") if layer.active else warning(what, layer.says, fix)


def _said_by_git() -> str:
    git = shutil.which("git")
    if git is None:
        return ""
    with suppress(OSError, subprocess.TimeoutExpired):
        words = [git, "--version"]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=LOOKING)  # noqa: S603 - git itself
        return done.stdout
    return ""


def _team(settings: Settings) -> Iterator[Line]:
    """Each runtime the manifest names, and each member's canary."""
    manifest = manifest_of(settings)
    yield ok("team", f"{manifest.team}, members: {len(manifest.members)}")
    agents = [each for each in manifest.members if each.runtime in doctoring.AGENTS]
    for runtime in sorted({each.runtime for each in agents}):
        yield from _runtime(settings, runtime, [x for x in agents if x.runtime == runtime])
    for entry in manifest.members:
        yield from _own_program(settings, entry)


def _texts(settings: Settings) -> Iterator[Line]:
    """What every session of an agent loads before it begins, and what no longer fits."""
    from drumline.team.always_loaded import loaded_findings
    from drumline.team.finding import Level
    from drumline.team.skill import skill_findings

    files = worktree(settings)
    budget = manifest_of(settings).settings.skill_budget
    names = {sheet.name for sheet in files.agents()}
    skills = skill_findings(files.skills(), profiles=names, budget=budget)
    for each in (*loaded_findings(files.loaded_texts()), *skills):
        what = f"text: {each.file}"
        if each.level is Level.NOTE:
            yield ok(what, each.message)
        else:
            yield warning(what, each.message, "drumline team check")


def _runtime(settings: Settings, runtime: str, agents: list[MemberEntry]) -> Iterator[Line]:
    try:
        version, program = cli_versions.version(runtime)
    except DrumlineError as error:
        says = f"{error.what}: {error.why}"
        yield problem(f"runtime: {runtime}", says, PACKAGES[runtime])
        return
    yield ok(f"runtime: {runtime}", f"{version}  {program}")
    for entry, kept in doctoring.kept_proofs(settings, agents, version):
        what = f"canary: {entry.name}"
        if kept is not None:
            yield ok(what, kept.detail)
        else:
            says = "its CLI, started like this, has not been proved to ask the guard"
            yield warning(what, says, f"drumline doctor --probe {runtime}")


def _own_program(settings: Settings, entry: MemberEntry) -> Iterator[Line]:
    """What a member without an agent CLI runs."""
    what = f"runtime: {entry.runtime} of {entry.name}"
    if entry.runtime == "command":
        program = entry.command[0] if entry.command else ""
        if shutil.which(os.path.join(settings.root, program)) or shutil.which(program):
            yield ok(what, program)
        else:
            yield problem(what, f"no program {program!r}", "mend `command` in the manifest")
    elif entry.runtime == "scripted":
        from drumline.wiring.rehearsals import find_scenario

        try:
            yield ok(what, find_scenario(entry.scenario, settings.root).name)
        except DrumlineError as error:
            yield problem(what, f"{error.what}: {error.why}", error.next)


def _store(settings: Settings) -> Iterator[Line]:
    """The store, the plane, and what lives that ended have left."""
    if settings.fresh:
        yield ok("store", "nothing is remembered here yet")
        return
    upkeep = open_upkeep(settings.store, create=False)
    try:
        have, newest = upkeep.version()
    finally:
        upkeep.close()
    if have > newest:
        says = f"schema {have}, and this Drumline knows {newest}"
        yield problem("store", says, "upgrade Drumline on this host")
        return
    if have < newest:
        says = f"schema {have}, and this Drumline needs {newest}"
        yield warning("store", says, "drumline store migrate")
        return
    yield ok("store", f"schema {have}  {settings.store.partition('?')[0].rpartition('@')[2]}")
    store = open_store(settings, reading=True)
    try:
        yield from _alive(settings, store)
        yield from claims.examined(store)
    finally:
        store.close()


def _alive(settings: Settings, store: Store) -> Iterator[Line]:
    from drumline.control import duties, lives
    from drumline.team.duty import plane_of

    here = machine.host()
    living = [life for life in store.ask(lives.living) if life.process.host == here]
    held = (duty for duty in store.ask(duties.held) if duty.name == plane_of(here))
    plane = next((duty.holder for duty in held if machine.is_up(duty.holder)), "")
    if plane or not living:
        yield ok("plane", f"up: {plane}" if plane else "not up, and no member lives here")
    else:
        yield warning("plane", f"not up, and members live here: {len(living)}", "drumline up")
    yield from _left_over(settings, manifest_of(settings), living)


def _left_over(settings: Settings, manifest: Manifest, living: list[Life]) -> Iterator[Line]:
    """Processes and doors of lives that are over."""
    from drumline.runtimes import processes, sweep

    mark = mark_of(settings, manifest.team)
    there = {
        life for life in living if processes.is_alive(life.process.pid, life.process.pid_start)
    }
    theirs = {each for life in there for each in sweep.leftovers(f"{mark}/{life.name}")}
    left = [each for each in sweep.leftovers(mark) if each not in theirs]
    if left:
        numbers = ", ".join(str(each.pid) for each in left[:SHOWN])
        more = f" and {len(left) - SHOWN} more" if len(left) > SHOWN else ""
        says = f"lives that are over have left processes: {numbers}{more}"
        yield warning("leftovers", says, "drumline up   # its next pass ends them")
    houses, names = Houses(settings), {life.member for life in there}
    doors = [
        each.name
        for each in manifest.members
        if each.name not in names and (houses.door(each.name) / "socket").exists()
    ]
    if doors:
        says = f"sockets nobody answers: {', '.join(doors)}"
        yield warning("leftovers", says, "start the member again: it makes a new one")
    if not left and not doors:
        yield ok("leftovers", "none")


def _volumes(settings: Settings) -> Iterator[Line]:
    """Where what moves is kept, and whether many can append and lock there."""
    from drumline.store.volumes import volume_of

    folder = Path(settings.state_root, ".drumline")
    places = {"audit": folder / "audit", "spool": folder / "spool"}
    if settings.store.startswith("sqlite:///"):
        path = settings.store.removeprefix("sqlite:///").partition("?")[0]
        places = {"store": Path(path).parent, **places}
    for what, place in {**places, "memory": Path(settings.root, "memory")}.items():
        found = volume_of(place)
        if found.local:
            yield ok(f"volume: {what}", found.kind)
        else:
            fix = "move it to a local disk, or the store to PostgreSQL"
            yield warning(f"volume: {what}", f"{found.kind}: {found.why}", fix)


def shared_volumes(settings: Settings) -> list[Line]:
    """What lies where many cannot append and lock: said at the start, when something can still be moved."""
    return [each for each in _volumes(settings) if each.health is not Health.OK]


def _turn_hook(settings: Settings) -> Iterator[Line]:
    """The hook that tells us the end of turns in people's own sessions."""
    yield spooling.examined(settings)


def _mcp(settings: Settings) -> Iterator[Line]:
    """The MCP servers that files register for the repository: read, compared, and asked."""
    known = servers_of(Path(settings.root), Path.home())
    manifest: Manifest | None = None
    with suppress(DrumlineError):  # what is wrong with it was told
        manifest = manifest_of(settings)
    lines = list(registrations(known, manifest))
    lines += _not_here(settings, known.all)
    if manifest is not None and not settings.fresh:
        lines += _unhealthy(settings, manifest, known)
    yield from lines or [ok(MCP, f"servers registered: {len(known.all)}")]


def _not_here(settings: Settings, known: Sequence[Server]) -> Iterator[Line]:
    for each in known:
        beside = os.path.join(settings.root, each.command)
        if each.command and not (shutil.which(each.command) or shutil.which(beside)):
            says = f"{each.file}: {each.name} starts {each.command!r}, which is not here"
            yield problem(MCP, says, f"install it, or take {each.name} out of {each.file}")


def _unhealthy(settings: Settings, manifest: Manifest, known: Registered) -> Iterator[Line]:
    """What members are given, really asked; a repository's programs are started for nobody else."""
    given = {name for each in manifest.members for name in each.mcp}
    asked = [each for name, each in known.servers.items() if name in given]
    for server, why in examined(settings, manifest, asked):
        if why:
            says = f"{server.name} of {server.file} does not answer: {why}"
            fix = (
                f"mend it, or take {server.name} out of {server.file}; tasks that need it are held"
            )
            yield problem(MCP, says, fix)
        else:
            yield ok(MCP, f"{server.name} of {server.file} answers")
