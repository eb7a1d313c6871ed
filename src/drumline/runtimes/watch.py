"""What the members of one process look at: read once for all of them whenever something changed."""

import asyncio
from collections.abc import Sequence
from time import monotonic
from typing import Protocol

from drumline.control import passes
from drumline.control.passes import Look
from drumline.control.ports import Store
from drumline.team.posting import Wanted

PACE = 1.0  # seconds after which it is read again, changed or not
BREATH = 0.1  # seconds between two looks: whoever is busy writes many times in them


class Sight(Protocol):
    """What a runner asks of its surroundings while it works."""

    def wanted(self, member: str) -> Wanted: ...
    def ready_for(self, member: str) -> bool: ...
    def nudged(self, member: str) -> bool: ...
    def calls(self, member: str) -> frozenset[str]: ...
    def judges(self, member: str) -> bool: ...
    @property
    def plane(self) -> bool: ...
    async def news(self) -> None: ...


class Watch:
    """A look at the store that is never older than its pace.

    It has a store of its own: whoever waits for changes holds the store's only line.
    """

    def __init__(self, store: Store, host: str, members: Sequence[str]) -> None:
        self._store, self._host, self._members = store, host, members
        self._look = Look(dict.fromkeys(members, Wanted.RUNNING), plane=True)
        self._news = asyncio.Event()

    async def run(self) -> None:
        """Look for as long as the process lives."""
        while True:
            looked = monotonic()
            self._look = await asyncio.to_thread(
                self._store.ask, passes.look, self._members, self._host
            )
            heard, self._news = self._news, asyncio.Event()
            heard.set()
            await asyncio.to_thread(self._store.changed, PACE)
            await asyncio.sleep(looked + BREATH - monotonic())

    def wanted(self, member: str) -> Wanted:
        return self._look.wanted[member]

    def ready_for(self, member: str) -> bool:
        """Whether something ready would fit this member."""
        return member in self._look.ready

    def nudged(self, member: str) -> bool:
        """Whether a nudge waits for this member."""
        return member in self._look.nudged

    def calls(self, member: str) -> frozenset[str]:
        """What there may be for this member to do."""
        return self._look.calls(member)

    def judges(self, member: str) -> bool:
        """Whether this member is asked to judge something."""
        return member in self._look.judges

    @property
    def plane(self) -> bool:
        return self._look.plane

    async def news(self) -> None:
        """Wait for the next look."""
        await self._news.wait()
