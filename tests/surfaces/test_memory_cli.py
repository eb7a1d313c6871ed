"""Memory as a person keeps it: shown, added to, moved, archived, counted, and put in order."""

import os
import pty
import subprocess
import sys

import pytest

from tests.surfaces.console import drumline, tree, write

MANIFEST = """\
team: atlas
description: A team to test with
members:
  - {name: ada, role: Builds, tools: [Read, Write], owns: ["src/**"]}
  - {name: brook, role: Reviews, tools: [Read], owns: []}
"""
TABS = "The lexer chokes on tabs"
ADA, BROOK = (f"memory/agents/{name}/learnings.md" for name in ("ada", "brook"))


@pytest.fixture
def at(repository):
    write(repository, ".claude/team.yaml", MANIFEST)
    return repository


def say(at, *words):
    answer = drumline(*words, at=at)
    assert answer.code == 0, answer.err
    return answer


def add(at, text="The lexer chokes on tabs", member="ada", *more):
    words = ("memory", "add", text, "--member", member, "--category", "gotcha", *more, "--json")
    return say(at, *words).json["id"]


@pytest.mark.requirement("MEM-01", "MEM-04")
def test_a_learning_is_added_shown_and_counted(at):
    own = add(at)
    assert (
        say(at, "memory", "show", "ada").out == f"{own}  ada  Gotchas  The lexer chokes on tabs\n"
    )
    (row,) = say(at, "memory", "stats", "--json").json
    assert (row["id"], row["tier"], row["references"], row["last_used"]) == (own, "task", 0, None)
    assert say(at, "memory", "stats").out.startswith("    0 uses    0 runs  never  task")


@pytest.mark.requirement("MEM-08")
@pytest.mark.parametrize(
    "words",
    [
        ("memory", "add", "More", "--member", "ada"),
        ("memory", "decide", "REST it is"),
        ("memory", "move", "{}", "--category", "preference"),
        ("memory", "move", "{}", "--to", "brook"),
        ("memory", "archive", "{}", "--why", "old"),
        ("retro",),
    ],
    ids=" ".join,
)
def test_a_dry_run_shows_the_diff_and_writes_nothing(at, words):
    own = add(at)
    before = tree(at)
    answer = say(at, *(word.format(own) for word in words), "--dry-run", "--json").json
    assert answer["dry_run"] is True
    assert words == ("retro",) or "\n+" in answer["diff"]
    assert tree(at) == before


def test_a_learning_moves_as_it_is_written_and_its_archive_says_why(at):
    own = add(at)
    line = (at / ADA).read_text().splitlines()[5]
    say(at, "memory", "move", own, "--to", "brook")
    assert line in (at / BROOK).read_text().splitlines()
    assert line not in (at / ADA).read_text()
    say(at, "memory", "archive", own, "--why", "it was mended")
    assert f"{line} (archived: " in (at / "memory/agents/brook/archive.md").read_text()
    assert ", why: it was mended)" in (at / "memory/agents/brook/archive.md").read_text()


@pytest.mark.requirement("MEM-05")
def test_a_decision_has_its_day_and_author(at):
    say(at, "memory", "decide", "REST over GraphQL", "--by", "architect")
    say(at, "memory", "decide", "ISO 8601", "--section", "Conventions", "--by", "ada")
    text = (at / "memory/team/decisions.md").read_text()
    assert "## Architecture\n- REST over GraphQL (decided: " in text
    assert ", by: architect)\n\n## Conventions\n- ISO 8601 (decided: " in text
    found = say(at, "memory", "show", "decisions", "--json").json
    assert [(each["text"], each["by"]) for each in found] == [
        ("REST over GraphQL", "architect"),
        ("ISO 8601", "ada"),
    ]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        pytest.param(("add", "x", "--member", "dora"), "no member 'dora'", id="nobody"),
        pytest.param(("add", "x", "--member", "human"), "members: ada, brook", id="a person"),
        pytest.param(("add", "x" * 501, "--member", "ada"), "the cap is 500", id="too long"),
        pytest.param(("add", "a\x07b", "--member", "ada"), "the control character", id="controls"),
        pytest.param(("add", "a\nb", "--member", "ada"), "more than one line", id="lines"),
        pytest.param(
            ("add", "the LEXER chokes on tabs.", "--member", "ada"), "knows that", id="known"
        ),
        pytest.param(("archive", "L-none", "--why", "x"), "no learning 'L-none'", id="no such id"),
        pytest.param(("decide", "x", "--by", "Mr X"), "is not a name", id="no name"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_the_reason(at, words, says):
    add(at)
    before = tree(at)
    answer = drumline("memory", *words, at=at)
    assert answer.code == 1
    assert says in answer.err
    assert tree(at) == before


@pytest.mark.requirement("MEM-08")
def test_a_read_only_file_is_refused_with_why_and_what_next(at):
    add(at)
    (at / ADA).chmod(0o444)
    answer = drumline("memory", "add", "More", "--member", "ada", at=at)
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.splitlines() == [
        f"refused: {at / ADA} is not written",
        "why:     it is read-only",
        f"next:    chmod u+w {at / ADA}, then do this again",
    ]
    assert "The lexer chokes" in say(at, "memory", "show", "ada").out


@pytest.mark.requirement("MEM-08")
def test_a_hand_edit_is_kept_whatever_a_verb_does(at):
    by_hand = "\ufeff# Mine\r\n\r\nwords\r\n## Odd\r\n- one\r\n  two\r\n## Gotchas\r\n* three"
    (at / ADA).parent.mkdir(parents=True)
    (at / ADA).write_bytes(by_hand.encode())
    add(at)
    after = (at / ADA).read_bytes().decode()
    assert after.startswith(by_hand + "\r\n- The lexer chokes on tabs (added: ")
    assert not after.endswith("\n")


@pytest.mark.requirement("MEM-03")
def test_a_retrospective_needs_a_word_for_merges_and_does_the_rest(at):
    add(at, "run the parser tests with a fixed seed on Linux")
    add(at, "run the parser tests with a fixed seed on Windows")
    before = tree(at)
    refused = drumline("retro", at=at)
    assert (refused.code, tree(at)) == (1, before)
    assert "need a word" in refused.err
    done = say(at, "retro", "--yes", "--json").json
    assert [step["deed"] for step in done["steps"]] == ["merge"]
    assert "ada merge L-" in (at / "memory/team/retro-history.md").read_text()
    assert say(at, "retro").out == "nothing to do\n"
    assert drumline("retro", "--yes", "--dry-run", at=at).code == 2


@pytest.mark.requirement("MEM-03")
def test_what_needs_nobody_is_done_where_nobody_can_be_asked(at):
    alike = ("run the parser tests with a fixed seed on Linux", "run the parser tests with a seed")
    lines = "\n".join(f"- {words}" for words in alike)
    write(at, ADA, f"## Gotchas\n- long ago (added: 2020-01-01)\n{lines}\n")
    done = say(at, "retro", "--json").json
    assert [step["text"] for step in done["steps"]] == ["long ago"]
    assert [key.split("/")[0] for key in done["needs_a_word"]] == ["merge"]
    assert (at / ADA).read_text() == f"## Gotchas\n{lines}\n"


@pytest.mark.requirement("MEM-03")
def test_a_person_confirms_what_was_shown_and_nothing_that_came_since(at):
    words = "run the parser tests with a fixed seed on"
    alike = f"## Gotchas\n- {words} Linux\n- {words} Windows\n"
    write(at, ADA, alike)
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "drumline", "retro"],
        cwd=at,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as person:
        shown = b""
        while not shown.endswith(b"[y/N]: ") and (letter := person.stderr.read(1)):
            shown += letter
        write(at, BROOK, alike)
        os.write(ours, b"y\n")
        assert person.wait() == 0
    os.close(ours)
    os.close(theirs)
    assert len((at / ADA).read_text().splitlines()) == 2
    assert (at / BROOK).read_text() == alike


@pytest.mark.requirement("MEM-02")
@pytest.mark.parametrize("words", [("archive", "--why", "old"), ("move", "--category", "gotcha")])
def test_where_several_have_a_learning_one_must_be_named(at, words):
    own = add(at, TABS, "ada")
    add(at, TABS, "brook")
    verb, *more = words
    refused = drumline("memory", verb, own, *more, at=at)
    assert (refused.code, "of ada, brook" in refused.err) == (1, True)
    assert (
        say(at, "memory", verb, own, *more, "--member", "brook", "--json").json["member"] == "brook"
    )
    assert TABS in (at / ADA).read_text()


@pytest.mark.requirement("MEM-03")
def test_no_agent_can_be_asked_where_a_person_leads(at):
    add(at)
    answer = drumline("retro", "--ask-lead", at=at)
    assert answer.code == 1
    assert "a person leads this team" in answer.err
