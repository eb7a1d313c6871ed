"""Subagents of a life: each answers one question, in its starter's quarters, and ends with its turn at the latest.

A member asks for one by a verb of ours, whatever its runtime. The runner begins a second conversation
behind a door of its own: the same checkout, kernel and rules, its profile's tools, and no verbs.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import CancelledError, wait
from dataclasses import replace

from drumline.control import subagents
from drumline.errors import BudgetSpent, Conflict, DrumlineError, NotReady, Unfinished
from drumline.runtimes.answering import VERBS
from drumline.runtimes.books import Books, ending
from drumline.runtimes.diary import Diary
from drumline.runtimes.overflow import entering
from drumline.runtimes.post import Post
from drumline.runtimes.purse import Purse
from drumline.runtimes.runtime import Answer, Conversation, Ended, Fact, Runtime, Start
from drumline.runtimes.witnessed import Witnessed
from drumline.team.attempt import TURN_OUTCOME
from drumline.team.budget import Budgets
from drumline.team.life import Life
from drumline.team.outcome import Ending, Outcome
from drumline.team.subagent import Answered, Errand, Spawn
from drumline.team.turn import Turn

AT_ONCE = VERBS - 1  # of those a doorway carries out at once, one stays free for the member's own
LOOK = 5.0  # seconds between looks whether the runner still is there
POLITE = 10.0  # seconds an interrupted turn has to come to its end
NOTHING_SERVED = """\
refused: a subagent speaks no drumline command
why:     the board and the mail know its starter, and only its starter answers for what it has done
next:    say it in your answer: whoever started you reads that and nothing else
"""
ENDED_WITH_TURN = Outcome(Ending.INTERRUPTED, "its starter's turn is over")


class Subagents:
    """Those of one life; they are asked for in any thread, and work in the runner's loop."""

    def __init__(
        self, post: Post, life: Life, runtime: Runtime, starter: Start, diary: Diary
    ) -> None:
        self._post, self._life, self._runtime, self._diary = post, life, runtime, diary
        self._approve = starter.approve  # whoever approves the member's calls approves theirs
        self._books = Books(post, life, runtime)
        self._loop = asyncio.get_running_loop()
        self._turn: tuple[Turn, Budgets] | None = None
        self._working: dict[int, Work] = {}
        self._begun = 0
        post.annexes.serve(life.member, self.ask)

    def count(self) -> int:
        """How many are at work."""
        return len(self._working)

    def open(self, turn: Turn, budgets: Budgets) -> None:
        """A turn runs that can pay for subagents."""
        self._turn = (turn, budgets)

    async def close(self) -> None:
        """Begin nobody any more, and end those at work."""
        self._turn = None
        await asyncio.gather(*(work.stop() for work in self._working.values()))

    def ask(self, errand: Errand) -> Answered:
        """The answer of a subagent, waited for in the caller's thread; a refusal where there is none."""
        asked = asyncio.run_coroutine_threadsafe(self._asked(errand), self._loop)
        while not wait([asked], LOOK).done:
            if self._loop.is_closed():  # the runner has ended: nobody will answer
                asked.cancel()
        try:
            return asked.result()
        except CancelledError:
            raise _unfinished(errand, ENDED_WITH_TURN) from None

    async def _asked(self, errand: Errand) -> Answered:
        if self._turn is None:
            raise NotReady("no turn of yours runs", next="ask while you work on a task")
        (turn, budgets), place = self._turn, self._free_place()
        work = self._working[place] = Work(asyncio.current_task())
        self._begun += 1
        name = f"subagent-{self._begun}"
        try:
            profile = await asyncio.to_thread(self._post.annexes.allowed, self._life.member, errand)
            spawn = Spawn(profile, errand, name, place)
            self._refuse_second_writer(work, spawn)
            return await self._worked(work, spawn, turn, budgets)
        finally:
            del self._working[place]
            work.over.set()

    def _free_place(self) -> int:
        free = [place for place in range(1, AT_ONCE + 1) if place not in self._working]
        if not free:
            raise Conflict(
                f"{AT_ONCE} subagents of {self._life.member} are at work",
                why="no more work at once",
                next="wait for an answer, then ask again",
            )
        return free[0]

    def _refuse_second_writer(self, work: "Work", spawn: Spawn) -> None:
        """One that may write has the checkout to itself: two would write over each other."""
        writes = self._post.annexes.writes(self._life.member, spawn)
        if writes and any(each.writes for each in self._working.values()):
            raise Conflict(
                f"a subagent of {self._life.member} that may write is at work",
                why="two would change the same checkout",
                next="wait for its answer, or ask this one only to read",
            )
        work.writes = writes

    async def _worked(self, work: "Work", spawn: Spawn, turn: Turn, budgets: Budgets) -> Answered:
        """Begun, asked and ended in the books; what enters the starter's context."""
        name = f"{spawn.name} of {spawn.profile.name}"
        do, others = self._post.store.do, self.count() - 1
        left = await asyncio.to_thread(do, subagents.start, turn, name, budgets, others)
        self._diary.note("subagent began", spawn.errand.prompt, subagent=spawn.name)
        ended = Ended(Outcome(Ending.CRASHED, "it could not be begun"))
        try:
            ended = await self._spoken(work, spawn._replace(left=left.left), turn, budgets)
        finally:
            outcome = TURN_OUTCOME[ended.outcome.ending]
            ending_it = asyncio.to_thread(do, subagents.end, turn, name, outcome)
            await asyncio.shield(ending_it)
        if not ended.outcome.succeeded:
            raise _unfinished(spawn.errand, ended.outcome)
        text, file = await asyncio.to_thread(
            entering, ended.text, self._post.annexes.folder(self._life.member)
        )
        return Answered(spawn.profile.name, text, len(ended.text), file)

    async def _spoken(self, work: "Work", spawn: Spawn, turn: Turn, budgets: Budgets) -> Ended:
        """One turn of a conversation of its own, of which nothing is left afterwards."""
        annexes = self._post.annexes
        purse = Purse(annexes.guard(self._life, spawn), self._post, self._life.member)
        purse.open(turn.opening, budgets)
        purse.beside = lambda: self.count() - 1

        async def take(fact: Fact) -> None:
            self._diary.fact(fact, subagent=spawn.name)
            await self._books.take(fact, turn, budgets, spawn.name)

        async with annexes.room(self._life, spawn, Witnessed(purse)) as start:
            conversation = await self._runtime.begin(replace(start, approve=self._approve))
            work.conversation, purse.on_empty = conversation, conversation.interrupt
            try:
                if work.stopped:
                    return Ended(ENDED_WITH_TURN)
                return await ending(conversation.turn(spawn.errand.prompt), take, purse)
            finally:
                await asyncio.shield(conversation.end())
                await asyncio.to_thread(purse.tally.flush)


class NoVerbs:
    """What a subagent may say of the board and in the mail: nothing."""

    def run(self, words: Sequence[str], stdin: str = "", cwd: str = "") -> Answer:
        """A refusal of whatever is asked."""
        del words, stdin, cwd
        return Answer(1, "", NOTHING_SERVED)


class Work:
    """A subagent at work, for whoever has to stop it."""

    def __init__(self, task: "asyncio.Task[object] | None") -> None:
        self._task = task
        self.conversation: Conversation | None = None
        self.over = asyncio.Event()
        self.stopped = self.writes = False

    async def stop(self) -> None:
        """End it: politely, then every process of it, then whatever it waits for."""
        first, self.stopped = not self.stopped, True
        if first and self.conversation is not None:
            await self.conversation.interrupt()
        if await self._is_over():
            return
        if self.conversation is not None:
            await self.conversation.end()
        if not await self._is_over() and self._task is not None:
            self._task.cancel()
            await self.over.wait()

    async def _is_over(self) -> bool:
        try:
            await asyncio.wait_for(self.over.wait(), POLITE)
        except TimeoutError:
            return False
        return True


def _unfinished(errand: Errand, outcome: Outcome) -> DrumlineError:
    kind = BudgetSpent if outcome.ending is Ending.BUDGET else Unfinished
    return kind(
        f"the subagent of {errand.profile[:80]} gave no answer",
        why=outcome.why,
        next="go on without it, or ask a smaller question",
    )
