"""MCP over stdio, as the official SDK's own client speaks it: through a member's runner, and for an operator."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import pytest
from mcp import MCPError
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from drumline import settings
from drumline.runtimes.doorway import Doorway
from drumline.surfaces.cli.mcp import MemberTools
from drumline.surfaces.mcp import relay
from drumline.surfaces.mcp.tools import TOOLS
from tests.doorways import PATIENCE, Rulings, Tree, opened, until, watched
from tests.forking import door as forking_door
from tests.forking import stand_in
from tests.surfaces.console import drumline, write

MANIFEST = """\
team: atlas
description: A team to test with
members:
  - {name: ada, role: Builds, tools: [Read, Write], owns: ["src/**"]}
  - {name: brook, role: Reviews, tools: [Read], owns: []}
"""
LATEST = "2025-11-25"
REAL = [sys.executable, "-m", "drumline", "mcp"]
Variables = dict[str, str]


@pytest.fixture
def at(repository):
    """A team's repository with two tasks on its board."""
    write(repository, ".claude/team.yaml", MANIFEST)
    for title in ("first", "second"):
        assert drumline("task", "add", title, at=repository).code == 0
    return repository


class Held(MemberTools):
    """Tools that wait before a call until the test lets them, and tell which was begun."""

    def __init__(self, *whose: Any) -> None:
        super().__init__(*whose)
        self.free = threading.Event()
        self.free.set()
        self.begun: list[str] = []

    def call(self, name: str, arguments: Any) -> tuple[Any, bool]:
        self.begun.append(name)
        if name != "team_show":
            self.free.wait(PATIENCE)
        return super().call(name, arguments)


class House:
    """ada, who is run: her processes, and the doorway through which her runner answers them."""

    def __init__(self, door: Doorway, tools: Held, close: Callable[[], None]) -> None:
        self.tools, self.close = tools, close
        self.variables = {"DRUMLINE_SOCKET": str(door.socket)}


@pytest.fixture
def house(at) -> Iterator[House]:
    tree, tools = Tree(), Held(settings.find(str(at)), "ada", 1)
    for each in (os.getpid(), forking_door(large=True).process):  # hers are forked off another
        tree.adopt(each)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="dl-")))
        answering = stack.enter_context(ExitStack())
        door = Doorway(folder, Rulings(), tools, watched(tree, []))
        answering.enter_context(opened(lambda: door))
        yield House(door, tools, answering.close)
        tools.free.set()


@pytest.fixture(params=["member", "operator"])
def variables(request) -> Variables:
    """What tells `drumline mcp` for whom it is: a member with a runner, or a person."""
    if request.param == "operator":
        return {}
    house: House = request.getfixturevalue("house")
    return house.variables


def by_stdio(server):
    """The way to a server whose errors go where ours go: what a test has for them is no file of the system's."""
    return stdio_client(server, errlog=sys.__stderr__)


def spoken(
    at: Path,
    variables: Variables,
    talk: Callable[[Client], Any],
    mode: str = "auto",
    words: Sequence[str] = (),
) -> Any:
    """What comes of a talk between the SDK's client and our server."""
    words = words or stand_in("mcp")

    async def whole() -> Any:
        server = StdioServerParameters(command=words[0], args=[*words[1:]], env=variables, cwd=at)
        with anyio.fail_after(PATIENCE):
            async with Client(by_stdio(server), mode=mode) as client:
                return await talk(client)

    return anyio.run(whole)


def called(at: Path, variables: Variables, name: str, **arguments: Any) -> Any:
    return spoken(at, variables, lambda client: client.call_tool(name, arguments))


class Wire:
    """A client that says what it likes, line by line."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def say(self, line: bytes) -> None:
        assert self._process.stdin
        self._process.stdin.write(line + b"\n")
        self._process.stdin.flush()

    def ask(self, number: Any, method: str, **params: Any) -> None:
        said = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.say(json.dumps(said).encode())

    def call(self, number: Any, name: str, **arguments: Any) -> None:
        self.ask(number, "tools/call", name=name, arguments=arguments)

    def begin(self, version: str = LATEST) -> Any:
        client = {"name": "test", "version": "1"}
        self.ask(0, "initialize", protocolVersion=version, capabilities={}, clientInfo=client)
        answer = self.hear()
        self.say(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        return answer

    def hear(self) -> Any:
        assert self._process.stdout
        return json.loads(self._process.stdout.readline().decode())  # UTF-8 and nothing else

    def end(self) -> tuple[int, bytes]:
        """Say no more: the exit code, and what was still said."""
        out, _ = self._process.communicate(timeout=PATIENCE)
        return self._process.returncode, out


@contextmanager
def wired(at: Path, variables: Variables, words: Sequence[str] = ()) -> Iterator[Wire]:
    pipe, words = subprocess.PIPE, words or stand_in("mcp")
    env = {"PATH": os.defpath, "HOME": "/home/u", **variables}
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, cwd=at, env=env) as process:
        late = threading.Timer(PATIENCE, process.kill)  # so that no test waits for ever
        late.start()
        try:
            yield Wire(process)
        finally:
            late.cancel()
            process.kill()


class TestBothForms:
    @pytest.mark.requirement("SEE-04")
    def test_every_tool_is_listed_as_the_table_has_it(self, at, variables):
        found = spoken(at, variables, lambda client: client.list_tools(), words=REAL)
        listed = [tool.model_dump(by_alias=True, exclude_none=True) for tool in found.tools]
        assert listed == [tool.entry() for tool in TOOLS.values()]

    @pytest.mark.parametrize("mode", ["auto", "legacy"])
    def test_the_client_is_told_who_answers(self, at, variables, mode):
        async def greeted(client: Client) -> Any:
            return client.server_info, client.instructions

        info, instructions = spoken(at, variables, greeted, mode)
        assert (info.name, bool(info.version)) == ("drumline", True)
        assert "task_claim" in instructions

    def test_a_call_gives_the_command_lines_facts(self, at, variables):
        answer = called(at, variables, "task_show", task="T-1")
        facts = drumline("task", "show", "T-1", "--json", at=at).json
        assert not answer.is_error
        assert answer.structured_content == facts
        assert json.loads(answer.content[0].text) == facts

    def test_a_list_is_whole_in_the_text_and_named_in_the_structure(self, at, variables):
        answer = called(at, variables, "task_list")
        facts = drumline("task", "list", "--json", at=at).json
        assert answer.structured_content == {"result": facts}
        assert json.loads(answer.content[0].text) == facts

    def test_a_refusal_says_what_why_and_next(self, at, variables):
        answer = called(at, variables, "task_show", task="T-9")
        assert answer.is_error
        assert answer.structured_content == {
            "refused": "no task T-9 in team atlas",
            "why": "",
            "next": "drumline task list",
            "error": "Unknown",
        }

    def test_an_unknown_tool_is_refused(self, at, variables):
        answer = called(at, variables, "task_destroy")
        assert (answer.is_error, answer.structured_content["error"]) == (True, "Unknown")

    def test_wrong_arguments_are_refused_by_name(self, at, variables):
        answer = called(at, variables, "task_show", tsk="T-1")
        assert answer.is_error
        assert "'tsk': no such field" in answer.structured_content["why"]

    @pytest.mark.requirement("SEE-04", "MEM-07")
    @pytest.mark.parametrize("tool", ["memory_search", "memory_add", "status", "\ud800"])
    def test_a_call_with_half_a_character_is_answered(self, at, variables, tool):
        with wired(at, variables) as wire:
            wire.begin()
            wire.call(1, tool, words="half \ud800")
            answer = wire.hear()
            assert (answer["id"], answer["result"]["isError"]) == (1, True)
            said = answer["result"]["structuredContent"]
            assert all(said[part] for part in ("refused", "why", "next"))
            wire.call(2, "status")
            assert wire.hear()["id"] == 2

    @pytest.mark.parametrize("line", [b"{", b"7", b'"\\ud800"', b"[" * 100_000])
    def test_a_line_that_is_no_message_is_answered_too(self, at, variables, line):
        with wired(at, variables) as wire:
            wire.begin()
            wire.say(line)
            answer = wire.hear()
            assert answer["id"] is None
            assert answer["error"]["code"] in {relay.NO_JSON, relay.NO_REQUEST}

    def test_a_megabyte_comes_through_whole(self, at, variables):
        answer = called(at, variables, "mail_send", to=["brook"], text="é" * 500_000 + "😀")
        assert answer.is_error
        assert "500,001 characters" in answer.structured_content["refused"]

    def test_any_number_of_calls_at_once_are_all_answered(self, at, variables):
        async def many(client: Client) -> list[Any]:
            answers: list[Any] = []

            async def one(number: int) -> None:
                arguments = {"to": ["lead"], "text": f"letter {number}"}
                answers.append(await client.call_tool("mail_send", arguments | {"from": "ada"}))

            async with anyio.create_task_group() as group:
                for number in range(20):
                    group.start_soon(one, number)
            return answers

        answers = spoken(at, variables, many)
        assert [answer.is_error for answer in answers] == [False] * 20
        kept = drumline("mail", "inbox", "human", "--json", at=at).json
        assert {letter["body"] for letter in kept} == {f"letter {n}" for n in range(20)}

    def test_garbage_is_survived(self, at, variables):
        with wired(at, variables) as wire:
            wire.begin()
            for line in (
                b"{",
                b"\xff\xfe",
                b"[]",
                b"7",
                b"null",
                b"",
                b'{"id": 1}',
                b"[" * 100_000,
            ):
                wire.say(line)
            wire.ask("after", "ping")
            answers = iter(wire.hear, None)
            assert next(each for each in answers if each.get("id") == "after")["result"] == {}

    def test_it_ends_when_its_client_says_no_more(self, at, variables):
        with wired(at, variables, REAL) as wire:
            wire.begin()
            assert wire.end() == (0, b"")


class TestThroughTheRunner:
    def test_a_member_acts_in_its_own_name_whatever_the_variables_say(self, at, house):
        lies = {"DRUMLINE_MEMBER": "brook", "DRUMLINE_INCARNATION": "7"}
        claimed = spoken(
            at, house.variables | lies, lambda client: client.call_tool("task_claim"), words=REAL
        )
        assert claimed.structured_content["owner"] == "ada"
        last = drumline("events", "--json", at=at).json["events"][-1]
        assert (last["actor"], last["verb"]) == ("ada", "task.claimed")

    def test_wherever_it_stands_a_member_acts_on_its_team(self, house, tmp_path):
        assert called(tmp_path, house.variables, "status").structured_content["team"] == "atlas"

    def test_without_a_runner_nothing_is_offered(self, at, house):
        house.close()
        nobody = pytest.RaisesExc(MCPError, match="nobody is there to answer")
        with pytest.RaisesGroup(nobody, flatten_subgroups=True):
            called(at, house.variables, "status")

    def test_a_runner_that_goes_away_is_told_as_a_refusal(self, at, house):
        async def left(client: Client) -> Any:
            await client.list_tools()
            await anyio.to_thread.run_sync(house.close)
            return await client.call_tool("task_claim", {})

        answer = spoken(at, house.variables, left)
        assert answer.is_error
        assert answer.structured_content["refused"] == "nobody is there to answer"
        assert drumline("task", "list", "--json", at=at).json[0]["owner"] is None

    def test_a_slow_call_holds_up_no_other(self, at, house):
        house.tools.free.clear()
        with wired(at, house.variables) as wire:
            wire.begin()
            wire.call("slow", "status")
            wire.call("quick", "team_show")
            wire.ask("ping", "ping")
            assert {wire.hear()["id"], wire.hear()["id"]} == {"quick", "ping"}
            house.tools.free.set()
            assert wire.hear()["id"] == "slow"

    def test_as_many_slow_calls_as_there_may_be_keep_nobody_from_beginning(self, at, house):
        house.tools.free.clear()
        with wired(at, house.variables) as busy, wired(at, house.variables) as other:
            for number in range(relay.AT_ONCE):
                busy.call(number, "status")
            until(lambda: len(house.tools.begun) == relay.AT_ONCE)
            assert other.begin()["result"]["serverInfo"]["name"] == "drumline"
            house.tools.free.set()

    def test_a_call_that_runs_and_is_cancelled_is_not_answered(self, at, house):
        house.tools.free.clear()
        with wired(at, house.variables) as wire:
            wire.begin()
            wire.call(1, "status")
            until(lambda: house.tools.begun == ["status"])
            _cancel(wire, 1)
            wire.ask(2, "ping")
            assert wire.hear()["id"] == 2
            house.tools.free.set()
            wire.call(3, "team_show")
            assert wire.hear()["id"] == 3

    def test_a_call_that_waits_and_is_cancelled_is_never_begun(self, at, house):
        house.tools.free.clear()
        with wired(at, house.variables) as wire:
            wire.begin()
            for number in range(1, relay.AT_ONCE + 1):
                wire.call(number, "status")
            until(lambda: len(house.tools.begun) == relay.AT_ONCE)
            wire.call("last", "task_claim")
            _cancel(wire, "last")
            wire.ask("ping", "ping")
            assert wire.hear()["id"] == "ping"
            house.tools.free.set()
            code, rest = wire.end()
        assert (code, len(rest.splitlines())) == (0, relay.AT_ONCE)
        assert "task_claim" not in house.tools.begun

    def test_the_sdks_client_can_give_up_waiting(self, at, house):
        house.tools.free.clear()

        async def impatient(client: Client) -> Any:
            with anyio.move_on_after(0.2):
                await client.call_tool("status", {})
            return await client.call_tool("team_show", {})

        assert not spoken(at, house.variables, impatient).is_error

    def test_what_runs_when_the_client_says_no_more_is_still_answered(self, at, house):
        with wired(at, house.variables) as wire:
            wire.call(1, "task_claim")
            code, rest = wire.end()
        assert (code, json.loads(rest)["id"]) == (0, 1)

    def test_half_a_character_comes_back_as_it_was_spelled(self, at, house):
        with wired(at, house.variables) as wire:
            wire.ask("\ud800", "ping")
            assert wire.hear() == {"jsonrpc": "2.0", "id": "\ud800", "result": {}}

    def test_a_line_without_end_is_refused_and_passed_over(self, at, house):
        with wired(at, house.variables) as wire:
            wire.begin()
            wire.say(b'"' + b"x" * (3 * relay.LONGEST_LINE))
            assert wire.hear()["error"]["code"] == relay.NO_REQUEST
            wire.ask(1, "ping")
            assert wire.hear()["id"] == 1

    @pytest.mark.parametrize(
        ("asked", "given"),
        [*((version, version) for version in relay.VERSIONS), ("2099-01-01", LATEST)],
    )
    def test_a_version_both_know_is_agreed_on(self, at, house, asked, given):
        with wired(at, house.variables) as wire:
            assert wire.begin(asked)["result"]["protocolVersion"] == given

    @pytest.mark.parametrize(
        ("method", "params", "code"),
        [
            ("resources/list", {}, relay.NO_METHOD),
            ("initialize", {}, relay.BAD_PARAMS),
            ("tools/call", {}, relay.BAD_PARAMS),
            ("tools/list", {"_meta": {relay.STATELESS: "2026-07-28"}}, relay.OTHER_VERSION),
        ],
    )
    def test_what_is_not_the_protocol_is_told_by_its_code(self, at, house, method, params, code):
        with wired(at, house.variables) as wire:
            wire.ask(5, method, **params)
            answer = wire.hear()
            assert (answer["id"], answer["error"]["code"]) == (5, code)

    def test_it_loads_nothing_heavy(self):
        code = "import sys, drumline.surfaces.mcp.relay; print(*sys.modules)"
        done = subprocess.run(
            [
                sys.executable,
                "-I",
                "-S",
                "-c",
                f"import sys; sys.path.append({_source()!r}); {code}",
            ],
            capture_output=True,
            text=True,
            check=True,
        )
        heavy = {"json", "re", "threading", "queue", "socket", "asyncio", "typing", "enum", "click"}
        assert not heavy & set(done.stdout.split())


class TestForAnOperator:
    def test_a_person_claims_for_a_member(self, at):
        claimed = called(at, {}, "task_claim", task="T-1", member="brook")
        assert claimed.structured_content["owner"] == "brook"

    def test_a_session_that_says_which_member_it_is_is_that_member(self, at):
        claimed = called(at, {"DRUMLINE_MEMBER": "brook"}, "task_claim", task="T-1")
        assert claimed.structured_content["owner"] == "brook"

    def test_the_team_is_the_one_named(self, at, tmp_path):
        words = stand_in("mcp", "-C", str(at))
        server = StdioServerParameters(command=words[0], args=words[1:], cwd=tmp_path)

        async def whole() -> Any:
            async with Client(by_stdio(server)) as client:
                return await client.call_tool("status", {})

        assert anyio.run(whole).structured_content["team"] == "atlas"

    def test_without_a_team_it_does_not_begin(self, tmp_path):
        answer = drumline("mcp", at=tmp_path)
        assert (answer.code, answer.out) == (1, "")
        assert "no team here" in answer.err


def _cancel(wire: Wire, number: Any) -> None:
    params = {"requestId": number, "reason": "no longer wanted"}
    said = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}
    wire.say(json.dumps(said).encode())


def _source() -> str:
    return str(Path(relay.__file__).parents[3])
