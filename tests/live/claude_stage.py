"""A member's whole surroundings for the Claude runtime: folders, a guard, a model on loopback."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from drumline.runtimes import clean
from drumline.runtimes.claude import ClaudeRuntime
from drumline.runtimes.leash import hold
from drumline.runtimes.rehearsal.server import Rehearsal
from drumline.runtimes.runtime import Answer, Conversation, Ended, Fact, Runtime, Start
from drumline.store.manifests import read_text
from drumline.team.confinement import Confinement
from drumline.team.scenario import Scenario, accepted
from tests.live.agent_cli import LONGEST, binary

LOOK = 0.02
KEY = "sk-rehearsal-of-a-secret"
ALLOWED = {"decision": "allow"}


def turns(*played: tuple[str, ...]) -> Scenario:
    """What ada does: one tuple of steps for each turn."""
    lines = "".join(
        "    - steps:\n" + "".join(f"        - {step}\n" for step in steps) for steps in played
    )
    return accepted(read_text(f"scenario: row\nmembers:\n  ada:\n{lines}"), "row.yaml")


def bash(command: str) -> str:
    return f"tool: {{name: Bash, input: {{command: '{command}'}}}}"


class Watch:
    """A guard in our place: it writes down what it hears and refuses a push."""

    def __init__(self) -> None:
        self.asked: list[Mapping[str, Any]] = []
        self.noted: list[Mapping[str, Any]] = []

    def before(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        self.asked.append(event)
        if "push" not in str(event["tool_input"]):
            return ALLOWED
        return {
            "decision": "deny",
            "constraint": "C-TEAM-003",
            "what": "git push",
            "why": "pushing is the lead's",
            "next": "hand the branch in",
        }

    def after(self, event: Mapping[str, Any]) -> None:
        self.noted.append(event)


class Silent(Watch):
    """A guard that does not answer before it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.let_go = Event()

    def before(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        self.asked.append(event)
        self.let_go.wait(LONGEST)
        return ALLOWED


class Speechless:
    """No command of ours is spoken here."""

    def run(self, *_words: object, **_more: object) -> Answer:
        raise NotImplementedError


class Stage:
    """Where ada lives for one test."""

    def __init__(self, folder: Path, scenario: Scenario, guard: Watch | None = None) -> None:
        self.guard = guard or Watch()
        self.work, self.home, self.temporary, self.own = (
            folder / name for name in ("work", "home", "tmp", "own")
        )
        for each in (self.work, self.home, self.temporary, self.own):
            each.mkdir(exist_ok=True)
        self.held = hold(self.own / "leash")
        self.life = f"test/{uuid4().hex}"
        self.model = Rehearsal(scenario)
        self.runtime: Runtime = ClaudeRuntime(binary("claude"))

    @classmethod
    def told(cls, folder: Path, text: str) -> "Stage":
        """A stage for a scenario in its own words."""
        return cls(folder, accepted(read_text(text), "scenario.yaml"))

    def start(self, **different: Any) -> Start:
        url = self.model.url("ada")
        place = clean.Place(str(self.home), str(self.temporary))
        variables = clean.claude_environment(place, url)
        given: dict[str, Any] = {
            "member": "ada",
            "work": self.work,
            "home": self.home,
            "temporary": self.temporary,
            "leash": self.own / "leash",
            "confinement": self.confinement(urlsplit(url).port or 0),
            "guard": self.guard,
            "verbs": Speechless(),
            "variables": {
                **variables,
                "ANTHROPIC_API_KEY": KEY,
                "DRUMLINE_MEMBER": "ada",
                "DRUMLINE_LIFE": self.life,
            },
            "tools": ("Bash", "Write", "Read"),
        }
        return Start(**{**given, **different})

    def confinement(self, port: int) -> Confinement:
        """What holds ada: its own folders, and the model at this port."""
        return Confinement(writable=map(str, (self.work, self.home, self.temporary)), ports=[port])

    @asynccontextmanager
    async def talk(self, **different: Any) -> AsyncIterator[Conversation]:
        """A conversation, of which nothing is left afterwards."""
        conversation = await self.runtime.begin(self.start(**different))
        try:
            yield conversation
        finally:
            await conversation.end()

    def alive(self) -> list[int]:
        return list(processes(self.life))

    def played(self, work: Callable[[], Coroutine[Any, Any, Any]], times: int = 1) -> Any:
        """What some work with this stage comes to, in so many times its time and with the model there."""
        try:
            with self.model:
                return asyncio.run(asyncio.wait_for(work(), LONGEST * times))
        finally:
            self.let_go()

    def let_go(self) -> None:
        """Close the leash, as the end of a runner does; twice is once."""
        held, self.held = self.held, -1
        if held >= 0:
            os.close(held)


def processes(life: str) -> Iterator[int]:
    """Every process of a life, by the mark in its environment."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            with suppress(OSError):
                if f"DRUMLINE_LIFE={life}".encode() in (folder / "environ").read_bytes():
                    yield int(folder.name)


def command_of(process: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return ""


def cli_of(stage: Stage) -> int:
    """The process of Claude Code itself."""
    return next(each for each in stage.alive() if "--input-format" in command_of(each))


@contextmanager
def limited_model(until: datetime) -> Iterator[int]:
    """A model whose account is used up until then; the port it is at."""

    class Limited(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            said = (
                b'{"type": "error", "error": {"type": "rate_limit_error", "message": "too much"}}'
            )
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(429)
            self.send_header("anthropic-ratelimit-unified-status", "rejected")
            self.send_header("anthropic-ratelimit-unified-reset", str(int(until.timestamp())))
            self.send_header("anthropic-ratelimit-unified-representative-claim", "five_hour")
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the parent's word
            """Stay silent: the test says what went wrong."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Limited) as server:
        thread = Thread(target=server.serve_forever, args=(LOOK,), daemon=True)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


async def all_of(facts: AsyncIterator[Fact]) -> list[Fact]:
    return [fact async for fact in facts]


async def ended(facts: AsyncIterator[Fact]) -> Ended:
    last = (await all_of(facts))[-1]
    assert isinstance(last, Ended)
    return last


async def until(fact: Callable[[], object]) -> None:
    """Wait for something to be true."""
    late = time.monotonic() + LONGEST / 3
    while not fact():
        assert time.monotonic() < late, "it never became true"
        await asyncio.sleep(LOOK)
