"""A member's session in a person's terminal: the same checkout, guard, verbs and kernel, other hands."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from drumline.errors import Conflict, NotReady
from drumline.wiring import guards
from drumline.wiring.members import LocalPost, MakeVerbs
from drumline.wiring.planes import wait_for
from drumline.wiring.quarters import Houses

if TYPE_CHECKING:
    from pathlib import Path

    from drumline.control.ports import Store
    from drumline.runtimes.runtime import Start
    from drumline.settings import Settings
    from drumline.team.life import Life
    from drumline.team.manifest import MemberEntry

PATIENCE = 60.0  # seconds for a turn to come to its end
SHELL = "/bin/sh"
OF_A_PROCESS = "~t"  # no member has such a name
OF_A_TERMINAL = ("TERM", "COLORTERM", "COLUMNS", "LINES")


def attach(settings: Settings, name: str, make_verbs: MakeVerbs) -> int:
    """Run a member's session here once its runner has let go of it; its exit code."""
    post = LocalPost(settings, make_verbs)
    life = _at_rest(post.store, name)
    return asyncio.run(_attended(settings, post, life))


async def _attended(settings: Settings, post: LocalPost, life: Life) -> int:
    """The session, answered by this process for as long as it lasts, and gone with it."""
    from drumline.runtimes.confine import launcher

    entry, houses = post.entry(life.member), Houses(settings)
    door = houses.door(f"{life.member}{OF_A_PROCESS}{os.getpid()}")
    _refuse_beside(houses, door, life.member)
    houses.make_door(door)
    quarters = replace(post.quarters(entry, life), door=door)
    post.stand(entry, life, None)
    guard = post.guard(life, quarters)
    start = post.start(entry, life, quarters, guard)
    terminal = {name: os.environ[name] for name in OF_A_TERMINAL if name in os.environ}
    try:
        async with post.doorway(life, quarters, guard, start.verbs):
            process = await asyncio.create_subprocess_exec(
                *launcher(start.confinement, start.leash, terminal=True),
                *_session(settings, entry, life),
                cwd=quarters.work,
                env={**_environment(entry, start), **terminal},
            )
            return await process.wait()
    finally:
        houses.remove_door(door)


def _refuse_beside(houses: Houses, door: Path, member: str) -> None:
    """Refuse a second terminal; what one that was killed left behind is taken away."""
    from drumline.runtimes import processes

    for each in door.parent.iterdir() if door.parent.is_dir() else ():
        whose, _, number = each.name.rpartition(OF_A_PROCESS)
        if whose != member or not number.isdecimal():
            continue
        if processes.started(int(number)):
            raise Conflict(
                f"{member} is taken over already, by process {number}",
                why="a session has one terminal",
                next="leave that one first",
            )
        houses.remove_door(each)


def _environment(entry: MemberEntry, start: Start) -> dict[str, str]:
    """What its runner gives the member's CLI: a session is found only where it was kept."""
    if entry.runtime == "claude":
        from drumline.runtimes import claude_launch
        from drumline.runtimes.sweep import MARK

        return claude_launch.environment(start, start.variables[MARK])
    if entry.runtime == "codex":
        from drumline.runtimes import codex_launch

        return codex_launch.variables(start)
    return dict(start.variables)


def _at_rest(store: Store, name: str) -> Life:
    """The member's life, once no turn of it runs."""
    from drumline.control import lives
    from drumline.team.life import LifeState

    seen: list[Life] = []

    def rests() -> bool:
        seen[:] = [each for each in store.ask(lives.living) if each.member == name]
        if not seen:
            raise NotReady(f"{name} does not run", next=f"drumline member start {name}")
        return seen[0].state is LifeState.PAUSED

    look = f"drumline member logs {name}   # what it is about"
    wait_for(rests, f"{name} does not come to rest", seconds=PATIENCE, look=look)
    return seen[0]


def _session(settings: Settings, entry: MemberEntry, life: Life) -> list[str]:
    """The member's CLI with its session in it and our guard before its calls; else a shell."""
    from drumline.runtimes.programs import program

    if entry.runtime not in {"claude", "codex"}:
        return [os.environ.get("SHELL", SHELL)]
    guard = guards.hook_settings(settings, entry.runtime)
    session = life.process.session
    if entry.runtime == "codex":
        resume = ["resume", session] if session else []
        return [program("codex"), *resume, *(guard if isinstance(guard, list) else [])]
    resume = ["--resume", session] if session else []
    return [program("claude"), *resume, "--settings", json.dumps(guard)]
