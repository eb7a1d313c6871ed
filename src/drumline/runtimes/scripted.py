"""The scripted runtime: a scenario played in our own process, whose tool calls really happen.

It stands in for an agent CLI, not for the team: guard, kernel, audit and verbs are the same as for any
other member. How a turn ended is judged from a record of the form the CLIs write.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import uuid4

from drumline.runtimes.checkout import branch_of
from drumline.runtimes.runtime import (
    Called,
    Can,
    Ended,
    Entered,
    Fact,
    Limited,
    Metered,
    Received,
    Said,
    Start,
)
from drumline.runtimes.scripted_tools import Tools
from drumline.team.charge import Report, Usage
from drumline.team.outcome import outcome
from drumline.team.scenario import Fault, Prompt, Scenario, ToolCall, Verb, chosen
from drumline.team.scenario_rounds import (
    Result,
    Round,
    filled,
    filled_call,
    first_task,
    last_fence,
    rounds,
    unmet,
)

T = TypeVar("T")
MANY_REQUESTS = 429
GOES_ON = ("malformed_tool_input", "overloaded_then_ok")
REFUSAL = "refusal"
SHOWN = 200


class ScriptedRuntime:
    """Members that need no model."""

    name = "scripted"
    able = frozenset(set(Can) - {Can.APPROVALS})

    def __init__(self, scenario: Scenario, now: Callable[[], datetime]) -> None:
        self._scenario, self._now = scenario, now

    async def begin(self, start: Start) -> "ScriptedConversation":
        return ScriptedConversation(start, self._scenario, self._now)


class Interrupted(Exception):
    """Someone asked for the end of the turn."""


class ScriptedConversation:
    """One member's talk with its scenario."""

    def __init__(self, start: Start, scenario: Scenario, now: Callable[[], datetime]) -> None:
        self._start, self._tools, self._now = start, Tools(start), now
        self._turns, self._played, self._begun = scenario.turns(start.member), frozenset[int](), 0
        self.session = start.session or f"scripted-{uuid4().hex}"
        self._stopping = asyncio.Event()
        self._told: list[str] | None = None
        self._spent, self._readings = Usage(), 0
        self._values = {"member": start.member, "branch": branch_of(start.member), "fence": ""}

    async def turn(
        self, prompt: str, schema: Mapping[str, Any] | None = None
    ) -> AsyncIterator[Fact]:
        """Play the turn of the scenario that answers this prompt."""
        yield Entered(self.session)
        self._told, self._begun = [], self._begun + 1
        self._stopping.clear()
        task = first_task(prompt)
        self._values |= {"task": task, "prompt": prompt, "last_result": ""}
        self._values["fence"] = last_fence(prompt) or self._values["fence"]
        asked = Prompt(
            text=prompt, task=task, turn=self._begun, subagent=bool(self._start.subagent)
        )
        found = chosen(self._turns, self._played, asked)
        play = _Play()
        try:
            for each in () if found is None else rounds(self._turns[found]):
                async for fact in self._round(each, play):
                    yield fact
                if play.over:
                    break
        except Interrupted:
            play.end(terminal_reason="aborted_tools", is_error=True)
        finally:
            self._told = None
        if found is None:
            play.say(f"The scenario has no turn that answers: {prompt[:SHOWN]}")
            play.refuse()
        else:
            self._played |= {found}
        yield Ended(outcome(play.record, 0, asked=schema is not None), play.text, play.answer)

    @property
    def listens(self) -> bool:
        return self._told is not None and not self._stopping.is_set()

    async def tell(self, text: str, id: str) -> bool:  # noqa: A002, ARG002 - the interface's words
        """Taken at the next response, while a turn runs."""
        if self._told is None:
            return False
        self._told.append(id)
        return True

    async def interrupt(self) -> None:
        self._stopping.set()

    async def end(self) -> None:
        """End the running turn; a call that is being made is ended with all it started."""
        self._stopping.set()

    async def _round(self, each: Round, play: "_Play") -> AsyncIterator[Fact]:
        """One response of the model that is not there, and what its tools bring back."""
        for fact in await self._before(each, play):
            yield fact
        if play.over:
            return
        yield Metered(self._metered(each))
        async for fact in self._response(each, play):
            yield fact
        if each.structured is not None:
            play.answer = filled(each.structured, self._values)
        if each.end == REFUSAL:
            play.refuse()

    async def _before(self, each: Round, play: "_Play") -> list[Fact]:
        """What comes before the response: what the member was told meanwhile, a wait, a fault."""
        told, self._told = self._told or [], []
        if each.wait:
            await self._unless_interrupted(asyncio.sleep(each.wait))
        wrong = await self._fault(each.fault, play) if each.fault is not None else []
        return [*map(Received, told), *wrong]

    async def _response(self, each: Round, play: "_Play") -> AsyncIterator[Fact]:
        for text in (*filled(each.thoughts, self._values), *filled(each.said, self._values)):
            yield Said(text)
        play.say("\n".join(filled(each.said, self._values)))
        for call in each.calls:
            made = filled_call(call, self._values)
            result = await self._unless_interrupted(self._tools.use(call, self._values))
            self._take(result)
            yield Called(_named(call), _words(made), result.word)
            if wrong := unmet(made.expect, result):
                yield Said(f"not as the scenario expects: {_named(call)}: {wrong}")

    def _take(self, result: Result) -> None:
        self._values["last_result"] = result.text
        self._values["task"] = self._values["task"] or first_task(result.text)
        self._values["fence"] = last_fence(result.text) or self._values["fence"]

    def _metered(self, each: Round) -> Report:
        """The meter of this conversation, which runs on as a real CLI's does."""
        used = each.usage
        cost = Usage(used.input + used.cache_write, used.cache_read, used.output)
        self._spent, self._readings = self._spent.plus(cost), self._readings + 1
        return Report(self.session, self._readings, self._spent, self._start.model)

    async def _fault(self, fault: Fault, play: "_Play") -> list[Fact]:
        """What goes wrong; a fault that passes is one the CLI would have tried again."""
        if fault.times is not None or fault.kind in GOES_ON:
            return []
        if fault.kind == "hang":
            await self._unless_interrupted(asyncio.Event().wait())
        if fault.kind == REFUSAL:
            play.refuse()
            return []
        play.end(is_error=True, terminal_reason="api_error")
        play.say(f"API Error: {fault.kind}")
        if fault.kind.isdecimal():
            play.record["api_error_status"] = fault.status
        if fault.status != MANY_REQUESTS or fault.retry_after is None:
            return []
        until = self._now() + timedelta(seconds=fault.retry_after)
        return [Limited(until, f"the scenario's limit, for {fault.retry_after} s")]

    async def _unless_interrupted(self, work: Awaitable[T]) -> T:
        """The work's answer; it is stopped at once when the turn is interrupted."""
        doing = asyncio.ensure_future(work)
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait({doing, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if doing.done():
                return doing.result()
            doing.cancel()
            await asyncio.wait({doing})
            raise Interrupted
        finally:
            stopping.cancel()


class _Play:
    """How far a turn is: its record, in a CLI's own form, the last words, and the answer."""

    def __init__(self) -> None:
        self.record: dict[str, Any] = {"type": "result", "terminal_reason": "completed"}
        self.text, self.over = "", False

    @property
    def answer(self) -> Mapping[str, Any] | None:
        found: Mapping[str, Any] | None = self.record.get("structured_output")
        return found

    @answer.setter
    def answer(self, given: Mapping[str, Any]) -> None:
        self.record |= {"structured_output": given, "result": self.text or "answered"}

    def refuse(self) -> None:
        self.end(is_error=True, terminal_reason="api_error", stop_reason=REFUSAL)

    def say(self, text: str) -> None:
        self.text = text or self.text
        self.record["result"] = self.text or "done"

    def end(self, **how: Any) -> None:
        self.record |= how
        self.over = True


def _named(call: ToolCall | Verb) -> str:
    return call.name if isinstance(call, ToolCall) else "drumline"


def _words(call: ToolCall) -> str:
    return str(next(iter(call.input.values()), ""))[:SHOWN]
