"""Nudges as a runner says them: taken from the outbox, said once, and told of when they were heard."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from drumline.control import dispatch
from drumline.control.ports import Store
from drumline.runtimes.diary import Diary
from drumline.runtimes.runtime import Ended
from drumline.team.life import Life
from drumline.team.nudge import Nudge
from drumline.team.outcome import Ending

T = TypeVar("T")
NAME = "nudge "


class Nudging:
    """What one life is nudged about; at most one nudge is on its way."""

    def __init__(self, store: Store, life: Life, diary: Diary) -> None:
        self._store, self._life, self._diary = store, life, diary
        self._told: dict[str, Nudge] = {}

    async def taken(self, *, at_work: bool) -> Nudge | None:
        """The nudge to be said now, if there is one; from here on it is never said again."""
        if not await self._do(self._store.ask, dispatch.waiting, self._life):
            return None
        found: Nudge | None = await self._do(self._store.do, dispatch.take, self._life, at_work)
        if found is not None:
            self._diary.note("nudged", found.text)
        return found

    async def given_back(self, nudge: Nudge | None, why: str) -> None:
        """Nobody could be spoken to: it waits on, and that was no try."""
        if nudge is not None:
            await self._do(self._store.do, dispatch.give_back, nudge, why)

    async def refused(self, nudge: Nudge | None, why: str) -> None:
        """A runtime would not have it: it may be tried another time."""
        if nudge is not None:
            await self._do(self._store.do, dispatch.refused, nudge, why)

    async def heard(self, nudge: Nudge | None, ended: Ended) -> None:
        """Said with a prompt: an answer proves that it was heard, a refusal that it was not."""
        if nudge is not None and ended.outcome.succeeded:
            await self._do(self._store.do, dispatch.delivered, nudge)
        elif ended.outcome.ending is Ending.REFUSED:
            await self.refused(nudge, ended.outcome.why)

    def told(self, nudge: Nudge) -> str:
        """The name under which it is told in the midst of a turn."""
        name = NAME + nudge.name
        self._told[name] = nudge
        return name

    async def received(self, name: str) -> None:
        """A runtime says that these words entered the conversation."""
        if nudge := self._told.pop(name, None):
            await self._do(self._store.do, dispatch.delivered, nudge)

    async def _do(self, call: Callable[..., T], *words: Any) -> T:
        return await asyncio.to_thread(call, *words)
