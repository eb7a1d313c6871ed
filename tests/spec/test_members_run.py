"""Members as processes: each turn counted, each end judged, each piece of work taken in only when it is good."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.once import once
from tests.running import ANSWER, HASTY, WRITES_A_FILE, team, until
from tests.spec import member_stories
from tests.spec.playing import COMMITS, DONE, WAITS, completed, play, rows, turn


@pytest.fixture
def at_work(tmp_path_factory):
    return once(tmp_path_factory, "ada-at-work", member_stories.ada_at_work)


@pytest.mark.requirement("RUN-04", "RUN-05", "RUN-09")
def test_a_member_takes_a_task_and_its_commit_is_merged(at_work):
    assert at_work["written"] == "by ada\n"
    # the other task that was there from the beginning may have been merged meanwhile
    assert any(line.startswith("ada T-1") for line in at_work["plain"].splitlines())
    assert at_work["status"] == ""


@pytest.mark.requirement("RUN-05")
def test_uncommitted_work_is_told_and_not_taken_in(at_work):
    assert at_work["careless"] == "mended"


@pytest.mark.requirement("BOARD-12")
def test_done_waits_until_the_check_passes_on_the_commit(at_work):
    verbs = at_work["checked"]["verbs"]
    assert verbs.index("task.verified") < verbs.index("task.completed")
    assert at_work["checked"]["accepted"] == [True, False, True]  # the first is of another task


@pytest.mark.requirement("RUN-02")
def test_a_malformed_account_is_kept_and_asked_for_once_more(at_work):
    assert at_work["nonsense"] == {"task_result": 7}


@pytest.mark.requirement("RUN-02")
def test_a_second_malformed_account_gives_the_task_up(running):
    found = running(play(turn("        - structured: {}\n", again="true")), ["Say hello"])
    until(lambda: found.states()["T-1"] == "failed")
    assert len([line for line in found.diary("ada") if line["what"] == "ended"]) == 2


@pytest.mark.requirement("RUN-06")
def test_a_member_past_its_budget_stops_before_the_next_request(running):
    dear = turn(
        "        - usage: {input: 1000000, output: 1000000}\n"
        + COMMITS
        + COMMITS.replace("{task}.txt", "more.txt")
        + DONE
    )
    found = running(play(dear), ["Say hello"], more=", budget: 0.01")
    until(lambda: "life.ended" in [event["verb"] for event in found.events()])
    passed = [event["subject"] for event in found.events() if event["verb"] == "budget.passed"]
    assert len(passed) == 1
    until(lambda: "its budget is spent" in (found.told("member", "list")[0]["why"] or ""))
    assert [row["why"] for row in rows(found, "lives") if row["why"]] == ["budget"]
    assert "ok" not in [line.get("result") for line in found.diary("ada")]
    assert found.states()["T-1"] == "pending"


@pytest.mark.requirement("RUN-15")
def test_a_usage_limit_pauses_everyone_on_the_account_and_is_shown(running):
    limited = turn("        - fault: {kind: 429, retry_after: 500}\n", again="true")
    found = running(play(limited), ["One"], ["Two"], names=("ada", "brook"))
    until(lambda: any(each["paused_until"] for each in found.told("member", "list")))
    shown = until(
        lambda: (
            all(each["paused_until"] for each in found.told("member", "list"))
            and found.told("member", "list")
        )
    )
    assert {each["name"] for each in shown} == {"ada", "brook"}
    assert "account.paused" in [event["verb"] for event in found.events()]


@pytest.mark.requirement("RUN-15")
def test_a_limit_is_lifted_for_a_member_that_does_not_live(running):
    limited = turn("        - fault: {kind: 429, retry_after: 500}\n", again="true")
    found = running(play(limited), ["One"])
    until(lambda: found.told("member", "list")[0]["paused_until"])
    found.run("member", "stop", "ada")
    found.run("member", "start", "ada", "--despite-limit")
    seen = [(event["verb"], event["subject"]) for event in found.events()]
    assert ("account.resumed", f"scripted:{os.getuid()}") in seen


@pytest.mark.requirement("RUN-05")
def test_a_conflict_becomes_a_task_that_whoever_waits_waits_for_too(running):
    both = turn(
        WAITS
        + '        - tool: {name: Bash, input: {command: "mkdir -p parts; echo {member} > parts/same.txt; git add parts; git commit -qm same"}}\n'
        + ANSWER.format(files='["parts/same.txt"]'),
        again="true",
    )
    found = running(play(both), names=("ada", "brook"), begin=False)
    plan = ["brief.notify=human", "brief.await=human"]
    for words in (["One"], ["Two"], ["Three", "--blocked-by", "T-1", "--blocked-by", "T-2"]):
        found.run("task", "add", *words)
    for task in ("T-1", "T-2", "T-3"):
        found.run("task", "note", task, *plan)
    found.run("member", "start", "--all")
    for name in ("ada", "brook"):
        until(lambda who=name: [each for each in found.diary(who) if each["what"] == "entered"])
    for name in ("ada", "brook"):
        (found.root / ".drumline" / "checkouts" / name / "go").touch()
    until(lambda: "T-4" in found.states())
    told = found.told("task", "show", "T-4")
    assert "parts/same.txt" in told["body"]
    assert told["blocks"] == ["T-3"]


@pytest.mark.requirement("RUN-07")
def test_stopping_a_member_in_its_turn_gives_the_task_back_and_leaves_nothing_alive(running):
    slow = turn('        - tool: {name: Bash, input: {command: "sleep 300"}}\n')
    found = running(play(slow), ["Sleep"], settings=HASTY)
    until(lambda: any("sleep 300" in words for _, words in found.processes()))
    found.run("member", "stop", "ada")
    assert found.states()["T-1"] == "pending"
    assert not [words for _, words in found.processes() if "sleep 300" in words]


@pytest.mark.requirement("RUN-07")
def test_a_plane_that_ends_leaves_its_members_alone(running):
    found = running(WRITES_A_FILE)
    before = until(lambda: found.told("member", "list")[0]["pid"])
    found.run("down", "--plane-only")
    found.run("up")
    found.run("task", "add", "Say hello")
    until(completed(found))
    assert found.told("member", "list")[0]["pid"] == before


@pytest.mark.requirement("RUN-09")
def test_files_said_and_files_changed_are_compared(at_work):
    assert at_work["boastful"] == "said to be changed and is not: never.txt"


@pytest.mark.requirement("SEE-07")
def test_a_person_takes_a_session_over_and_hands_it_back(running):
    found = running(WRITES_A_FILE)
    before = until(lambda: found.told("member", "list")[0]["pid"])
    words = (
        "echo mine > by-hand.txt; echo no > ../../policy/current;"
        " drumline mail send --to human 'from the terminal'; exit 3"
    )
    done = subprocess.run(
        [sys.executable, "-m", "drumline", "member", "attach", "ada", "--json"],
        cwd=found.root,
        env={**found.environ, "SHELL": "/bin/sh"},
        input=words,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout.splitlines()[-1])["exit_code"] == 3
    assert (found.root / ".drumline/checkouts/ada/by-hand.txt").read_text() == "mine\n"
    assert "policy/current" in done.stderr
    sent = [event["actor"] for event in found.events() if event["verb"] == "mail.sent"]
    assert sent == ["ada"]
    found.run("task", "add", "Say hello")
    (found.root / ".drumline/checkouts/ada/by-hand.txt").unlink()
    until(completed(found))
    assert found.told("member", "list")[0]["pid"] == before


@pytest.mark.requirement("SEE-07")
def test_a_takeover_leaves_alone_who_has_a_longer_name(running):
    beside = ("ada.1", "ada.api")  # a process 1 is always there
    found = running(WRITES_A_FILE, names=("ada", *beside))
    until(lambda: all(each["pid"] for each in found.told("member", "list")))
    doors = Path(found.environ["XDG_RUNTIME_DIR"])
    until(lambda: all(list(doors.rglob(f"{name}/socket")) for name in beside))
    found.environ["SHELL"] = "/bin/true"
    found.run("member", "attach", "ada")
    assert all(list(doors.rglob(f"{name}/socket")) for name in beside)


@pytest.mark.requirement("RUN-07")
def test_a_turn_that_never_ends_is_ended_and_its_task_given_back(running):
    hangs = turn("        - fault: {kind: hang}\n", again="true")
    found = running(play(hangs), ["Hang"], settings="settings: {turn-limit: 2s}\n")
    until(lambda: "cut" in [row["state"] for row in rows(found, "turns")])
    until(lambda: "task.released" in [event["verb"] for event in found.events()])
    assert "longer than" in json.dumps(found.diary("ada"))


@pytest.mark.requirement("RUN-14")
def test_no_more_members_run_at_once_than_the_team_allows(running):
    found = running(WRITES_A_FILE, names=("ada", "brook"), settings="settings: {max-parallel: 1}\n")
    until(lambda: any(each["pid"] for each in found.told("member", "list")))
    shown = found.told("member", "list")
    assert [each["pid"] for each in shown].count(None) == 1
    waits = until(lambda: [each["why"] for each in found.told("member", "list") if each["why"]])
    assert waits == ["1 member is at work on this host"]


@pytest.mark.requirement("RUN-04")
def test_scripted_members_may_share_a_process(running):
    found = running(
        WRITES_A_FILE,
        *(["One"], ["Two"], ["Three"]),
        names=("ada", "brook", "cleo"),
        settings="settings: {scripted-per-process: 3}\n",
    )
    until(lambda: set(found.states().values()) == {"completed"})
    assert len({each["pid"] for each in found.told("member", "list")}) == 1


@pytest.mark.requirement("GUARD-18")
def test_a_secret_that_no_guard_saw_being_committed_is_not_merged(running, tmp_path):
    script = tmp_path / "r/.drumline/tmp/ada/leak.sh"
    words = "printf 'k = %s%s' AKIA Q3EGRIJKLMNOPQRS > x.py; git add x.py; git commit -qm x"
    leaks = turn(
        f'        - tool: {{name: Write, input: {{file_path: {script}, content: "{words}"}}}}\n'
        f'        - tool: {{name: Bash, input: {{command: "bash {script}"}}}}\n'
        + ANSWER.format(files='["x.py"]'),
        again="true",
    )
    found = running(play(leaks), ["Leak"])
    until(lambda: found.states()["T-1"] == "failed")
    told = [line["text"] for line in found.diary("ada") if line["what"] == "handed in"]
    assert "x.py:1" in told[0]
    assert "AKIAQ3EGR" not in json.dumps(found.diary("ada"))


@pytest.mark.requirement("GUARD-22")
def test_a_member_reaches_only_the_ports_it_was_given(running):
    tries = (
        "import socket\\n"
        "for port in (9, 10):\\n"
        "    try: socket.create_connection(('127.0.0.1', port), 1)\\n"
        "    except OSError as error: print(port, error.errno, file=open('seen.txt', 'a'))\\n"
    )
    step = turn(
        f'        - tool: {{name: Write, input: {{file_path: t.py, content: "{tries}"}}}}\n'
        '        - tool: {name: Bash, input: {command: "python3 t.py"}}\n'
        "        - structured: {}\n",
        again="true",
    )
    found = running(play(step), ["Reach"], more=", ports: [9]")
    seen = found.root / ".drumline/checkouts/ada/seen.txt"
    until(lambda: seen.exists() and seen.read_text().count("\n") >= 2)
    refused, not_let = (int(line.split()[1]) for line in seen.read_text().splitlines()[:2])
    assert (refused, not_let) == (111, 13)


@pytest.mark.requirement("RUN-05")
def test_a_member_is_told_what_earlier_work_left_in_its_checkout(at_work):
    assert at_work["halved"] == "half"


@pytest.mark.requirement("RUN-04")
def test_the_first_member_of_the_documentation_does_its_task(tmp_path, doors):
    page = Path(__file__).parents[2] / "docs" / "explanation" / "members.md"
    [line] = [line for line in page.read_text().splitlines() if "scenario: any-task" in line]
    with team(tmp_path / "r", doors, f"  {line.strip()}\n") as found:
        found.run("task", "add", "Say hello")
        found.run("member", "start", "ada")
        until(completed(found))
        assert "T-1: one file" in found.git("log", "--format=%s", "drumline/merged")
