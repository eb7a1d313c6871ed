"""What a conversation's facts mean for the books: every reading charged once, every limit kept."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from typing import Any, TypeVar

from drumline.control import charges, limits
from drumline.runtimes.post import Post
from drumline.runtimes.purse import Purse
from drumline.runtimes.runtime import Called, Can, Ended, Fact, Limited, Metered, Runtime
from drumline.team.budget import Budgets
from drumline.team.charge import Report
from drumline.team.life import Life
from drumline.team.outcome import Ending, Outcome
from drumline.team.text import PATTERN_CAP, one_line
from drumline.team.turn import Turn

T = TypeVar("T")
UNGUARDED = "it called tools that nobody was asked about: its guard does not run"
UNSAID_LIMIT = timedelta(minutes=5)  # how long an account rests when nobody said how long


class Books:
    """One life's books, as its runtime's facts are entered in them."""

    def __init__(self, post: Post, life: Life, runtime: Runtime) -> None:
        self._post, self._life, self._runtime = post, life, runtime

    async def take(self, fact: Fact, turn: Turn, budgets: Budgets, spawn: str = "") -> None:
        """Enter a fact of a turn; `spawn` names whoever has a meter of its own inside it."""
        if isinstance(fact, Metered):
            report = self._priced(fact.report)
            if spawn:
                report = report._replace(source=f"{spawn} {report.source}")
            await self._do(charges.charge, self._life, turn.number, report, budgets)
        elif isinstance(fact, Limited) and self._life.process.account:
            now = await asyncio.to_thread(self._post.store.ask, lambda tx: tx.now())
            until = fact.until or now + UNSAID_LIMIT
            why = one_line(fact.why, PATTERN_CAP) or "a usage limit"
            await self._do(limits.pause, self._life.process.account, until, why)

    def _priced(self, report: Report) -> Report:
        """What a runtime reports only in tokens is priced by the table."""
        if Can.COST in self._runtime.able and report.total.micros:
            return report
        return report._replace(price=self._post.price(report.model))

    async def _do(self, verb: Callable[..., T], *words: Any) -> T:
        return await asyncio.to_thread(self._post.store.do, verb, *words)


async def ending(
    facts: AsyncIterator[Fact], take: Callable[[Fact], Awaitable[None]], purse: Purse
) -> Ended:
    """How a turn ended, its facts taken one by one; calls that nobody was asked about are no success."""
    ended = Ended(Outcome(Ending.CRASHED, "it told no end of the turn"))
    calls, purse.asked = 0, 0
    async for fact in facts:
        ended = fact if isinstance(fact, Ended) else ended
        calls += isinstance(fact, Called)
        await take(fact)
    if calls and not purse.asked:
        return Ended(Outcome(Ending.REFUSED, UNGUARDED))
    if purse.empty and ended.outcome.ending is Ending.INTERRUPTED:
        return ended._replace(outcome=Outcome(Ending.BUDGET, purse.empty))
    return ended
