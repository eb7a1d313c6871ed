"""A life's conversation: every turn is counted, charged and settled, whatever happens in it."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from typing import Any, TypeVar

from drumline.control import charges, limits, lives, turns
from drumline.control.budgets import budgets_for, may_go_on
from drumline.runtimes.diary import Diary
from drumline.runtimes.post import Post, Provision
from drumline.runtimes.runtime import (
    Called,
    Can,
    Conversation,
    Ended,
    Entered,
    Fact,
    Guard,
    Limited,
    Metered,
    Runtime,
    Start,
)
from drumline.team.attempt import TURN_OUTCOME
from drumline.team.budget import Budgets, No
from drumline.team.charge import Report
from drumline.team.life import Life
from drumline.team.manifest import MemberEntry
from drumline.team.outcome import Ending, Outcome
from drumline.team.task import Task
from drumline.team.text import PATTERN_CAP, one_line
from drumline.team.turn import Opening, Turn

T = TypeVar("T")
POLITE = 10.0  # seconds an interrupted turn has to come to its end
UNGUARDED = "it called tools that nobody was asked about: its guard does not run"
UNSAID_LIMIT = timedelta(minutes=5)  # how long an account rests when nobody said how long


class Talk:
    """What a runner says to its member's runtime, and what it hears."""

    def __init__(
        self, post: Post, life: Life, runtime: Runtime, start: Start, diary: Diary
    ) -> None:
        self._post, self._life, self._runtime = post, life, runtime
        self._start, self._diary = start, diary
        self._conversation: Conversation | None = None
        self._late: list[asyncio.Future[None]] = []
        self._limit = post.around().manifest.settings.turn_limit
        self.session = start.session

    async def prepare(self, system: str, found: Provision) -> None:
        """Begin anew with what the member is told for a task; each task has a conversation of its own."""
        await self.close()
        new = replace(self._start, servers=found.servers, bound=found.bound)
        self._start = replace(new, system=system, session="")

    async def ask(
        self, prompt: str, task: Task, purse: "Purse", schema: Mapping[str, Any] | None = None
    ) -> Ended:
        """One turn about a task, from its start in the books to its end in them."""
        about = Opening(sha256(prompt.encode()).hexdigest(), task.id, task.run)
        purse.open(about, await self._do(self._post.store.ask, budgets_for, task, purse.entry()))
        turn = await self._do(self._post.store.do, turns.start, self._life, about, purse.budgets)
        ended = await self._spoken(prompt, turn, purse, schema)
        outcome = TURN_OUTCOME[ended.outcome.ending]
        await self._do(self._post.store.do, turns.settle, self._life, turn.number, outcome)
        return ended

    async def _spoken(
        self, prompt: str, turn: Turn, purse: "Purse", schema: Mapping[str, Any] | None
    ) -> Ended:
        conversation = await self._begun()
        purse.on_empty = conversation.interrupt
        ended: Ended | None = None
        calls, purse.asked = 0, 0
        late = asyncio.get_running_loop().call_later(
            self._limit.total_seconds(), self._cut_short, conversation
        )
        try:
            async for fact in conversation.turn(prompt, schema):
                self._diary.fact(fact)
                ended = fact if isinstance(fact, Ended) else ended
                calls += isinstance(fact, Called)
                await self._take(fact, turn, purse.budgets)
        finally:
            late.cancel()
            for each in self._late:
                each.cancel()
        if ended is None:
            ended = Ended(Outcome(Ending.CRASHED, "it told no end of the turn"))
        if calls and not purse.asked:
            await self.close()
            return Ended(Outcome(Ending.REFUSED, UNGUARDED))
        if purse.empty and ended.outcome.ending is Ending.INTERRUPTED:
            return ended._replace(outcome=Outcome(Ending.BUDGET, purse.empty))
        return ended

    def _cut_short(self, conversation: Conversation) -> None:
        """End a turn that takes too long: politely, and a while later by ending all of it."""
        self._diary.note("cut short", f"longer than {self._limit}")
        self._late = [
            asyncio.ensure_future(conversation.interrupt()),
            asyncio.ensure_future(self._end_later(conversation)),
        ]

    async def _end_later(self, conversation: Conversation) -> None:
        await asyncio.sleep(POLITE)
        if self._conversation is conversation:
            await self.close()

    async def _take(self, fact: Fact, turn: Turn, budgets: Budgets) -> None:
        store = self._post.store
        if isinstance(fact, Entered):
            self.session = fact.session
            await self._do(store.do, lives.enter, self._life, fact.session)
        elif isinstance(fact, Metered):
            report = self._priced(fact.report)
            await self._do(store.do, charges.charge, self._life, turn.number, report, budgets)
        elif isinstance(fact, Limited) and self._life.process.account:
            now = await self._do(store.ask, lambda tx: tx.now())
            until = fact.until or now + UNSAID_LIMIT
            account = self._life.process.account
            why = one_line(fact.why, PATTERN_CAP) or "a usage limit"
            await self._do(store.do, limits.pause, account, until, why)

    def _priced(self, report: Report) -> Report:
        """What a runtime reports only in tokens is priced by the table."""
        if Can.COST in self._runtime.able and report.total.micros:
            return report
        return report._replace(price=self._post.price(report.model))

    async def _begun(self) -> Conversation:
        if self._conversation is None:
            self._conversation = await self._runtime.begin(self._start)
        return self._conversation

    async def tell(self, words: str, name: str) -> bool:
        """Give the member words in its running turn; false where its runtime hears none."""
        return self._conversation is not None and await self._conversation.tell(words, name)

    async def interrupt(self) -> None:
        """End the running turn politely."""
        if self._conversation is not None:
            await self._conversation.interrupt()

    async def close(self) -> None:
        """End the conversation and every process of it; the next turn begins another."""
        open_, self._conversation = self._conversation, None
        if open_ is not None:
            await open_.end()

    async def _do(self, call: Callable[..., T], *words: Any) -> T:
        return await asyncio.to_thread(call, *words)


class Purse:
    """A guard that also asks before every tool call whether there is money for one more request."""

    def __init__(self, guard: Guard, post: Post, member: str) -> None:
        self._guard, self._post, self._member = guard, post, member
        self._loop = asyncio.get_running_loop()
        self._about: Opening | None = None
        self.budgets, self.empty, self.asked = Budgets(), "", 0
        self.on_empty: Callable[[], Any] | None = None

    def entry(self) -> MemberEntry:
        """The member as the manifest has it now: a budget may be raised or lowered meanwhile."""
        return self._post.entry(self._member)

    def open(self, about: Opening, budgets: Budgets) -> None:
        """Begin to count for a turn."""
        self._about, self.budgets, self.empty = about, budgets, ""

    def before(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        """The ruling on a call; without money nothing is allowed, and the turn is ended."""
        self.asked += 1
        if self._about is not None and (why := self._spent(self._about)):
            self.empty = why
            if self.on_empty is not None:
                asyncio.run_coroutine_threadsafe(self.on_empty(), self._loop)
            return {
                "decision": "deny",
                "constraint": "C-BUDGET",
                "what": "a call there is no money for",
                "why": why,
                "next": "stop here: the lead raises the budget or ends the work",
            }
        return self._guard.before(event)

    def after(self, event: Mapping[str, Any]) -> None:
        self._guard.after(event)

    def _spent(self, about: Opening) -> str:
        verdict = self._post.store.ask(may_go_on, self._member, about, self.budgets)
        return verdict.why if isinstance(verdict, No) else ""
