"""The MCP servers of a repository: given to its members, asked before work that needs them, examined."""

from __future__ import annotations

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from drumline.store.servers import servers_of
from drumline.team.server import filled, not_given
from drumline.wiring.quarters import Houses

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from drumline.runtimes.post import Provision, Quarters
    from drumline.runtimes.runtime import Given
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

    def provide(
        self, manifest: Manifest, entry: MemberEntry, quarters: Quarters, needs: Needs
    ) -> Provision:
        """A member's servers for a task; why a needed one cannot be used was seen just now."""
        from drumline.runtimes.post import Provision

        if not entry.mcp and not needs.wanted:
            return Provision()
        guest = Guest(manifest, entry, quarters, servers_of(self._houses.repository))
        names = dict.fromkeys((*entry.mcp, *needs.wanted))
        found = {
            name: self._given(guest, name, needed=name in needs.wanted)
            for name in names
            if name not in needs.waived
        }
        asked = {name: self._unusable(guest, found[name]) for name in needs.wanted}
        return Provision(
            tuple(each for each in found.values() if not isinstance(each, str)),
            {name: why for name, why in asked.items() if why},
        )

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
        from drumline.runtimes.servers import Room, unanswered

        if isinstance(found, str):
            return found
        key = hashlib.sha256(found.file.read_bytes()).hexdigest()
        if monotonic() - self._answered.get(key, -STILL_GOOD) < STILL_GOOD:
            return ""
        kept = guest.manifest.settings.environment
        room = Room(
            confinement=self._houses.confinement(guest.quarters, guest.entry, kept),
            folder=guest.quarters.work,
            variables=self._variables(guest),
        )
        why = unanswered(found, room)
        if not why:
            self._answered[key] = monotonic()
        return why

    def _variables(self, guest: Guest) -> dict[str, str]:
        """What every server of a member sees: neither the account of its CLI nor who the member is."""
        more = (*PROXIES, *guest.manifest.settings.environment)
        return self._houses.usual(guest.quarters, guest.entry.name, more)


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

    confinement = houses.terms().confinement.adding(writable=[scratch])
    return Room(confinement=confinement, folder=houses.repository, variables=variables)


def _lent(manifest: Manifest) -> dict[str, str]:
    """Variables of ours that a registration may name, and nobody else sees."""
    names = manifest.settings.server_environment
    return {name: os.environ[name] for name in names if name in os.environ}


def _unset(lost: Sequence[str]) -> str:
    named = ", ".join(lost)
    return f"its registration names {named}: not set, or not in settings.server-environment"
