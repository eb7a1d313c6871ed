"""A member's whole surroundings for the codex runtime: folders, a doorway with its guard, a model on loopback."""

import asyncio
import json
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any
from uuid import uuid4

from drumline.hooks import guard as hook
from drumline.runtimes import clean, leash
from drumline.runtimes.codex import CodexRuntime
from drumline.runtimes.doorway import Doorway, Watch
from drumline.runtimes.rehearsal.server import Rehearsal
from drumline.runtimes.runtime import Answer, Called, Ended, Entered, Fact, Metered, Start
from drumline.runtimes.sweep import MARK, leftovers
from drumline.runtimes.witnessed import Witnessed
from drumline.store.manifests import read_text
from drumline.team.confinement import Confinement, Environment
from drumline.team.scenario import Scenario, accepted
from tests.live.agent_cli import LONGEST, binary

LOOK = 0.02

# tells the runner that a session began, which the guard itself leaves out; all else is the guard's
TELLING = """
import io, json, os, runpy, sys
sys.path.insert(0, {source!r})
raw = sys.stdin.buffer.read()
if json.loads(raw)["hook_event_name"] == "SessionStart":
    from drumline.hooks.asking import ask
    ask(os.environ["DRUMLINE_SOCKET"], {{"ask": "note", "event": json.loads(raw)}})
else:
    sys.stdin = io.TextIOWrapper(io.BytesIO(raw))
    runpy.run_path({guard!r}, run_name="__main__")
"""


def turns(*played: tuple[str, ...], schema: str = "") -> Scenario:
    """What ada does: one tuple of steps for each turn."""
    lines = "".join(
        "    - steps:\n" + "".join(f"        - {step}\n" for step in steps) for steps in played
    )
    asked = f"schema: {schema}\n" if schema else ""
    return accepted(read_text(f"scenario: row\n{asked}members:\n  ada:\n{lines}"), "row.yaml")


def bash(command: str) -> str:
    return f"tool: {{name: Bash, input: {{command: '{command}'}}}}"


class PushIsRefused:
    """A guard in our place: it writes down what it hears and refuses a push."""

    def __init__(self) -> None:
        self.asked: list[Mapping[str, Any]] = []
        self.noted: list[Mapping[str, Any]] = []

    def before(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        self.asked.append(event)
        refused = "git push" in str(event["tool_input"])
        said = {"constraint": "C-TEAM-003", "what": "git push", "why": "pushing is the lead's"}
        return {"decision": "deny" if refused else "allow", **said, "next": "hand the branch in"}

    def after(self, event: Mapping[str, Any]) -> None:
        self.noted.append(event)


class NoVerbs:
    """A runner that serves no commands."""

    def run(self, words: Any, stdin: str = "", cwd: str = "") -> Answer:  # noqa: ARG002 - the interface's words
        return Answer(1, "", "none here")


@dataclass
class Stage:
    """A member that can be asked, and what was heard of it."""

    start: Start
    guard: PushIsRefused
    rehearsal: Rehearsal
    facts: list[Fact] = field(default_factory=list)

    def runtime(self, **how: Any) -> CodexRuntime:
        words = [sys.executable, "-I", "-S", str(self.start.home.parent / "hook.py"), "/nowhere"]
        return CodexRuntime(how.pop("guard", words), cli=binary("codex"), **how)

    async def ask(
        self, prompt: str = "Do it.", schema: Any = None, conversation: Any = None
    ) -> Ended:
        """One turn to its end, in a conversation of its own unless one is given."""
        talk = conversation or await self.runtime().begin(self.start)
        self.facts = []
        async with asyncio.timeout(LONGEST):
            async for fact in talk.turn(prompt, schema):
                self.facts.append(fact)
        last = self.facts[-1]
        assert isinstance(last, Ended)
        assert sum(isinstance(fact, Ended) for fact in self.facts) == 1
        assert self.alive() == []
        return last

    def told(self, kind: type) -> list[Any]:
        return [fact for fact in self.facts if isinstance(fact, kind)]

    @property
    def called(self) -> list[Called]:
        return self.told(Called)

    @property
    def session(self) -> str:
        return str(self.told(Entered)[-1].session)

    @property
    def tokens(self) -> list[tuple[int, int, int]]:
        return [fact.report.total[:3] for fact in self.told(Metered)]

    def alive(self) -> list[Any]:
        """Every process of this member."""
        return leftovers(self.start.variables[MARK])

    def changed(self, **parts: Any) -> "Stage":
        return replace(self, start=replace(self.start, **parts))

    async def until(self, fact: Callable[[], Any]) -> Any:
        """Wait until something is so."""
        end = monotonic() + LONGEST
        while monotonic() < end:
            if found := fact():
                return found
            await asyncio.sleep(LOOK)
        raise AssertionError("it did not become so")


def model_at(url: str, retries: int = 0) -> str:
    """The setting that leads Codex to its model, as an operator writes it."""
    words = clean.codex_arguments(url, retries=retries)
    pairs = [words[at : at + 2] for at, word in enumerate(words) if word == "-c"]
    return json.dumps([word for pair in pairs for word in pair])


@asynccontextmanager
async def stage(folder: Path, scenario: Scenario, retries: int = 0) -> AsyncIterator[Stage]:
    """A member whose model plays a scenario, until all of it is over."""
    places = {name: folder / name for name in ("work", "home", "temporary")}
    for each in places.values():
        each.mkdir()
    script = TELLING.format(source=str(Path(hook.__file__).parents[2]), guard=hook.__file__)
    (folder / "hook.py").write_text(script)
    door = Path(tempfile.mkdtemp(prefix="door", dir="/tmp"))  # a socket's name is short
    held = leash.hold(door / "leash")
    guard = PushIsRefused()
    witness = Witnessed(guard)
    watch = Watch(lambda process: leash.is_on(process, door / "leash"), lambda _: None)
    try:
        with Rehearsal(scenario) as rehearsal:
            async with Doorway(door, witness, NoVerbs(), watch):
                room = clean.Place(str(places["home"]), str(places["temporary"]))
                start = Start(
                    member="ada",
                    leash=door / "leash",
                    confinement=Confinement(
                        writable=map(str, places.values()),
                        environment=Environment(keep=[clean.KEY_OF_CODEX]),
                    ),
                    guard=witness,
                    verbs=NoVerbs(),
                    variables={
                        **clean.codex_environment(room),
                        "DRUMLINE_SOCKET": str(door / "socket"),
                        "DRUMLINE_MEMBER": "ada",
                        MARK: f"live-{uuid4().hex}",
                    },
                    settings={"arguments": model_at(rehearsal.url("ada"), retries)},
                    work=places["work"],
                    home=places["home"],
                    temporary=places["temporary"],
                )
                yield Stage(start, guard, rehearsal)
    finally:
        os.close(held)
        shutil.rmtree(door)


@contextmanager
def limited_model(error: Mapping[str, Any], headers: Mapping[str, str]) -> Iterator[str]:
    """A model whose account is used up; where it is."""

    class Refusing(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            body = json.dumps({"error": {"message": "no more", **error}}).encode()
            self.send_response(429)
            for name, said in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, said)
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            self.send_error(404)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's word
            """Stay silent: the tests say what went wrong."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    thread = Thread(target=server.serve_forever, args=(LOOK,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/ada"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
