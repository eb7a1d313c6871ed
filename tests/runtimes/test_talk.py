"""A runner's talk with a runtime: any program may be one, and one whose guard is deaf is not trusted."""

import asyncio
import json
import sys
from contextlib import asynccontextmanager

import pytest

from drumline.control import board, lives
from drumline.control.reflecting import speaker
from drumline.runtimes.diary import Diary
from drumline.runtimes.runtime import Called, Can, Ended
from drumline.runtimes.talk import UNGUARDED, Purse, Talk
from drumline.settings import find
from drumline.surfaces.cli.inside import MemberVerbs
from drumline.team.life import WhyEnded
from drumline.team.outcome import Ending, Outcome
from drumline.team.task import Holder
from drumline.wiring.members import LocalPost
from tests.running import scripted, team, until


class Deaf:
    """A runtime that makes calls; whether it asks its guard about them is told to it."""

    name, able = "deaf", frozenset({Can.CALLBACKS})

    def __init__(self, *, asks):
        self._asks = asks

    async def begin(self, start):
        self.started = start
        return self

    async def turn(self, prompt, schema=None):
        del prompt, schema
        if self._asks:
            call = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "cwd": "/"}
            await asyncio.to_thread(self.started.guard.before, call)
        yield Called("Bash", "ls", "ok")
        yield Ended(Outcome(Ending.SUCCESS, "completed"), "done")

    async def interrupt(self):
        pass

    async def end(self):
        pass


class Stuck:
    """A runtime whose member waits for a subagent that takes no notice of anybody."""

    name, able = "stuck", frozenset({Can.CALLBACKS})

    def __init__(self):
        self.told, self.ended = asyncio.Event(), []

    async def begin(self, start):
        return Waiting(self, start)


class Waiting:
    """One of its conversations."""

    def __init__(self, runtime, start):
        self._runtime, self._start = runtime, start

    async def turn(self, prompt, schema=None):
        del schema
        if not self._start.subagent:
            asked = ["subagent", "ask", "reader", "Look"]
            await asyncio.to_thread(self._start.verbs.run, asked)
        else:
            self._runtime.told.set()
            await asyncio.Event().wait()
        yield Ended(Outcome(Ending.SUCCESS, prompt), "done")

    async def interrupt(self):
        pass

    async def end(self):
        self._runtime.ended.append(self._start.subagent)


@asynccontextmanager
async def begun(post, runtime):
    """A talk with a task to be about, in a life of ada's."""
    entry = post.entry("ada")
    life = post.store.do(lives.begin, "ada", post.process(entry))
    quarters = post.quarters(entry, life)
    post.stand(entry, life, None)
    purse = Purse(post.guard(life, quarters), post, "ada")
    start = post.start(entry, life, quarters, purse)
    actor = post.store.ask(speaker, life)
    task = post.store.do(board.claim_next, actor, Holder("ada", life.incarnation))
    talk = Talk(post, life, runtime, start, Diary(quarters.diary, 1, post.now))
    try:
        yield talk, lambda schema=None: talk.ask("Go.", task, purse, schema)
    finally:
        post.store.do(lives.end, life, WhyEnded.FINISHED)


async def talked(post, runtime):
    async with begun(post, runtime) as (_, ask):
        return (await ask()).outcome


async def begun_with(post, runtime, schema):
    async with begun(post, runtime) as (_, ask):
        await ask(schema)
        return runtime.started.schema


async def closed_by_one_who_is_cancelled(post, runtime):
    async with begun(post, runtime) as (talk, ask):
        asking = asyncio.ensure_future(ask())
        await runtime.told.wait()
        closing = asyncio.ensure_future(talk.close())
        await asyncio.sleep(0)  # it waits for the subagent now
        closing.cancel()
        await asyncio.wait([closing])
        ended = list(runtime.ended)
        asking.cancel()
        await asyncio.wait([asking])
        return ended


@pytest.mark.requirement("RUN-04", "RUN-07")
def test_a_conversation_ends_though_whoever_closes_it_is_cancelled(tmp_path, doors, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(doors))
    monkeypatch.setattr("drumline.runtimes.subagents.POLITE", 0.5)
    member = scripted("ada").replace("Bash]", "Bash, Agent(reader)]")
    with team(tmp_path / "r", doors, member) as running:
        (running.root / ".claude/agents").mkdir()
        reader = "---\nname: reader\ndescription: Reads\ntools: Read\n---\nOnly look.\n"
        (running.root / ".claude/agents/reader.md").write_text(reader)
        running.run("task", "add", "Look")
        post = LocalPost(find(str(running.root)), MemberVerbs)
        ended = asyncio.run(closed_by_one_who_is_cancelled(post, Stuck()))
        post.store.close()
    assert "" in ended


@pytest.mark.requirement("RUN-04")
@pytest.mark.parametrize("asks", [True, False])
def test_calls_that_nobody_was_asked_about_are_no_success(tmp_path, doors, monkeypatch, asks):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(doors))
    with team(tmp_path / "r", doors, scripted("ada")) as running:
        running.run("task", "add", "Look")
        post = LocalPost(find(str(running.root)), MemberVerbs)
        found = asyncio.run(talked(post, Deaf(asks=asks)))
        post.store.close()
    assert found == (
        Outcome(Ending.SUCCESS, "completed") if asks else Outcome(Ending.REFUSED, UNGUARDED)
    )


@pytest.mark.requirement("RUN-04")
@pytest.mark.parametrize("schema", [{"type": "object"}, None], ids=["with a schema", "in words"])
def test_whoever_begins_a_conversation_knows_how_its_first_turn_is_answered(
    tmp_path, doors, monkeypatch, schema
):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(doors))
    with team(tmp_path / "r", doors, scripted("ada")) as running:
        running.run("task", "add", "Look")
        post = LocalPost(find(str(running.root)), MemberVerbs)
        assert asyncio.run(begun_with(post, Deaf(asks=True), schema)) == schema
        post.store.close()


@pytest.mark.requirement("RUN-04")
def test_a_command_takes_a_task_to_its_end(tmp_path, doors):
    answer = {
        "task_result": {"status": "completed", "summary": "done", "files_changed": ["hi.txt"]},
        "reflection": {"what_worked": "", "what_didnt": "", "confidence": "high"},
        "suggested_learnings": [],
        "follow_up": {"blocked_by": None, "suggested_next": None, "needs_human": False},
    }
    program = tmp_path / "program.py"
    program.write_text(
        "import json, subprocess, sys\n"
        "asked = json.loads(sys.stdin.readline())\n"
        "open('hi.txt', 'w').write(asked['member'])\n"
        "subprocess.run(['git', 'add', 'hi.txt'], check=True)\n"
        "subprocess.run(['git', 'commit', '-qm', 'hi'], check=True)\n"
        f"ended = {{'ending': 'success', 'why': '', 'text': 'done', 'answer': {answer!r}}}\n"
        "print(json.dumps({'usage': {'input': 10, 'output': 5}}))\n"
        "print(json.dumps({'ended': ended}))\n"
    )
    words = json.dumps([sys.executable, str(program)])
    member = (
        "  - {name: ada, role: Builds, runtime: command, tools: [Read, Write, Bash], owns: ['**'],"
        f" command: {words}}}\n"
    )
    with team(tmp_path / "r", doors, member) as running:
        running.run("task", "add", "Say hi")
        running.run("member", "start", "ada")
        until(lambda: running.states()["T-1"] == "completed")
        assert running.git("show", "drumline/merged:hi.txt") == "ada"
        assert running.told("member", "list")[0]["cost_usd"] > 0
