"""The guard as an agent CLI starts it: real processes, events on stdin, files on disk."""

import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from drumline.hooks import guard, ruling
from drumline.store.policies import Policies, libraries
from drumline.team import registry

GUARD = Path(guard.__file__)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A repository's state folder with the built-in rules compiled into it."""
    folder = tmp_path / "repository" / ".drumline"
    folder.mkdir(parents=True)
    policy = {**registry.compiled(registry.built_in()), "libraries": libraries()}
    Policies(str(folder.parent), str(folder)).publish(registry.digest(policy), policy)
    return folder


def answered(state: Path | str, event: object, **who: str) -> subprocess.CompletedProcess[bytes]:
    raw = event if isinstance(event, bytes) else json.dumps(event).encode()
    return subprocess.run(
        [os.path.realpath(sys.executable), "-I", "-S", str(GUARD), str(state)],
        input=raw,
        capture_output=True,
        env={"PATH": os.defpath, "HOME": "/home/u", **who},
        check=False,
        timeout=60,
    )


def call(state: Path, tool: str, name: str = "PreToolUse", **given) -> dict:
    return {
        "hook_event_name": name,
        "tool_name": tool,
        "tool_input": given,
        "cwd": str(state.parent),
    }


def reason(done: subprocess.CompletedProcess[bytes]) -> str:
    """Why it was refused; empty when it was not."""
    assert done.returncode == 0
    assert done.stderr == b""
    if not done.stdout:
        return ""
    said = json.loads(done.stdout)["hookSpecificOutput"]
    assert said["hookEventName"] == "PreToolUse"
    assert said["permissionDecision"] == "deny"
    return str(said["permissionDecisionReason"])


def trail(state: Path) -> list[dict]:
    path = state / "audit" / "current.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


TEAMMATE = {"DRUMLINE_MEMBER": "ada", "DRUMLINE_ROLE": "teammate"}


@pytest.mark.requirement("GUARD-10")
def test_a_refusal_is_json_that_names_rule_reason_and_way_out(state):
    said = reason(answered(state, call(state, "Bash", command="x=push; git $x"), **TEAMMATE))
    assert "[C-TEAM-004]" in said
    assert "why: " in said
    assert "next: " in said


@pytest.mark.requirement("GUARD-09", "TEAM-09")
def test_a_person_alone_is_left_alone(state):
    assert reason(answered(state, call(state, "Bash", command="git push"))) == ""
    assert "C-SAFE-001" in reason(answered(state, call(state, "Bash", command="rm -rf /")))


@pytest.mark.requirement("GUARD-20")
def test_the_older_names_of_identity_are_read_too(state):
    event = call(state, "Bash", command="br close 1")
    assert "C-TEAM-002" in reason(answered(state, event, LOA_TEAM_MEMBER="ada"))


@pytest.mark.requirement("GUARD-09")
@pytest.mark.parametrize("raw", [b"", b"{not json", b"\xff\xfe", b"[1]", b"null"])
def test_what_cannot_be_read_passes_and_is_noted(state, raw):
    assert reason(answered(state, raw)) == ""
    assert trail(state)[-1]["note"] == "the event could not be read"


@pytest.mark.requirement("GUARD-09")
def test_what_cannot_be_read_is_refused_where_a_rule_fails_closed(state):
    assert "[C-TEAM-005]" in reason(answered(state, b"{not json", **TEAMMATE))


@pytest.mark.parametrize(
    "event",
    [
        {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": 123}},
        {
            "hook_event_name": "PreToolUse",
            "tool_name": "Read",
            "tool_input": {"command": "git push"},
        },
        {"hook_event_name": "PreToolUse", "tool_name": 5, "tool_input": "", "cwd": 7},
        {"hook_event_name": "Stop"},
        {},
    ],
)
def test_an_event_of_an_odd_shape_is_no_reason_to_refuse(state, event):
    assert reason(answered(state, event, **TEAMMATE)) == ""


@pytest.mark.requirement("GUARD-09")
def test_a_guard_that_fails_refuses_a_member_and_lets_a_person_go_on(state):
    broken = {"constraints": [{"refuse": 5, "id": 1}]}
    Policies(str(state.parent), str(state)).publish(registry.digest(broken), broken)
    event = call(state, "Bash", command="ls")
    assert reason(answered(state, event)) == ""
    assert "the guard failed" in reason(answered(state, event, **TEAMMATE))
    assert trail(state)[-1]["note"].startswith("the guard failed")


@pytest.mark.requirement("AUDIT-01")
def test_a_change_becomes_one_line_with_the_fixed_keys(state):
    done = call(state, "Bash", "PostToolUse", command="npm install")
    done["tool_response"] = {"stdout": "secret output"}
    answered(state, done, DRUMLINE_TEAM="atlas", DRUMLINE_MODEL="sonnet", **TEAMMATE)
    (line,) = trail(state)
    assert list(line) == [
        *("ts", "tool", "command", "exit_code", "cwd", "model", "provider", "trace_id"),
        *("team_id", "team_member"),
    ]
    assert (line["command"], line["exit_code"], line["team_id"]) == ("npm install", 0, "atlas")


@pytest.mark.requirement("AUDIT-01")
def test_a_write_is_noted_without_what_it_wrote(state):
    event = call(state, "Write", "PostToolUse", file_path="src/a.py", content="PRIVATE")
    answered(state, event, **TEAMMATE)
    (line,) = trail(state)
    assert line["file_path"] == "src/a.py"
    assert "PRIVATE" not in json.dumps(line)


@pytest.mark.requirement("AUDIT-01")
def test_looking_is_not_noted_and_a_failure_keeps_its_code(state):
    answered(state, call(state, "Bash", "PostToolUse", command="git status | head -3"))
    answered(state, call(state, "Read", "PostToolUse", file_path="a"))
    assert trail(state) == []
    failed = call(state, "Bash", "PostToolUseFailure", command="make x")
    answered(state, {**failed, "error": "Exit code 3"})
    assert trail(state)[0]["exit_code"] == 3


@pytest.mark.requirement("AUDIT-01")
def test_a_refused_call_is_noted_with_the_rule(state):
    answered(state, call(state, "Bash", command="git push"), **TEAMMATE)
    assert trail(state)[0]["refused"] == "C-TEAM-004"


@pytest.mark.requirement("AUDIT-02")
def test_a_trail_that_cannot_be_written_stops_nobody(state):
    (state / "audit").write_text("in the way")
    assert reason(answered(state, call(state, "Bash", "PostToolUse", command="npm i"))) == ""


class TestStanding:
    """Hooks read where a member stands from a file the team writes."""

    def place(self, state: Path, **facts) -> None:
        (state / "standing").mkdir(exist_ok=True)
        whole = {"member": "ada", "role": "teammate", "isolation": "own", **facts}
        (state / "standing" / "ada.json").write_text(json.dumps(whole))

    def test_the_file_says_whose_checkout_it_is(self, state):
        event = call(state, "Bash", command="git commit -m x")
        self.place(state, isolation="own")
        assert reason(answered(state, event, **TEAMMATE)) == ""
        self.place(state, isolation="shared")
        assert "C-TEAM-004" in reason(answered(state, event, **TEAMMATE))

    def test_a_member_nobody_wrote_about_may_only_look(self, state):
        (state / "standing").mkdir()
        event = call(state, "Write", file_path="src/a.py")
        assert "nothing is written about where you stand" in reason(
            answered(state, event, **TEAMMATE)
        )

    def test_a_standing_of_an_earlier_life_counts_for_nothing(self, state):
        self.place(state, incarnation="1")
        event = call(state, "Write", file_path="src/a.py")
        assert reason(answered(state, event, DRUMLINE_INCARNATION="1", **TEAMMATE)) == ""
        said = reason(answered(state, event, DRUMLINE_INCARNATION="2", **TEAMMATE))
        assert "an earlier life" in said

    def test_a_member_name_cannot_leave_the_folder(self, state):
        self.place(state)
        (state / "x.json").write_text(json.dumps({"role": "lead"}))
        event = call(state, "Bash", command="git push")
        who = {"DRUMLINE_MEMBER": "../x", "DRUMLINE_ROLE": "teammate"}
        assert reason(answered(state, event, **who)) != ""

    @pytest.mark.requirement("GUARD-09")
    @pytest.mark.parametrize(
        "text",
        ["{}", '{"role": "king"}', '{"role": "TEAMMATE"}', '{"role": 7}', '{"role": null}'],
    )
    def test_a_standing_that_says_little_makes_nobody_more_than_a_teammate(self, state, text):
        (state / "standing").mkdir()
        (state / "standing" / "ada.json").write_text(text)
        event = call(state, "Bash", command="git push")
        assert "C-TEAM-004" in reason(answered(state, event, DRUMLINE_MEMBER="ada"))

    @pytest.mark.parametrize("facts", [{"isolation": "mine"}, {"isolation": ["own"]}])
    def test_a_checkout_nobody_can_name_is_a_shared_one(self, state, facts):
        self.place(state, **facts)
        event = call(state, "Bash", command="git commit -m x")
        assert "C-TEAM-004" in reason(answered(state, event, **TEAMMATE))

    @pytest.mark.parametrize("facts", [{"tools": "Read"}, {"tools": {"Read": True}}, {"tools": 5}])
    def test_a_list_of_tools_nobody_can_read_is_not_all_of_them(self, state, facts):
        self.place(state, **facts)
        event = call(state, "Bash", command="ls")
        assert "C-TOOL-001" in reason(answered(state, event, **TEAMMATE))


@pytest.mark.requirement("GUARD-09")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("{named}.json", "", id="empty"),
        pytest.param("{named}.json", '{"constraints": [', id="torn"),
        pytest.param("{named}.json", '{"constraints": []}', id="other rules under its name"),
        pytest.param("current", "0123456789abcdef", id="a name nobody has"),
        pytest.param("current", "", id="no name"),
    ],
)
def test_a_member_whose_rules_are_lost_may_do_nothing(state, name, text):
    named = (state / "policy" / "current").read_text()
    (state / "policy" / name.format(named=named)).write_text(text)
    event = call(state, "Bash", command="ls")
    said = reason(answered(state, event, **TEAMMATE))
    assert "the team's compiled rules" in said
    assert "drumline policy compile" in said
    assert "compiled rules" in reason(answered(state, b"{not json", **TEAMMATE))
    assert reason(answered(state, event)) == ""
    assert "C-SAFE-001" in reason(answered(state, call(state, "Bash", command="rm -rf /")))


def test_the_hooks_name_for_a_policy_is_the_registrys(state):
    named = (state / "policy" / "current").read_text()
    policy = json.loads((state / "policy" / f"{named}.json").read_text())
    for each in (policy, {**policy, "libraries": ["/é", 'a"b']}, {}, {"a": [1, 2.5, None, True]}):
        assert ruling.digest(each) == registry.digest(each)


@pytest.mark.requirement("GUARD-09")
@pytest.mark.parametrize("folder", ["{}/", "{}//", "{}/./", "{}/policy/.."])
def test_the_state_folder_may_be_written_in_any_way(state, folder):
    event = call(state, "Write", file_path=".claude/settings.json")
    done = answered(folder.format(state), event, **TEAMMATE)
    assert "C-TEAM-005" in reason(done)
    assert trail(state)


@pytest.mark.requirement("GUARD-09")
def test_an_input_written_as_text_is_read(state):
    event = {**call(state, "Bash"), "tool_input": '{"command": "git push"}'}
    assert "C-TEAM-004" in reason(answered(state, event, **TEAMMATE))


@pytest.mark.requirement("GUARD-09")
@pytest.mark.parametrize("given", ["git push", '["git push"]', ["git", "push"], 7])
def test_an_input_that_is_no_object_cannot_be_read(state, given):
    event = {**call(state, "Bash"), "tool_input": given}
    assert "[C-TEAM-005]" in reason(answered(state, event, **TEAMMATE))
    assert reason(answered(state, event)) == ""


@pytest.mark.requirement("GUARD-09")
@pytest.mark.parametrize("name", [None, "", 5])
def test_an_event_without_a_name_that_calls_a_tool_is_judged(state, name):
    event = {**call(state, "Bash", command="git push"), "hook_event_name": name}
    assert "C-TEAM-004" in reason(answered(state, event, **TEAMMATE))


def test_a_tool_without_a_name_is_called_that(state):
    (state / "standing").mkdir()
    facts = {"member": "ada", "role": "teammate", "tools": ["Read"]}
    (state / "standing" / "ada.json").write_text(json.dumps(facts))
    said = reason(answered(state, call(state, ""), **TEAMMATE))
    assert said.startswith("refused: a tool without a name, which is not on")


class TestSocket:
    """Told where a runner listens, the guard asks it and nobody else."""

    def serve(self, place: Path, answer: bytes) -> threading.Thread:
        server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        server.bind(str(place))
        server.listen()

        def once() -> None:
            line, _ = server.accept()
            with line, server:
                assert b'"ask": "rule"' in line.makefile("rb").readline()
                line.sendall(answer)

        thread = threading.Thread(target=once)
        thread.start()
        return thread

    def test_the_runner_rules(self, state, tmp_path):
        place = tmp_path / "s"
        ruling = {"decision": "deny", "constraint": "C-X-1", "what": "w", "why": "y", "next": "n"}
        thread = self.serve(place, json.dumps(ruling).encode() + b"\n")
        event = call(state, "Bash", command="ls")
        assert "[C-X-1]" in reason(answered(state, event, DRUMLINE_SOCKET=str(place)))
        thread.join()

    def test_a_runner_that_allows_is_believed(self, state, tmp_path):
        place = tmp_path / "s"
        thread = self.serve(place, b'{"decision": "allow"}\n')
        event = call(state, "Bash", command="git push")
        assert reason(answered(state, event, DRUMLINE_SOCKET=str(place), **TEAMMATE)) == ""
        thread.join()

    @pytest.mark.parametrize("answer", [b"", b"nonsense\n", b"{}\n", b'{"decision": "maybe"}\n'])
    def test_a_runner_that_is_gone_or_talks_nonsense_allows_nothing(self, state, tmp_path, answer):
        event = call(state, "Bash", command="ls")
        missing = answered(state, event, DRUMLINE_SOCKET=str(tmp_path / "none"))
        assert "does not answer" in reason(missing)
        place = tmp_path / "s"
        thread = self.serve(place, answer)
        assert "does not answer" in reason(answered(state, event, DRUMLINE_SOCKET=str(place)))
        thread.join()


def test_a_members_settings_do_not_change_while_it_works(state):
    done = answered(state, {"hook_event_name": "ConfigChange"}, **TEAMMATE)
    assert json.loads(done.stdout)["decision"] == "block"
    assert answered(state, {"hook_event_name": "ConfigChange"}).stdout == b""


def test_the_guard_loads_nothing_heavy():
    code = "import sys; sys.path.insert(0, sys.argv[1]); import drumline.hooks.guard, drumline.hooks.ruling; print(*sys.modules)"
    source = str(GUARD.parents[2])
    done = subprocess.run(
        [os.path.realpath(sys.executable), "-I", "-S", "-c", code, source],
        capture_output=True,
        text=True,
        check=True,
    )
    heavy = {
        "typing",
        "dataclasses",
        "pathlib",
        "asyncio",
        "click",
        "ruamel",
        "tree_sitter",
        "socket",
    }
    assert heavy.isdisjoint(done.stdout.split())


@pytest.mark.requirement("RUN-13", "AUDIT-01")
def test_a_subagent_is_held_to_its_profile_and_the_trail_says_whose_it_was(state):
    startable = {"analyst": {"tools": ["Read", "Bash"], "denied_tools": [], "background": False}}
    standing = {"member": "ada", "role": "teammate", "isolation": "own", "startable": startable}
    Policies(str(state.parent), str(state)).place("ada", standing)
    whose = {"agent_id": "a1", "agent_type": "analyst"}

    def asked(tool, **given):
        return reason(answered(state, {**call(state, tool, **given), **whose}, **TEAMMATE))

    assert asked("Read", file_path="a") == ""
    assert "[C-TOOL-001]" in asked("Write", file_path="a", content="x")
    assert "[C-TASK-006]" in asked("mcp__drumline__mail_send", to=["lead"], text="x")
    assert "[C-TEAM-004]" in asked("Bash", command="git push")
    made = {**call(state, "Bash", "PostToolUse", command="touch a"), **whose}
    answered(state, made, **TEAMMATE)
    answered(state, call(state, "Bash", "PostToolUse", command="touch b"), **TEAMMATE)
    assert [(line["team_member"], line.get("subagent")) for line in trail(state)] == [
        *[("ada", "analyst")] * 4,
        ("ada", None),
    ]
