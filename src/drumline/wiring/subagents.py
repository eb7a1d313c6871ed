"""Where the subagents of this machine's members work: in the member's checkout, each behind its own door."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from drumline.errors import NotReady
from drumline.wiring.guards import policy_files

if TYPE_CHECKING:
    from pathlib import Path

    from drumline.control.briefing import Surroundings
    from drumline.runtimes.post import Quarters
    from drumline.runtimes.runtime import Guard, Start, Verbs
    from drumline.settings import Settings
    from drumline.team.confinement import Confinement
    from drumline.team.life import Life
    from drumline.team.manifest import MemberEntry
    from drumline.team.profile import Profile
    from drumline.team.subagent import Answered, Ask, Errand, Spawn
    from drumline.wiring.quarters import Houses

SHELL = "Bash"
WITH_A_TOOL = frozenset({"claude"})  # runtimes whose own tool starts subagents of our profiles


class Host(Protocol):
    """The machine whose members they are."""

    stands: dict[str, dict[str, Any]]
    living_in: dict[str, Quarters]

    def entry(self, member: str) -> MemberEntry: ...
    def around(self) -> Surroundings: ...
    def start(self, entry: MemberEntry, life: Life, quarters: Quarters, guard: Guard) -> Start: ...
    def guard(
        self, life: Life, quarters: Quarters, stands: Callable[[], Mapping[str, Any]] | None = None
    ) -> Guard: ...
    def doorway(
        self, life: Life, quarters: Quarters, guard: Guard, verbs: Verbs
    ) -> AbstractAsyncContextManager[None]: ...


class Rooms:
    """The annexes of one machine's members."""

    def __init__(self, post: Host, settings: Settings, houses: Houses) -> None:
        self._post, self._settings, self._houses = post, settings, houses
        self._asking: dict[str, Ask] = {}

    def serve(self, member: str, ask: Ask) -> None:
        """From now on the member's own verb asks here."""
        self._asking[member] = ask

    def ask(self, member: str) -> Ask:
        """How a member's verb asks, whoever serves it by then."""

        def ask(errand: Errand) -> Answered:
            if member not in self._asking:
                raise NotReady(
                    f"no turn of {member} runs", next="ask while a task is being worked on"
                )
            return self._asking[member](errand)

        return ask

    def allowed(self, member: str, errand: Errand) -> Profile:
        """The profile an errand asks for; refused to whoever may not start one of it, or not yet."""
        from drumline.team.subagent import chosen, refuse_unverified

        refuse_unverified(member, str(self._post.stands[member].get("protocol") or ""))
        entry = self._post.entry(member)
        return chosen(entry, errand, self._profiles(entry))

    def writes(self, member: str, spawn: Spawn) -> bool:
        """Whether a subagent may change the member's checkout; with a shell it is believed to."""
        from drumline.team.subagent import shared_tools
        from drumline.team.tools import may_write, tool

        rules = shared_tools(self._post.entry(member), spawn.profile)
        able = may_write(rules) or any(tool(rule) == SHELL for rule in rules)
        return able and self._post.living_in[member].own and not spawn.errand.reads_only

    def folder(self, member: str) -> Path:
        """Where the member finds what is too long for its context."""
        return self._post.living_in[member].temporary

    def native(self, entry: MemberEntry) -> dict[str, Profile]:
        """The profiles a member may start by its runtime's own tool, each with all that it is told."""
        from drumline.control.briefing import subagent_told
        from drumline.team.subagent import startable

        profiles = self._profiles(entry) if entry.runtime in WITH_A_TOOL else {}
        if not profiles:
            return {}
        around, allowed = self._post.around(), startable(entry.tools, profiles)
        return {
            name: replace(profile, words=subagent_told(profile, entry, around))
            for name, profile in allowed.items()
            if name in profiles
        }

    def guard(self, life: Life, spawn: Spawn) -> Guard:
        """The judge of a subagent's calls: its starter's rules, and its own profile's."""
        quarters = self._houses.annexed(self._post.living_in[life.member], spawn.place)
        more = {"subagent": spawn.profile.name, "reads_only": spawn.errand.reads_only}
        stands = Narrowed(lambda: self._post.stands[life.member], more)
        return self._post.guard(life, quarters, stands)

    @asynccontextmanager
    async def room(self, life: Life, spawn: Spawn, guard: Guard) -> AsyncIterator[Start]:
        """What a subagent's conversation begins with; whatever of it is left afterwards is ended."""
        from drumline.runtimes.subagents import NoVerbs

        annex = self._houses.annex(self._post.living_in[life.member], spawn.place)
        try:
            start = await asyncio.to_thread(self._start, life, annex, spawn, guard)
            async with self._post.doorway(life, annex, guard, NoVerbs()):
                yield start
        finally:
            await asyncio.to_thread(self._houses.vacate, annex)

    def _start(self, life: Life, annex: Quarters, spawn: Spawn, guard: Guard) -> Start:
        from drumline.control.briefing import subagent_told
        from drumline.runtimes.subagents import NoVerbs
        from drumline.runtimes.sweep import MARK
        from drumline.team.subagent import model_of, shared_tools

        entry, profile = self._post.entry(life.member), spawn.profile
        start = self._post.start(entry, life, _shut(annex, spawn), guard)
        mark = {MARK: f"{start.variables[MARK]}/{spawn.name}"}
        return replace(
            start,
            confinement=_looking(start.confinement, annex, spawn),
            verbs=NoVerbs(),
            variables={**start.variables, **mark},
            system=subagent_told(profile, entry, self._post.around()),
            model=model_of(profile, entry),
            tools=shared_tools(entry, profile),
            settings={**start.settings, **_budget(spawn)},
            subagent=profile.name,
            profiles={},
        )

    def _profiles(self, entry: MemberEntry) -> dict[str, Profile]:
        from drumline.control.policy import profiles_for

        return profiles_for(policy_files(self._settings), [entry])


class Narrowed:
    """Where somebody stands who stands elsewhere, with more said; made anew only when that changes."""

    def __init__(self, stands: Callable[[], Mapping[str, Any]], more: Mapping[str, Any]) -> None:
        self._stands, self._more = stands, more
        self._seen: Mapping[str, Any] | None = None
        self._facts: dict[str, Any] = {}

    def __call__(self) -> dict[str, Any]:
        now = self._stands()
        if now is not self._seen:
            self._seen, self._facts = now, {**now, **self._more}
        return self._facts


def _shut(annex: Quarters, spawn: Spawn) -> Quarters:
    """Whoever only reads has no checkout of its own: the kernel lets it change nothing there."""
    return replace(annex, own=annex.own and not spawn.errand.reads_only)


def _looking(held: Confinement, annex: Quarters, spawn: Spawn) -> Confinement:
    """Whoever only reads still sees the checkout, which lies in a folder that is hidden else."""
    return held.adding(shown=[str(annex.work)] if annex.own and spawn.errand.reads_only else ())


def _budget(spawn: Spawn) -> dict[str, str]:
    return {} if spawn.left is None else {"max_budget_usd": f"{spawn.left / 1_000_000:.6f}"}
