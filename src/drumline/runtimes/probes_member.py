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
from drumline.runtimes.probes import LONGEST_SCENE, MEMBER, Scene, Seen, results
from drumline.runtimes.probes_hook import CRASH, FORBIDDEN, HANG, TROUBLED
from drumline.runtimes.probes_session import Rooms, contents
from drumline.runtimes.rehearsal.launch import GO, Cli
from drumline.runtimes.rehearsal.server import Rehearsal
from drumline.runtimes.runtime import (
    Answer,
    Conversation,
    Ended,
    Fact,
    Guard,
    Received,
    Runtime,
    Start,
)
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
        said = json.dumps(event["tool_input"])
        if self._mood == TROUBLED and CRASH in said:
            raise RuntimeError("a guard that crashes")
        if self._mood == TROUBLED and HANG in said:
            self.let_go.wait(LONGEST_SCENE)
        return REFUSED if FORBIDDEN in said else ALLOWED

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
            return await _play(Stage(cli, terms, scene, Rooms(folder)))

    return asyncio.run(within())


@dataclass(frozen=True, slots=True)
class Stage:
    """Who plays what, where, and on which terms."""

    cli: Cli
    terms: Terms
    scene: Scene
    rooms: Rooms

    @asynccontextmanager
    async def conversation(self, sentry: Sentry, url: str) -> AsyncIterator[Conversation]:
        """A conversation with the CLI, of which nothing is left afterwards."""
        guard, tie = Witnessed(sentry), self.rooms.own / "leash"
        watch = Watch(lambda process: leash.is_on(process, tie), lambda _: None)
        with _held(tie), _door() as door:
            async with Doorway(door, guard, NoVerbs(), watch) as doorway:
                start = self.start(guard, url, doorway.socket)
                talk = await _runtime(self.cli, self.terms).begin(start)
                try:
                    yield talk
                finally:
                    sentry.let_go.set()  # whoever closes the doorway waits for its answers
                    await talk.end()

    def start(self, guard: Guard, url: str, socket: Path) -> Start:
        """What a runner would begin it with, but for a model that is at `url`."""
        rooms, terms = self.rooms, self.terms
        is_claude = self.cli.runtime == "claude"
        usual = clean.claude_environment(rooms.place, url) if is_claude else {}
        arguments = [*terms.arguments, *([] if is_claude else _model_at(url))]
        return Start(
            member=MEMBER,
            work=rooms.work,
            home=rooms.home,
            temporary=rooms.temporary,
            leash=rooms.own / "leash",
            confinement=Confinement(
                writable=map(str, (rooms.work, rooms.home, rooms.temporary)),
                environment=Environment(keep=[clean.KEY_OF_CODEX]),
            ),
            guard=guard,
            verbs=NoVerbs(),
            variables={
                **(usual or clean.codex_environment(rooms.place)),
                "DRUMLINE_SOCKET": str(socket),
                "DRUMLINE_MEMBER": MEMBER,
                MARK: f"probe-{uuid4().hex}",
            },
            model=terms.model,
            tools=terms.tools,
            permission_mode=terms.permission_mode,
            approve=_approved,
            settings={"arguments": json.dumps(arguments), **self.scene.settings},
            schema=self.scene.schema,
        )


async def _play(stage: Stage) -> Seen:
    scene, rooms, sentry = stage.scene, stage.rooms, Sentry(stage.scene.guard)
    rooms.furnish(scene.files)
    with Rehearsal(scene.scenario()) as model:
        async with stage.conversation(sentry, model.url(MEMBER)) as talk:
            facts = await _facts(talk, scene, rooms.work)
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
    """Say something once the first call runs, and let that call come to its end."""
    while not (work / BEGAN).exists():  # noqa: ASYNC110 - another process makes it
        await asyncio.sleep(LOOK)
    await talk.tell(words, NUDGE)
    (work / TOLD).touch()


def _runtime(cli: Cli, terms: Terms) -> Runtime:
    if cli.runtime == "claude":
        return ClaudeRuntime(cli.program)
    return CodexRuntime(terms.hook, cli=cli.program)


def _model_at(url: str) -> list[str]:
    """The words that lead Codex to its model, behind those of the operator so that they win."""
    words = clean.codex_arguments(url)
    return [
        word for at, switch in enumerate(words) if switch == "-c" for word in words[at : at + 2]
    ]


@contextmanager
def _held(path: Path) -> Iterator[None]:
    """A leash at a path; what lives on it ends when this does."""
    held = leash.hold(path)
    try:
        yield
    finally:
        os.close(held)


@contextmanager
def _door() -> Iterator[Path]:
    """A private folder whose path is short enough for a socket."""
    near = os.environ.get("XDG_RUNTIME_DIR") or "/tmp"  # noqa: S108 - a folder of our own in it
    with TemporaryDirectory(prefix="drumline-probe-", dir=near) as folder:
        yield Path(folder)


async def _approved(_event: Mapping[str, Any]) -> Mapping[str, str]:
    """Whoever would be asked says yes: what is proved is what the guard refuses all the same."""
    return ALLOWED
