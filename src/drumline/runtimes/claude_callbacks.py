"""Claude Code asks us before each tool call and tells us after it, in our own process.

Whatever goes wrong on the way to a ruling, the call is refused: a guard that raises, that is too late or
that says nothing we know, and, should all of this fail, the CLI's own `on_failure`.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from threading import Thread
from typing import Any, TypeVar

from drumline.runtimes.runtime import Guard
from drumline.team.ruling_words import refusal, unjudged

RULE_IN_TIME = 20.0  # seconds
GIVE_UP = 30.0  # seconds after which the CLI refuses a call by itself
NO_OPINION: Mapping[str, Any] = {}  # never allow: that would go past the member's permission mode

Found = TypeVar("Found")
log = logging.getLogger(__name__)


class Callbacks:
    """Between one conversation's tool calls and its guard; `refused` are the calls not let through."""

    def __init__(self, guard: Guard, seconds: float) -> None:
        self._guard, self._seconds = guard, seconds
        self.refused: set[str] = set()

    async def before(self, event: Any, tool_use_id: str | None, _context: Any) -> Any:
        """The ruling on a call: a denial, or no opinion."""
        ruling = await self._ruling(event)
        if ruling.get("decision") == "allow":
            return NO_OPINION
        self.refused.add(tool_use_id or "")
        return denial(ruling)

    async def after(self, event: Any, _tool_use_id: str | None, _context: Any) -> Any:
        """Note a call that was made; notes that fail never stop the work."""
        try:
            await _in_a_thread(lambda: self._guard.after(event))
        except Exception:
            log.exception("a call could not be noted")
        return NO_OPINION

    async def _ruling(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        try:
            asking = _in_a_thread(lambda: self._guard.before(event))
            ruling = await asyncio.wait_for(asking, self._seconds)
        except TimeoutError:
            return unjudged(f"the guard said nothing for {self._seconds:g} seconds")
        except Exception as error:
            log.exception("a call could not be judged")
            return unjudged(f"the guard failed ({type(error).__name__})")
        known = isinstance(ruling, Mapping) and ruling.get("decision") in {"allow", "deny"}
        return ruling if known else unjudged("the guard gave no ruling")


def denial(ruling: Mapping[str, str]) -> dict[str, Any]:
    """A refusal in the form Claude Code takes."""
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": refusal(ruling),
        }
    }


async def _in_a_thread(work: Callable[[], Found]) -> Found:
    """What work returns, done in a thread that keeps nobody from ending, however long it takes."""
    done: Future[Found] = Future()
    done.set_running_or_notify_cancel()  # who gives up waiting must not make the answer an error

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again where it is awaited
            done.set_exception(error)

    Thread(target=run, daemon=True, name="guard").start()
    return await asyncio.wrap_future(done)
