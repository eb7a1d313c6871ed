"""Turns of the real Codex that many tests read: each is played once, and told as JSON keeps it."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from drumline.runtimes.runtime import Ended, Metered, Said
from drumline.team.scenario import Scenario
from tests.live.codex_stage import Stage, bash, stage, turns

T = TypeVar("T")
SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 1}, "why": {"type": "string"}},
    "required": ["n"],
    "additionalProperties": False,
}
HANG = "fault: {kind: hang}"
WAITING = bash("(setsid tail -f /dev/null &) ; echo > began; exec tail -f /dev/null")
STEPS = {"model": (HANG,), "tool": (WAITING, "say: done")}
WAYS: dict[str, dict[str, Any]] = {
    "one": {
        "system": 'You are "ada".\nBe kind.',
        "model": "gpt-of-another-kind",
        "tools": ["Bash", "WebSearch"],
        "effort": "low",
    },
    "another": {"tools": ["Bash"], "effort": "high"},
}


def played(
    folder: Path, scenario: Scenario, play: Callable[[Stage], Awaitable[T]], retries: int = 0
) -> T:
    async def run() -> T:
        async with stage(folder, scenario, retries) as ada:
            return await play(ada)

    return asyncio.run(run())


def asked(folder: Path, scenario: Scenario, **how: Any) -> tuple[Stage, Ended]:
    """One turn of a scenario: what was heard, and how it ended."""

    async def play(ada: Stage) -> tuple[Stage, Ended]:
        return ada, await ada.ask(**how)

    return played(folder, scenario, play)


def at_work(folder: Path) -> dict[str, Any]:
    """One turn with calls of every kind; what was told of it, and what the model read of each call."""
    ada, ended = asked(
        folder,
        turns(
            (
                "say: I begin.",
                bash("echo made > made; cat made"),
                bash("git push origin main"),
                bash("false"),
                'tool: {name: Write, input: {file_path: a.txt, content: "one\\n"}}',
                bash("echo $PATH; env"),
                bash("echo x > ../outside"),
                "say: done",
            )
        ),
    )
    reports = [fact.report for fact in ada.facts if isinstance(fact, Metered)]
    return {
        "work": str(folder / "work"),
        "ended": [ended.outcome.ending, ended.text, list(ended.outcome.denied)],
        "said": [fact.text for fact in ada.told(Said)],
        "called": [list(each) for each in ada.called],
        "read": [each.text for record in ada.rehearsal.records() for each in record.results],
        "noted": [
            [event["hook_event_name"], str(event.get("tool_input", ""))]
            for event in ada.guard.noted
        ],
        "made": (folder / "work" / "made").read_text(),
        "outside": (folder / "outside").exists(),
        "reports": [[each.number, each.source, each.model, each.price] for each in reports],
        "session": ada.session,
        "failures": ada.rehearsal.failures(),
    }


def started_so(folder: Path, way: str) -> dict[str, Any]:
    """A turn of a member that is started in one of these ways."""

    async def play(ada: Stage) -> list[Any]:
        told = ada.changed(**WAYS[way])
        assert (await told.ask()).outcome.succeeded
        return told.rehearsal.records()

    records = played(folder, turns(("say: done",)), play)
    transcript = next((folder / "home" / "sessions").rglob("*.jsonl")).read_text()
    return {
        "model": records[0].model,
        "offered": sorted(records[0].offered),
        "efforts": [record.effort for record in records],
        "transcript": transcript,
    }


def gone_on_with(folder: Path) -> dict[str, Any]:
    """A session in one conversation, in another that names it, and in one whose hooks are skipped."""

    async def play(ada: Stage) -> dict[str, Any]:
        talk = await ada.runtime().begin(ada.start)
        await ada.ask("First.", conversation=talk)
        first, one = ada.session, ada.tokens
        await ada.ask("Second.", conversation=talk)
        two, depth = ada.tokens, ada.rehearsal.records()[-1].depth
        sessions = [first, ada.session]
        again = ada.changed(session=first)
        named = await again.ask("Third.")
        deaf = await ada.runtime(guard=["/bin/true"]).begin(ada.changed(session=first).start)
        last = await ada.ask("Fourth.", conversation=deaf)
        return {
            "sessions": [*sessions, again.session],
            "tokens": [one, two],
            "depth": depth,
            "named": named.text,
            "deaf": last.outcome.ending,
        }

    usage = "usage: {input: 1000, cache_read: 200, output: 30}"
    first = (usage, bash("true"), usage, "say: one")
    return played(folder, turns(first, (usage, "say: two"), ("say: three",), ("say: four",)), play)


def failed(folder: Path, kind: str) -> dict[str, Any]:
    """How a turn ended whose second response is a fault, and what it has cost by then."""
    ada, ended = asked(folder, turns((bash("true"), f"fault: {{kind: {kind}}}", "say: done")))
    return {"ending": ended.outcome.ending, "tokens": ada.tokens}


def stopped(folder: Path, what: str) -> dict[str, Any]:
    """A turn that is interrupted while the model is silent or a tool runs, and one after it."""

    async def play(ada: Stage) -> dict[str, Any]:
        talk = await ada.runtime().begin(ada.start)
        asking = asyncio.ensure_future(ada.ask(conversation=talk))
        began = (folder / "work" / "began").exists if what == "tool" else ada.rehearsal.requests
        await ada.until(began)
        await talk.interrupt()
        ended = await asking
        session, tokens = ada.session, ada.tokens
        after = await ada.ask("Again.", conversation=talk)
        sessions = [session, ada.session]
        told = {"ending": ended.outcome.ending, "tokens": tokens, "after": after.text}
        return {**told, "sessions": sessions}

    return played(folder, turns(STEPS[what], ("say: here",)), play)


def codex_itself(ada: Stage) -> int:
    """The process of the CLI below its launcher."""
    for each in ada.alive():
        if Path(f"/proc/{each.pid}/exe").readlink().name == "codex":
            return int(each.pid)
    return 0
