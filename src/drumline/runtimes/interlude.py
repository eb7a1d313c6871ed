"""A turn that is about no task: an idle member hears what waits for it, its letters with it."""

import asyncio

from drumline.control import briefing, directives, mail
from drumline.errors import AccountPaused, BudgetSpent, in_words
from drumline.runtimes.desk import Desk
from drumline.runtimes.post import Provision
from drumline.runtimes.runtime import Ended
from drumline.runtimes.shift import letter_in_prompt
from drumline.team.life import WhyEnded
from drumline.team.message import Message
from drumline.team.nudge import Nudge

ABOUT = (
    "This turn is about no task, and no account of one is expected at its end. What you claim now, or are"
    " given, you are told in a turn of its own: claim it and end this one."
)


class Interlude:
    """One turn of an idle member."""

    def __init__(self, desk: Desk, nudge: Nudge) -> None:
        self._desk, self._nudge = desk, nudge

    async def work(self) -> WhyEnded | None:
        """Say it; why the life must end with it, if it must."""
        desk, nudging = self._desk, self._desk.talk.nudging
        letters = await self._letters()
        prompt = "\n\n".join([self._nudge.text, ABOUT, *map(letter_in_prompt, letters)])
        try:
            await self._introduced()
            ended = await desk.talk.ask(prompt, None, desk.purse)
        except AccountPaused as paused:
            await nudging.given_back(self._nudge, paused.what)
            return None
        except BudgetSpent as spent:
            await nudging.given_back(self._nudge, spent.what)
            desk.diary.note("spent", spent.what)
            desk.purse.refused = in_words(spent)
            return WhyEnded.BUDGET
        await nudging.heard(self._nudge, ended)
        await self._delivered(letters, ended)
        return None

    async def _introduced(self) -> None:
        """Whoever has had no task yet is told who it is."""
        talk, post = self._desk.talk, self._desk.post
        if talk.introduced:
            return
        around = await asyncio.to_thread(post.around)
        system = await asyncio.to_thread(
            post.store.ask, briefing.introduction, self._desk.life.member, around
        )
        await talk.prepare(system, Provision())

    async def _letters(self) -> list[Message]:
        store = self._desk.post.store
        return await asyncio.to_thread(store.ask, directives.letters_for, self._desk.life.member)

    async def _delivered(self, letters: list[Message], ended: Ended) -> None:
        """An answer proves that the letters entered the conversation; a broken one begins anew."""
        if not ended.outcome.succeeded:
            await self._desk.talk.close()
            return
        for each in letters:
            await asyncio.to_thread(self._desk.post.store.do, mail.confirm_delivery, each.id)
