"""The codex runtime: a process for each turn, resumed by its session, under the guard of its own hooks.

Codex skips a hook it does not trust and says nothing. A turn whose start the guard was not told of is
therefore stopped at the model's first word, and never counts as a success.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from typing import Any, NamedTuple

from drumline.errors import BadInput, Unknown
from drumline.runtimes import codex_launch
from drumline.runtimes.codex_launch import Way
from drumline.runtimes.codex_limits import zone_of
from drumline.runtimes.codex_transcript import SESSION, Transcript
from drumline.runtimes.codex_turn import Turn
from drumline.runtimes.conforming import checked_schema
from drumline.runtimes.programs import program
from drumline.runtimes.runtime import Can, Ended, Fact, Start
from drumline.runtimes.spoken import Launch, Spoken, refuse_unasked, with_pauses
from drumline.runtimes.witnessed import Witness
from drumline.team.outcome import Ending, Outcome

LOOK, PROVEN_IN = 0.02, 2.0  # seconds: a hook's word may come a little after the model's
UNGUARDED = "it was stopped: its hooks did not tell the guard that it began, so nobody rules on it"
ANOTHER = "it was stopped: it began a new conversation in place of the one it was to go on with"
LOST = "it gave no answer that follows the schema"


class CodexRuntime:
    """Members that live in Codex."""

    name = "codex"
    able = frozenset({Can.STRUCTURED, Can.RESUME})

    def __init__(self, guard: Sequence[str], *, cli: str = "", confined: bool = True) -> None:
        """`guard` are the words of the hook; unconfined, Codex is held by its own sandbox."""
        self._guard, self._cli, self._confined = guard, cli, confined

    async def begin(self, start: Start) -> "CodexConversation":
        way = Way(program=program("codex", self._cli), guard=self._guard, confined=self._confined)
        if not isinstance(start.guard, Witness):
            raise BadInput(
                f"{start.member} cannot be run by Codex under this guard",
                why="it does not remember which hooks reached it, so nothing proves that they run",
                next="wrap it: Witnessed(guard), here and where the hooks ask",
            )
        if start.session and not SESSION.fullmatch(start.session):
            raise BadInput(
                f"{start.session[:80]!r} is no session of Codex",
                why="it would begin a new conversation under any other name",
                next="give the session that Codex itself named, or none",
            )
        codex_launch.added(start)
        return CodexConversation(start, way, start.guard)


class CodexConversation:
    """One member's talk with Codex."""

    def __init__(self, start: Start, way: Way, witness: Witness) -> None:
        self._start, self._way, self._witness = start, way, witness
        self._session = start.session
        self._zone = zone_of(start.variables.get("TZ", ""))
        self._busy = self._over = self._stopping = False
        self._spoken: Spoken | None = None

    async def turn(
        self, prompt: str, schema: Mapping[str, Any] | None = None
    ) -> AsyncIterator[Fact]:
        """Run Codex once; every process of it is gone before the last fact is told."""
        refuse_unasked(self._start.member, busy=self._busy, over=self._over)
        asked = None if schema is None else checked_schema(schema)
        self._busy, self._stopping = True, False
        transcript = Transcript(self._start.home, self._session)
        turn = Turn(self._session, transcript, self._witness)
        try:
            with codex_launch.schema_file(self._start, asked) as file:
                async with aclosing(self._played(turn, prompt, file, asked)) as facts:
                    async for fact in facts:
                        yield fact
        finally:
            self._busy = False
            if transcript.is_there and not turn.is_another:
                self._session = turn.session or self._session

    @property
    def listens(self) -> bool:
        return False

    async def tell(self, text: str, id: str) -> bool:  # noqa: A002, ARG002 - the interface's words
        """Codex hears nothing while a turn runs."""
        return False

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
        self, turn: Turn, prompt: str, file: str, asked: Mapping[str, Any] | None
    ) -> AsyncGenerator[Fact, None]:
        try:
            spoken = self._spoken = await Spoken.begun(self._launch(file))
        except Unknown as error:
            yield Ended(Outcome(Ending.REFUSED, f"{error.what}: {error.why}"))
            return
        fault = ""
        try:
            spoken.say(prompt.encode("utf-8", "replace"))
            spoken.hush()
            if self._stopping:
                await spoken.stop()
            # while a call waits for its ruling no line comes, but the meter has moved
            async with aclosing(with_pauses(spoken.objects(), LOOK)) as lines:
                async for line in lines:
                    for fact in (*turn.take(line or {}), *turn.beside(self._start.model)):
                        yield fact
                    if fault := await self._fault(turn):
                        break
            code = await (spoken.gone() if fault else spoken.over())
            over = _Over(code, spoken.sent, spoken.errors)
            for fact in self._closing(turn, over, fault, asked):
                yield fact
        finally:
            await spoken.gone()
            self._spoken = None

    def _launch(self, file: str) -> Launch:
        start, way = self._start, self._way
        argv = [
            *codex_launch.before(start),
            *codex_launch.words(start, way, self._session, file),
        ]
        return Launch(argv, codex_launch.variables(start), start.work)

    async def _fault(self, turn: Turn) -> str:
        """Why the turn may not go on; empty while it may."""
        if turn.is_another:
            return ANOTHER
        for _ in range(round(PROVEN_IN / LOOK) if turn.has_begun else 0):
            if turn.is_proven:
                return ""
            await asyncio.sleep(LOOK)
        return UNGUARDED if turn.has_begun and not turn.is_proven else ""

    def _closing(
        self, turn: Turn, over: "_Over", fault: str, asked: Mapping[str, Any] | None
    ) -> list[Fact]:
        """The last facts, when nothing of the turn runs any more."""
        facts: list[Fact] = [*turn.closing(self._start.model)]
        limited = turn.limited(self._zone)
        if limited is not None:
            facts.append(limited)
        ended = turn.outcome(over.code, over.signal, over.errors, asked=asked is not None)
        if fault:
            ended = ended._replace(ending=Ending.REFUSED, why=fault)
        answer, wrong = None, ""
        if ended.succeeded and asked is not None:
            answer, wrong = turn.answer(asked)
        if wrong:
            ended = ended._replace(ending=Ending.RETRY, why=f"{LOST}: {wrong}")
        return [*facts, Ended(ended, turn.text, answer)]


class _Over(NamedTuple):
    """A process that is gone: its exit code, the first signal we sent it, its last complaints."""

    code: int
    signal: int
    errors: str
