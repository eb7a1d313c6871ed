"""A whole plan put on the board by one command: `task add --from`."""

import json
import os

import pytest

from drumline import settings
from drumline.surfaces.cli.inside import MemberVerbs
from tests.surfaces.console import drumline, write
from tests.surfaces.test_board_cli import MANIFEST, refused, say

PLAN = """\
{"key": "parse", "title": "Write the parser", "files": ["src/parser/**"], "priority": 5}

{"key": "test", "title": "Test the parser", "blocked_by": ["parse", "T-1"]}
{"title": "Write it up", "body": "For people", "blocked_by": ["test"], "tracker": "GH-12"}
"""


@pytest.fixture
def at(repository):
    write(repository, ".claude/team.yaml", MANIFEST)
    return repository


def board(at) -> list[tuple[str, str]]:
    return [(task["id"], task["title"]) for task in say(at, "task", "list", "--json").json]


def test_a_plan_is_put_on_the_board_by_one_command(at):
    say(at, "task", "add", "first")
    write(at, "plan.jsonl", PLAN)
    answer = say(at, "task", "add", "--from", "plan.jsonl")
    assert answer.out == "T-2 to T-4  3 tasks added, in the order of their lines\n"
    assert say(at, "task", "list").out == (
        "T-1  pending             first\n"
        "T-2  pending      p5     Write the parser\n"
        "T-3  blocked (2)         Test the parser\n"
        "T-4  blocked (1)  GH-12  Write it up\n"
    )


@pytest.mark.requirement("SEE-06")
def test_the_answer_in_json_says_which_key_became_which_task(at):
    say(at, "task", "add", "first")
    found = drumline("task", "add", "--from", "-", "--json", at=at, stdin=PLAN.encode())
    assert found.json == {
        "tasks": ["T-2", "T-3", "T-4"],
        "keys": {"parse": "T-2", "test": "T-3"},
    }


def test_a_list_of_one_is_answered_by_its_name(at):
    answer = drumline("task", "add", "--from", "-", at=at, stdin=b'{"title": "alone"}')
    assert answer.out == "T-1  added  alone\n"


def test_a_plan_with_problems_is_refused_with_all_of_them_and_changes_nothing(at):
    say(at, "task", "add", "first")
    write(
        at,
        "plan.jsonl",
        '{"key": "a", "title": "a", "blocked_by": ["b"]}\n'
        '{"key": "b", "title": "b", "blocked_by": ["a", "T-9"]}\n'
        '{"titel": "c"}\n'
        "not JSON\n",
    )
    before = say(at, "events", "--json").json["events"]
    assert refused(at, "task", "add", "--from", "plan.jsonl") == (
        "refused: plan.jsonl has 5 problems: nothing was added\n"
        "why:     line 2: blocked_by: found 'a' → 'b' → 'a'; allowed: tasks that do not wait for each other\n"
        "         line 2: blocked_by: found T-9; allowed: a task of team atlas\n"
        "         line 3: titel: found an unknown field; allowed: key, title, body, blocked_by, priority, profile,"
        " files, outputs, tracker, needs (did you mean title?)\n"
        "         line 3: title: found nothing; allowed: one line of text, 1 to 200 characters\n"
        "         line 4: found Expecting value at character 1; allowed: JSON and nothing around it\n"
        "next:    mend the lines named above, and give the list whole again\n"
    )
    assert board(at) == [("T-1", "first")]
    assert say(at, "events", "--json").json["events"] == before


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"", "stdin is empty"),
        (b"\x7fELF\x00\xff\xfe", "1 problem"),
        (b'{"title": "a"}\n' * 10_001, "more than 10,000 tasks"),
        (b'{"title": "a", "body": "' + b"x" * 10_000_000, "more than 10,000,000 bytes"),
    ],
    ids=["nothing", "binary", "too many", "too long"],
)
def test_what_is_no_plan_is_refused(at, text, what):
    answer = drumline("task", "add", "--from", "-", at=at, stdin=text)
    assert answer.code == 1
    assert what in answer.err
    assert "next: " in answer.err
    assert board(at) == []


@pytest.mark.parametrize("name", ["nowhere.jsonl", ".claude", "pipe"])
def test_a_plan_that_is_no_file_is_refused_without_waiting_for_it(at, name):
    os.mkfifo(at / "pipe")
    words = refused(at, "task", "add", "--from", name)
    assert words.startswith(f"refused: {name} is ")
    assert "next:    name a file of JSON lines, or - for stdin" in words


@pytest.mark.parametrize(
    "words",
    [
        ["title", "--from", "plan.jsonl"],
        ["--from", "plan.jsonl", "--priority", "3"],
        ["--from", "plan.jsonl", "--blocked-by", "T-1"],
        ["--from", "plan.jsonl", "--body", "-"],
        [],
    ],
    ids=" ".join,
)
def test_one_task_and_many_are_not_asked_for_together(at, words):
    write(at, "plan.jsonl", PLAN)
    assert drumline("task", "add", *words, at=at).code == 2


@pytest.mark.requirement("SEE-06")
def test_a_refused_plan_is_refused_in_json_when_asked(at):
    answer = drumline("task", "add", "--from", "-", "--json", at=at, stdin=b"{}")
    assert answer.code == 1
    assert answer.json["error"] == "BadInput"
    assert answer.json["why"].startswith("line 1: title: ")


@pytest.mark.requirement("BOARD-05")
def test_a_teammate_that_may_not_add_a_task_may_not_add_a_plan(at, monkeypatch):
    write(at, ".claude/team.yaml", MANIFEST + "constitution: constitution-4\n")
    say(at, "task", "list")
    monkeypatch.setenv("DRUMLINE_MEMBER", "ada")
    answer = drumline("task", "add", "--from", "-", at=at, stdin=b'{"title": "a"}')
    assert answer.code == 1
    assert "may not create or edit tasks" in answer.err


@pytest.mark.requirement("BOARD-05")
def test_a_lead_that_runs_gives_its_plan_itself_and_has_no_file_opened(at):
    write(at, ".claude/team.yaml", MANIFEST + "lead: ada\n")
    write(at, "plan.jsonl", PLAN)
    say(at, "task", "add", "first")
    ada = MemberVerbs(settings.find(str(at)), "ada", 1)
    denied = ada.run(["task", "add", "--from", "plan.jsonl"])
    assert denied.code == 1
    assert "ada cannot have a file opened" in denied.err
    assert board(at) == [("T-1", "first")]
    assert ada.run(["task", "add", "--from", "-"], stdin=PLAN).out.startswith("T-2 to T-4  3 tasks")


@pytest.mark.requirement("SCALE-01")
def test_ten_thousand_tasks_are_added_at_once_and_the_store_is_clean(at):
    lines = (
        json.dumps(
            {"key": f"k{n}", "title": f"task {n}", "blocked_by": [f"k{n - 1}"] if n % 10 else []}
        )
        for n in range(10_000)
    )
    answer = drumline("task", "add", "--from", "-", at=at, stdin="\n".join(lines).encode())
    assert answer.out.startswith("T-1 to T-10000  10,000 tasks added")
    assert say(at, "store", "check").out.endswith(": clean\n")
