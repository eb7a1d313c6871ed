"""The guard inside a member's processes: it asks the runner through the doorway, and writes nothing itself."""

import json
import os
import socket
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from drumline.hooks import asking, guard
from drumline.runtimes.doorway import Doorway
from tests.doorways import PYTHON, Rulings, Tree, opened, until, watched

GUARD = [PYTHON, "-I", "-S", str(Path(guard.__file__))]
TEAMMATE = {"DRUMLINE_MEMBER": "ada", "DRUMLINE_ROLE": "teammate"}


class NoVerbs:
    """A hook runs no command."""

    def run(self, *words):
        raise AssertionError(words)


@pytest.fixture
def rulings():
    return Rulings(refuses="git push")


@pytest.fixture
def tree():
    return Tree()


@pytest.fixture
def told():
    return []


@pytest.fixture
def door(rulings, tree, told):
    with TemporaryDirectory(prefix="dl-") as folder:
        made = Doorway(Path(folder), rulings, NoVerbs(), watched(tree, told))
        with opened(lambda: made) as found:
            yield found


@pytest.fixture
def state(tmp_path):
    """A state folder that no member may write, as in its sandbox: it is not even there."""
    return tmp_path / "repository" / ".drumline"


def call(command: str, name: str = "PreToolUse", **more) -> dict:
    event = {"hook_event_name": name, "tool_name": "Bash", "cwd": "/"}
    return {**event, "tool_input": {"command": command}, **more}


def hooked(tree, state, address, event, **variables):
    """The guard as the CLI starts it in the member's processes; what it refused, if it did."""
    raw = event if isinstance(event, bytes) else json.dumps(event).encode()
    done = tree.run(
        *(*GUARD, str(state)), told=raw, DRUMLINE_SOCKET=str(address), **TEAMMATE, **variables
    )
    assert (done.returncode, done.stderr) == (0, "")
    if not done.stdout:
        return ""
    return json.loads(done.stdout)["hookSpecificOutput"]["permissionDecisionReason"]


@pytest.mark.requirement("GUARD-03")
def test_the_runner_rules_on_what_its_member_calls(door, tree, state, rulings):
    assert hooked(tree, state, door.socket, call("ls")) == ""
    assert hooked(tree, state, door.socket, call("git push")) == (
        "refused: git push [C-X-1]\nwhy: so it is\nnext: go on"
    )
    assert [event["tool_input"]["command"] for event in rulings.asked] == ["ls", "git push"]


@pytest.mark.requirement("AUDIT-01")
@pytest.mark.parametrize("name", ["PostToolUse", "PostToolUseFailure"])
def test_what_was_done_is_noted_by_the_runner_and_nowhere_else(door, tree, state, rulings, name):
    event = call("npm install", name, tool_response={"exit_code": 3})
    assert hooked(tree, state, door.socket, event) == ""
    assert rulings.noted == [event]
    assert not state.parent.exists()


def test_words_of_any_kind_reach_the_runner_as_they_are(door, tree, state, rulings):
    event = call("echo 'größer\n\t\0\x1b \U0001f600 \ud800'", number=1.5, none=None, yes=True)
    hooked(tree, state, door.socket, event)
    assert rulings.asked == [event]


@pytest.mark.requirement("GUARD-09")
def test_a_runner_that_is_gone_allows_no_call(tree, state, tmp_path):
    said = hooked(tree, state, tmp_path / "gone", call("ls"))
    assert "a call nobody can rule on" in said
    assert "does not answer" in said


def test_a_runner_that_is_gone_needs_no_notes(tree, state, tmp_path):
    assert hooked(tree, state, tmp_path / "gone", call("npm install", "PostToolUse")) == ""
    assert not state.parent.exists()


@pytest.mark.requirement("GUARD-09")
def test_without_the_token_no_call_is_allowed_and_it_is_reported(door, tree, state, told, rulings):
    wrong = {"DRUMLINE_TOKEN_FILE": str(state / "none")}
    assert "a wrong token was given" in hooked(tree, state, door.socket, call("ls"), **wrong)
    assert until(lambda: told) == ["a wrong token was given"]
    assert rulings.asked == []


def test_the_token_is_found_by_its_own_name_too(door, tree, state, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    door.token_file.rename(elsewhere)
    named = {"DRUMLINE_TOKEN_FILE": str(elsewhere)}
    assert hooked(tree, state, door.socket, call("ls"), **named) == ""


def test_an_event_nobody_can_read_is_told_to_the_runner(door, tree, state, rulings):
    hooked(tree, state, door.socket, b"{not json")
    assert rulings.noted == [{"tool_name": "?", "note": "the event could not be read"}]


def test_a_doorway_that_is_busy_is_waited_for(tree, state):
    with TemporaryDirectory(prefix="dl-") as folder:
        server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        place = f"{folder}/socket"
        server.bind(place)
        server.listen(0)
        first = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        first.connect(place)  # fills the queue
        refused: list[str] = []
        asking_it = threading.Thread(
            target=lambda: refused.append(hooked(tree, state, place, call("ls")))
        )
        asking_it.start()
        until(lambda: _waits_to_connect(tree))
        server.accept()[0].close()
        line, _ = server.accept()
        with line, server, first:
            line.makefile("rb").readline()
            line.sendall(b'{"decision": "allow"}\n')
        asking_it.join()
    assert refused == [""]


def _waits_to_connect(tree: Tree) -> bool:
    """Whether a process of the tree has made a socket, which it connects at once."""
    for folder in Path("/proc").glob("[0-9]*"):
        if int(folder.name) in tree:
            with suppress(OSError):
                return any(str(open_.readlink())[:6] == "socket" for open_ in folder.glob("fd/*"))
    return False


def test_asking_loads_nothing_heavy(door, tree):
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from drumline.hooks.asking import ask\n"
        "ask(sys.argv[2], {'ask': 'note', 'event': {}}); print(*sys.modules)"
    )
    source = str(Path(guard.__file__).parents[2])
    done = tree.run(PYTHON, "-I", "-S", "-c", code, source, str(door.socket))
    heavy = {"typing", "json", "re", "socket", "contextlib", "enum", "selectors"}
    assert heavy.isdisjoint(done.stdout.split())
    assert "drumline.hooks.asking" in done.stdout


def test_without_a_socket_the_asking_is_not_even_loaded(tmp_path):
    code = (
        "import sys, io; sys.path.insert(0, sys.argv[1]); from drumline.hooks import answer\n"
        "answer.main([sys.argv[2]]); print(*sys.modules)"
    )
    source = str(Path(guard.__file__).parents[2])
    done = subprocess.run(
        [PYTHON, "-I", "-S", "-c", code, source, str(tmp_path / ".drumline")],
        input=json.dumps(call("ls")).encode(),
        capture_output=True,
        env={"PATH": os.defpath},
        check=True,
    )
    assert b"drumline.hooks.answer" in done.stdout
    assert {"drumline.hooks.asking", "_socket"}.isdisjoint(done.stdout.decode().split())


def test_what_is_written_is_what_the_json_package_reads():
    value = {"a": [1, 2.5, None, True, {"b": 'é\n"\\\ud800'}], "": {}}
    assert json.loads(asking.written(value)) == value
    assert asking.written(value).count(b"\n") == 1
