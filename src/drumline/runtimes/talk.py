"""A life's conversation: every turn is counted, charged and settled, whatever happens in it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any, TypeVar

from drumline.control import lives, turns
from drumline.control.budgets import budgets_for
from drumline.errors import Refused
from drumline.runtimes.books import UNGUARDED, Books, ending
from drumline.runtimes.diary import Diary
from drumline.runtimes.nudging import Nudging
from drumline.runtimes.post import Post, Provision
from drumline.runtimes.purse import Purse
from drumline.runtimes.runtime import (
    Called,
    Conversation,
    Ended,
    Entered,
    Fact,
    Received,
    Runtime,
    Start,
)
from drumline.runtimes.subagents import POLITE, Subagents
from drumline.team.attempt import TURN_OUTCOME
from drumline.team.effort import shown, told
from drumline.team.life import Life
from drumline.team.task import Task
from drumline.team.turn import Opening, Turn

T = TypeVar("T")
__all__ = ["POLITE", "UNGUARDED", "Purse", "Talk"]


class Talk:
    """What a runner says to its member's runtime, and what it hears."""

    def __init__(
        self, post: Post, life: Life, runtime: Runtime, start: Start, diary: Diary
    ) -> None:
        self._post, self._life, self._runtime = post, life, runtime
        self._start, self._diary = start, diary
        self._books = Books(post, life, runtime)
        self._subagents = Subagents(post, life, runtime, start, diary)
        self.nudging = Nudging(post.store, life, diary)
        self.between: Callable[[], Awaitable[None]] | None = None  # what to do after each call
        self._conversation: Conversation | None = None
        self._late: list[asyncio.Future[None]] = []
        self._limit = post.around().manifest.settings.turn_limit
        self.session = start.session

    async def prepare(self, system: str, found: Provision, effort: str = "") -> None:
        """Begin anew with what the member is told for a task; each task has a conversation of its own."""
        await self.close()
        if effort:
            self._diary.note("effort", shown(self._runtime.name, effort))
        word = told(self._runtime.name, effort)
        new = replace(self._start, servers=found.servers, bound=found.bound, effort=word)
        self._start = replace(new, system=system, session="")

    @property
    def introduced(self) -> bool:
        """Whether the member was told who it is."""
        return bool(self._start.system)

    async def ask(
        self,
        prompt: str,
        task: Task | None,
        purse: Purse,
        schema: Mapping[str, Any] | None = None,
        run: str = "",
    ) -> Ended:
        """One turn, about a task, a run or neither, from its start in the books to its end in them.

        What a member at work is to be nudged about is said with the prompt.
        """
        nudge = None if task is None else await self.nudging.taken(at_work=True)
        words = prompt if nudge is None else f"{nudge.text}\n\n{prompt}"
        try:
            turn = await self._opened(words, task, purse, run)
        except Refused as refused:
            await self.nudging.given_back(nudge, refused.what)
            raise
        ended = await self._spoken(words, turn, purse, schema)
        outcome = TURN_OUTCOME[ended.outcome.ending]
        await self._do(purse.tally.flush)
        await self._do(self._post.store.do, turns.settle, self._life, turn.number, outcome)
        await self.nudging.heard(nudge, ended)
        return ended

    async def _opened(self, words: str, task: Task | None, purse: Purse, run: str) -> Turn:
        """A turn in the books, if there is money for it and no limit."""
        about = Opening(sha256(words.encode()).hexdigest(), run=run)
        if task is not None:
            about = about._replace(task=task.id, run=task.run)
        ask = self._post.store.ask
        purse.open(about, await self._do(ask, budgets_for, task, purse.entry(), run))
        return await self._do(self._post.store.do, turns.start, self._life, about, purse.budgets)

    async def _spoken(
        self, prompt: str, turn: Turn, purse: Purse, schema: Mapping[str, Any] | None
    ) -> Ended:
        conversation = await self._begun(schema)
        purse.on_empty, purse.beside = conversation.interrupt, self._subagents.count

        async def take(fact: Fact) -> None:
            self._diary.fact(fact)
            _noticed(fact, purse)
            await self._take(fact, turn, purse)
            if self.between is not None and isinstance(fact, Called):
                await self.between()

        late = asyncio.get_running_loop().call_later(
            self._limit.total_seconds(), self._cut_short, conversation
        )
        self._subagents.open(turn, purse.budgets)
        try:
            ended = await ending(conversation.turn(prompt, schema), take, purse)
        finally:
            late.cancel()
            purse.pulse.settled()
            for each in self._late:
                each.cancel()
            await self._subagents.close()
        if ended.outcome.why == UNGUARDED:
            await self.close()
        return ended

    def _cut_short(self, conversation: Conversation) -> None:
        """End a turn that takes too long: politely, and a while later by ending all of it."""
        self._diary.note("cut short", f"longer than {self._limit}")
        self._late = [
            asyncio.ensure_future(self.interrupt()),
            asyncio.ensure_future(self._end_later(conversation)),
        ]

    async def _end_later(self, conversation: Conversation) -> None:
        await asyncio.sleep(POLITE)
        if self._conversation is conversation:
            await self.close()

    async def _take(self, fact: Fact, turn: Turn, purse: Purse) -> None:
        if isinstance(fact, Received):
            await self.nudging.received(fact.id)
        elif isinstance(fact, Entered):
            self.session = fact.session
            await self._do(self._post.store.do, lives.enter, self._life, fact.session)
        else:
            await self._books.take(fact, turn, purse.budgets)

    async def _begun(self, schema: Mapping[str, Any] | None) -> Conversation:
        if self._conversation is None:
            self._conversation = await self._runtime.begin(replace(self._start, schema=schema))
        return self._conversation

    async def tell(self, words: str, name: str) -> bool:
        """Give the member words in its running turn; false where its runtime hears none."""
        return self._conversation is not None and await self._conversation.tell(words, name)

    @property
    def hears(self) -> bool:
        """Whether words would reach the member now."""
        return self._conversation is not None and self._conversation.listens

    async def nudge(self) -> None:
        """Tell a member at work what it does not know; where it hears nothing, its next prompt does."""
        if not self.hears:
            return
        found = await self.nudging.taken(at_work=True)
        if found is not None and not await self.tell(found.text, self.nudging.told(found)):
            await self.nudging.given_back(found, "it hears nothing now")

    async def end_subagents(self) -> None:
        """End whoever works for the running turn, and let nobody begin: its member goes on alone."""
        await self._subagents.close()

    async def interrupt(self) -> None:
        """End the running turn politely, and the subagents that work for it."""
        if self._conversation is not None:
            await asyncio.gather(self._conversation.interrupt(), self._subagents.close())

    async def close(self) -> None:
        """End the conversation and every process of it; the next turn begins another."""
        open_, self._conversation = self._conversation, None
        try:
            await self._subagents.close()
        finally:  # who waits for them may be cancelled, and nobody else knows of the conversation
            if open_ is not None:
                await open_.end()

    async def _do(self, call: Callable[..., T], *words: Any) -> T:
        return await asyncio.to_thread(call, *words)


def _noticed(fact: Fact, purse: Purse) -> None:
    """What a fact says about how the member is."""
    purse.pulse.heard()
    if isinstance(fact, Called):
        purse.pulse.called(fact.tool, refused=fact.result == "refused")
