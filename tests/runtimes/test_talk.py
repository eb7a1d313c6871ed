"""A runner's talk with a runtime: any program may be one, and one whose guard is deaf is not trusted."""

import asyncio
import json
import sys

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
        self._start = start
        return self

    async def turn(self, prompt, schema=None):
        del prompt, schema
        if self._asks:
            call = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "cwd": "/"}
            await asyncio.to_thread(self._start.guard.before, call)
        yield Called("Bash", "ls", "ok")
        yield Ended(Outcome(Ending.SUCCESS, "completed"), "done")

    async def interrupt(self):
        pass

    async def end(self):
        pass


async def talked(post, runtime):
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
        return (await talk.ask("Go.", task, purse)).outcome
    finally:
        post.store.do(lives.end, life, WhyEnded.FINISHED)


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
