"""What is wrong with a task, a manifest or a machine ends no member that could do other work, and is told."""

import json
import os
import subprocess

import pytest

from drumline.control import postings
from drumline.control.roster import person
from drumline.settings import find
from drumline.team.posting import Wanted
from drumline.wiring import open_store
from drumline.wiring.home import mark_of
from drumline.wiring.standing_manifest import StandingManifest
from tests.once import once
from tests.running import WRITES_A_FILE, scripted, team, team_of_a_story, until
from tests.spec.playing import COMMITS, DONE, WAITS, completed, play, rows, turn


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
    manifest = StandingManifest(find(str(found.root)))
    good = manifest.known()
    (found.root / ".claude" / "team.yaml").write_text("members: [")
    assert manifest.known() == good


@pytest.mark.requirement("RUN-07")
def test_a_manifest_that_could_never_be_read_is_none(running):
    found = running(WRITES_A_FILE, begin=False)
    settings = find(str(found.root))
    (found.root / ".claude" / "team.yaml").write_text("members: [")
    assert StandingManifest(settings).known() is None


@pytest.mark.requirement("SYNC-09")
def test_a_manifest_is_read_again_only_once_its_file_has_changed(running):
    found = running(WRITES_A_FILE, begin=False)
    manifest, file = StandingManifest(find(str(found.root))), found.root / ".claude" / "team.yaml"
    before = manifest.now()
    assert manifest.now() is before
    file.write_text(file.read_text().replace("ada", "adda"))
    assert [each.name for each in manifest.now().members] == ["adda"]


GONE = {
    "without the member": lambda file: file.write_text(file.read_text().replace("ada", "adda")),
    "no file": lambda file: file.unlink(),
}


@pytest.mark.requirement("RUN-07")
@pytest.mark.parametrize("spoil", GONE.values(), ids=GONE)
def test_a_task_outlives_a_manifest_that_its_member_is_not_in(running, spoil):
    careless = turn(WAITS + COMMITS.replace(" && git commit --quiet --message='{task}'", "") + DONE)
    commits = '        - tool: {name: Bash, input: {command: "git commit --quiet -m mended"}}\n'
    found = running(play(turn(commits + DONE, when="not committed"), careless), ["Do it"])
    until(lambda: [line for line in found.diary("ada") if line["what"] == "entered"])
    manifest = found.root / ".claude" / "team.yaml"
    good = manifest.read_text()
    spoil(manifest)
    (found.root / ".drumline/checkouts/ada/go").touch()
    until(lambda: [line for line in found.diary("ada") if line.get("accepted")])
    manifest.write_text(good)
    until(completed(found))


@pytest.mark.requirement("RUN-07")
def test_what_a_life_of_the_past_left_behind_is_swept(running):
    found = running(WRITES_A_FILE, begin=False)
    life = f"{mark_of(find(str(found.root)), 'atlas')}/ada/1/claude-0"
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


SPOILT = {
    "broken": lambda file: file.write_text("members: ["),
    "gone": lambda file: file.unlink(),
    "no file": lambda file: (file.unlink(), file.symlink_to("/proc/self/mem")),
}


@pytest.mark.requirement("RUN-07")
@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_a_team_is_stopped_whatever_its_manifest_says(running, spoil):
    found = running(WRITES_A_FILE)
    until(lambda: [each["state"] for each in found.told("member", "list")] == ["idle"])
    spoil(found.root / ".claude" / "team.yaml")
    found.run("down")
    assert [each for each in found.processes() if "drumline" in each[1]] == []


@pytest.mark.requirement("RUN-07")
def test_what_lies_in_the_repository_is_not_ours_to_import(running):
    found = running(WRITES_A_FILE, begin=False)
    for name in ("click.py", "secrets.py", "queue.py"):
        (found.root / name).write_text("raise SystemExit('imported')\n")
    found.run("task", "add", "Do it")
    found.run("member", "start", "ada")
    until(completed(found))


@pytest.mark.requirement("RUN-05")
def test_a_member_that_is_run_claims_nothing_beside_its_task(running):
    greedy = turn("        - verb: task claim --next\n" + COMMITS + DONE, again="true")
    found = running(play(greedy), ["One"], ["Two"])
    until(lambda: set(found.states().values()) == {"completed"})
    seen = [(event["verb"], event["subject"]) for event in found.events()]
    assert seen.index(("task.completed", "T-1")) < seen.index(("task.claimed", "T-2"))


@pytest.mark.requirement("RUN-15")
@pytest.mark.parametrize("until_when", ["9999-12-31T23:59:59-23:59", "9999-12-31T00:00:00Z"])
def test_a_limit_that_ends_with_the_world_ends_within_days(tmp_path, doors, until_when):
    line = json.dumps({"limited": {"until": until_when, "why": "two\nlines"}})
    program = tmp_path / "limited.sh"
    program.write_text(f"read asked\necho '{line}'\nsleep 60\n")
    member = (
        "  - {name: ada, role: Builds, runtime: command, tools: [Read, Write, Bash], owns: ['**'],"
        f" command: [/bin/sh, {program}]}}\n"
    )
    with team(tmp_path / "r", doors, member, settings="settings: {turn-limit: 2s}\n") as found:
        found.run("task", "add", "Do it")
        found.run("member", "start", "ada")
        until(lambda: [each for each in found.diary("ada") if each["what"] == "cut short"])
        for each in found.told("member", "list"):
            assert (each["paused_until"] or "2026") < "2100"


@pytest.mark.requirement("RUN-05")
def test_what_keeps_a_member_from_any_work_is_told_to_a_person_once(running):
    found = running(WRITES_A_FILE, begin=False)
    found.git("branch", "drumline")  # in the way of every branch drumline/…
    found.run("task", "add", "Do it")
    found.run("member", "start", "ada")
    [question] = until(lambda: found.told("question", "list"))
    assert "ada can begin nothing" in question["what"]
    until(lambda: "crashed" in found.run("member", "list"))
    assert found.states()["T-1"] == "pending"


@pytest.mark.requirement("RUN-05")
def test_nobody_is_started_in_a_repository_without_a_commit(tmp_path, doors):
    with team(tmp_path / "r", doors, scripted("ada")) as found:
        found.git("update-ref", "-d", "HEAD")
        assert "refused" in found.run("member", "start", "ada", code=1)


RENAMED = {"work below": "drumline/ada/work/parser", "member": "drumline/ada", "any": "elsewhere"}


def renamed(place):
    """What is done after each of the member's own names for its branch, and in which lives."""
    rename = '        - tool: {name: Bash, input: {command: "python3 ~/rename.py %s"}}\n'
    partly = DONE.replace("status: completed", "status: failed")
    strays = [
        turn(COMMITS + rename % name + partly, when=f"Stray to {key}")
        for key, name in RENAMED.items()
    ]
    told = {}
    scenario = play(*strays, turn(COMMITS + DONE, again="true"))
    with team_of_a_story(place, scripted("ada"), scenario) as found:
        home = found.root / ".drumline" / "homes" / "ada"
        home.mkdir(parents=True)
        git = "import subprocess, sys\nsubprocess.run(['git', 'branch', '-m', sys.argv[1]])\n"
        (home / "rename.py").write_text(git + "print('renamed')\n")
        found.run("task", "add", "One")
        found.run("member", "start", "ada")
        until(completed(found))
        for number, key in enumerate(RENAMED):
            found.run("task", "add", f"Stray to {key}")
            found.run("task", "add", "Next")
            until(completed(found, f"T-{2 * number + 3}"))
            told[key] = [found.states()[f"T-{2 * number + 2}"], len(lives(found))]
    return told


@pytest.mark.requirement("RUN-05")
@pytest.mark.parametrize("key", RENAMED, ids=RENAMED.values())
def test_a_member_that_renames_its_branch_goes_on_with_its_next_task(tmp_path_factory, key):
    assert once(tmp_path_factory, "renamed-branches", renamed)[key] == ["failed", 1]
