"""A runner: one member's life, from the lease that begins it to the last process that ends with it.

It stands outside whatever confines the member. What it decides, it decides from the store: an event only
says look again, and being killed anywhere costs time, never truth.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from drumline.control import board, claims, judgements, lives, reflecting
from drumline.control.reflecting import speaking
from drumline.errors import NotAllowed, NothingReady, NotHolder, NotReady, Refused, in_words
from drumline.runtimes.approving import Approvals
from drumline.runtimes.desk import Desk
from drumline.runtimes.diary import Diary
from drumline.runtimes.interlude import Interlude
from drumline.runtimes.judging import Judging
from drumline.runtimes.post import Post
from drumline.runtimes.runtime import Approve
from drumline.runtimes.shift import Shift
from drumline.runtimes.talk import POLITE, Purse, Talk
from drumline.runtimes.watch import Sight
from drumline.runtimes.witnessed import Witnessed
from drumline.team.judgement import Judgement
from drumline.team.life import LEASE, RENEWAL, Life, LifeState, WhyEnded
from drumline.team.manifest import MemberEntry
from drumline.team.nudge import Nudge
from drumline.team.posting import Wanted
from drumline.team.task import Holder, Task
from drumline.team.tools import asked_about
from drumline.team.tries import Tries

T = TypeVar("T")
FAREWELL = (
    "You are asked to stop now. Commit what is good, and end your turn with your account: completed if"
    " it is, else partial, with what whoever takes the task up must know."
)
WITHOUT_PLANE = 600.0  # seconds after which a member nobody looks after ends


class Runner:
    """One member, run for as long as it is wanted."""

    def __init__(self, post: Post, member: str, sight: Sight) -> None:
        self._post, self._member, self._sight = post, member, sight
        self._tries = Tries()

    async def live(self) -> WhyEnded:
        """Live one life; how it ended."""
        entry = self._post.entry(self._member)
        process = self._post.process(entry)
        life = await self._do(lives.begin, self._member, process)
        why, words = WhyEnded.CRASHED, "its runner was ended"
        try:
            why, words = await self._lived(entry, life)
        except NotHolder as refused:
            why, words = WhyEnded.REPLACED, refused.what
        except Exception as error:
            words = in_words(error)
            raise
        finally:
            await asyncio.shield(self._do(lives.end, life, why, words))
        return why

    async def _lived(self, entry: MemberEntry, life: Life) -> tuple[WhyEnded, str]:
        await asyncio.to_thread(self._post.trust, entry)
        quarters = await asyncio.to_thread(self._post.quarters, entry, life)
        await asyncio.to_thread(self._post.stand, entry, life, None)
        diary = Diary(quarters.diary, life.incarnation, self._post.now)
        purse = Purse(self._post.guard(life, quarters), self._post, self._member)
        guard = Witnessed(purse)
        start = self._post.start(entry, life, quarters, guard)
        start = replace(start, approve=self._approvals(entry, life))
        talk = Talk(self._post, life, self._post.runtime(entry), start, diary)
        desk = Desk(self._post, life, quarters, talk, purse, diary, self._sight)
        talk.between = partial(self._looked_after, desk)
        diary.note("began", f"life {life.incarnation} on {life.process.host}")
        async with self._post.doorway(life, quarters, guard, start.verbs):
            try:
                why = await self._first(self._renewing(desk), self._working(entry, desk))
            finally:
                await talk.close()
                await asyncio.to_thread(purse.tally.flush)
        diary.note("ended", why)
        return why, (purse.refused or purse.empty) if why is WhyEnded.BUDGET else ""

    def _approvals(self, entry: MemberEntry, life: Life) -> Approve | None:
        """A way to ask a person, for a member whose permission mode leaves calls to one."""
        if not asked_about(entry.permission_mode, "Bash"):
            return None
        patience = self._post.around().manifest.settings.approval_wait
        return Approvals(self._post, life, self._sight, patience).ask

    async def _first(self, *works: Any) -> WhyEnded:
        """What ends first ends all."""
        doing = [asyncio.ensure_future(work) for work in works]
        try:
            done, _ = await asyncio.wait(doing, return_when=asyncio.FIRST_COMPLETED)
            found: WhyEnded = next(iter(done)).result()
            return found
        finally:
            for each in doing:
                each.cancel()
            await asyncio.wait(doing)

    async def _renewing(self, desk: Desk) -> WhyEnded:
        """Hold the lease, and tell how the member is; a life that lost it stops at once."""
        alone = 0.0
        while True:
            await self._do(lives.renew, desk.life, signs=desk.purse.pulse.news())
            await asyncio.sleep(RENEWAL.total_seconds())
            alone = 0.0 if self._sight.plane else alone + RENEWAL.total_seconds()
            if alone >= WITHOUT_PLANE:
                return WhyEnded.STOPPED

    async def _working(self, entry: MemberEntry, desk: Desk) -> WhyEnded:
        """Take task after task for as long as the member is wanted."""
        while True:
            wanted = self._sight.wanted(self._member)
            if wanted is Wanted.STOPPED:
                return WhyEnded.STOPPED
            if wanted is Wanted.PAUSED:
                await self._rest(desk.life)
                continue
            if why := await self._next(entry, desk):
                return why

    async def _next(self, entry: MemberEntry, desk: Desk) -> WhyEnded | None:
        """Judge, work, hear what waits, or be idle; why the life must end with it, if it must."""
        if self._sight.judges(self._member) and (asked := await self._asked(desk)):
            return await self._attended(Judging(desk, asked).work(), desk)
        calls = self._sight.calls(self._member)  # what calls from here on was not tried
        if (task := await self._claimed(desk)) is not None:
            self._tries.came_to_something()
            return await self._shift(entry, desk, task)
        if self._sight.nudged(self._member) and (nudge := await self._nudge(desk)):
            self._tries.came_to_something()
            return await self._attended(Interlude(desk, nudge).work(), desk)
        self._tries.came_to_nothing(calls, self._now())
        await self._idle(desk.life)
        return None

    async def _asked(self, desk: Desk) -> Judgement | None:
        """What this member is to judge next."""
        return await self._do(judgements.take, desk.life)

    async def _nudge(self, desk: Desk) -> Nudge | None:
        """What waits to be said to an idle member."""
        await self._do(lives.move, desk.life, LifeState.IDLE)
        return await desk.talk.nudging.taken(at_work=False)

    async def _idle(self, life: Life) -> None:
        """Be idle until there may be work, or a word about some, or something else is wanted."""
        await self._do(lives.move, life, LifeState.IDLE)
        await self._sight.news()
        while self._sight.wanted(self._member) is Wanted.RUNNING:
            due = self._tries.heard(self._sight.calls(self._member), self._now())
            if due or self._sight.judges(self._member):
                return
            await self._sight.news()

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    async def _rest(self, life: Life) -> None:
        """Be paused for as long as that is wanted, and idle again afterwards."""
        await self._do(lives.move, life, LifeState.PAUSED)
        while self._sight.wanted(self._member) is Wanted.PAUSED:
            await self._sight.news()
        await self._do(lives.move, life, LifeState.IDLE)

    async def _claimed(self, desk: Desk) -> Task | None:
        """What somebody claimed for this life, else the best ready task that fits and was not left to others."""
        life = desk.life
        if given := await asyncio.to_thread(self._post.store.ask, claims.held_by, life):
            return given
        entry = self._post.entry(life.member)
        if not self._sight.ready_for(life.member) or not self._post.takes_work(entry):
            return None
        holder = Holder(life.member, life.incarnation)
        actor = await asyncio.to_thread(self._post.store.ask, speaking, life)
        try:
            return await self._do(board.claim_next, actor, holder, lease=LEASE, but=desk.left)
        except (NothingReady, NotReady, NotAllowed):  # not every constitution lets members choose
            return None

    async def _shift(self, entry: MemberEntry, desk: Desk, task: Task) -> WhyEnded | None:
        """One task; a member that is no longer wanted is interrupted in it."""
        desk.diary.note("took", f"{task.id} {task.title}", fence=task.fence)
        await asyncio.to_thread(self._post.stand, entry, desk.life, task)
        left = await self._taken_up(entry, desk, task)
        try:
            return await self._attended(Shift(desk, task, left).work(), desk)
        finally:
            await asyncio.to_thread(self._post.stand, entry, desk.life, None)

    async def _attended(
        self, work: Coroutine[Any, Any, WhyEnded | None], desk: Desk
    ) -> WhyEnded | None:
        """Some turns, looked after: who is no longer wanted is interrupted, who does not know is told."""
        working = asyncio.ensure_future(work)
        try:
            while not working.done():
                news = asyncio.ensure_future(self._sight.news())
                await asyncio.wait({working, news}, return_when=asyncio.FIRST_COMPLETED)
                news.cancel()
                if working.done():
                    break
                if self._sight.wanted(self._member) is not Wanted.RUNNING:
                    await self._interrupted(working, desk)
                else:
                    await self._looked_after(desk)
            return working.result()
        finally:
            working.cancel()
            await asyncio.wait({working})

    async def _looked_after(self, desk: Desk) -> None:
        """Tell others that a long call is over, and the member what waits for it, but never in a call."""
        pulse = desk.purse.pulse
        if pulse.left_a_call and (signs := pulse.news()):
            await self._do(lives.notice, desk.life, signs)
        if self._sight.nudged(self._member) and desk.talk.hears and not pulse.in_call:
            await desk.talk.nudge()

    async def _taken_up(self, entry: MemberEntry, desk: Desk, task: Task) -> tuple[str, ...]:
        """Bring the checkout to where the team's work is; what keeps it from that, a person is told once."""
        try:
            return await asyncio.to_thread(self._post.take_up, desk.quarters, entry)
        except Refused as refused:
            desk.diary.note("refused", refused.what)
            await self._do(reflecting.give_back, desk.life, task, "")
            await self._do(reflecting.tell_trouble, desk.life, refused.what, in_words(refused))
            raise

    async def _interrupted(self, working: "asyncio.Future[Any]", desk: Desk) -> None:
        """By asking first, then politely, then by ending every process of the conversation."""
        if await self._left_when_asked(working, desk):
            return
        talk = desk.talk
        await talk.interrupt()
        done, _ = await asyncio.wait({working}, timeout=POLITE)
        if not done:
            await talk.close()
            await asyncio.wait({working}, timeout=POLITE)

    async def _left_when_asked(self, working: "asyncio.Future[Any]", desk: Desk) -> bool:
        """Ask a member that is to end for what it has; whether it came to an end in time is kept."""
        if self._sight.wanted(self._member) is not Wanted.STOPPED:
            return False
        if not await desk.talk.tell(FAREWELL, "farewell"):
            return False
        desk.diary.note("asked to stop", FAREWELL)
        await desk.talk.end_subagents()  # who waits for one hears nothing
        patience = self._post.around().manifest.settings.stop_wait.total_seconds()
        done, _ = await asyncio.wait({working}, timeout=patience)
        answer = "answered" if done else "timed-out"
        await self._do(lives.tell_farewell, desk.life, answer)
        desk.diary.note("asked to stop", answer)
        return bool(done)

    async def _do(self, verb: Callable[..., T], *words: Any, **more: Any) -> T:
        return await asyncio.to_thread(lambda: self._post.store.do(verb, *words, **more))
