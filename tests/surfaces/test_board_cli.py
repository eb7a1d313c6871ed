"""The board and mail as a person types them: answers, refusals and exit codes."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from drumline.store.queries import newest_migration
from tests.surfaces.console import Answer, drumline, write

NEWEST = newest_migration("sqlite")
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


def say(at: Path, *words: str) -> Answer:
    answer = drumline(*words, at=at)
    assert answer.code == 0, answer.err
    return answer


def refused(at: Path, *words: str) -> str:
    answer = drumline(*words, at=at)
    assert (answer.code, answer.out) == (1, "")
    return answer.err


@pytest.mark.requirement("SEE-06")
def test_the_next_task_is_one_json_object_with_id_and_fence(at):
    say(at, "task", "add", "Write the parser")
    found = say(at, "task", "claim", "--next", "--member", "ada", "--json").json
    assert (found["id"], found["fence"], found["owner"]) == ("T-1", 1, "ada")


@pytest.mark.requirement("SEE-06")
def test_claiming_exits_1_when_nothing_is_ready(at):
    answer = drumline("task", "claim", "--next", "--member", "ada", "--json", at=at)
    assert answer.code == 1
    assert answer.json["error"] == "NothingReady"


def test_a_refusal_says_what_why_and_next_on_stderr(at):
    say(at, "task", "add", "first")
    say(at, "task", "add", "second", "--blocked-by", "T-1")
    assert refused(at, "task", "claim", "T-2", "--member", "ada") == (
        "refused: T-2 is blocked by T-1 (pending)\nnext:    drumline task ready\n"
    )


def test_the_board_is_listed_one_task_a_line(at):
    say(at, "task", "add", "first", "--priority", "3", "--tracker", "GH-12")
    say(at, "task", "add", "second", "--blocked-by", "T-1")
    say(at, "task", "claim", "T-1", "--member", "ada")
    assert say(at, "task", "list").out == (
        "T-1  in_progress (ada)  p3 GH-12  first\nT-2  blocked (1)                  second\n"
    )


@pytest.mark.requirement("BOARD-11")
def test_a_tracker_reference_appears_wherever_the_task_does(at):
    say(at, "task", "add", "first", "--tracker", "GH-12")
    assert "GH-12" in say(at, "task", "list").out
    assert "GH-12" in say(at, "task", "show", "T-1").out
    assert say(at, "task", "list", "--json").json[0]["tracker"] == "GH-12"
    say(at, "task", "claim", "T-1", "--member", "ada")
    assert "GH-12" in say(at, "status").out


def test_a_claim_by_hand_is_finished_without_its_number(at):
    say(at, "task", "add", "first")
    say(at, "task", "claim", "T-1", "--member", "ada")
    assert say(at, "task", "done", "T-1").out == "T-1  completed  first\n"


def test_a_stale_fence_is_refused(at):
    say(at, "task", "add", "first")
    say(at, "task", "claim", "T-1", "--member", "ada")
    assert "fence 7 is stale" in refused(at, "task", "done", "T-1", "--fence", "7")


def test_every_move_has_its_command(at):
    for n in range(4):
        say(at, "task", "add", f"task {n}")
        say(at, "task", "claim", f"T-{n + 1}", "--member", "ada")
    say(at, "task", "renew", "T-1", "--lease", "1h")
    say(at, "task", "release", "T-1")
    say(at, "task", "fail", "T-2", "--why", "the build is red")
    say(at, "task", "cancel", "T-3", "--why", "not needed")
    say(at, "task", "done", "T-4")
    say(at, "task", "reopen", "T-2")
    states = [task["state"] for task in say(at, "task", "list", "--json").json]
    assert states == ["pending", "pending", "cancelled", "completed"]


def test_waits_are_added_and_taken_back(at):
    say(at, "task", "add", "first")
    say(at, "task", "add", "second")
    say(at, "task", "block", "T-2", "--on", "T-1")
    assert say(at, "task", "list", "--waves").out == "wave 1  T-1\nwave 2  T-2\n"
    say(at, "task", "unblock", "T-2", "--on", "T-1")
    assert [task["id"] for task in say(at, "task", "ready", "--json").json] == ["T-1", "T-2"]


def test_fields_are_noted_and_shown(at):
    say(at, "task", "add", "first", "--body", "all the words")
    say(at, "task", "note", "T-1", "signals.p1=PASS", "count=3")
    found = say(at, "task", "show", "T-1", "--json").json
    assert found["metadata"] == {"signals.p1": "PASS", "count": 3}
    assert "all the words" in say(at, "task", "show", "T-1").out


def test_a_task_is_edited(at):
    say(at, "task", "add", "frist")
    found = say(at, "task", "edit", "T-1", "--title", "first", "--files", "src/**", "--json").json
    assert (found["title"], found["files"]) == ("first", ["src/**"])
    assert say(at, "task", "edit", "T-1", "--no-files", "--json").json["files"] == []
    assert "nothing to change" in refused(at, "task", "edit", "T-1")


def test_mail_goes_there_and_is_acknowledged(at):
    assert say(at, "mail", "send", "--from", "ada", "--to", "brook", "look here").out == (
        "M-1  sent to brook\n"
    )
    assert say(at, "mail", "inbox", "brook").out == "M-1  ada  note  sent  look here\n"
    assert "look here" in say(at, "mail", "read", "M-1").out
    say(at, "mail", "ack", "M-1")
    assert say(at, "mail", "inbox", "brook").out == "no mail for brook\n"
    assert say(at, "mail", "inbox", "brook", "--all", "--json").json[0]["state"] == "acked"


def test_a_mistyped_recipient_is_told_whom_it_meant(at):
    words = refused(at, "mail", "send", "--from", "ada", "--to", "brok", "hello")
    assert "no member 'brok'" in words
    assert "did you mean brook?" in words


@pytest.mark.requirement("MAIL-09")
def test_inside_a_members_processes_its_name_is_fixed(at, monkeypatch):
    say(at, "task", "add", "first")
    monkeypatch.setenv("DRUMLINE_MEMBER", "ada")
    assert "cannot speak for brook" in refused(
        at, "mail", "send", "--from", "brook", "--to", "lead", "hello"
    )
    assert "cannot speak for brook" in refused(at, "task", "claim", "--next", "--member", "brook")
    assert say(at, "task", "claim", "--next", "--json").json["owner"] == "ada"
    assert say(at, "mail", "send", "--to", "lead", "hi", "--json").json["from"] == "ada"


@pytest.mark.requirement("BOARD-03")
def test_a_members_word_needs_the_number_of_its_claim(at, monkeypatch):
    say(at, "task", "add", "first")
    monkeypatch.setenv("DRUMLINE_MEMBER", "ada")
    say(at, "task", "claim", "--next")
    assert "which claim on T-1?" in refused(at, "task", "done", "T-1")
    say(at, "task", "done", "T-1", "--fence", "1")


@pytest.mark.requirement("BOARD-03")
def test_an_older_life_cannot_claim(at, monkeypatch):
    say(at, "task", "add", "first")
    monkeypatch.setenv("DRUMLINE_MEMBER", "ada")
    monkeypatch.setenv("DRUMLINE_INCARNATION", "0")
    assert "ada is in life 1, this is life 0" in refused(at, "task", "claim", "--next")


@pytest.mark.requirement("MAIL-01")
def test_an_operator_who_looks_does_not_read_for_the_member(at):
    say(at, "mail", "send", "--from", "ada", "--to", "brook", "look")
    assert say(at, "mail", "read", "M-1", "--json").json["state"] == "sent"
    assert say(at, "mail", "read", "M-1", "--member", "brook", "--json").json["state"] == "read"


@pytest.mark.requirement("BOARD-05")
def test_a_teammate_cannot_add_tasks(at, monkeypatch):
    say(at, "task", "add", "first")
    monkeypatch.setenv("DRUMLINE_MEMBER", "ada")
    assert "ada may not create or edit tasks" in refused(at, "task", "add", "mine")


@pytest.mark.requirement("BOARD-05")
def test_under_constitution_4_a_teammate_cannot_claim(at, monkeypatch):
    write(at, ".claude/team.yaml", MANIFEST + "constitution: constitution-4\n")
    say(at, "task", "add", "first")
    monkeypatch.setenv("DRUMLINE_MEMBER", "ada")
    assert "ada may not claim a task" in refused(at, "task", "claim", "--next")


@pytest.mark.requirement("SEE-01")
def test_status_is_one_screen_that_answers_who_does_what(at):
    say(at, "task", "add", "first")
    say(at, "task", "add", "second", "--blocked-by", "T-1")
    say(at, "task", "claim", "T-1", "--member", "ada")
    say(at, "mail", "send", "--from", "ada", "--to", "brook", "look")
    lines = say(at, "status").out.splitlines()
    assert lines[0] == "atlas   0/2 tasks done   0 ready   1 blocked"
    assert lines[1].split() == ["human", "human", "leads"]
    assert lines[2].split()[:4] == ["ada", "claude", "T-1", "in_progress"]
    assert lines[3].split() == ["brook", "codex", "idle", "1", "waiting"]
    assert lines[4].startswith("last     mail.sent M-1 by ada by person:")


@pytest.mark.requirement("SEE-01")
def test_status_shows_what_is_stuck_with_the_way_out(at):
    say(at, "task", "add", "first")
    say(at, "task", "add", "second", "--blocked-by", "T-1")
    say(at, "task", "cancel", "T-1")
    assert "stuck    T-2 waits for work that failed or was cancelled" in say(at, "status").out


def test_events_are_read_from_a_place(at):
    say(at, "task", "add", "first")
    first = say(at, "events", "--json").json
    say(at, "task", "add", "second")
    later = say(at, "events", "--after", first["cursor"], "--json").json
    assert [(event["verb"], event["subject"]) for event in later["events"]] == [
        ("task.added", "T-2")
    ]


def test_following_events_shows_what_happens_next(at):
    say(at, "task", "add", "first")
    follower = subprocess.Popen(
        [sys.executable, "-m", "drumline", "events", "--follow", "--json"],
        cwd=at,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert follower.stdout
    heard = [json.loads(follower.stdout.readline())["verb"] for _ in range(2)]
    say(at, "task", "add", "second")
    heard.append(json.loads(follower.stdout.readline())["subject"])
    follower.terminate()
    follower.wait()
    follower.stdout.close()
    assert heard == ["team.founded", "task.added", "T-2"]


@pytest.mark.requirement("SCALE-01")
def test_the_store_is_migrated_checked_and_copied(at):
    say(at, "task", "add", "first")
    assert say(at, "store", "migrate").out == f"schema {NEWEST}: nothing to do\n"
    assert say(at, "store", "check").out == f"schema {NEWEST}: clean\n"
    say(at, "store", "backup", "copy.db")
    assert "exists" in refused(at, "store", "backup", "copy.db")
    say(at, "store", "restore", "copy.db", "--store", "sqlite:///fresh.db")
    assert say(at, "store", "check", "--store", "sqlite:///fresh.db", "--json").json["ok"]


@pytest.mark.requirement("SCALE-01")
@pytest.mark.parametrize(
    "url", ["mysql://x", "state.db", "sqlite://", "postgresql://127.0.0.1:1/x"]
)
def test_a_store_that_cannot_be_opened_is_refused(at, url):
    words = refused(at, "status", "--store", url)
    assert words.startswith("refused: ")
    assert "next: " in words


@pytest.mark.requirement("SCALE-01")
def test_a_file_that_is_no_store_is_refused_and_left_alone(at):
    other = write(at, "notes.txt", "not a database, " * 100)
    assert "cannot be used" in refused(at, "status", "--store", f"sqlite:///{other}")
    assert other.read_text() == "not a database, " * 100
    assert [path.name for path in at.glob("notes*")] == ["notes.txt"]


@pytest.mark.parametrize(
    "words",
    [
        ["task", "add", "bad\x01"],
        ["task", "add", "x" * 201],
        ["task", "add", "bad \udcff"],
        ["task", "show", "12"],
        ["task", "show", "T-0"],
        ["task", "show", "T-99999999999999999999"],
        ["task", "show", "T-77"],
        ["task", "claim", "T-1", "--member", "nobody"],
        ["task", "claim", "--next", "--member", "ada", "--lease", "8d"],
        ["task", "claim", "--next", "--member", "ada", "--lease", "0s"],
        ["task", "add", "x", "--files", "../up"],
        ["task", "add", "x", "--files", "src/{a,b}.py"],
        ["task", "add", "x", "--files", "!src/a.py"],
        ["task", "add", "x", "--files", " src/a.py"],
        ["task", "add", "x", "--files", "."],
        ["task", "add", "x", "--files", "*a" * 13],
        ["task", "claim", "--next", "--member", "a\udcff"],
        ["task", "list", "--owner", "a\udcff"],
        ["mail", "send", "--from", "ada", "--to", "b\udcff", "hello"],
        ["task", "add", "x", "--priority", "99999"],
        ["task", "note", "T-1", "nothing"],
        ["mail", "send", "--from", "ada", "--to", "*", "hello"],
        ["mail", "send", "--from", "ada", "--to", "brook", ""],
        ["mail", "send", "--from", "nobody", "--to", "brook", "hello"],
        ["mail", "send", "--from", "ada", "--to", "brook", "x" * 10_001],
        ["mail", "read", "M-5"],
        ["events", "--after", "yesterday"],
    ],
    ids=lambda words: " ".join(word[:20] for word in words).encode("ascii", "replace").decode(),
)
def test_bad_words_are_refused_with_a_way_out_and_change_nothing(at, words):
    before = say(at, "events", "--json").json["events"]
    answer = drumline(*words, at=at)
    assert answer.code == 1
    assert answer.err.startswith("refused: ")
    assert "next: " in answer.err
    after = say(at, "events", "--json").json["events"]
    assert [event["verb"] for event in after[len(before) :]] in ([], ["mail.refused"])


@pytest.mark.parametrize(
    "words",
    [["task", "claim"], ["task", "fly"], ["mail", "send", "x"], ["task", "add"], ["nonsense"]],
    ids=" ".join,
)
def test_wrong_usage_exits_2(at, words):
    assert drumline(*words, at=at).code == 2


def test_outside_a_team_the_way_in_is_named(tmp_path):
    words = refused(tmp_path, "status")
    assert "no team here" in words
    assert "next:    drumline init" in words


@pytest.mark.requirement("BOARD-08")
def test_a_second_repository_shares_a_board_only_when_it_joins(at, tmp_path):
    url = f"sqlite:///{tmp_path / 'shared.db'}"
    say(at, "task", "add", "first", "--store", url)
    other = tmp_path / "other"
    other.mkdir()
    write(other, "team.yaml", MANIFEST)
    assert "atlas is on this store already" in refused(other, "task", "list", "--store", url)
    say(other, "init", "--yes", "--join", "--store", url)
    assert "first" in say(other, "task", "list", "--store", url).out


@pytest.mark.requirement("TEAM-06")
def test_a_changed_manifest_is_taken_over_at_the_next_command(at):
    say(at, "task", "add", "first")
    say(at, "task", "claim", "T-1", "--member", "brook")
    write(at, ".claude/team.yaml", MANIFEST.replace("brook", "bea"))
    assert team_of(at) == ["human", "ada", "brook"]  # who only looks changes nothing
    say(at, "task", "add", "second")
    assert team_of(at) == ["human", "ada", "bea"]
    assert [task["state"] for task in say(at, "task", "list", "--json").json] == ["pending"] * 2


def team_of(at):
    return [member["name"] for member in say(at, "status", "--json").json["members"]]


@pytest.mark.requirement("BOARD-08")
def test_a_repository_that_moves_keeps_its_board(at, tmp_path):
    say(at, "task", "add", "first")
    moved = at.rename(tmp_path / "moved")
    assert "first" in say(moved, "task", "list").out


@pytest.mark.requirement("TEAM-02")
def test_a_bad_manifest_makes_no_store(at):
    write(at, ".claude/team.yaml", MANIFEST.replace("team: atlas", "team: -"))
    assert "1 problem" in refused(at, "task", "list")
    assert not (at / ".drumline").exists()


@pytest.mark.requirement("SCALE-01")
@pytest.mark.parametrize("words", [["check"], ["backup", "copy.db"]], ids=" ".join)
def test_a_mistyped_store_is_not_made(at, words):
    assert "no store at typo.db" in refused(at, "store", *words, "--store", "sqlite:///typo.db")
    assert not (at / "typo.db").exists()


def tear(path: Path, table: str) -> None:
    """Spoil the page a table begins on, and leave the schema readable."""
    with closing(sqlite3.connect(path)) as link:
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (page,) = link.execute(query, (table,)).fetchone()
        (size,) = link.execute("PRAGMA page_size").fetchone()
    whole = path.read_bytes()
    path.write_bytes(whole[: (page - 1) * size] + b"\xff" * size + whole[page * size :])


@pytest.mark.requirement("SCALE-01")
def test_a_corrupt_store_is_told_as_it_is(at):
    say(at, "task", "add", "first")
    say(at, "store", "backup", "copy.db")
    tear(at / "copy.db", "tasks")
    words = refused(at, "store", "check", "--store", "sqlite:///copy.db")
    assert "problem" in words
    assert "store check" not in words.partition("next:")[2]


@pytest.mark.requirement("MAIL-09")
def test_a_person_speaks_as_the_lead_only_when_asked_to(at):
    write(at, ".claude/team.yaml", MANIFEST + "lead: brook\n")
    told = refused(at, "mail", "send", "--to", "ada", "[APPROVED] Proceed.")
    assert "brook leads this team, no person" in told
    assert "name the sender with --from" in told
    assert "drumline mail inbox NAME" in refused(at, "mail", "inbox")
    sent = say(
        at, "mail", "send", "--from", "brook", "--to", "ada", "[APPROVED] Proceed.", "--json"
    )
    assert sent.json["from"] == "brook"


@pytest.mark.requirement("SEE-06")
def test_every_command_answers_in_json_when_asked():
    import click  # noqa: PLC0415 - only this test walks the commands

    from drumline.surfaces.cli.main import NOUNS, root  # noqa: PLC0415

    def leaves(command, words):
        if isinstance(command, click.Group):
            for name in command.list_commands(click.Context(command)):
                yield from leaves(command.get_command(click.Context(command), name), [*words, name])
        else:
            yield words, command

    context = click.Context(root)
    found = [leaf for noun in NOUNS for leaf in leaves(root.get_command(context, noun), [noun])]
    assert len(found) > 20
    lacking = [words for words, leaf in found if not any("--json" in p.opts for p in leaf.params)]
    assert lacking == []


@pytest.mark.requirement("BOARD-08")
def test_the_trees_of_a_repository_share_one_board(at, tmp_path):
    for words in (
        ["add", "-A"],
        ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "team"],
        ["worktree", "add", "-q", str(tmp_path / "tree"), "-b", "side"],
    ):
        subprocess.run(["git", "-C", str(at), *words], check=True, capture_output=True)
    say(at, "task", "add", "first")
    assert "first" in say(tmp_path / "tree", "task", "list").out
    say(tmp_path / "tree", "task", "claim", "T-1", "--member", "ada")
    assert "T-1 in_progress" in say(at, "status").out


@pytest.mark.requirement("SEE-01", "RUN-05")
def test_status_tells_what_the_user_has_and_the_team_has_not_and_how_to_share_it(at):
    def git(*words):
        who = ["-c", "user.name=t", "-c", "user.email=t@t"]
        subprocess.run(["git", "-C", str(at), *who, *words], check=True, capture_output=True)

    git("add", "-A")
    git("commit", "-qm", "team")
    git("branch", "drumline/merged")
    assert "yours" not in say(at, "status").out
    git("commit", "-q", "--allow-empty", "-m", "the user's own")
    [told] = [line for line in say(at, "status").out.splitlines() if line.startswith("yours")]
    what, _, way = told.partition(": ")
    assert what == "yours    1 commit is not in the team's branch"
    subprocess.run(["sh", "-c", way], cwd=at, check=True, capture_output=True)
    assert say(at, "status", "--json").json["unshared_commits"] == 0
    git("switch", "-q", "drumline/merged")
    git("commit", "-q", "--allow-empty", "-m", "a member's")
    git("switch", "-q", "-")
    git("merge", "-q", "--no-ff", "-m", "run-1: delivered", "drumline/merged")
    assert "yours" not in say(at, "status").out, "of a delivered run the team has all"


@pytest.mark.requirement("SCALE-01")
def test_a_team_that_moves_to_another_store_is_still_itself(at):
    say(at, "task", "add", "first")
    say(at, "store", "backup", "copy.db")
    url = f"sqlite:///{at / 'new.db'}"
    say(at, "store", "restore", "copy.db", "--store", url)
    assert "first" in say(at, "task", "list", "--store", url).out
    say(at, "task", "add", "second", "--store", url)


@pytest.mark.requirement("TEAM-06")
def test_a_store_that_cannot_be_used_keeps_init_from_writing(repository):
    assert "not a kind of store" in refused(repository, "init", "--yes", "--store", "bogus://x")
    assert [path.name for path in repository.iterdir()] == [".git"]


@pytest.mark.parametrize(
    ("given", "kept"),
    [("1234e56", "1234e56"), ("1.10", "1.10"), ("12", 12), ("true", True), ('["a"]', ["a"])],
)
def test_a_noted_value_is_what_was_typed(at, given, kept):
    say(at, "task", "add", "first")
    assert say(at, "task", "note", "T-1", f"field={given}", "--json").json == {"field": kept}


def test_agents_text_cannot_forge_a_line_of_the_screen(at):
    say(at, "task", "add", "first")
    say(at, "task", "note", "T-1", "z=l\nowner     conductor")
    lines = say(at, "task", "show", "T-1").out.splitlines()
    assert not any(line.startswith("owner") for line in lines)


def test_what_cannot_be_claimed_now_is_not_shown_as_ready(at):
    say(at, "task", "add", "first", "--files", "src")
    say(at, "task", "add", "second", "--files", "src/a.py")
    say(at, "task", "claim", "T-1", "--member", "ada")
    assert say(at, "task", "ready").out == "nothing is ready\n"


def test_following_ends_when_nobody_reads(at):
    say(at, "task", "add", "first")
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m drumline events --follow | head -1"],
        cwd=at,
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
    )
    assert "team.founded" in done.stdout


@pytest.mark.parametrize(
    ("redirect", "code"), [(">/dev/full", 1), ("| head -0", 0)], ids=["full disk", "no reader"]
)
def test_an_answer_that_cannot_be_written_is_no_traceback(at, redirect, code):
    for n in range(3):
        say(at, "task", "add", f"task {n}")
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{sys.executable} -m drumline task list {redirect}"],
        cwd=at,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_a_terminal_that_cannot_show_a_letter_spells_it(at):
    say(at, "task", "add", "größer 漢字")
    done = subprocess.run(
        [sys.executable, "-m", "drumline", "task", "list"],
        cwd=at,
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
    )
    assert b"gr\xf6\xdfer \\u6f22" in done.stdout
