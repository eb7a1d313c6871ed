"""Requests as members and people type them: answers, refusals and exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.surfaces.console import Answer, drumline, write

pytestmark = pytest.mark.requirement("GUARD-17")

MANIFEST = """\
team: atlas
description: A team to test with
members:
  - {name: ada, role: Builds, tools: [Read, Write], owns: ["src/**"]}
  - {name: brook, role: Reviews, tools: [Read], owns: [], runtime: codex}
"""


@pytest.fixture
def at(repository):
    write(repository, ".claude/team.yaml", MANIFEST)
    return repository


@pytest.fixture
def as_member(monkeypatch):
    """Run a command inside a member's processes."""

    def run(name: str, at: Path, *words: str) -> Answer:
        with monkeypatch.context() as inside:
            inside.setenv("DRUMLINE_MEMBER", name)
            return drumline("request", *words, at=at)

    return run


def say(at: Path, *words: str) -> Answer:
    answer = drumline("request", *words, at=at)
    assert answer.code == 0, answer.err
    return answer


def refused(answer: Answer) -> str:
    assert (answer.code, answer.out) == (1, "")
    return answer.err


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["please close ticket 12"], "please close ticket 12"),
        (["--", "git", "push", "--force-with-lease"], "git push --force-with-lease"),
        (["--", "git", "commit", "-m", "it's two words"], "git commit -m 'it'\"'\"'s two words'"),
        (["--", "echo x > .run/state.json"], "echo x > .run/state.json"),
        (["git", "push"], "git push"),
    ],
)
def test_a_command_behind_dashes_is_quoted_and_a_single_text_is_kept(at, words, what):
    assert say(at, "add", "--json", *words).json["what"] == what


def test_a_long_request_is_read_from_stdin(at):
    done = subprocess.run(
        [sys.executable, "-m", "drumline", "request", "add", "-", "--json"],
        cwd=at,
        input="git push\ngit push --tags\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["what"] == "git push\ngit push --tags\n"


def test_a_member_files_and_a_person_carries_out(at, as_member):
    say(at, "list")  # a person's first word founds the team
    filed = as_member("ada", at, "add", "--constraint", "C-TEAM-004", "--", "echo", "pushed")
    assert filed.out == "R-1  filed  echo pushed\n"
    ran = say(at, "run", "R-1")
    assert ran.out == "R-1  done  echo pushed\n"
    assert ran.err == "R-1  from ada\n$ echo pushed\npushed\n"
    shown = say(at, "show", "R-1", "--json").json
    assert (shown["state"], shown["requester"], shown["constraint"]) == (
        "done",
        "ada",
        "C-TEAM-004",
    )
    assert shown["result"] == "exit 0 after 0 s\npushed"


def test_it_runs_at_the_repositorys_root(at):
    (at / "deep").mkdir()
    say(at, "add", "pwd -P")
    assert (
        str(at.resolve()) in drumline("request", "run", "--next", at=at / "deep").err.splitlines()
    )


def test_a_command_that_fails_exits_1_and_its_result_is_shown(at):
    say(at, "add", "echo red; exit 3")
    answer = drumline("request", "run", "--next", "--json", at=at)
    assert (answer.code, answer.json["state"], answer.json["exit_code"]) == (1, "failed", 3)
    assert answer.json["result"] == "exit 3 after 0 s\nred"
    assert answer.err.endswith("red\n")


def test_a_command_that_takes_too_long_is_stopped(at):
    say(at, "add", "echo begun; sleep 1000")
    answer = drumline("request", "run", "--next", "--timeout", "1", at=at)
    assert (answer.code, answer.out) == (1, "R-1  failed  echo begun; sleep 1000\n")
    assert "stopped because its time was over\n> begun" in say(at, "show", "R-1").out


def test_what_a_command_says_is_shown_without_what_moves_a_terminal(at):
    say(at, "add", r"printf '\033[2Jhidden\r\nTOKEN=ghp_%s\n' a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1")
    answer = say(at, "run", "--next", "--json")
    assert "\x1b" not in answer.err
    assert answer.json["result"] == "exit 0 after 0 s\nhidden\nTOKEN=[redacted]"


@pytest.mark.parametrize(
    "words",
    [
        ("run", "--next"),
        ("take", "R-1"),
        ("done", "R-1"),
        ("decline", "R-1", "no"),
        ("release", "R-1"),
    ],
    ids=lambda words: words[0],
)
def test_inside_a_teammates_processes_nothing_is_carried_out(at, as_member, words):
    say(at, "add", "touch made")
    assert refused(as_member("ada", at, *words)) == (
        "refused: ada may not carry out requests\n"
        "why:     what is asked of the lead is for the lead or a person\n"
        "next:    wait for mail about yours: drumline request list\n"
    )
    assert not (at / "made").exists()


def test_dropping_its_name_does_not_make_a_teammate_a_person(at):
    say(at, "add", "touch made")
    inner = f"env -u DRUMLINE_MEMBER {sys.executable} -m drumline request run R-1; :"
    done = subprocess.run(
        ["sh", "-c", inner],
        cwd=at,
        env={**os.environ, "DRUMLINE_MEMBER": "ada"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.startswith("refused: ada may not carry out requests\n")
    assert not (at / "made").exists()


def test_inside_the_leads_processes_requests_are_carried_out(at, as_member):
    write(at, ".claude/team.yaml", MANIFEST.replace("members:", "lead: ada\nmembers:"))
    say(at, "list")
    as_member("brook", at, "add", "echo pushed")
    ran = as_member("ada", at, "run", "--next", "--json")
    assert (ran.code, ran.json["by"], ran.json["state"]) == (0, "ada", "done")


def test_what_is_refused_to_everyone_is_not_run_for_being_asked(at):
    say(at, "add", "git push --force origin main")
    err = refused(drumline("request", "run", "R-1", at=at))
    assert err.startswith("refused: R-1 was not run: `git push --force origin main` [C-SAFE-003]\n")
    assert "next:    drumline request decline R-1 WHY\n" in err
    assert say(at, "show", "R-1", "--json").json["state"] == "filed"


def test_a_request_is_carried_out_by_hand(at):
    say(at, "add", "tidy the board")
    assert say(at, "take", "--next").out.startswith("R-1  taken (person:")
    assert say(at, "release", "R-1").out == "R-1  filed  tidy the board\n"
    say(at, "take", "R-1")
    assert say(at, "done", "R-1", "it is tidy").out == "R-1  done  tidy the board\n"
    assert say(at, "show", "R-1", "--json").json["result"] == "it is tidy"


def test_what_did_not_work_by_hand_is_said_too(at):
    say(at, "add", "tidy the board")
    say(at, "take", "R-1")
    assert say(at, "done", "R-1", "--failed", "no access", "--json").json["state"] == "failed"


def test_a_request_is_declined(at):
    say(at, "add", "drop the table")
    assert say(at, "decline", "R-1", "we need it").out == "R-1  declined  drop the table\n"


def test_what_waits_is_listed_and_all_when_asked(at, as_member):
    assert say(at, "list").out == "no request waits\n"
    as_member("ada", at, "add", "git push")
    as_member("brook", at, "add", "first line\nsecond")
    say(at, "decline", "R-1", "no")
    assert say(at, "list").out == "R-2  filed  brook  first line…\n"
    assert say(at, "list", "--all").out == (
        "R-1  declined  ada    git push\nR-2  filed     brook  first line…\n"
    )
    assert say(at, "list", "--all", "--most", "1").err == "more: the same with --after R-1\n"
    assert [each["id"] for each in say(at, "list", "--all", "--json").json] == ["R-1", "R-2"]


def test_while_one_is_taken_the_next_is_refused_with_a_way_out(at):
    say(at, "add", "first")
    say(at, "add", "second")
    say(at, "take", "R-1")
    err = refused(drumline("request", "run", "R-2", at=at))
    assert err.startswith("refused: R-1 is taken by person:")
    assert "drumline request release R-1" in err


@pytest.mark.parametrize(
    "words",
    [("take",), ("run",), ("take", "R-1", "--next"), ("add",), ("run", "R-1", "--timeout", "0")],
)
def test_wrong_usage_exits_2(at, words):
    assert drumline("request", *words, at=at).code == 2


def test_a_request_begun_before_says_so_when_it_is_run_again(at):
    say(at, "add", "true")
    say(at, "take", "R-1")
    say(at, "release", "R-1")
    assert "begun 2 times" in say(at, "run", "R-1").err
    assert "begun    2 times" in say(at, "show", "R-1").out


def test_a_reader_that_left_does_not_stop_the_command(at):
    say(at, "add", "yes | head -c 300000; touch made")
    line = f"{sys.executable} -m drumline request run R-1 2>&1 >/dev/null | head -n 1"
    subprocess.run(["sh", "-c", line], cwd=at, check=True, capture_output=True)
    assert (at / "made").exists()
    assert say(at, "show", "R-1", "--json").json["state"] == "done"
