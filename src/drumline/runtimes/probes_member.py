"""A scene in a member's own CLI: the runtime as a runner begins it, held by its layers, on a leash."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any
from uuid import uuid4

from drumline.runtimes import clean, leash
from drumline.runtimes.claude import ClaudeRuntime
from drumline.runtimes.codex import CodexRuntime
from drumline.runtimes.doorway import Doorway, Watch
from drumline.runtimes.probes import FORBIDDEN, LONGEST_SCENE, MEMBER, Scene, Seen, results
from drumline.runtimes.probes_session import Rooms, contents
from drumline.runtimes.rehearsal.launch import GO, Cli
from drumline.runtimes.rehearsal.server import Rehearsal
from drumline.runtimes.runtime import Answer, Conversation, Ended, Fact, Received, Runtime, Start
from drumline.runtimes.sweep import MARK
from drumline.runtimes.witnessed import Witnessed
from drumline.team.confinement import Confinement, Environment

LOOK = 0.02
TOOLS = ("Bash", "Write", "Edit", "Read")
BEGAN, TOLD, NUDGE = "began", "told", "M-1"
ALLOWED = {"decision": "allow"}
REFUSED = {
    "decision": "deny",
    "constraint": "C-TEAM-008",
    "what": "what a probe forbids",
    "why": "it proves that the guard is asked",
    "next": "nothing: this is a rehearsal",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What is a member's own in how its CLI is started; `hook` are the words of our command hook."""

    hook: Sequence[str] = ()
    tools: Sequence[str] = TOOLS
    permission_mode: str = "dontAsk"
    model: str = ""
    arguments: Sequence[str] = ()


class Sentry:
    """A guard that refuses what is called forbidden, in the mood of its scene, and keeps what it heard."""

    def __init__(self, mood: str) -> None:
        self._mood, self.let_go = mood, Event()
        self.events: list[str] = []

    def before(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        self._keep(event)
        if self._mood == "crash":
            raise RuntimeError("a guard that crashes")
        if self._mood == "hang":
            self.let_go.wait(LONGEST_SCENE)
        return REFUSED if FORBIDDEN in json.dumps(event["tool_input"]) else ALLOWED

    def after(self, event: Mapping[str, Any]) -> None:
        self._keep(event)

    def _keep(self, event: Mapping[str, Any]) -> None:
        self.events.append(f"{event['hook_event_name']} {event.get('tool_name', '')}".strip())


class NoVerbs:
    """Nobody speaks our commands in a probe."""

    def run(self, words: Sequence[str], stdin: str = "", cwd: str = "") -> Answer:  # noqa: ARG002 - the interface's words
        return Answer(1, "", "a probe has no board")


def play(cli: Cli, terms: Terms, scene: Scene, folder: Path, seconds: float) -> Seen:
    """The scene, played once in a folder of its own."""

    async def within() -> Seen:
        async with asyncio.timeout(seconds):
            return await _play(cli, terms, scene, folder)

    return asyncio.run(within())


async def _play(cli: Cli, terms: Terms, scene: Scene, folder: Path) -> Seen:
    rooms, sentry = Rooms(folder), Sentry(scene.guard)
    rooms.furnish(scene.files)
    with Rehearsal(scene.scenario()) as model:
        async with _stage(cli, terms, scene, rooms, (sentry, model)) as talk:
            try:
                facts = await _facts(talk, scene, rooms.work)
            finally:
                sentry.let_go.set()  # whoever closes the doorway waits for its answers
        ended = next(fact for fact in facts if isinstance(fact, Ended))
        records = model.records()
        return Seen(
            events=tuple(sentry.events),
            files=contents(rooms.work),
            results=results(scene, records),
            outcome=ended.outcome,
            text=ended.text,
            answer=ended.answer,
            received=tuple(fact.id for fact in facts if isinstance(fact, Received)),
            heard="\n".join(record.heard for record in records),
            requests=model.requests(),
        )


async def _facts(talk: Conversation, scene: Scene, work: Path) -> list[Fact]:
    telling = asyncio.create_task(_tell(talk, scene.nudge, work)) if scene.nudge else None
    try:
        return [fact async for fact in talk.turn(GO, scene.schema)]
    finally:
        if telling is not None:
            telling.cancel()


async def _tell(talk: Conversation, words: str, work: Path) -> None:
    """Say something once the first call runs, and let it come to its end."""
    while not (work / BEGAN).exists():  # noqa: ASYNC110 - another process makes it
        await asyncio.sleep(LOOK)
    await talk.tell(words, NUDGE)
    (work / TOLD).touch()


@asynccontextmanager
async def _stage(
    cli: Cli, terms: Terms, scene: Scene, rooms: Rooms, between: tuple[Sentry, Rehearsal]
) -> AsyncIterator[Conversation]:
    """A conversation with the CLI, of which nothing is left afterwards."""
    guard, model = Witnessed(between[0]), between[1]
    with _door() as door:
        watch = Watch(lambda process: leash.is_on(process, door / "leash"), lambda _: None)
        async with Doorway(door, guard, NoVerbs(), watch):
            start = _start(cli, terms, scene, rooms, model.url(MEMBER))
            begun = Start(**{**start, "guard": guard, "leash": door / "leash"})
            talk = await _runtime(cli, terms).begin(begun)
            try:
                yield talk
            finally:
                between[0].let_go.set()
                await talk.end()
