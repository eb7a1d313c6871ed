"""A turn that ended wakes whose it was, whoever ran it, and whether a plane was there or not."""

import json
import os
import subprocess

import pytest

from tests.running import WRITES_A_FILE, team, until
from tests.spec.playing import completed, rows
from tests.spooling import environment, stop

MEMBERS = """\
  - {name: ada, role: Builds, tools: [Read], owns: []}
  - {name: brook, role: Builds, tools: [Read], owns: []}
"""


@pytest.fixture
def sessions(tmp_path, doors):
    """A team whose members sit in sessions of people, and a way to end a turn in one of them."""
    with team(tmp_path / "r", doors, MEMBERS) as found:
        found.run("task", "add", "one")
        entry = found.told("policy", "settings")["hooks"]["Stop"][-1]["hooks"][0]

        def end_turn(member, **facts):
            done = subprocess.run(
                [entry["command"], *entry["args"]],
                input=json.dumps(stop(**facts)).encode(),
                check=False,
                env=environment(DRUMLINE_MEMBER=member, DRUMLINE_TEAM="atlas"),
            )
            assert done.returncode == 0

        yield found, end_turn


def came_to(found, **counts):
    until(lambda: found.told("status")["settled_turns"] == counts)


@pytest.mark.requirement("SYNC-10", "SYNC-04", "SYNC-09")
def test_what_stopped_while_no_plane_was_up_is_picked_up_by_the_next(sessions):
    found, end_turn = sessions
    for number in range(70):
        end_turn("ada", prompt_id=f"p{number}")
    end_turn("brook", session_id="another", transcript_path=None)
    found.run("up")
    came_to(found, woke=71)
    end_turn("ada", prompt_id="now")
    came_to(found, woke=72)
    settled = {row["name"] for row in rows(found, "members") if row["settled_at"]}
    assert settled == {"ada", "brook"}
    assert "clean" in found.run("store", "check")


@pytest.mark.requirement("SYNC-10")
def test_what_is_no_longer_of_interest_wakes_nobody(sessions):
    found, end_turn = sessions
    end_turn("brook")
    manifest = found.root / ".claude" / "team.yaml"
    manifest.write_text(manifest.read_text().replace(MEMBERS.splitlines()[1] + "\n", ""))
    found.run("task", "add", "two")
    found.run("up")
    came_to(found, removed=1)


@pytest.mark.requirement("BOARD-09", "SYNC-04")
def test_the_runner_tells_the_end_of_its_members_turns_without_a_spool(running):
    found = running(WRITES_A_FILE, ["Say hello"])
    until(completed(found))
    told = [event for event in found.events() if event["verb"] == "member.settled"]
    assert [event["subject"] for event in told] == ["ada"]
    assert not (found.root / ".drumline" / "spool").exists()


@pytest.mark.requirement("SYNC-09")
def test_a_spool_in_disorder_stops_no_plane(sessions):
    found, end_turn = sessions
    end_turn("ada")
    there = found.root / ".drumline" / "spool" / "incoming"
    os.mkfifo(there / "pipe")
    (there / "link").symlink_to("/etc/passwd")
    (there / "folder").mkdir()
    (there / "junk").write_bytes(os.urandom(1000))
    found.run("up")
    came_to(found, **{"woke": 1, "not-a-file": 3, "bad-name": 1})
    assert found.told("up")["started"] is False
