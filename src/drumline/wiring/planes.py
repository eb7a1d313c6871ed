"""What a plane is made of: its process, its duty on this host, and how it starts members' runners."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING

from drumline.control import duties
from drumline.errors import StoreTrouble
from drumline.wiring import open_again
from drumline.wiring.home import door_name, mark_of, state_folder, team_of
from drumline.wiring.machine import host
from drumline.wiring.standing_manifest import StandingManifest

if TYPE_CHECKING:
    from drumline.control.ports import Store
    from drumline.runtimes.offshoot import Child
    from drumline.runtimes.plane import Beside, Plane, Starter
    from drumline.settings import Settings
    from drumline.team.life import Process
    from drumline.team.staffing import House

PACE = 0.05  # seconds
COMING_UP = 20.0
LONGEST_LOG = 10_000_000


def house(settings: Settings) -> House | None:
    """This host, and how many members may be at work on it; nothing while the manifest cannot be read."""
    from drumline.team.staffing import House

    found = StandingManifest(settings).known()
    return House(host(), found.settings.max_parallel) if found else None


def be_plane(settings: Settings, store: Store, beside: Beside) -> None:
    """Look after members, and answer the hooks of people's own sessions, until told to stop."""
    from contextlib import closing
    from functools import partial
    from pathlib import Path

    from drumline.hooks.answer import PLANE
    from drumline.hooks.serving import SessionGuard
    from drumline.runtimes.nest import Nest
    from drumline.runtimes.plane_door import SessionVerbs, answering
    from drumline.wiring import spooling
    from drumline.wiring.quarters import Houses

    state, team = state_folder(settings), team_of(store)
    door = Houses(settings, team).plane_door()

    def refused(why: str) -> None:
        store.do(duties.tell_refusal, host(), why)

    made = SessionVerbs(lambda: open_again(settings, team), spooling.grounds(settings))
    place, guard = Path(state, PLANE), SessionGuard(state)
    ready = partial(_read_runners, settings)
    nest = Nest(_starter(settings), ready, f"drumline nest {settings.root}")
    with closing(nest), closing(made) as verbs, answering(door, guard, verbs, place, refused):
        _plane(settings, store, nest.begin).run(beside)


def _read_runners(settings: Settings) -> None:
    """Read what runners are made of, and what takes longest of their members' runtimes."""
    from drumline.runtimes import runner  # noqa: F401 - to be read, not used
    from drumline.wiring import members  # noqa: F401 - as above

    known = StandingManifest(settings).known()
    if known and any(each.runtime == "claude" for each in known.members):
        with suppress(ImportError):  # who needs it says what to install
            from drumline.runtimes import claude_conversation  # noqa: F401 - as above


def stand_in(settings: Settings, store: Store) -> Callable[[], None]:
    """What does a plane's passes where none is up, so that what was said takes effect all the same.

    It may be called as often as one likes: it passes at a plane's own pace.
    """
    from drumline.runtimes.plane import PACE as ITS_PACE

    plane, next_at = _plane(settings, store, _starter(settings)), 0.0

    def passing() -> None:
        nonlocal next_at
        if monotonic() >= next_at:
            plane.look_after()
            next_at = monotonic() + ITS_PACE

    return passing


def start_plane(settings: Settings) -> None:
    """Start a plane that outlives this command."""
    spawn(settings, ["up", "--foreground"], "plane")


def stop_plane(holder: str) -> None:
    """Ask a plane of this host to stop."""
    from drumline.runtimes import processes
    from drumline.runtimes.plane import process_of

    processes.ask_to_end(*process_of(holder))


def is_there(settings: Settings, store: Store, process: Process) -> bool:
    """Whether a runner that this place began has not ended yet."""
    from drumline.runtimes import processes
    from drumline.team.life import is_behind

    own = is_behind(process, own_door(settings, team_of(store)))
    return own and processes.is_alive(process.pid, process.pid_start)


def tidy(settings: Settings) -> None:
    """Clear what killed processes left unfinished beside members' checkouts."""
    from drumline.runtimes import beside
    from drumline.wiring.quarters import Houses

    beside.tidy(Houses(settings).checkouts)


LOOK = "look at .drumline/logs/plane.log, then: drumline member list"


def wait_for(
    fact: Callable[[], bool], trouble: str, *, seconds: float = COMING_UP, look: str = LOOK
) -> None:
    """Wait until something is so; refused, with where to look, when it does not come."""
    until = monotonic() + seconds
    while not fact():
        if monotonic() > until:
            raise StoreTrouble(
                trouble,
                why=f"waited {seconds:.0f} s",
                next=look,
            )
        sleep(PACE)


def spawn(settings: Settings, words: Sequence[str], log: str) -> Child:
    """One of our own commands as a process of its own session, which nobody's end ends."""
    from drumline.runtimes.offshoot import Birth, begin

    folder = os.path.join(state_folder(settings), "logs")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    path = os.path.join(folder, f"{log}.log")
    if os.path.exists(path) and os.path.getsize(path) > LONGEST_LOG:
        os.replace(path, f"{path}.old")
    place = ["--directory", settings.root, "--manifest", settings.ruling_manifest]
    return begin(Birth([*words, *place], settings.root, _own_environment(settings), path))


def _starter(settings: Settings) -> Starter:
    """What begins a runner for members that share it."""

    def start(members: Sequence[str]) -> Child:
        return spawn(settings, ["member", "run", *members], f"runner-{members[0]}")

    return start


def _own_environment(settings: Settings) -> dict[str, str]:
    """What we have, less what would make the process speak for a member.

    The store is told here: its URL may hold a password, and words are for everybody to read.
    """
    from drumline.team.identity import is_identity

    store = {} if settings.own_store else {"DRUMLINE_STORE": settings.store}
    dropped = {"DRUMLINE_STORE", "DRUMLINE_MANIFEST"}
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in dropped and not (is_identity(name) and not name.startswith("DRUMLINE_TEST"))
    }
    return kept | store


def _plane(settings: Settings, store: Store, start: Starter) -> Plane:
    from drumline.runtimes.plane import Plane, Works
    from drumline.wiring import driving, recalling, spooling

    manifest = StandingManifest(settings)

    def grouped(members: Sequence[str]) -> list[list[str]]:
        """Only scripted members share a process: every other one has a runner to itself."""
        found = manifest.known()
        together = found.settings.scripted_per_process if found else 1
        everyone = found.members if found else ()
        scripted = {each.name for each in everyone if each.runtime == "scripted"}
        light = [name for name in members if name in scripted]
        alone = [[name] for name in members if name not in set(light)]
        return alone + [light[at : at + together] for at in range(0, len(light), together)]

    def room() -> int:
        """How many may be at work here; nobody is started while that was never told."""
        found = manifest.known()
        return found.settings.max_parallel if found else 0

    team = team_of(store)
    mark, own = mark_of(settings, team), own_door(settings, team)
    drain = recalling.following(settings, store, spooling.drains(settings, store))
    drive = driving.Driving(settings, store)
    there = _still_there(settings)
    return Plane(store, host(), Works(grouped, start, mark, room, drain, drive, own, there))


def _still_there(settings: Settings) -> Callable[[], bool]:
    """What tells whether a store of a team's own is the file it was: who removed it ended the team of it."""
    path = settings.store.removeprefix("sqlite:///")
    if not settings.own_store or path == settings.store:
        return lambda: True

    def file() -> tuple[int, int]:
        try:
            found = os.stat(path)
        except FileNotFoundError:
            return 0, 0
        return found.st_dev, found.st_ino

    opened = file()
    return lambda: file() == opened


def own_door(settings: Settings, team: str) -> str:
    """The folder of doors by which this place knows its own; empty on a store that others share.

    A store of its own is copied with its folder, and then names processes of the original.
    """
    return door_name(settings, team) if settings.own_store else ""
