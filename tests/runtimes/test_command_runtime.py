"""The command runtime on real small programs: what their lines mean, and that nothing of them is left."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

import pytest

from drumline.errors import BadInput, Conflict
from drumline.runtimes import leash
from drumline.runtimes.command import CommandRuntime
from drumline.runtimes.runtime import (
    Answer,
    Called,
    Ended,
    Entered,
    Fact,
    Limited,
    Metered,
    Received,
    Said,
    Start,
)
from drumline.runtimes.spoken import LONGEST_LINE
from drumline.runtimes.sweep import MARK, leftovers
from drumline.team.charge import Usage
from drumline.team.confinement import Confinement
from tests.warned import warned

pytestmark = pytest.mark.requirement("RUN-04")

PATIENCE = 60.0
LOOK = 0.02
GOOD = '{"ended": {"ending": "success", "why": "all done", "text": "done"}}'
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
SPEAKING = """
import json, os, subprocess, sys
begin = json.loads(sys.stdin.readline())
def say(**line): print(json.dumps(line), flush=True)
def hear(): return json.loads(sys.stdin.readline())
def end(ending="success", **more): say(ended={"ending": ending, **more})
"""


class Rules:
    """A guard in our place: it refuses a push, breaks when it is told to, and remembers."""

    def __init__(self) -> None:
        self.asked: list[Mapping[str, Any]] = []
        self.noted: list[Mapping[str, Any]] = []

    def before(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        self.asked.append(event)
        command = str(event["tool_input"].get("command"))
        if command == "break":
            raise LookupError(command)
        decision = "deny" if "push" in command else "allow"
        return {"decision": decision, "what": command, "why": "so it is", "next": "go on"}

    def after(self, event: Mapping[str, Any]) -> None:
        self.noted.append(event)


class NoVerbs:
    """A runner that serves no commands."""

    def run(self, words: Any, stdin: str = "", cwd: str = "") -> Answer:  # noqa: ARG002 - the interface's words
        return Answer(1, "", "none here")


class Member:
    """A member whose program is a text, and what was heard of it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.rules = folder, Rules()
        self.facts: list[Fact] = []
        for name in ("work", "home", "temporary", "door"):
            (folder / name).mkdir()
        self.held = leash.hold(folder / "door" / "leash")
        self.mark = f"test-{uuid4().hex}"

    def start(self, *argv: str, **more: Any) -> Start:
        places = {name: self.folder / name for name in ("work", "home", "temporary")}
        words = {
            "member": "ada",
            "leash": self.folder / "door" / "leash",
            "confinement": Confinement(writable=map(str, places.values())),
            "guard": self.rules,
            "verbs": NoVerbs(),
            "variables": {"PATH": os.defpath, MARK: self.mark},
            "settings": {"command": json.dumps(argv)},
        }
        return Start(**{**words, **places, **more})

    def python(self, script: str, **more: Any) -> Start:
        return self.start(sys.executable, "-c", SPEAKING + script, **more)

    async def ask(self, talk: Any, prompt: str = "Do it.", schema: Any = None) -> Ended:
        self.facts = []
        async with asyncio.timeout(PATIENCE):
            async for fact in talk.turn(prompt, schema):
                self.facts.append(fact)
        last = self.facts[-1]
        assert isinstance(last, Ended)
        assert sum(isinstance(fact, Ended) for fact in self.facts) == 1
        assert self.alive() == []
        return last

    def told(self, kind: type) -> list[Any]:
        return [fact for fact in self.facts if isinstance(fact, kind)]

    def alive(self) -> list[Any]:
        return leftovers(self.mark)


@pytest.fixture
def ada(tmp_path):
    member = Member(tmp_path)
    yield member
    os.close(member.held)


def asked(member: Member, start: Start, schema: Any = None) -> Ended:
    """One turn of a program to its end."""

    async def play() -> Ended:
        return await member.ask(await CommandRuntime().begin(start), schema=schema)

    return asyncio.run(play())


async def until(fact: Callable[[], Any]) -> Any:
    end = monotonic() + PATIENCE
    while monotonic() < end:
        if found := fact():
            return found
        await asyncio.sleep(LOOK)
    raise AssertionError("it did not become so")


def test_a_shell_script_can_be_a_member(ada):
    ended = asked(ada, ada.start("sh", "-c", f"read -r begin; echo '{GOOD}'"))
    assert ended == Ended(ended.outcome, "done")
    assert ended.outcome == ("success", "all done", ())


def test_the_program_on_the_page_about_the_protocol_works(ada):
    page = Path(__file__).parents[2] / "docs" / "reference" / "command-runtime.md"
    program = page.read_text().split("```python\n")[1].split("```")[0]
    ended = asked(ada, ada.start(sys.executable, "-c", program))
    assert (ended.outcome.ending, ended.text) == ("success", "I was asked: Do it.")


def test_a_turn_begins_with_all_the_program_must_know(ada):
    start = ada.python(
        "say(said=json.dumps(begin)); end()", system="Be kind.", model="m-1", session="s-1"
    )
    asked(ada, replace(start, subagent="analyst"), schema=SCHEMA)
    assert json.loads(ada.told(Said)[0].text) == {
        "prompt": "Do it.",
        "system": "Be kind.",
        "member": "ada",
        "schema": SCHEMA,
        "session": "s-1",
        "model": "m-1",
        "subagent": "analyst",
    }


def test_what_it_tells_becomes_facts_in_order(ada):
    script = """
say(session="s-9")
say(said="I begin.")
say(usage={"input": 10, "cached": 5, "output": 2})
say(usage={"input": 20, "cached": 5, "output": 4, "usd": 0.25, "model": "m-2"})
say(limited={"until": "2026-01-01T13:00:00+01:00", "why": "used up"})
say(limited={"until": None})
end("retry", why="later")
"""
    ended = asked(ada, ada.python(script, model="m-1"))
    one, two = (fact.report for fact in ada.told(Metered))
    assert ada.facts[:2] == [Entered("s-9"), Said("I begin.")]
    assert (one.source, one.number, one.total, one.model) == ("s-9", 1, Usage(10, 5, 2), "m-1")
    assert (two.number, two.total, two.model) == (2, Usage(20, 5, 4, 250_000), "m-2")
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    assert ada.told(Limited) == [Limited(noon, "used up"), Limited(None, "it does not say why")]
    assert (ended.outcome.ending, ended.outcome.why) == ("retry", "later")


def test_without_a_session_each_turn_has_a_meter_of_its_own(ada):
    async def play():
        talk = await CommandRuntime().begin(ada.python('say(usage={"input": 1}); end()'))
        await ada.ask(talk)
        first = ada.told(Metered)[0].report.source
        await ada.ask(talk)
        return first, ada.told(Metered)[0].report.source

    first, second = asyncio.run(play())
    assert first != second


def test_a_session_is_given_back_at_the_next_turn(ada):
    async def play():
        talk = await CommandRuntime().begin(
            ada.python('say(said="was " + begin["session"]); say(session="s-2"); end()')
        )
        await ada.ask(talk)
        return await ada.ask(talk)

    assert asyncio.run(play()).text == "was s-2"


def test_a_call_is_ruled_on_before_it_is_made(ada):
    script = """
def call(command, name):
    say(call={"tool": "Bash", "input": {"command": command}}, id=name)
    return hear()
allowed, refused = call("true", "1"), call("git push", "2")
say(done="1", exit_code=3)
call("ls", "3")
say(said=json.dumps([allowed, refused]))
end()
"""
    ended = asked(ada, ada.python(script))
    allowed, refused = json.loads(ended.text)
    assert (allowed["id"], allowed["ruling"]["decision"]) == ("1", "allow")
    assert (refused["ruling"]["decision"], refused["ruling"]["why"]) == ("deny", "so it is")
    assert ada.told(Called) == [
        Called("Bash", "git push", "refused"),
        Called("Bash", "true", "failed"),
        Called("Bash", "ls", "ok"),
    ]


def test_the_guard_is_told_of_calls_as_hooks_tell_them(ada):
    script = """
say(call={"tool": "Bash", "input": {"command": "true"}}, id="1"); hear()
say(done="1", exit_code=3)
end()
"""
    asked(ada, ada.python(script, session="s-1"))
    call = {"tool_name": "Bash", "tool_input": {"command": "true"}, "tool_use_id": "1"}
    common = {"session_id": "s-1", "cwd": str(ada.folder / "work"), **call}
    assert ada.rules.asked == [{"hook_event_name": "PreToolUse", **common}]
    response = {"hook_event_name": "PostToolUse", "tool_response": {"exit_code": 3}}
    assert ada.rules.noted == [{**common, **response}]


BAD_CALLS = {
    "no id": "say(call={'tool': 'Bash', 'input': {}})",
    "no tool": "say(call={'input': {}}, id='1')",
    "no input": "say(call={'tool': 'Bash', 'input': 'ls'}, id='1')",
    "no object": "say(call=[1], id='1')",
    "a guard that breaks": "say(call={'tool': 'Bash', 'input': {'command': 'break'}}, id='1')",
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_what_cannot_be_ruled_on_is_refused(ada, name):
    script = f"{BAD_CALLS[name]}; say(said=hear()['ruling']['decision']); end()"
    assert asked(ada, ada.python(script)).text == "deny"


def test_an_id_that_is_still_open_cannot_be_used_again(ada):
    script = """
for command in ("true", "git push"):
    say(call={"tool": "Bash", "input": {"command": command}}, id="1"); ruling = hear()
say(said=ruling["ruling"]["what"]); end()
"""
    assert asked(ada, ada.python(script)).text == "a call that cannot be read"


def test_words_reach_a_program_that_listens_and_are_received(ada):
    async def play():
        talk = await CommandRuntime().begin(
            ada.python(
                """
say(able=["mid-turn"]); say(said="ready")
told = hear(); say(received=told["id"]); say(said=told["tell"]); end()
"""
            )
        )
        asking = asyncio.ensure_future(ada.ask(talk))
        await until(lambda: ada.told(Said))
        heard = [talk.listens]
        taken = await talk.tell("hurry", "m-1")
        ended = await asking
        return [*heard, talk.listens], taken, ended, await talk.tell("too late", "m-2")

    listened, taken, ended, late = asyncio.run(play())
    assert (taken, ended.text, late) == (True, "hurry", False)
    assert listened == [True, False]
    assert ada.told(Received) == [Received("m-1")]


def test_words_are_not_given_to_a_program_that_does_not_listen(ada):
    async def play():
        talk = await CommandRuntime().begin(ada.python('say(said="ready"); hear()'))
        asking = asyncio.ensure_future(ada.ask(talk))
        await until(lambda: ada.told(Said))
        taken = talk.listens or await talk.tell("hurry", "m-1")
        await talk.interrupt()
        await asking
        return taken

    assert asyncio.run(play()) is False


def test_nothing_is_received_that_was_not_told(ada):
    asked(ada, ada.python('say(received="m-7"); end()'))
    assert ada.told(Received) == []


@pytest.mark.parametrize("ending", ["success", "refused", "retry", "budget", "interrupted"])
def test_it_says_itself_how_it_ended(ada, ending):
    ended = asked(ada, ada.python(f"end({ending!r}, text='words'); sys.exit(3)"))
    assert (ended.outcome.ending, ended.text) == (ending, "words")


@pytest.mark.parametrize(
    "script", ["sys.exit(0)", "sys.exit(3)", "os.kill(os.getpid(), 15)", "os.kill(os.getpid(), 9)"]
)
def test_a_program_that_does_not_say_how_it_ended_has_crashed(ada, script):
    ended = asked(ada, ada.python(f"say(said='half'); print('oh no', file=sys.stderr); {script}"))
    assert (ended.outcome.ending, ended.text) == ("crashed", "half")
    assert ended.outcome.why.endswith("oh no")


def test_an_ending_nobody_knows_is_a_crash(ada):
    assert asked(ada, ada.python("end('crashed')")).outcome.ending == "crashed"
    assert "no ending" in asked(ada, ada.python("end('great')")).outcome.why


def test_only_its_first_word_about_the_end_counts(ada):
    ended = asked(ada, ada.python("end('refused'); end('success'); say(said='late')"))
    assert (ended.outcome.ending, ended.text) == ("refused", "")


def test_an_answer_with_a_schema_is_given(ada):
    ended = asked(ada, ada.python("end(answer={'n': 3})"), schema=SCHEMA)
    assert (ended.outcome.ending, ended.answer) == ("success", {"n": 3})


@pytest.mark.parametrize("answer", ["{'n': 'x'}", "{}", "None", "[3]"])
def test_an_answer_that_does_not_follow_its_schema_is_no_success(ada, answer):
    ended = asked(ada, ada.python(f"end(answer={answer})"), schema=SCHEMA)
    assert (ended.outcome.ending, ended.answer) == ("retry", None)


NOISE = {
    "no JSON": "print('hello')",
    "bytes": "sys.stdout.buffer.write(b'\\xff\\xfe\\x00\\n')",
    "no object": "print('[1, 2]'); print('3'); print('null')",
    "deep": "print('[' * 100000)",
    "unknown": "say(dance=1)",
    "odd kinds": "say(said=1); say(session=[]); say(able=3); say(received={}); say(ended='x')",
    "odd usage": "say(usage={'input': 'x'}); say(usage={'input': -1}); say(usage={'usd': 'NaN'})",
    "odd sums": "say(usage={'usd': 1e300}); say(usage={'usd': float('inf')}); say(usage=3)",
    "odd limits": "say(limited={'until': 'soon'}); say(limited={'until': '2026-01-01T00:00'})",
    "odd ids": "say(done=[1]); say(done='x'); say(session='a' * 100000); say(session='')",
    "half a letter": "print('{\"said\": \"\\\\ud800\"}'); say(session='\\ud800')",
    "empty lines": "print('\\n\\n\\n')",
}


@pytest.mark.parametrize("name", NOISE)
def test_noise_is_passed_over(ada, name):
    ended = asked(ada, ada.python(f"{NOISE[name]}\nsys.stdout.flush(); end(text='done')"))
    assert (ended.outcome.ending, ended.text) == ("success", "done")
    assert all(json.dumps(str(fact)).encode() for fact in ada.facts)
    assert ada.told(Metered) == ada.told(Limited) == ada.told(Entered) == []


def test_a_line_nobody_knows_is_logged(ada):
    with warned() as told:
        asked(ada, ada.python("say(dance=1); end()"))
    assert "dance" in "\n".join(told.output)


def test_a_line_that_is_too_long_is_left_out(ada):
    script = f"say(said='x' * {LONGEST_LINE + 1_000_000}); say(said='short'); end()"
    with warned() as told:
        ended = asked(ada, ada.python(script))
    assert (ended.text, len(ada.told(Said))) == ("short", 1)
    assert f"more than {LONGEST_LINE}" in "\n".join(told.output)


def test_a_long_line_within_bounds_comes_whole(ada):
    asked(ada, ada.python("say(said='x' * 5_000_000); end()"))
    assert len(ada.told(Said)[0].text) == 5_000_000


def test_a_flood_is_read_as_fast_as_it_is_wanted(ada):
    script = "\nfor n in range(20000): print('{\"said\": \"' + str(n) + '\"}')\nend()"
    asked(ada, ada.python(script))
    assert [fact.text for fact in ada.told(Said)] == [str(n) for n in range(20000)]


def test_a_program_that_asks_without_end_and_never_listens_is_stopped(ada, monkeypatch):
    monkeypatch.setattr("drumline.runtimes.spoken.MOST_UNREAD", 200_000)
    script = """
while True: say(call={"tool": "Bash", "input": {"command": "push " + "x" * 5000}}, id="1")
"""
    ended = asked(ada, ada.python(script))
    assert ended.outcome.ending == "crashed"
    assert "does not read" in ended.outcome.why


LASTING = """
subprocess.Popen(["sh", "-c", "exec tail -f /dev/null"])
subprocess.Popen(["setsid", "nohup", "sh", "-c", "trap '' TERM INT; while :; do sleep 600; done"])
say(said="ready")
"""


def test_nothing_a_program_started_outlives_its_turn(ada):
    ended = asked(ada, ada.python(LASTING + "end()"))
    assert ended.outcome.succeeded


def test_a_program_that_does_not_go_when_it_has_ended_is_ended(ada, monkeypatch):
    monkeypatch.setattr("drumline.runtimes.spoken.LINGERING", 0.2)
    ended = asked(ada, ada.python("end(); sys.stdin.read(); import time; time.sleep(600)"))
    assert ended.outcome.succeeded


@pytest.mark.parametrize("manners", ["", "import signal; signal.signal(2, signal.SIG_IGN)\n"])
def test_an_interrupted_program_ends_politely_or_not(ada, manners):
    async def play():
        talk = await CommandRuntime().begin(ada.python(f"{manners}{LASTING}hear()"))
        asking = asyncio.ensure_future(ada.ask(talk))
        await until(lambda: ada.told(Said))
        await talk.interrupt()
        return await asking

    assert asyncio.run(play()).outcome.ending == "interrupted"


def test_a_killed_program_has_crashed_and_leaves_nothing(ada):
    async def play():
        talk = await CommandRuntime().begin(ada.python(f"{LASTING}hear()"))
        asking = asyncio.ensure_future(ada.ask(talk))
        await until(lambda: ada.told(Said))
        programs = [each.pid for each in ada.alive() if "begin = json" in words_of(each.pid)]
        os.kill(max(programs), signal.SIGKILL)  # the launcher's own words name it too
        return await asking

    assert asyncio.run(play()).outcome.ending == "crashed"


def words_of(process: int) -> str:
    return Path(f"/proc/{process}/cmdline").read_text()


def test_the_end_of_a_conversation_is_the_end_of_its_processes(ada):
    async def play():
        talk = await CommandRuntime().begin(ada.python(f"{LASTING}hear()"))
        asking = asyncio.ensure_future(ada.ask(talk))
        await until(lambda: ada.told(Said))
        assert len(ada.alive()) > 3
        await talk.end()
        left = ada.alive()
        await asking
        with pytest.raises(Conflict):
            await ada.ask(talk)
        return left

    assert asyncio.run(play()) == []


def test_only_one_turn_runs_at_a_time(ada):
    async def play():
        talk = await CommandRuntime().begin(ada.python('say(said="ready"); hear()'))
        asking = asyncio.ensure_future(ada.ask(talk))
        await until(lambda: ada.told(Said))
        with pytest.raises(Conflict):
            await anext(talk.turn("Another."))
        await talk.interrupt()
        await asking

    asyncio.run(play())


def test_whoever_stops_listening_leaves_nothing_running(ada):
    async def play():
        talk = await CommandRuntime().begin(ada.python(f"{LASTING}hear()"))
        facts = talk.turn("Do it.")
        await anext(facts)
        await facts.aclose()
        return ada.alive()

    assert asyncio.run(play()) == []


def test_it_cannot_write_outside_its_folders(ada):
    script = f"""
try: open({str(ada.folder / "outside")!r}, "w")
except OSError as error: say(said=type(error).__name__)
open("inside", "w"); end()
"""
    ended = asked(ada, ada.python(script))
    assert ended.text in {"PermissionError", "OSError"}
    assert not (ada.folder / "outside").exists()
    assert (ada.folder / "work" / "inside").exists()


@pytest.mark.parametrize("said", ["", "agent.py", "[]", "[1]", "{}"])
def test_a_member_without_a_program_is_refused(ada, said):
    with pytest.raises(BadInput):
        asyncio.run(CommandRuntime().begin(ada.start(settings={"command": said})))


def test_a_program_that_is_not_there_says_so(ada):
    ended = asked(ada, ada.start("/nowhere/agent"))
    assert ended.outcome.ending == "crashed"
    assert "/nowhere/agent" in ended.outcome.why


def test_a_folder_that_is_not_there_is_a_refusal(ada):
    ended = asked(ada, ada.start("true", work=ada.folder / "nowhere"))
    assert ended.outcome.ending == "refused"


def test_a_schema_that_cannot_be_checked_is_not_asked(ada):
    with pytest.raises(BadInput):
        asked(ada, ada.python("end()"), schema={"type": "object", "propertyNames": {}})
