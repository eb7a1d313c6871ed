"""What our callbacks add to a tool call of the real Claude Code, whose model is played on loopback."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from statistics import quantiles
from typing import Any

from benchmarks.crowd import WRITES, Crowd, crowd
from benchmarks.one_life import begun
from benchmarks.report import Bench, Verdict, middle
from drumline.runtimes.claude import SDK
from drumline.runtimes.runtime import Called, Conversation, Ended, Guard
from tests.live.agent_cli import binary
from tests.live.claude_stage import Stage, bash, turns

NAME = "callbacks"
CALLS = 30
OURS, EMPTY, BARE = "with our callbacks", "with callbacks that say nothing", "without hooks"
MARK = 5.0  # milliseconds
LONGEST = 300.0  # seconds for a session


def run(bench: Bench) -> None:
    bench.report.heading(NAME, f"{CALLS} tool calls of the real Claude Code in one turn")
    if find_spec(SDK) is None:
        bench.report.line("not measured: the package claude-agent-sdk is not installed here")
        return
    found: dict[str, list[list[float]]] = {BARE: [], EMPTY: [], OURS: []}
    with crowd(bench.place, 1, together=1, may=WRITES) as team:
        for _ in range(bench.pick(8, 3)):
            for who, several in found.items():
                folder = bench.place.new_folder("stage")
                several.append(asyncio.run(_session(folder, team, who)))
    _show(bench, found)


def _show(bench: Bench, found: dict[str, list[list[float]]]) -> None:
    rounds = zip(found[OURS], found[BARE], strict=True)
    added = [a - b for ours, bare in rounds for a, b in zip(ours, bare, strict=True)]
    low, more, high = (each * 1000 for each in quantiles(added, n=4))
    each = {
        name: middle([one for several in sessions for one in several]) * 1000
        for name, sessions in found.items()
    }
    bench.report.table(("", "ms a call"), [(name, f"{value:.1f}") for name, value in each.items()])
    bench.report.keep(NAME, milliseconds_a_call=each, added_milliseconds=[low, more, high])
    bench.report.judge(
        Verdict(
            subject=NAME,
            says=f"what our callbacks add to a tool call of Claude Code against {MARK:g} ms",
            ratio=more / MARK,
            target=1,
            at_least=False,
            detail=f"median {more:.1f} ms of {len(added)} calls, half between {low:.1f} and {high:.1f}",
        )
    )


class Counted:
    """A guard that knows how often it was asked."""

    def __init__(self, guard: Guard) -> None:
        self._guard, self.asked, self.told = guard, 0, 0

    def before(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        self.asked += 1
        return self._guard.before(event)

    def after(self, event: Mapping[str, Any]) -> None:
        self.told += 1
        self._guard.after(event)


async def _session(folder: Path, team: Crowd, who: str) -> list[float]:
    """The seconds from each tool call's result to the next."""
    (folder / "work").mkdir()
    (folder / "work" / "note.txt").write_text("read me\n", encoding="utf-8")
    stage = Stage(folder, turns(_steps(folder / "work" / "note.txt")))
    try:
        with stage.model, begun(team, "m0") as life:
            guard = Counted(life.guard)
            async with asyncio.timeout(LONGEST), _talk(stage, guard, who) as talk:
                found = await _heard(talk)
    finally:
        stage.let_go()
    changing = CALLS // 2  # what only looks is ruled on, and not noted
    if (guard.asked, guard.told) != ((CALLS, changing) if who == OURS else (0, 0)):
        raise RuntimeError(f"{who}, the guard was asked {guard.asked} times, told {guard.told}")
    return found


async def _heard(talk: Conversation) -> list[float]:
    moments = []
    async for fact in talk.turn("Look around."):
        if isinstance(fact, Called):
            moments.append(time.perf_counter())
            if fact.result != "ok":
                raise RuntimeError(f"{fact.tool} {fact.what}: {fact.result}")
        if isinstance(fact, Ended) and not fact.outcome.succeeded:
            raise RuntimeError(f"the turn failed: {fact.outcome.why}")
    if len(moments) != CALLS:
        raise RuntimeError(f"{len(moments)} calls were made, not {CALLS}")
    return [after - before for before, after in pairwise(moments)]


@asynccontextmanager
async def _talk(stage: Stage, guard: Guard, who: str) -> AsyncIterator[Conversation]:
    conversation = _kinds()[who](stage.start(guard=guard), binary("claude"))
    try:
        await conversation.connect()
        yield conversation
    finally:
        await conversation.end()


def _kinds() -> dict[str, Callable[..., Any]]:
    """The same session three times: nobody is asked, nobody answers, our guard does."""
    from drumline.runtimes.claude_conversation import ClaudeConversation  # noqa: PLC0415 - needs the SDK

    async def nothing(*_told: Any) -> Any:
        return {}

    class Unasked(ClaudeConversation):
        def _hooks(self) -> dict[Any, list[Any]]:
            return {}

    class Unanswered(ClaudeConversation):
        def _hooks(self) -> dict[Any, list[Any]]:
            return {
                event: [replace(each, hooks=[nothing]) for each in matchers]
                for event, matchers in super()._hooks().items()
            }

    return {BARE: Unasked, EMPTY: Unanswered, OURS: ClaudeConversation}


def _steps(note: Path) -> tuple[str, ...]:
    """Bash and Read in turns: a command is parsed to be ruled on, a path is not."""
    read = f"tool: {{name: Read, input: {{file_path: '{note}'}}}}"
    calls = [bash(f"echo {number}") if number % 2 else read for number in range(CALLS)]
    return (*calls, "say: seen")
