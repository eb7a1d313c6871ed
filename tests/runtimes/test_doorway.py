"""The doorway: who may speak to a runner, what is answered, and what a hostile talker cannot do."""

import json
import os
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from drumline.errors import BadInput, Conflict
from drumline.runtimes.doorway import Doorway
from drumline.runtimes.runtime import Answer
from tests.doorways import Rulings, Tree, asked, connected, opened, said, short, until, watched

LS = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}


class Words:
    """Verbs that answer with what they were given; `hold` is waited for first."""

    def __init__(self):
        self.begun, self.hold = threading.Event(), threading.Event()
        self.hold.set()
        self.calls = 0

    def run(self, words, stdin="", cwd=""):
        self.calls += 1
        self.begun.set()
        assert self.hold.wait(30)
        return Answer(3, f"{' '.join(words)} in {cwd}", stdin)


@pytest.fixture
def folder():
    """A private folder whose name is short enough for a socket."""
    with TemporaryDirectory(prefix="dl-") as made:
        yield Path(made)


@pytest.fixture
def tree():
    """A member's processes; the test is one of them."""
    found = Tree()
    found.adopt(os.getpid())
    return found


@pytest.fixture
def told():
    """What was reported to the runner."""
    return []


@pytest.fixture
def guard():
    return Rulings(refuses="git push")


@pytest.fixture
def verbs():
    return Words()


@pytest.fixture
def make(folder, guard, verbs, tree, told):
    return lambda **limits: Doorway(folder, guard, verbs, watched(tree, told), short(**limits))


@pytest.fixture
def door(make):
    with opened(make) as found:
        yield found


class TestAnswers:
    def test_the_guard_rules(self, door, guard):
        push = {**LS, "tool_input": {"command": "git push"}}
        assert asked(door, ask="rule", event=LS)["decision"] == "allow"
        assert asked(door, ask="rule", event=push) == {
            "decision": "deny",
            "constraint": "C-X-1",
            "what": "git push",
            "why": "so it is",
            "next": "go on",
        }
        assert guard.asked == [LS, push]

    def test_a_note_is_handed_to_the_guard(self, door, guard):
        assert asked(door, ask="note", event=LS) == {}
        assert guard.noted == [LS]

    def test_a_command_is_run_with_its_stdin_and_folder(self, door):
        answer = asked(door, ask="run", words=["task", "list"], stdin="é\udcff", cwd="/here")
        assert answer == {"code": 3, "out": "task list in /here", "err": "é\udcff"}

    def test_one_connection_may_ask_often(self, door):
        token = door.token_file.read_text()
        line = json.dumps({"token": token, "ask": "note", "event": {}}).encode() + b"\n"
        with connected(door) as talk:
            assert [said(talk, line) for _ in range(3)] == [{}, {}, {}]

    @pytest.mark.parametrize(
        "question",
        [
            {},
            {"ask": "shutdown"},
            {"ask": ["rule"]},
            {"ask": "note"},
            {"ask": "run"},
            {"ask": "run", "words": "task list"},
            {"ask": "run", "words": [1]},
            {"ask": "run", "words": [], "stdin": 5},
        ],
    )
    def test_a_question_nobody_knows_gets_an_error(self, door, question):
        assert asked(door, **question).keys() == {"error", "why", "next"}

    @pytest.mark.requirement("GUARD-09")
    @pytest.mark.parametrize("event", [None, [], "ls"])
    def test_an_event_that_is_none_is_refused(self, door, event):
        assert asked(door, ask="rule", event=event)["decision"] == "deny"

    @pytest.mark.requirement("GUARD-09")
    @pytest.mark.parametrize("answer", [{}, {"decision": "maybe"}, None, {"decision": ["allow"]}])
    def test_a_guard_that_does_not_decide_lets_nothing_through(self, door, guard, answer):
        guard.before = lambda _: answer
        assert asked(door, ask="rule", event=LS)["decision"] == "deny"

    @pytest.mark.requirement("GUARD-09")
    def test_a_guard_that_fails_lets_nothing_through_and_is_reported(self, door, guard, told):
        guard.before = lambda _: 1 // 0
        assert asked(door, ask="rule", event=LS)["decision"] == "deny"
        assert until(lambda: told) == ["the guard failed: ZeroDivisionError"]

    def test_a_command_that_fails_is_an_answer(self, door, verbs, told):
        verbs.run = lambda *_: 1 // 0
        assert "ZeroDivisionError" in asked(door, ask="run", words=[])["why"]
        assert until(lambda: told) == ["a command failed: ZeroDivisionError"]


class TestWhoMaySpeak:
    @pytest.mark.parametrize("token", ["", "0" * 64, "é", None, 5, ["x"]])
    def test_a_wrong_token_is_refused_and_reported(self, door, guard, told, token):
        answer = asked(door, token=token, ask="rule", event=LS)
        assert answer["why"] == "a wrong token was given"
        assert until(lambda: told) == ["a wrong token was given"]
        assert guard.asked == []

    def test_no_token_is_a_wrong_one(self, door, told):
        with connected(door) as line:
            assert "error" in said(line, b'{"ask": "rule", "event": {}}\n')
        assert until(lambda: told) == ["a wrong token was given"]

    @pytest.mark.requirement("GUARD-19")
    def test_a_process_outside_the_tree_is_refused_whatever_it_knows(self, make, tree, told, guard):
        tree.disown(os.getpid())  # the test itself is outside now
        with opened(make) as door:
            assert "outside" in asked(door, ask="rule", event=LS)["why"]
            assert until(lambda: told) == ["a process outside the member's own tree asked"]
        assert guard.asked == []

    def test_where_nobody_can_be_placed_nobody_is_inside(self, folder, guard, verbs, told):
        def broken(_: int) -> bool:
            raise PermissionError

        watch = watched(Tree(), told)._replace(is_inside=broken)
        with opened(lambda: Doorway(folder, guard, verbs, watch)) as door:
            assert "outside" in asked(door, ask="rule", event=LS)["why"]

    def test_refusals_are_counted_and_told_ever_more_seldom(self, door, told):
        for _ in range(120):
            asked(door, token="", ask="rule")
        assert door.refusals["a wrong token was given"] == 120
        until(lambda: len(told) == 11)
        assert told[-1] == "a wrong token was given (100 times)"

    def test_socket_and_token_are_ours_alone_and_gone_with_the_doorway(self, make, folder):
        with opened(make) as door:
            modes = [stat.S_IMODE(path.stat().st_mode) for path in (door.socket, door.token_file)]
            first = door.token_file.read_text()
            assert (modes, len(first)) == ([0o600, 0o600], 64)
        assert list(folder.iterdir()) == []
        with opened(make) as again:
            assert again.token_file.read_text() != first


class TestPlace:
    def test_a_folder_too_long_for_a_socket_is_refused(self, folder, guard, verbs, tree):
        deep = folder / ("x" * 120)
        deep.mkdir(mode=0o700)
        door = Doorway(deep, guard, verbs, watched(tree, []))
        with pytest.raises(BadInput, match="too long for a socket"), opened(lambda: door):
            pass

    def test_a_folder_others_may_enter_is_refused(self, make, folder):
        folder.chmod(0o750)
        with pytest.raises(BadInput, match="cannot hold a doorway"), opened(make):
            pass

    def test_two_doorways_cannot_share_a_folder(self, make, door):
        with pytest.raises(Conflict, match="answered by another"), opened(make):
            pass
        assert asked(door, ask="note", event={}) == {}

    def test_what_a_killed_runner_left_is_in_nobodys_way(self, make, folder):
        code = "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])"
        subprocess.run([sys.executable, "-c", code, str(folder / "socket")], check=True)
        (folder / "token").write_text("of an earlier life")
        with opened(make) as door:
            assert asked(door, ask="note", event={}) == {}


class TestHostileTalkers:
    """Whatever one of them does, another is still served."""

    def still_served(self, door):
        return asked(door, ask="rule", event=LS).get("decision") == "allow"

    @pytest.mark.parametrize(
        "words",
        [
            b"\n",
            b"\0\xff\xfe\n",
            b"[1]\n",
            b"null\n",
            b"{not json}\n",
            b"[" * 200_000 + b"\n",
            b"1" * 10_000 + b"\n",
            b'{"token": "\\ud800", "ask": "rule"}\n',
        ],
        ids=range(8),
    )
    def test_garbage_is_refused_and_reported(self, door, told, words):
        with connected(door) as line:
            assert said(line, words).keys() == {"error", "why", "next"}
        assert until(lambda: told)
        assert self.still_served(door)

    def test_a_line_of_65_mebibytes_is_refused(self, door, told):
        with connected(door) as line:
            said(line, b"x" * (65 * 1024 * 1024))
        assert until(lambda: told) == ["a line was longer than 67,108,864 bytes"]
        assert self.still_served(door)

    def test_a_line_of_60_mebibytes_is_heard(self, door, guard):
        event = {**LS, "tool_input": {"content": "é" * (30 * 1024 * 1024)}}
        whole = {"token": door.token_file.read_text(), "ask": "rule", "event": event}
        with connected(door) as line:
            raw = json.dumps(whole, ensure_ascii=False).encode() + b"\n"
            assert said(line, raw)["decision"] == "allow"
        assert guard.asked == [event]

    def test_all_lines_together_are_bounded(self, make, told):
        with opened(lambda: make(lines=1_000_000)) as door:
            with ExitStack() as lines:
                for line in [lines.enter_context(connected(door)) for _ in range(3)]:
                    with suppress(ConnectionError):  # who says too much may be cut off amid it
                        line.sendall(b"x" * 400_000)
                assert until(lambda: told) == ["more was said at once than can be held"]
            until(lambda: self.still_served(door))

    def test_500_idle_connections_keep_nobody_out(self, door):
        idle = [connected(door) for _ in range(500)]
        assert self.still_served(door)
        for line in idle:
            line.close()

    def test_half_a_line_and_then_silence_is_left_in_time(self, make):
        with opened(lambda: make(patience=0.2)) as door, connected(door) as line:
            line.sendall(b'{"token": "')
            assert self.still_served(door)
            assert line.recv(1) == b""

    def test_who_never_listens_is_left_in_time(self, make, verbs):
        verbs.run = lambda *_: Answer(0, "x" * 10_000_000, "")
        with opened(lambda: make(patience=0.2)) as door, connected(door) as line:
            whole = {"token": door.token_file.read_text(), "ask": "run", "words": []}
            line.sendall(json.dumps(whole).encode() + b"\n")
            until(lambda: door.connections == 0)
            assert self.still_served(door)

    def test_more_questions_than_are_allowed_at_once_are_refused_and_reported(
        self, make, verbs, told
    ):
        verbs.hold.clear()
        with opened(lambda: make(connections=2)) as door, ThreadPoolExecutor(2) as pool:
            runs = [pool.submit(asked, door, ask="run", words=[]) for _ in range(2)]
            until(lambda: verbs.calls == 2)
            assert asked(door, ask="rule", event=LS)["why"] == "too many asked at once"
            verbs.hold.set()
            assert [run.result()["code"] for run in runs] == [3, 3]
        assert told == ["too many asked at once"]


class TestManyAtOnce:
    def test_200_questions_at_once_are_all_answered(self, door):
        with ThreadPoolExecutor(200) as pool:
            rulings = list(pool.map(lambda _: asked(door, ask="rule", event=LS), range(200)))
        assert [ruling["decision"] for ruling in rulings] == ["allow"] * 200

    def test_slow_commands_hold_up_no_ruling_and_no_note(self, door, verbs):
        verbs.hold.clear()
        with ThreadPoolExecutor(8) as pool:
            runs = [pool.submit(asked, door, ask="run", words=["x"]) for _ in range(8)]
            assert verbs.begun.wait(30)
            assert asked(door, ask="rule", event=LS)["decision"] == "allow"
            assert asked(door, ask="note", event=LS) == {}
            assert not any(run.done() for run in runs)
            verbs.hold.set()
            assert [run.result()["code"] for run in runs] == [3] * 8

    def test_slow_notes_hold_up_no_ruling_and_keep_their_order(self, door, guard):
        hold, noted = threading.Event(), []
        guard.after = lambda event: hold.wait(30) and noted.append(event)
        token = door.token_file.read_text()
        lines = [connected(door) for _ in range(8)]
        for number, line in enumerate(lines):
            whole = {"token": token, "ask": "note", "event": {"number": number}}
            line.sendall(json.dumps(whole).encode() + b"\n")
            assert asked(door, ask="rule", event=LS)["decision"] == "allow"
        hold.set()
        assert [said(line, b"") for line in lines] == [{}] * 8
        assert noted == [{"number": number} for number in range(8)]
        for line in lines:
            line.close()

    def test_closing_lets_what_has_begun_come_to_its_end(self, make, verbs):
        verbs.hold.clear()
        ended = []
        run = verbs.run
        verbs.run = lambda *words: ended.append(run(*words)) or ended[0]
        with opened(make) as door, connected(door) as line:
            whole = {"token": door.token_file.read_text(), "ask": "run", "words": []}
            line.sendall(json.dumps(whole).encode() + b"\n")
            assert verbs.begun.wait(30)
            later = threading.Thread(target=self.once_closed, args=(door, verbs.hold.set))
            later.start()
        later.join()
        assert len(ended) == 1

    def once_closed(self, door, deed):
        until(lambda: not door.socket.exists())
        deed()
