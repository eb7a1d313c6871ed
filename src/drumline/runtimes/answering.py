"""What is asked through a doorway, answered: rulings, notes and verbs, none of which holds up another kind.

Verbs are asked for as commands or, where they offer them, as tools.

Guard and verbs are synchronous and run in threads. Notes have one thread, so that they keep their order.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, TypeVar, runtime_checkable

from drumline.runtimes.runtime import Guard, Verbs
from drumline.team.ruling_words import unjudged

T = TypeVar("T")

RULINGS, VERBS, NOTES = 4, 4, 1  # threads
FIELDS = ("decision", "constraint", "what", "why", "next")
Asked = Mapping[str, Any]


def refusal(what: str, *, why: str, next: str = "") -> dict[str, str]:  # noqa: A002 - it is the word the reader sees
    """The answer to what is not answered."""
    return {"error": what, "why": why, "next": next or "stop here, and tell the lead"}


@runtime_checkable
class Tools(Protocol):
    """Verbs that can be called as tools too."""

    def offer(self) -> Mapping[str, Any]:
        """`server`, `instructions` and `tools`, as MCP names them."""
        ...

    def call(self, name: str, arguments: Any) -> tuple[Any, bool]:
        """What a tool answers, and whether that is a refusal."""
        ...


@runtime_checkable
class Prompts(Protocol):
    """Verbs of sessions that people drive, asked by their hooks when a turn begins."""

    def begins(self, turn: Mapping[str, Any]) -> Mapping[str, Any]:
        """`words` that go along with the prompt and the `receipt` for them; nothing where none wait."""
        ...

    def heard(self, receipt: Any) -> None:
        """The words were given to the agent CLI."""
        ...

    def unheard(self, receipt: Any) -> None:
        """Whoever asked for the words was gone before they came."""
        ...


class Answering:
    """Asks one member's guard and verbs; `failed` is told of those that fail."""

    def __init__(self, guard: Guard, verbs: Verbs, failed: Callable[[str], None]) -> None:
        self._guard, self._verbs, self._failed = guard, verbs, failed
        self._ruling = ThreadPoolExecutor(RULINGS, "doorway-rulings")
        self._noting = ThreadPoolExecutor(NOTES, "doorway-notes")
        self._running = ThreadPoolExecutor(VERBS, "doorway-verbs")
        self._kinds: dict[str, Callable[[Asked], Awaitable[dict[str, Any]]]] = {
            "rule": self._rule,
            "note": self._note,
            "run": self._run,
            "tools": self._offer,
            "tool": self._call,
            "begin": self._begin,
            "heard": self._heard,
        }

    def finish(self) -> None:
        """Let what has begun come to its end; what waits is not begun."""
        pools = (self._ruling, self._noting, self._running)
        for pool in pools:
            pool.shutdown(wait=False, cancel_futures=True)
        for pool in pools:
            pool.shutdown(wait=True)

    async def to(self, asked: Asked) -> dict[str, Any]:
        """The answer to one object; whatever fails on the way is an answer too."""
        kind = asked.get("ask")
        answer = self._kinds.get(kind) if isinstance(kind, str) else None
        if answer is None:
            return refusal(
                "your runner does not know this question", why="it rules, notes, runs and calls"
            )
        return await answer(asked)

    async def unsaid(self, answer: Mapping[str, Any]) -> None:
        """Take back what an answer gave away that nobody waited for."""
        receipt = answer.get("receipt")
        if isinstance(self._verbs, Prompts) and receipt is not None:
            with suppress(Exception):  # what cannot be taken back is lost, as it was before
                await _in(self._running, partial(self._verbs.unheard, receipt))

    async def _rule(self, asked: Asked) -> dict[str, Any]:
        event = asked.get("event")
        if not isinstance(event, dict):
            return unjudged("the event was no object")
        try:
            ruling = await _in(self._ruling, partial(self._guard.before, event))
            found = {name: str(ruling.get(name, "")) for name in FIELDS}
        except Exception as error:  # noqa: BLE001 - a guard that fails must not let the call through
            return unjudged(self._tell("the guard failed", error))
        if found["decision"] not in {"allow", "deny"}:
            return unjudged("the guard did not decide")
        return found

    async def _note(self, asked: Asked) -> dict[str, Any]:
        event = asked.get("event")
        if not isinstance(event, dict):
            return refusal("nothing was noted", why="the event was no object")
        try:
            await _in(self._noting, partial(self._guard.after, event))
        except Exception as error:  # noqa: BLE001 - a trail that cannot be written never stops the agent
            return refusal("nothing was noted", why=self._tell("a note failed", error))
        return {}

    async def _run(self, asked: Asked) -> dict[str, Any]:
        words, told, cwd = asked.get("words"), asked.get("stdin", ""), asked.get("cwd", "")
        texts = [*words, told, cwd] if isinstance(words, list) else [None]
        if not isinstance(words, list) or not all(isinstance(text, str) for text in texts):
            return refusal("this is no command", why="a command is a list of words")
        try:
            answer = await _in(self._running, partial(self._verbs.run, words, told, cwd))
        except Exception as error:  # noqa: BLE001 - a member's command must not end its runner
            return refusal("the command failed", why=self._tell("a command failed", error))
        return answer._asdict()

    async def _offer(self, asked: Asked) -> dict[str, Any]:
        del asked
        if not isinstance(self._verbs, Tools):
            return _no_tools()
        try:
            return dict(await _in(self._ruling, self._verbs.offer))  # no slow command delays it
        except Exception as error:  # noqa: BLE001 - as for commands
            return refusal("no tools are offered", why=self._tell("an offer failed", error))

    async def _call(self, asked: Asked) -> dict[str, Any]:
        name = asked.get("name")
        if not isinstance(self._verbs, Tools):
            return _no_tools()
        if not isinstance(name, str):
            return refusal("this is no call", why="a tool has a name")
        try:
            deed = partial(self._verbs.call, name, asked.get("arguments"))
            facts, is_error = await _in(self._running, deed)
        except Exception as error:  # noqa: BLE001 - as for commands
            return refusal("the call failed", why=self._tell("a call failed", error))
        return {"facts": facts, "is_error": is_error}

    async def _begin(self, asked: Asked) -> dict[str, Any]:
        turn = asked.get("turn")
        if not isinstance(self._verbs, Prompts) or not isinstance(turn, dict):
            return refusal("no turn begins here", why="a runner knows its member's turns")
        try:
            return dict(await _in(self._running, partial(self._verbs.begins, turn)))
        except Exception as error:  # noqa: BLE001 - a prompt goes on without us
            return refusal("nothing is said", why=self._tell("a prompt failed", error))

    async def _heard(self, asked: Asked) -> dict[str, Any]:
        if not isinstance(self._verbs, Prompts):
            return refusal("nobody is told anything here", why="a runner tells its member itself")
        try:
            await _in(self._running, partial(self._verbs.heard, asked.get("receipt")))
        except Exception as error:  # noqa: BLE001 - as above
            return refusal("nothing was confirmed", why=self._tell("a receipt failed", error))
        return {}

    def _tell(self, what: str, error: Exception) -> str:
        why = f"{what}: {type(error).__name__}"
        self._failed(why)
        return why


async def _in(pool: ThreadPoolExecutor, deed: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(pool, deed)


def _no_tools() -> dict[str, str]:
    return refusal("your runner offers no tools", why="it rules, notes and runs commands")
