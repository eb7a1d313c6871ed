"""Claude Code asks us before each tool call and tells us after it, in our own process.

Whatever goes wrong on the way to a ruling, the call is refused: a guard that raises, that is too late or
that says nothing we know, and, should all of this fail, the CLI's own `on_failure`.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from drumline.runtimes.claude_subagents import Subagents
from drumline.runtimes.runtime import Guard
from drumline.runtimes.threads import in_a_thread
from drumline.team.match_tools import SPAWNING
from drumline.team.ruling_words import refusal, unjudged

GUARD = "guard"
RULE_IN_TIME = 20.0  # seconds
GIVE_UP = 30.0  # seconds after which the CLI refuses a call by itself
NO_OPINION: Mapping[str, Any] = {}  # never allow: that would go past the member's permission mode

log = logging.getLogger(__name__)


class Callbacks:
    """Between one conversation's tool calls and its guard; `refused` are the calls not let through."""

    def __init__(self, guard: Guard, seconds: float, subagents: Subagents) -> None:
        self._guard, self._seconds, self._subagents = guard, seconds, subagents
        self.refused: set[str] = set()
        self.tell: Callable[[str], Coroutine[Any, Any, object]] | None = None
        self._telling: set[asyncio.Task[object]] = set()
        self._noting: set[asyncio.Task[None]] = set()
        self._pen = asyncio.Lock()

    async def before(self, event: Any, tool_use_id: str | None, _context: Any) -> Any:
        """The ruling on a call: a denial, or no opinion."""
        meant = self._subagents.waited_for(event)
        ruling = await self._ruling(event if meant is None else {**event, "tool_input": meant})
        if ruling.get("decision") != "allow":
            self.refused.add(tool_use_id or "")
            return denial(ruling)
        return NO_OPINION if meant is None else _told("PreToolUse", updatedInput=meant)

    async def after(self, event: Any, _tool_use_id: str | None, _context: Any) -> Any:
        """Note a call that was made, while the next is on its way."""
        noting = asyncio.create_task(self._note(event))
        self._noting.add(noting)
        noting.add_done_callback(self._noting.discard)
        if event.get("tool_name") not in SPAWNING:
            return NO_OPINION
        short = await in_a_thread(lambda: self._subagents.returned(event), GUARD)
        return NO_OPINION if short is None else _told("PostToolUse", updatedToolOutput=short)

    async def _note(self, event: Any) -> None:
        """One line after the other; notes that fail never stop the work."""
        async with self._pen:
            try:
                await in_a_thread(lambda: self._guard.after(event), GUARD)
            except Exception:
                log.exception("a call could not be noted")

    async def noted(self) -> None:
        """Wait until every call that was made is noted."""
        if self._noting:
            await asyncio.wait(set(self._noting))

    async def stopping(self, event: Any, _tool_use_id: str | None, _context: Any) -> Any:
        """Whether a subagent may end with the answer it gave."""
        return await in_a_thread(lambda: self._subagents.stopping(event), GUARD) or NO_OPINION

    async def prompted(self, event: Any, _tool_use_id: str | None, _context: Any) -> Any:
        """Keep a notice out that would fill the member's context, and tell it where that is instead."""
        words = await in_a_thread(lambda: self._subagents.notified(event), GUARD)
        if not words or self.tell is None:
            return NO_OPINION
        telling = asyncio.create_task(self.tell(words))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)
        return {"decision": "block", "reason": words}

    async def _ruling(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        try:
            asking = in_a_thread(lambda: self._guard.before(event), GUARD)
            ruling = await asyncio.wait_for(asking, self._seconds)
        except TimeoutError:
            return unjudged(f"the guard said nothing for {self._seconds:g} seconds")
        except Exception as error:
            log.exception("a call could not be judged")
            return unjudged(f"the guard failed ({type(error).__name__})")
        known = isinstance(ruling, Mapping) and ruling.get("decision") in {"allow", "deny"}
        return ruling if known else unjudged("the guard gave no ruling")


def _told(event: str, **more: object) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, **more}}


def denial(ruling: Mapping[str, str]) -> dict[str, Any]:
    """A refusal in the form Claude Code takes."""
    said = refusal(ruling)
    return _told("PreToolUse", permissionDecision="deny", permissionDecisionReason=said)
