"""What a scripted member's tool call costs: ruling, launcher, tool and note, against the tool alone."""

import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.crowd import READ, WRITES, Crowd, crowd
from benchmarks.one_life import begun
from benchmarks.report import Bench, Verdict, middle, paired
from drumline.runtimes import hands
from drumline.runtimes.runtime import Start
from drumline.runtimes.scripted_tools import BASH, Tools
from drumline.team.scenario import ToolCall

NAME = "tool-calls"
OURS, BARE = "a member's call", "the tool alone"
TOUCH = "touch seen"  # in the member's checkout: a change, and so noted


class Spent(NamedTuple):
    """Seconds of one call: on the clock, and of the processor with all that was started."""

    seconds: float
    processor: float


Call = Callable[[], Awaitable[None]]
Found = dict[str, dict[str, list[Spent]]]


def run(bench: Bench) -> None:
    bench.report.heading(NAME, "One tool call of a scripted member")
    with crowd(bench.place, 1, together=1, may=WRITES) as team:
        found = asyncio.run(_measured(team, bench))
    rows = [
        (f"{tool}: {who}", f"{_clock(several):.1f}", f"{_processor(several):.1f}")
        for tool, both in found.items()
        for who, several in both.items()
    ]
    bench.report.table(("", "ms", "ms of processor"), rows)
    bench.report.keep(
        NAME,
        milliseconds={name: _clock(several) for name, several in _flat(found)},
        processor_milliseconds={name: _processor(several) for name, several in _flat(found)},
    )
    for tool, mark in (("Read", 4), ("Bash", 30)):
        _judge(bench, tool, found[tool], mark)


def _judge(bench: Bench, tool: str, both: dict[str, list[Spent]], mark: float) -> None:
    ours, bare = both[OURS], both[BARE]
    added = middle([a.seconds - b.seconds for a, b in zip(ours, bare, strict=True)])
    bench.report.judge(
        Verdict(
            subject=NAME,
            says=f"a {tool} call, ruled on, confined and noted, against the bare process",
            ratio=paired([each.seconds for each in ours], [each.seconds for each in bare]),
            target=mark,
            at_least=False,
            detail=f"{_clock(ours):.1f} ms : {_clock(bare):.1f} ms; adds {added * 1000:.1f} ms",
        )
    )


async def _measured(team: Crowd, bench: Bench) -> Found:
    with begun(team, "m0") as start:
        calls = {
            "Read": {
                OURS: _ours(start, ToolCall("Read", {"file_path": READ})),
                BARE: _bare(start, [sys.executable, "-I", "-S", str(hands.__file__)], _read(start)),
            },
            "Bash": {
                OURS: _ours(start, ToolCall("Bash", {"command": TOUCH})),
                BARE: _bare(start, [*BASH, TOUCH]),
            },
        }
        found: Found = {tool: {who: [] for who in both} for tool, both in calls.items()}
        for turn in range(bench.pick(101, 31)):
            for tool, both in calls.items():
                for who, call in both.items():
                    spent = await _timed(call)
                    if turn:  # the first turn writes the bytecode
                        found[tool][who].append(spent)
        return found


def _ours(start: Start, call: ToolCall) -> Call:
    tools = Tools(start)

    async def use() -> None:
        result = await tools.use(call, {})
        if not result.ok:
            raise RuntimeError(f"the member's {call.name} call failed: {result.text}")

    return use


def _bare(start: Start, argv: Sequence[str], asked: Mapping[str, Any] | None = None) -> Call:
    async def use() -> None:
        process = await asyncio.create_subprocess_exec(
            *argv,
            cwd=start.work,
            env=dict(start.variables),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        said, _ = await process.communicate(json.dumps(asked).encode() if asked else b"")
        if process.returncode:
            raise RuntimeError(f"the bare process failed: {said!r}")

    return use


def _read(start: Start) -> dict[str, Any]:
    return {"tool": "Read", "input": {"file_path": str(start.work / READ)}}


async def _timed(call: Call) -> Spent:
    before, began = _processor_now(), time.perf_counter()
    await call()
    return Spent(time.perf_counter() - began, _processor_now() - before)


def _processor_now() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _flat(found: Found) -> list[tuple[str, list[Spent]]]:
    return [
        (f"{tool}, {who}", several) for tool, both in found.items() for who, several in both.items()
    ]


def _clock(several: Sequence[Spent]) -> float:
    return middle([each.seconds for each in several]) * 1000


def _processor(several: Sequence[Spent]) -> float:
    """The mean: the processor's time comes in ticks of 10 ms."""
    return sum(each.processor for each in several) / len(several) * 1000
