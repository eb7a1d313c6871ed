"""A turn in which a member judges, mostly the lead: one question with a form, in a conversation of its own."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from drumline.control import briefing, efforts, judgements, recovering, reviewing
from drumline.errors import AccountPaused, BudgetSpent, in_words
from drumline.runtimes.desk import Desk
from drumline.runtimes.post import Provision
from drumline.runtimes.runtime import Ended
from drumline.runtimes.shift import LIMIT_PACE
from drumline.team import verdict
from drumline.team.judgement import Judgement
from drumline.team.life import WhyEnded
from drumline.team.outcome import Ending
from drumline.team.posting import Wanted
from drumline.team.quoting import quoted

T = TypeVar("T")


class Judging:
    """One judgement, asked once; what was cut off may be asked once more, by this life or the next."""

    def __init__(self, desk: Desk, judgement: Judgement) -> None:
        self._desk, self._judgement = desk, judgement

    async def work(self) -> WhyEnded | None:
        """Ask, and keep what was answered; why the life must end with it, if it must."""
        desk, matter = self._desk, self._judgement.matter
        desk.diary.note("asked to judge", matter.name)
        try:
            await self._begun()
            prompt = f"{await self._prompt()}{await self._work()}"
            ended = await desk.talk.ask(
                prompt, None, desk.purse, verdict.schema(matter.kind), matter.run
            )
        except AccountPaused as paused:
            desk.diary.note("paused", paused.what)
            await self._do(judgements.give_back, matter)
            await asyncio.sleep(LIMIT_PACE)
            return None
        except BudgetSpent as spent:
            desk.diary.note("spent", spent.what)
            desk.purse.refused = in_words(spent)
            await self._do(judgements.give_back, matter)
            return WhyEnded.BUDGET
        await self._kept(ended)
        await desk.talk.close()  # the next one is another conversation
        return None

    async def _prompt(self) -> str:
        """What is asked; the second time with what was wrong with the first answer.

        Who leads in another life than it began the run in is told where the run stands.
        """
        asked, store = self._judgement, self._desk.post.store
        parts = [asked.prompt]
        if asked.words:
            parts.append(f"Your answer could not be read:\n{quoted(asked.words)}")
        parts.append(
            await asyncio.to_thread(store.ask, recovering.told, self._desk.life, asked.matter.run)
        )
        return "\n\n".join(filter(None, parts))

    async def _work(self) -> str:
        """The change that is judged, where the judge must see it: fresh from the repository, never kept."""
        post = self._desk.post
        works = await asyncio.to_thread(
            post.store.ask, reviewing.work_judged, self._judgement.matter
        )
        return f"\n\n{await asyncio.to_thread(post.changes, works)}" if works else ""

    async def _kept(self, ended: Ended) -> None:
        matter = self._judgement.matter
        if ended.outcome.succeeded:
            given = ended.answer if ended.answer is not None else ended.text
            await self._do(judgements.answer, matter, given)
        elif ended.outcome.ending is Ending.INTERRUPTED and not self._wanted:
            await self._do(judgements.give_back, matter)
        else:
            await self._do(judgements.fail, matter, ended.outcome.why)

    @property
    def _wanted(self) -> bool:
        """Whether its member is to go on: if so, it was cut short for taking too long, which counts."""
        return self._desk.sight.wanted(self._desk.life.member) is Wanted.RUNNING

    async def _begun(self) -> None:
        """A conversation that knows who it is and nothing else."""
        post = self._desk.post
        around = await asyncio.to_thread(post.around)
        system = await asyncio.to_thread(
            post.store.ask, briefing.introduction, self._desk.life.member, around
        )
        effort = await asyncio.to_thread(post.store.ask, efforts.of_run, self._judgement.matter.run)
        await self._desk.talk.prepare(system, Provision(), effort)

    async def _do(self, verb: Callable[..., T], *words: Any) -> T:
        return await asyncio.to_thread(self._desk.post.store.do, verb, self._desk.life, *words)
