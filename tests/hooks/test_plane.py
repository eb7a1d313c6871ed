"""Hooks of people's own sessions ask the plane while it is up, and judge by themselves otherwise."""

import json
import os
import signal
import subprocess
import sys

import pytest

from drumline.hooks import guard
from tests.running import scripted, team, until


def loaded(running, command):
    """The modules a hook loads to answer."""
    event = {"tool_name": "Bash", "tool_input": {"command": command}, "cwd": str(running.root)}
    words = [sys.executable, "-I", "-S", "-X", "importtime", guard.__file__]
    done = subprocess.run(
        [*words, str(running.root / ".drumline")],
        input=json.dumps({"hook_event_name": "PreToolUse", **event}),
        env={"PATH": os.defpath, **ADA},
        capture_output=True,
        text=True,
        check=True,
    )
    return {line.split("|")[-1].strip() for line in done.stderr.splitlines()}


def asked(running, command, name="PreToolUse", **environ):
    event = {
        "hook_event_name": name,
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "cwd": str(running.root),
        "session_id": "s",
    }
    done = subprocess.run(
        [sys.executable, "-I", "-S", guard.__file__, str(running.root / ".drumline")],
        input=json.dumps(event),
        env={"PATH": os.defpath, "HOME": str(running.root.parent), **environ},
        capture_output=True,
        text=True,
        check=True,
    )
    said = json.loads(done.stdout)["hookSpecificOutput"] if done.stdout else {}
    return said.get("permissionDecisionReason", "")


def trail(running):
    return running.told("audit")["entries"]


ADA = {"DRUMLINE_MEMBER": "ada", "DRUMLINE_ROLE": "teammate"}


@pytest.fixture
def running(tmp_path, doors):
    with team(tmp_path / "r", doors, scripted("ada")) as found:
        found.run("policy", "compile")
        found.run("up")
        yield found


def place(running):
    return running.root / ".drumline" / "plane"


@pytest.mark.requirement("GUARD-03", "AUDIT-05")
def test_the_plane_rules_and_writes_the_trail_for_a_session(running):
    assert "drumline.team.judge" not in loaded(running, "git push")
    assert "C-TEAM-004" in asked(running, "git push", **ADA)
    assert asked(running, "ls", **ADA) == ""
    asked(running, "touch x", name="PostToolUse", **ADA)
    refused, noted = trail(running)[-2:]
    assert (refused["refused"], refused["team_member"]) == ("C-TEAM-004", "ada")
    assert (noted["command"], noted["team_member"]) == ("touch x", "ada")


@pytest.mark.requirement("GUARD-03")
@pytest.mark.parametrize("stopped", [True, False])
def test_a_plane_that_is_gone_costs_speed_and_no_ruling(running, stopped):
    if stopped:
        running.run("down")
        assert not place(running).exists()
    else:
        process = next(pid for pid, words in running.processes() if "up --foreground" in words)
        os.kill(process, signal.SIGKILL)
        until(lambda: not [1 for _, words in running.processes() if "up --foreground" in words])
        assert place(running).exists()
    assert "C-TEAM-004" in asked(running, "git push", **ADA)
    assert trail(running)[-1]["refused"] == "C-TEAM-004"
    assert "drumline.team.judge" in loaded(running, "git push")


@pytest.mark.requirement("RUN-07")
def test_a_second_plane_is_refused_and_leaves_the_first_one_its_place(running):
    before = place(running).read_text()
    assert "already" in running.run("up", "--foreground", code=1)
    assert place(running).read_text() == before
    assert "drumline.team.judge" not in loaded(running, "git push")


@pytest.mark.requirement("GUARD-20")
def test_a_process_of_a_member_is_turned_away_by_the_plane(running):
    script = (
        "import contextlib, socket, sys, json, os\n"
        "line = socket.socket(socket.AF_UNIX); line.connect(sys.argv[1])\n"
        "token = open(os.path.dirname(sys.argv[1]) + '/token').read()\n"
        "event = {'hook_event_name': 'PostToolUse', 'tool_name': 'Bash', 'tool_input': {'command': 'touch forged'}}\n"
        "with contextlib.suppress(OSError):  # it may be turned away before it has asked\n"
        "    line.sendall((json.dumps({'token': token, 'ask': 'note', 'event': event}) + chr(10)).encode())\n"
        "print(line.recv(1000).decode())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, place(running).read_text()],
        env={"PATH": os.defpath, "DRUMLINE_LIFE": "home/ada/3"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "outside" in done.stdout
    assert not [line for line in trail(running) if "forged" in line.get("command", "")]
    until(lambda: "doorway.refused" in [event["verb"] for event in running.events()])
