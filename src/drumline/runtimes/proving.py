"""A member shows that it understands its task before it may change anything: told, heard, judged.

Each step is a turn that ends with a form. While the lead judges, no turn runs and nothing is spent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from drumline.control import protocol, reflecting
from drumline.control.handing_in import is_held
from drumline.control.protocol import Looked
from drumline.errors import BadInput, Conflict, NotReady
from drumline.runtimes.inspecting import made_here, state_of
from drumline.team import impact, understanding_prompt
from drumline.team.posting import Wanted
from drumline.team.quoting import quoted
from drumline.team.understanding import Stage, Understanding

if TYPE_CHECKING:
    from drumline.runtimes.desk import Desk
    from drumline.runtimes.runtime import Ended
    from drumline.team.fields import Schema
    from drumline.team.task import Task

T = TypeVar("T")


class Examination:
    """One life's way from a task to the work on it."""

    def __init__(self, desk: Desk, task: Task, left: Sequence[str]) -> None:
        self._desk, self._task, self._left = desk, task, left
        self._found: Understanding | None = None
        self._unread = 0

    async def begin(self) -> None:
        """See what is demanded, and how far this life is already."""
        left = (*self._left, *await self._commits())
        self._found = await self._do(protocol.begin, self._desk.life, self._task, left)
        if self._found is not None and not self._found.with_member:
            await self._verdict()

    @property
    def open(self) -> bool:
        """Whether the member may not work yet."""
        return self._found is not None and not self._found.may_work

    @property
    def schema(self) -> Schema | None:
        """The form a turn ends with; none where that is an account of work."""
        return understanding_prompt.schema(self._found) if self._found is not None else None

    @property
    def asks(self) -> list[str]:
        """What is wanted before the work, for the member's first prompt."""
        found = self._found
        if found is None or not (found.with_member or found.may_work):
            return []
        return [understanding_prompt.wanted(found)]

    async def heard(self, ended: Ended) -> str | None:
        """Take what a turn brought, and wait for the verdict; none once the task is not this life's to do."""
        asked, now = self._found, await self._now()
        if asked is not None and now is not None and _place(now) == _place(asked):
            given = ended.answer if ended.answer is not None else ended.text
            try:
                await self._taken(now, given)
            except (BadInput, Conflict, NotReady) as refused:
                self._unread += 1
                if self._unread % 2:
                    return f"{refused.what}:\n{quoted(refused.why)}\nNext: {refused.next}."
                why = f"{refused.what}: {refused.why}"
                await self._say(protocol.give_up, why)
        return await self._verdict()

    async def _taken(self, now: Understanding, given: str | Mapping[str, Any]) -> None:
        """What a member said by ending its turn; whoever said it by a verb before said it."""
        if now.stage is Stage.UNVERIFIED:
            named = impact.read(now.terms.level, given)["files"]
            await self._say(protocol.submit, given, await self._looked(named))
        elif now.stage is Stage.VERIFIED:
            await self._say(protocol.plan, given, (await self._looked(())).changed)
        else:
            await self._say(protocol.answer, given)

    async def _looked(self, named: Sequence[str]) -> Looked:
        quarters = self._desk.quarters
        found = await asyncio.to_thread(looked, quarters.work, named, own=quarters.own)
        return found._replace(changed=(*found.changed, *await self._commits()))

    async def _commits(self) -> tuple[str, ...]:
        """What of the member's own is committed and was never taken in, as a change among others."""
        if not self._desk.quarters.own or not self._task.run:
            return ()
        made = await asyncio.to_thread(made_here, self._desk.quarters.work)
        return tuple(f"commit {each[:12]}" for each in made)

    async def _verdict(self) -> str | None:
        """Wait until the next word is the member's, or nothing is left to say."""
        desk = self._desk
        while True:
            if desk.sight.wanted(desk.life.member) is not Wanted.RUNNING or not await self._held():
                return None
            self._found = await self._now()
            if self._found is None:
                return None
            if self._found.with_member or self._found.may_work:
                break
            await desk.sight.news()
        desk.diary.note("understanding", self._found.stage)
        await self._stand()
        return understanding_prompt.wanted(self._found)

    async def _stand(self) -> None:
        desk = self._desk
        entry = desk.post.entry(desk.life.member)
        await asyncio.to_thread(desk.post.stand, entry, desk.life, self._task)

    async def _held(self) -> bool:
        return await asyncio.to_thread(self._desk.post.store.ask, is_held, self._task)

    async def _now(self) -> Understanding | None:
        store = self._desk.post.store
        return await asyncio.to_thread(store.ask, protocol.now, self._desk.life, self._task.id)

    async def _say(self, verb: Callable[..., Any], *words: Any) -> None:
        store = self._desk.post.store
        actor = await asyncio.to_thread(store.ask, reflecting.speaking, self._desk.life)
        await self._do(verb, actor, self._task.id, *words)

    async def _do(self, verb: Callable[..., T], *words: Any) -> T:
        return await asyncio.to_thread(self._desk.post.store.do, verb, *words)


def _place(found: Understanding) -> tuple[Stage, int, int]:
    return found.stage, found.attempt, found.plan_attempt


def looked(folder: Path, names: Sequence[str], *, own: bool) -> Looked:
    """Which of the named files are in a checkout, and what is uncommitted there."""
    there = frozenset(name for name in names if _is_inside(folder, name))
    return Looked(there, state_of(folder).changed if own else ())


def _is_inside(folder: Path, name: str) -> bool:
    """Whether a file of that name is there; what leads out of the folder is not."""
    parts = Path(name).parts
    if not parts or ".." in parts or Path(name).is_absolute():
        return False
    try:
        (folder / name).lstat()
    except (OSError, ValueError):
        return False
    return True
