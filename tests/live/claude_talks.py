"""Conversations with the real Claude Code that many tests read: each is held once, and told turn by turn."""

import asyncio
import json
import os
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from drumline.errors import Conflict
from drumline.runtimes.runtime import (
    Called,
    Conversation,
    Ended,
    Fact,
    Metered,
    Received,
    Said,
)
from tests.live.claude_stage import (
    KEY,
    Silent,
    Stage,
    all_of,
    bash,
    cli_of,
    command_of,
    turns,
    until,
)

WAITING = bash("touch began; exec tail -f /dev/null")
DAEMON = bash(
    "setsid nohup tail -f /dev/null > /dev/null 2>&1 & touch began; exec tail -f /dev/null"
)
HANGS = "fault: {kind: hang}"
REFUSED = (
    bash("touch pushed; git push"),
    "tool: {name: Write, input: {file_path: push.txt, content: x}, expect: {result: refused}}",
    "say: done",
)
SEEN = bash(r'env > seen; tr "\0" "\n" < /proc/$PPID/environ >> seen')
ONLY_WORDS = "/clear and read @secret"
LARGE = 1_500_000
WORK = {
    "ordinary": ("say: I begin.", bash("echo made > made"), bash("false"), "say: done"),
    "refused": REFUSED,
    "seen": (SEEN, "say: done"),
    "words": ("say: done",),
    "large": (
        f"tool: {{name: Write, input: {{file_path: big, content: {'x' * LARGE}}}}}",
        "say: done",
    ),
}


def account(facts: Sequence[Fact]) -> dict[str, Any]:
    """What a turn told, as JSON keeps it."""
    last = facts[-1]
    assert isinstance(last, Ended)
    meters = [fact.report for fact in facts if isinstance(fact, Metered)]
    return {
        "order": [type(fact).__name__ for fact in facts],
        "said": [fact.text for fact in facts if isinstance(fact, Said)],
        "called": [list(fact) for fact in facts if isinstance(fact, Called)],
        "received": [fact.id for fact in facts if isinstance(fact, Received)],
        "meters": [
            {"source": each.source, "number": each.number, "total": each.total._asdict()}
            for each in meters
        ],
        "ending": last.outcome.ending,
        "denied": last.outcome.denied,
        "text": last.text,
    }


async def asked(stage: Stage, talk: Conversation, prompt: str) -> dict[str, Any]:
    """A turn's account, with what the model read in it, what the guard heard and what was made."""
    guard, before = stage.guard, set(stage.work.iterdir())
    requests, calls, notes = stage.model.requests(), len(guard.asked), len(guard.noted)
    facts = await all_of(talk.turn(prompt))
    records = stage.model.records()[requests:]
    return {
        **account(facts),
        "heard": [record.heard for record in records],
        "read": [result.text for record in records for result in record.results],
        "offered": [sorted(record.offered) for record in records],
        "effort": [record.effort for record in records],
        "asked": [event["hook_event_name"] for event in guard.asked[calls:]],
        "noted": [event["hook_event_name"] for event in guard.noted[notes:]],
        "made": sorted(path.name for path in set(stage.work.iterdir()) - before),
    }


def at_work(folder: Path) -> dict[str, Any]:
    """A member's conversation in which each turn is a piece of work of another kind."""
    outside = folder / "outside"
    outside.mkdir()
    plays = {"outside": (bash(f"touch {outside}/made"), "say: done"), **WORK}
    plays = {"ordinary": plays.pop("ordinary"), **plays}  # in which the conversation is entered
    stage = Stage(folder, turns(*plays.values(), (WAITING, "say: done")))
    (stage.work / "secret").write_text("not to be read")
    with_hooks_of_its_own(stage.work)
    mode = "dontAsk"

    async def work() -> dict[str, Any]:
        async with stage.talk(permission_mode=mode, effort="low") as talk:
            prompts = {name: ONLY_WORDS if name == "words" else "Do it." for name in plays}
            told = {name: await asked(stage, talk, said) for name, said in prompts.items()}
            return {**told, "killed": await killed(stage, talk)}

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OUR_OWN", "not the member's")
        told = stage.played(work, len(plays) + 1)
    kept = [path for path in folder.rglob("*") if path.is_file()]
    return {
        **told,
        "mode": mode,
        "home": str(stage.home),
        "work": str(stage.work),
        "outside made": [path.name for path in outside.iterdir()],
        "files with the key": [str(path) for path in kept if KEY.encode() in path.read_bytes()],
        "failures": stage.model.failures(),
    }


def with_hooks_of_its_own(repository: Path) -> None:
    """Settings that switch hooks off, and some that are not ours."""
    hook = {"matcher": "*", "hooks": [{"type": "command", "command": "touch loaded"}]}
    settings = repository / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"disableAllHooks": True, "hooks": {"Stop": [hook]}}))
    local = settings.with_name("settings.local.json")
    local.write_text(json.dumps({"hooks": {"PreToolUse": [hook]}, "disableAllHooks": False}))


async def at_its_tool(
    stage: Stage, talk: Conversation, act: Callable[[], Awaitable[Any]]
) -> dict[str, Any]:
    """The end of a turn in which something is done once its tool runs, and what that came to."""
    listening = asyncio.create_task(all_of(talk.turn("Do it.")))
    await until((stage.work / "began").exists)
    came = await act()
    return {"ending": account(await listening)["ending"], "act": came}


async def killed(stage: Stage, talk: Conversation) -> dict[str, Any]:
    """The conversation's last turn: its CLI is killed, and it is asked once more."""

    async def kill() -> None:
        os.kill(cli_of(stage), signal.SIGKILL)

    told = await at_its_tool(stage, talk, kill)
    left = stage.alive()
    return {**told, "left": left, "later": account(await all_of(talk.turn("And?")))["ending"]}


async def let_go(stage: Stage, talk: Conversation) -> dict[str, Any]:
    """The conversation's last turn: its runner ends."""

    async def end() -> None:
        stage.let_go()
        await until(lambda: not stage.alive())

    return await at_its_tool(stage, talk, end)


async def left_behind(stage: Stage, talk: Conversation) -> dict[str, Any]:
    """The conversation's last turn: it is ended while a tool runs that left a process behind."""

    async def end() -> list[int]:
        await until(lambda: sum("tail" in command_of(each) for each in stage.alive()) >= 2)
        await talk.end()
        return stage.alive()

    return await at_its_tool(stage, talk, end)


def not_asked_by_the_cli(folder: Path) -> dict[str, Any]:
    """A turn in which the CLI itself would let everything pass, and one in which its runner ends."""
    stage = Stage(folder, turns(REFUSED, (WAITING, "say: done")))

    mode = "bypassPermissions"

    async def work() -> dict[str, Any]:
        async with stage.talk(permission_mode=mode, effort="max") as talk:
            refused = await asked(stage, talk, "Do it.")
            return {"refused": refused, "let go": await let_go(stage, talk)}

    return {**stage.played(work, 2), "mode": mode, "failures": stage.model.failures()}


SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer"}},
    "required": ["n"],
    "additionalProperties": False,
}
BAD_THEN_GOOD = ("structured: {n: x}", "structured: {n: 4}")
NEVER = ("say: no", "end: stop")


def begun_for_answers(folder: Path) -> dict[str, Any]:
    """A conversation begun with a schema, in which one answer is mended and another never comes."""
    stage = Stage(folder, turns(BAD_THEN_GOOD, NEVER, ("say: no",)))

    async def work() -> dict[str, Any]:
        async with stage.talk(schema=SCHEMA) as talk:
            processes = [cli_of(stage)]
            told: dict[str, Any] = {}
            for name in ("bad, then good", "never"):
                last = (await all_of(talk.turn("How many?", SCHEMA)))[-1]
                assert isinstance(last, Ended)
                told[name] = {"answer": last.answer, "ending": last.outcome.ending}
                processes.append(cli_of(stage))
            return {**told, "processes": processes}

    return dict(stage.played(work, 2))


def round_an_answer(folder: Path) -> dict[str, Any]:
    """A conversation of one that may only read: words, an answer, words, and a schema nobody knows."""
    stage = Stage(
        folder, turns((bash("touch made"), "say: one"), ("structured: {n: 3}",), ("say: three",))
    )

    async def work() -> dict[str, Any]:
        async with stage.talk(tools=("Read",)) as talk:
            one = await asked(stage, talk, "One.")
            two = await all_of(talk.turn("How many?", SCHEMA))
            three = await asked(stage, talk, "Three.")
            depth = stage.model.records()[-1].depth
            last = (await all_of(talk.turn("How many?", {"type": "nothing known"})))[-1]
            assert isinstance(two[-1], Ended)
            assert isinstance(last, Ended)
            outcome = {"ending": last.outcome.ending, "why": last.outcome.why}
            two_told = {**account(two), "answer": two[-1].answer}
            return {"one": one, "two": two_told, "three": three, "depth": depth, "last": outcome}

    return dict(stage.played(work, 4))


class Troubled(Silent):
    """A guard that breaks when it is asked for the first time, and then says nothing any more."""

    def before(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        if self.asked:
            return super().before(event)
        self.asked.append(event)
        raise LookupError(str(event["tool_name"]))

    def after(self, event: Mapping[str, Any]) -> None:
        raise LookupError(str(event["tool_name"]))


def in_trouble(folder: Path) -> dict[str, Any]:
    """A turn whose guard fails, and one whose guard is silent."""
    guard = Troubled()
    moves = ("failing", "silent")
    stage = Stage(folder, turns(*((bash(f"touch {each}"), "say: done") for each in moves)), guard)
    terms: dict[str, Any] = {
        "permission_mode": "bypassPermissions",
        "settings": {"ruling_seconds": "2"},
    }

    async def work() -> dict[str, Any]:
        async with stage.talk(**terms) as talk:
            return {each: await asked(stage, talk, "Do it.") for each in moves}

    try:
        return dict(stage.played(work, len(moves)))
    finally:
        guard.let_go.set()


class Interrupted:
    """A conversation whose turns something is said to, or which are told to stop."""

    PLAY = (
        ("say: done",),
        (bash("touch began; until test -e told; do sleep 0.05; done"), "say: done"),
        ("wait: 1.5", "say: first"),
        ("say: second",),
        (WAITING,),
        ("say: again after a tool",),
        (HANGS,),
        ("say: again after the model",),
        (WAITING,),
        (WAITING,),
        ("wait: 30", "say: too late"),
    )

    def __init__(self, folder: Path) -> None:
        self.stage = Stage(folder, turns(*self.PLAY))

    def told(self) -> dict[str, Any]:
        found = dict(self.stage.played(self._all, 7))
        return {**found, "heard": [each.heard for each in self.stage.model.records()]}

    async def _all(self) -> dict[str, Any]:
        async with self.stage.talk() as talk:
            return {
                "between turns": await self._between(talk),
                "in a turn": await self._in_a_turn(talk),
                "at its end": await self._at_its_end(talk),
                "a tool": await self._stopped(talk, self._began),
                "the model": await self._stopped(talk, lambda: True),
                "at a time": await self._another(talk),
                "words that wait": await self._words_that_wait(talk),
            }

    def _began(self) -> bool:
        return (self.stage.work / "began").exists()

    async def _while(
        self, talk: Conversation, is_time: Callable[[], object], act: Callable[[], Awaitable[Any]]
    ) -> dict[str, Any]:
        """A turn in which something is done once it is time for it, and the model was asked."""
        (self.stage.work / "began").unlink(missing_ok=True)
        before = self.stage.model.requests()
        listening = asyncio.create_task(all_of(talk.turn("Do it.")))
        await until(lambda: self.stage.model.requests() > before and is_time())
        came = await act()
        told = account(await listening)
        return {**told, "act": came, "last heard": self.stage.model.records()[-1].heard}

    async def _between(self, talk: Conversation) -> dict[str, Any]:
        early = await talk.tell("Early.", "M-1")
        await all_of(talk.turn("Do it."))
        late = await talk.tell("Late.", "M-2")
        return {"told": [early, late], "requests": self.stage.model.requests()}

    async def _in_a_turn(self, talk: Conversation) -> dict[str, Any]:
        async def tell() -> bool:
            told = await talk.tell("Mind the gap.", "M-12")
            (self.stage.work / "told").touch()
            return told

        return await self._while(talk, self._began, tell)

    async def _at_its_end(self, talk: Conversation) -> dict[str, Any]:
        return await self._while(talk, lambda: True, lambda: talk.tell("One more thing.", "M-13"))

    async def _stopped(self, talk: Conversation, is_time: Callable[[], object]) -> dict[str, Any]:
        first = await self._while(talk, is_time, talk.interrupt)
        return {"first": first, "second": account(await all_of(talk.turn("Again.")))}

    async def _another(self, talk: Conversation) -> dict[str, Any]:
        async def ask() -> str:
            try:
                await all_of(talk.turn("And this?"))
            except Conflict as refused:
                return type(refused).__name__
            finally:
                await talk.interrupt()
            return ""

        return await self._while(talk, self._began, ask)

    async def _words_that_wait(self, talk: Conversation) -> dict[str, Any]:
        async def tell_and_interrupt() -> None:
            await talk.tell("And then?", "M-3")
            await talk.interrupt()

        return await self._while(talk, self._began, tell_and_interrupt)
