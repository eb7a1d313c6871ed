"""The command runtime: any program that takes a prompt and tells in JSON lines what it does with it.

The protocol is one page: docs/reference/command-runtime.md. A program that asks before its calls is ruled
on; one that does not is held by the kernel alone.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any

from drumline.errors import BadInput, Unknown
from drumline.runtimes.command_turn import MID_TURN, UNREADABLE, CommandTurn, line
from drumline.runtimes.confine import launcher
from drumline.runtimes.conforming import checked_schema
from drumline.runtimes.runtime import Can, Ended, Fact, Start
from drumline.runtimes.spoken import Launch, Spoken, refuse_unasked
from drumline.team.outcome import Ending, Outcome
from drumline.team.ruling_words import unjudged

COMMAND = "command"
RULED_IN = 10.0  # seconds a guard has to rule; then the call is refused
UNRULED = unjudged("the guard failed or did not answer in time")
DEAF = "it was stopped: it does not read what it is told"


class CommandRuntime:
    """Members that live in a program of the user's own."""

    name = "command"
    able = frozenset({Can.MID_TURN, Can.RECEIPTS, Can.STRUCTURED, Can.COST, Can.RESUME})

    async def begin(self, start: Start) -> "CommandConversation":
        return CommandConversation(start, argv_of(start))


def argv_of(start: Start) -> list[str]:
    """The program's words, as the member's setting has them."""
    said = start.settings.get(COMMAND, "")
    try:
        found = json.loads(said)
    except ValueError:
        found = None
    if not isinstance(found, list) or not found or not all(isinstance(one, str) for one in found):
        raise BadInput(
            f"{start.member} has no program to run",
            why=f"its setting {COMMAND} is {said[:80]!r}, which is no list of words",
            next='write it as JSON, such as ["python3", "agent.py"]',
        )
    return found


class CommandConversation:
    """One member's talk with its program, which is started anew for each turn."""

    def __init__(self, start: Start, argv: list[str]) -> None:
        self._start, self._argv = start, argv
        self._session = start.session
        self._busy = self._over = self._stopping = False
        self._spoken: Spoken | None = None
        self._turn: CommandTurn | None = None

    async def turn(
        self, prompt: str, schema: Mapping[str, Any] | None = None
    ) -> AsyncIterator[Fact]:
        """Run the program once; every process of it is gone before the last fact is told."""
        refuse_unasked(self._start.member, busy=self._busy, over=self._over)
        asked = None if schema is None else checked_schema(schema)
        self._busy, self._stopping = True, False
        turn = CommandTurn(self._start, self._session)
        try:
            async with aclosing(self._played(turn, prompt, asked)) as facts:
                async for fact in facts:
                    yield fact
        finally:
            self._busy, self._turn, self._session = False, None, turn.session

    @property
    def listens(self) -> bool:
        turn, spoken = self._turn, self._spoken
        if turn is None or spoken is None or turn.ended is not None or self._stopping:
            return False
        return MID_TURN in turn.able and spoken.listens

    async def tell(self, text: str, id: str) -> bool:  # noqa: A002 - the interface's word
        """Give a program words while its turn runs, where it says that it listens."""
        turn, spoken = self._turn, self._spoken
        if turn is None or spoken is None or not self.listens:
            return False
        return spoken.say(turn.telling(text, id))

    async def interrupt(self) -> None:
        """Stop the running turn: politely, then less so."""
        self._stopping = True
        if self._spoken is not None:
            await self._spoken.stop()

    async def end(self) -> None:
        """Stop what runs, for good."""
        self._over = True
        await self.interrupt()
        if self._spoken is not None:
            await self._spoken.gone()

    async def _played(
        self, turn: CommandTurn, prompt: str, asked: Mapping[str, Any] | None
    ) -> AsyncGenerator[Fact, None]:
        try:
            spoken = self._spoken = await Spoken.begun(self._launch())
        except Unknown as error:
            yield Ended(Outcome(Ending.REFUSED, f"{error.what}: {error.why}"))
            return
        try:
            self._turn = turn
            spoken.say(turn.opening(prompt, asked))
            if self._stopping:
                await spoken.stop()
            async for fact in self._heard(turn, spoken):
                yield fact
            spoken.hush()
            listens = spoken.listens
            code = await (spoken.over() if listens else spoken.gone())
            found = turn.outcome(code, spoken.sent, spoken.errors)
            for made, called in turn.left_open():
                await asyncio.to_thread(self._start.guard.after, made)
                yield called
            yield turn.end(found if listens else Outcome(Ending.CRASHED, DEAF), asked)
        finally:
            await spoken.gone()
            self._spoken = None

    async def _heard(self, turn: CommandTurn, spoken: Spoken) -> AsyncIterator[Fact]:
        """The facts in its lines, until it says that it has ended, and not after."""
        async for said in spoken.objects():
            if "call" in said:
                for fact in await self._ruled(turn, spoken, said):
                    yield fact
            elif "done" in said:
                for fact in await self._noted(turn, said):
                    yield fact
            else:
                for fact in turn.take(said):
                    yield fact
            if turn.ended is not None or not spoken.listens:
                return

    async def _ruled(
        self, turn: CommandTurn, spoken: Spoken, said: Mapping[str, Any]
    ) -> list[Fact]:
        """Rule on a call, and say so to the program."""
        event = turn.event(said)
        ruling = UNREADABLE if event is None else await self._ruling(event)
        spoken.say(line({"ruling": dict(ruling), "id": said.get("id")}))
        called = None if event is None else turn.ruled(event, ruling)
        return [] if called is None else [called]

    async def _ruling(self, event: dict[str, Any]) -> Mapping[str, str]:
        try:
            async with asyncio.timeout(RULED_IN):
                ruling = await asyncio.to_thread(self._start.guard.before, event)
        except Exception:  # noqa: BLE001 - a guard that fails must not let the call through
            return UNRULED
        return ruling if ruling.get("decision") in {"allow", "deny"} else UNRULED

    async def _noted(self, turn: CommandTurn, said: Mapping[str, Any]) -> list[Fact]:
        done = turn.done(said)
        if done is None:
            return []
        made, called = done
        await asyncio.to_thread(self._start.guard.after, made)
        return [called]

    def _launch(self) -> Launch:
        start = self._start
        own = {"HOME": str(start.home), "TMPDIR": str(start.temporary)}
        argv = [*launcher(start.confinement, start.leash), *self._argv]
        return Launch(argv, {**start.variables, **own}, start.work)
