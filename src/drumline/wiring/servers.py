"""The MCP servers of a repository: given to its members, asked before work that needs them, examined."""

from __future__ import annotations

import hashlib
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from drumline.store.servers import servers_of
from drumline.team.server import filled, not_given
from drumline.wiring.quarters import Houses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from drumline.runtimes.post import Provision, Quarters
    from drumline.runtimes.runtime import Given, Guard
    from drumline.runtimes.servers import Room
    from drumline.settings import Settings
    from drumline.team.manifest import Manifest, MemberEntry
    from drumline.team.server import Needs, Registered, Server

FOLDER = "servers"
PROXIES = ("HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY")
STILL_GOOD = 60.0  # seconds after which a server that answered is asked again
EXAMINED_IN = 10.0  # seconds
AT_ONCE = 4


class Guest(NamedTuple):
    """Who is given servers: a member in its quarters, and what is registered."""

    manifest: Manifest
    entry: MemberEntry
    quarters: Quarters
    known: Registered


class Pantry:
    """What the members on this machine are given of their repository's servers."""

    def __init__(self, houses: Houses) -> None:
        self._houses = houses
        self._answered: dict[str, float] = {}
        self._needed: dict[str, tuple[Guest, list[Given]]] = {}

    def provide(
        self, manifest: Manifest, entry: MemberEntry, quarters: Quarters, needs: Needs
    ) -> Provision:
        """A member's servers for a task; why a needed one cannot be used was seen just now."""
        from drumline.runtimes.post import Provision

        self._needed.pop(entry.name, None)
        place = quarters.door / FOLDER
        shutil.rmtree(place, ignore_errors=True)  # what is given no more is told no more
        bound = bool(needs.wanted or needs.waived)
        if not entry.mcp and not needs.wanted:
            return Provision(bound=bound)
        guest = Guest(manifest, entry, quarters, servers_of(self._houses.repository))
        names = dict.fromkeys((*entry.mcp, *needs.wanted))
        found = {
            name: self._given(guest, name, needed=name in needs.wanted)
            for name in names
            if name not in needs.waived
        }
        given = tuple(each for each in found.values() if not isinstance(each, str))
        self._needed[entry.name] = (guest, [each for each in given if each.needed])
        asked = {name: self._unusable(guest, found[name]) for name in needs.wanted}
        return Provision(given, bound, {name: why for name, why in asked.items() if why})

    def lost(self, member: str) -> list[str]:
        """The servers a member's task needs that were there at its start, and do not answer now."""
        from drumline.runtimes.servers import unanswered

        if member not in self._needed:
            return []
        guest, needed = self._needed[member]
        room = self._room(guest)
        return [each.name for each in needed if unanswered(each, room, EXAMINED_IN)]

    def _given(self, guest: Guest, name: str, *, needed: bool) -> Given | str:
        """A server as this member starts it, or why it cannot."""
        from drumline.runtimes.servers import put

        entry, quarters = guest.entry, guest.quarters
        if why := not_given(name, entry.mcp, entry.tools, guest.known):
            return why
        own = self._variables(guest)
        server, lost = filled(guest.known.servers[name], {**own, **_lent(guest.manifest)})
        if lost:
            return _unset(lost)
        return put(quarters.door / FOLDER, server, own, needed=needed)

    def _unusable(self, guest: Guest, found: Given | str) -> str:
        """Why a server cannot be used; one that answered a moment ago is not asked again."""
        from drumline.runtimes.servers import unanswered

        if isinstance(found, str):
            return found
        key = hashlib.sha256(found.file.read_bytes()).hexdigest()
        if monotonic() - self._answered.get(key, -STILL_GOOD) < STILL_GOOD:
            return ""
        why = unanswered(found, self._room(guest))
        if not why:
            self._answered[key] = monotonic()
        return why

    def _room(self, guest: Guest) -> Room:
        """Where a member's own processes run, with what they may do and no more."""
        from drumline.runtimes.servers import Room

        kept = guest.manifest.settings.environment
        return Room(
            confinement=self._houses.confinement(guest.quarters, guest.entry, kept),
            folder=guest.quarters.work,
            variables=self._variables(guest),
        )

    def _variables(self, guest: Guest) -> dict[str, str]:
        """What every server of a member sees: neither the account of its CLI nor who the member is."""
        more = (*PROXIES, *guest.manifest.settings.environment)
        return self._houses.usual(guest.quarters, guest.entry.name, more)


class Lookout:
    """A guard that looks at a task's servers again before a web tool could stand in for one of them."""

    def __init__(self, guard: Guard, look: Callable[[], None]) -> None:
        self._guard, self._look = guard, look

    def before(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        """The ruling on a call, by what is known of the servers now."""
        if str(event.get("tool_name")).lower().startswith("web"):
            self._look()
        return self._guard.before(event)

    def after(self, event: Mapping[str, Any]) -> None:
        self._guard.after(event)


def examined(
    settings: Settings, manifest: Manifest, servers: Sequence[Server]
) -> Iterator[tuple[Server, str]]:
    """Each server with why it does not answer, or nothing: started with nothing of ours to write or see."""
    houses = Houses(settings)
    with TemporaryDirectory(prefix="drumline-") as made, ThreadPoolExecutor(AT_ONCE) as pool:
        scratch = os.path.realpath(made)
        more = (*PROXIES, *manifest.settings.environment)
        own = {name: os.environ[name] for name in ("PATH", *more) if name in os.environ}
        room = _scratch_room(houses, scratch, {**own, "HOME": scratch, "TMPDIR": scratch})
        lent = {**room.variables, **_lent(manifest)}
        found = pool.map(lambda each: _examined(each, room, lent), servers)
        yield from zip(servers, found, strict=True)


def _examined(server: Server, room: Room, lent: Mapping[str, str]) -> str:
    from drumline.runtimes.servers import put, unanswered

    whole, lost = filled(server, lent)
    if lost:
        return _unset(lost)
    place = Path(room.variables["HOME"], FOLDER)
    return unanswered(put(place, whole, room.variables, needed=False), room, EXAMINED_IN)


def _scratch_room(houses: Houses, scratch: str, variables: Mapping[str, str]) -> Room:
    from drumline.runtimes.servers import Room

    confinement = houses.apart().adding(writable=[scratch])
    return Room(confinement=confinement, folder=houses.repository, variables=variables)


def _lent(manifest: Manifest) -> dict[str, str]:
    """Variables of ours that a registration may name, and nobody else sees."""
    names = manifest.settings.server_environment
    return {name: os.environ[name] for name in names if name in os.environ}


def _unset(lost: Sequence[str]) -> str:
    named = ", ".join(lost)
    return f"its registration names {named}: not set, or not in settings.server-environment"
