"""What is wrong with a task, a manifest or a machine ends no member that could do other work, and is told."""

import os
import subprocess

import pytest

from drumline.control import postings
from drumline.control.roster import person
from drumline.settings import find
from drumline.team.posting import Wanted
from drumline.wiring import open_store
from drumline.wiring.planes import Manifests, mark_of
from tests.running import WRITES_A_FILE, scripted, team, until
from tests.spec.playing import COMMITS, DONE, completed, play, rows, turn


def lives(found):
    return {row["incarnation"] for row in rows(found, "lives")}


@pytest.mark.requirement("RUN-07")
def test_a_task_that_nobody_can_be_briefed_on_is_given_up_and_the_next_one_done(running):
    found = running(WRITES_A_FILE, begin=False)
    found.run("task", "add", "Tell nobody", "--priority", "5")
    found.run("task", "note", "T-1", "brief.notify=nobody")
    found.run("task", "add", "Good work")
    found.run("member", "start", "ada")
    until(completed(found, "T-2"))
    assert found.states()["T-1"] == "failed"
    assert "nobody" in found.told("task", "show", "T-1")["metadata"]["failed"]
    assert len(lives(found)) == 1


@pytest.mark.requirement("BOARD-12")
def test_a_check_that_cannot_run_for_lack_of_a_checkout_is_told(tmp_path, doors):
    reads = scripted("ada").replace("Read, Write, Edit, Bash", "Read")
    says = play(turn(DONE.replace('["parts/{task}.txt"]', "[]")))
    with team(tmp_path / "r", doors, reads, says) as found:
        found.run("task", "add", "Look")
        found.run("task", "note", "T-1", 'verify=["true"]')
        found.run("member", "start", "ada")
        until(lambda: found.states()["T-1"] == "failed")
        assert "no checkout" in found.told("task", "show", "T-1")["metadata"]["failed"]


@pytest.mark.requirement("RUN-04")
def test_a_member_that_may_not_choose_does_what_was_claimed_for_it(running):
    found = running(WRITES_A_FILE, ["Do it"], settings="constitution: constitution-4\n")
    until(lambda: [each["state"] for each in found.told("member", "list")] == ["idle"])
    assert found.states()["T-1"] == "pending"
    found.run("task", "claim", "T-1", "--member", "ada")
    until(completed(found))
    assert len(lives(found)) == 1


@pytest.mark.requirement("RUN-07")
def test_turns_that_are_cut_again_and_again_end_in_a_question(running):
    hangs = turn('        - tool: {name: Bash, input: {command: "sleep 60"}}\n', again="true")
    found = running(play(hangs), ["Wait"], settings="settings: {turn-limit: 1s}\n")
    [question] = until(lambda: found.told("question", "list"))
    assert question["task"] == "T-1"
    assert "3 tries did not go well" in question["what"]
    assert found.states()["T-1"] == "pending"
    taken = [event for event in found.events() if event["verb"] == "task.claimed"]
    assert len(taken) == 3


@pytest.mark.requirement("RUN-07")
def test_a_member_added_while_the_plane_is_up_is_started(running):
    found = running(play(turn(COMMITS + DONE, again="true")))
    manifest = found.root / ".claude" / "team.yaml"
    manifest.write_text(manifest.read_text() + scripted("brook"))
    found.run("member", "start", "brook")
    until(lambda: {each["state"] for each in found.told("member", "list")} == {"idle"})


@pytest.mark.requirement("RUN-07")
def test_while_a_manifest_cannot_be_read_the_last_good_one_stands(running):
    found = running(WRITES_A_FILE, begin=False)
    manifests = Manifests(find(str(found.root)))
    good = manifests.now()
    (found.root / ".claude" / "team.yaml").write_text("members: [")
    assert manifests.now() == good


@pytest.mark.requirement("RUN-07")
def test_what_a_life_of_the_past_left_behind_is_swept(running):
    found = running(WRITES_A_FILE, begin=False)
    life = f"{mark_of(find(str(found.root)))}/ada/1/claude-0"
    stray = subprocess.Popen(["sleep", "600"], env={**os.environ, "DRUMLINE_LIFE": life})
    try:
        found.run("up")
        assert until(lambda: stray.poll() is not None)
    finally:
        stray.kill()
        stray.wait()


@pytest.mark.requirement("SEE-07")
def test_why_a_member_does_not_come_back_is_shown(tmp_path, doors):
    broken = (
        "  - {name: ada, role: Builds, runtime: command, tools: [Read, Write], owns: ['**'],"
        " command: [/bin/true]}\n"
    )
    with team(tmp_path / "r", doors, broken) as found:
        found.run("task", "add", "Do it")
        found.run("member", "start", "ada")
        until(lambda: "crashed" in found.run("member", "list"))


@pytest.mark.requirement("RUN-07")
def test_down_stops_nobody_who_is_wanted_on_another_host(running):
    found = running(WRITES_A_FILE, names=("ada", "brook"), begin=False)
    found.run("member", "start", "ada")
    store = open_store(find(str(found.root)))
    store.do(postings.want, person("kim"), "brook", Wanted.RUNNING, "elsewhere")
    store.close()
    found.run("down")
    wanted = {each["name"]: each["wanted"] for each in found.told("member", "list")}
    assert wanted == {"ada": "stopped", "brook": "running"}
