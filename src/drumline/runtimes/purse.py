"""A guard that also asks before every tool call whether there is money for one more request."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from drumline.control import tool_use
from drumline.control.budgets import may_go_on
from drumline.runtimes.post import Post
from drumline.runtimes.pulse import Pulse
from drumline.runtimes.runtime import Guard
from drumline.runtimes.tally import Tally
from drumline.team.budget import Budgets, No
from drumline.team.manifest import MemberEntry
from drumline.team.turn import Opening


class Purse:
    """One conversation's guard; `beside` counts others whose requests the same money pays."""

    def __init__(self, guard: Guard, post: Post, member: str) -> None:
        self._guard = self.pulse = Pulse(guard)
        self._post, self._member = post, member
        self.tally = Tally(lambda counts: post.store.do(tool_use.count, member, counts))
        self._loop = asyncio.get_running_loop()
        self._about: Opening | None = None
        self.budgets, self.empty, self.asked = Budgets(), "", 0
        self.refused = ""  # in words, why no turn was begun
        self.on_empty: Callable[[], Any] | None = None
        self.beside: Callable[[], int] = int

    def entry(self) -> MemberEntry:
        """The member as the manifest has it now: a budget may be raised or lowered meanwhile."""
        return self._post.entry(self._member)

    def open(self, about: Opening, budgets: Budgets) -> None:
        """Begin to count for a turn."""
        self._about, self.budgets, self.empty = about, budgets, ""

    def before(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        """The ruling on a call, which is counted; without money nothing is allowed, and the turn is ended."""
        self.asked += 1
        why = self._spent(self._about) if self._about is not None else ""
        ruling = self._emptied(why) if why else self._guard.before(event)
        refused = ruling.get("decision") == "deny"
        self.tally.count(str(event.get("tool_name") or ""), self._about, refused=refused)
        return ruling

    def _emptied(self, why: str) -> Mapping[str, str]:
        self.empty = why
        if self.on_empty is not None:
            asyncio.run_coroutine_threadsafe(self.on_empty(), self._loop)
        return {
            "decision": "deny",
            "constraint": "C-BUDGET",
            "what": "a call there is no money for",
            "why": why,
            "next": "stop here: the lead raises the budget or ends the work",
        }

    def after(self, event: Mapping[str, Any]) -> None:
        self._guard.after(event)

    def _spent(self, about: Opening) -> str:
        beside = self.beside()
        verdict = self._post.store.ask(may_go_on, self._member, about, self.budgets, beside)
        return verdict.why if isinstance(verdict, No) else ""
