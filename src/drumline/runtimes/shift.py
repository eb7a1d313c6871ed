"""One task in one life: asked for, judged by its record, accounted for, and handed in."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from drumline.control import directives, needs, reflecting, tool_use
from drumline.control.budgets import spent_on
from drumline.control.handing_in import is_held
from drumline.errors import AccountPaused, BadInput, BudgetSpent, NotHolder, Refused, in_words
from drumline.runtimes.desk import Desk
from drumline.runtimes.post import Hands, Provision
from drumline.runtimes.proving import Examination
from drumline.runtimes.runtime import Ended
from drumline.team import reflection
from drumline.team.attempt import Again, GiveBack, GiveUp, Leave, Step, after
from drumline.team.consequence import Complete, consequences
from drumline.team.ids import MessageId
from drumline.team.life import WhyEnded
from drumline.team.membership import equipped
from drumline.team.message import Message
from drumline.team.posting import Wanted
from drumline.team.prompt import Side
from drumline.team.quoting import quoted
from drumline.team.reflection import Reflection
from drumline.team.secrets import redact
from drumline.team.server import Needs
from drumline.team.task import Task
from drumline.team.tool_use import Kit

T = TypeVar("T")
MOST_HAND_INS = 3
NAMED = 20
LIMIT_PACE = 5.0  # seconds between looks at an account that rests


class Shift:
    """One task, until it is off this member's hands."""

    def __init__(self, desk: Desk, task: Task, left: Sequence[str] = ()) -> None:
        """`left` are the files of earlier work that nobody committed."""
        self._desk, self._task, self._left = desk, task, left
        self._hands: Hands = desk.post.hands(desk.life, desk.quarters, task)
        self._examination = Examination(desk, task, left)
        self._failures = self._hand_ins = self._unreadable = 0

    async def work(self) -> WhyEnded | None:
        """Work until the task is done or given away; why the life must end with it, if it must."""
        try:
            return await self._worked()
        except NotHolder:
            raise
        except Refused as refused:  # whoever planned the task must mend it: no member can
            self._desk.diary.note("refused", refused.what)
            if await self._still_held():
                await self._do(reflecting.give_up, self._task, f"{refused.what}; {refused.next}")
            return None

    async def _worked(self) -> WhyEnded | None:
        await self._learn_what_was_left()
        if await self._was_taken_in():
            return None
        found = await self._provided()
        if found is None:
            return None
        prompt, letters = await self._prompt(found)
        while prompt:
            ended = await self._ask(prompt)
            if not isinstance(ended, Ended):
                return await self._departed(ended)
            letters = await self._delivered(letters, ended)
            self._failures = 0 if ended.outcome.succeeded else self._failures + 1
            step = after(ended.outcome, self._failures)
            if isinstance(step, Leave):
                return await self._departed(step.why)
            prompt = await self._next(step, ended, prompt)
        return None

    async def _departed(self, why: WhyEnded) -> WhyEnded | None:
        """Why the life must end; money that only this work lacks sets the work aside, and nobody else."""
        desk = self._desk
        if why is not WhyEnded.BUDGET or not await self._still_held():
            return why
        spent = await asyncio.to_thread(
            desk.post.store.ask, spent_on, self._task, desk.purse.entry()
        )
        if spent:
            await self._do(reflecting.set_aside, self._task, f"no money is left for it: {spent}")
        return None if spent else why

    async def _next(self, step: Step, ended: Ended, prompt: str) -> str:
        """What to say next; nothing once the task is off this member's hands."""
        match step:
            case Again(pause, anew):
                if anew:
                    await self._desk.talk.close()
                return prompt if await self._still_wanted(pause) else await self._gave_back("")
            case GiveBack(why):
                failed = self._desk.sight.wanted(self._desk.life.member) is Wanted.RUNNING
                return await self._gave_back(why, failed=failed)
            case GiveUp(why):
                await self._do(reflecting.give_up, self._task, why)
                return ""
            case _:
                return await self._settled(ended)

    async def _ask(self, prompt: str) -> Ended | WhyEnded:
        """One turn; an account that rests is waited for, an empty purse ends the life."""
        schema = self._examination.schema or reflection.schema(strict=True)
        while True:
            try:
                return await self._desk.talk.ask(prompt, self._task, self._desk.purse, schema)
            except AccountPaused as paused:
                self._desk.diary.note("paused", paused.what)
                if not await self._still_wanted(LIMIT_PACE):
                    return WhyEnded.STOPPED
            except BudgetSpent as spent:
                self._desk.diary.note("spent", spent.what)
                self._desk.purse.refused = in_words(spent)
                return WhyEnded.BUDGET

    async def _provided(self) -> Provision | None:
        """The MCP servers for the task, all it needs among them; else it was put off, and none is told."""
        desk, task = self._desk, self._task
        entry = desk.post.entry(desk.life.member)
        needed = await asyncio.to_thread(desk.post.store.ask, needs.needs_of, task.id)
        if needed.wanted and await self._left_to_others(needed):
            return None
        found = await asyncio.to_thread(desk.post.provide, entry, desk.quarters, needed)
        if not found.lacking:
            kit = Kit(entry.name, entry.tools, tuple(each.name for each in found.servers))
            await self._do(tool_use.equip, task, kit)
            return found
        desk.diary.note("lacks", ", ".join(found.lacking))
        await self._do(needs.pause, task, found.lacking)
        return None

    async def _left_to_others(self, needed: Needs) -> bool:
        """Give a task back that others have the servers for, and this member has not."""
        desk, task = self._desk, self._task
        around = await asyncio.to_thread(desk.post.around)
        able = equipped(around.manifest, needed.wanted, task)
        if not able or desk.life.member in able:
            return False
        desk.left.add(task.id)
        await self._gave_back("")
        return True

    async def _prompt(self, found: Provision) -> tuple[str, list[MessageId]]:
        """The task as the member is told it, its claim, and the letters that wait for it."""
        desk, task = self._desk, self._task
        around = await asyncio.to_thread(desk.post.around)
        given = await self._do(directives.issue, task, around)
        brief = given.brief
        await desk.talk.prepare(brief.prompt.text(Side.SYSTEM), found, brief.effort)
        store = desk.post.store
        new = await asyncio.to_thread(store.ask, directives.letters_for, desk.life.member)
        await self._examination.begin()
        held = f"You hold {task.id} with fence {task.fence}.\n"
        parts = [
            given.text,
            held,
            *_leftovers(self._left),
            *map(letter_in_prompt, new),
            *self._examination.asks,
        ]
        letters = [*filter(None, [given.letter]), *(letter.id for letter in new)]
        return "\n".join(parts), letters

    async def _delivered(self, letters: list[MessageId], ended: Ended) -> list[MessageId]:
        """An answer proves that what was asked, letters with it, entered the conversation."""
        if not ended.outcome.succeeded:
            return letters
        for letter in letters:
            await asyncio.to_thread(self._desk.post.store.do, directives.heard, letter)
        return []

    async def _settled(self, ended: Ended) -> str:
        """Act on the member's account of its work; what it is told when that does not suffice."""
        if not await self._still_held():
            return ""
        if self._examination.open:
            following = await self._examination.heard(ended)
            return await self._gave_back("") if following is None else following
        try:
            account = _read(ended)
        except BadInput as refused:
            return await self._unread(ended, refused)
        await self._do(reflecting.keep, self._task, reflection.facts(account))
        await self._learn(self._desk.life.member, account)
        return await self._acted(account)

    async def _learn_what_was_left(self) -> None:
        """Keep what was learnt in an earlier life that ended while it was written down."""
        ask = self._desk.post.store.ask
        left = await asyncio.to_thread(ask, reflecting.unlearnt, self._task.id)
        if left is not None:
            await self._learn(left.member, reflection.read(left.account))

    async def _learn(self, member: str, account: Reflection) -> None:
        """Keep what the member learnt; a memory that cannot be written keeps no work from being taken in."""
        desk = self._desk
        try:
            done = await asyncio.to_thread(desk.post.learn, member, self._task, account)
        except (Refused, OSError) as error:
            desk.diary.note("not learnt", str(error))
            await self._do(reflecting.not_learnt, self._task, str(error))
            return
        if done.written or done.refused:
            ids = ", ".join(each.id for each in done.written)
            desk.diary.note("learnt", ids, refused=len(done.refused))

    async def _acted(self, account: Reflection) -> str:
        files = await asyncio.to_thread(self._hands.changed_files)
        follows = consequences(account, files, root=str(self._desk.quarters.work))
        if not any(isinstance(each, Complete) for each in follows):
            await self._do(reflecting.carry_out, self._task, follows)
            return ""
        handed = await asyncio.to_thread(self._hands.hand_in, self._task.id, self._task.fence)
        self._desk.diary.note("handed in", handed.said, accepted=handed.accepted)
        if handed.accepted:
            await self._do(reflecting.carry_out, self._task, follows)
            return ""
        if handed.waits:
            await self._do(reflecting.carry_out, self._task, follows)
            await self._do(reflecting.set_aside, self._task, handed.waits)
            return ""
        if not await self._still_held():
            return ""  # a person is asked about it
        self._hand_ins += not handed.counted
        if self._hand_ins < MOST_HAND_INS:
            return handed.said
        await self._do(reflecting.give_up, self._task, handed.said)
        return ""

    async def _was_taken_in(self) -> bool:
        """Whether work that was handed in before needed nothing more, or waits for a person still."""
        handed = await asyncio.to_thread(self._hands.resume, self._task.id, self._task.fence)
        if handed is None:
            return False
        self._desk.diary.note("handed in before", handed.said, accepted=handed.accepted)
        if handed.waits:
            await self._do(reflecting.set_aside, self._task, handed.waits)
        return handed.accepted or bool(handed.waits)

    async def _unread(self, ended: Ended, refused: BadInput) -> str:
        """A malformed account is kept and told; the member is asked for it once more."""
        desk = self._desk
        self._unreadable += 1
        name = f"{self._task.id}-{self._task.fence}-{self._unreadable}.txt"
        path = desk.quarters.diary.parent / "unreadable" / name
        await asyncio.to_thread(_keep, path, ended)
        await self._do(reflecting.keep_unreadable, self._task, str(path))
        if self._unreadable == 1:
            return reflection.correction(refused)
        await self._do(reflecting.give_up, self._task, f"no readable account: {refused.what}")
        return ""

    async def _gave_back(self, why: str, *, failed: bool = False) -> str:
        """Back to the board; a member that is no longer wanted did not fail."""
        if await self._still_held():
            verb = reflecting.give_back_failed if failed else reflecting.give_back
            await self._do(verb, self._task, why)
        return ""

    async def _still_held(self) -> bool:
        """Whether the task is still this claim's: its member may have closed it by itself."""
        return await asyncio.to_thread(self._desk.post.store.ask, is_held, self._task)

    async def _still_wanted(self, pause: float) -> bool:
        """Wait, but no longer than the member is wanted."""
        until = asyncio.get_running_loop().time() + pause
        while (left := until - asyncio.get_running_loop().time()) > 0:
            if self._desk.sight.wanted(self._desk.life.member) is not Wanted.RUNNING:
                return False
            try:
                await asyncio.wait_for(self._desk.sight.news(), left)
            except TimeoutError:
                break
        return self._desk.sight.wanted(self._desk.life.member) is Wanted.RUNNING

    async def _do(self, verb: Callable[..., T], *words: Any) -> T:
        """A verb of this life."""
        return await asyncio.to_thread(self._desk.post.store.do, verb, self._desk.life, *words)


def _read(ended: Ended) -> Reflection:
    given: str | Mapping[str, Any] = ended.answer if ended.answer is not None else ended.text
    return reflection.read(given)


def _keep(path: Any, ended: Ended) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    said = ended.text if ended.answer is None else json.dumps(ended.answer, ensure_ascii=False)
    path.write_text(redact(said), "utf-8", errors="backslashreplace")


def _leftovers(files: Sequence[str]) -> list[str]:
    """What a member must know of a checkout that earlier work was left in."""
    if not files:
        return []
    named = quoted("\n".join(files[:NAMED]))
    said = "Earlier work was left uncommitted in your checkout, so it was not brought up to date"
    return [f"{said}:\n{named}\nCommit what belongs to this task, and remove the rest.\n"]


def letter_in_prompt(letter: Message) -> str:
    """A letter as a prompt brings it; its words are somebody else's."""
    return f"Message {letter.id} from {letter.sender}:\n{quoted(letter.body)}\n"
