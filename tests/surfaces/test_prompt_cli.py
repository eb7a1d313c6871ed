"""Prompts as a person asks for them: exactly what a runtime would get, before anything is spent."""

import pytest

from tests.surfaces.console import drumline, write

MANIFEST = """\
team: atlas
description: A team to test with
settings: {context-window: 20000}
members:
  - {name: ada, role: Builds, tools: [Read, Write], owns: ["src/**"]}
  - {name: brook, role: Reviews, tools: [Read], owns: [], runtime: codex}
"""


@pytest.fixture
def at(repository):
    write(repository, ".claude/team.yaml", MANIFEST)
    return repository


def say(at, *words):
    answer = drumline(*words, at=at)
    assert answer.code == 0, answer.err
    return answer


def add(at, title="Write the parser", *options):
    return say(at, "task", "add", title, *options, "--json").json["id"]


@pytest.mark.requirement("RUN-01", "RUN-03", "BOARD-11")
def test_both_sides_are_shown_with_sizes_and_what_was_left_out(at):
    add(at, "Another")
    task = add(at, "Write the parser", "--body", "All of it.", "--tracker", "GH-7")
    out = say(at, "prompt", "show", task).out
    assert out.startswith("=== system prompt for ada: ")
    for words in (
        "\n# Team member ada\n",
        "\n## Team rules\n",
        "\n# Task T-2\n",
        "tracked as `GH-7`:\n\n> Write the parser\n>\n> All of it.\n",
        "  task    goal           The goal\n",
        "of 6,000 tokens, 30 % of the context window\n",
        "\n=== left out\n1 other task ",
    ):
        assert words in out
    assert "Another" not in out


@pytest.mark.requirement("RUN-03")
def test_one_section_or_side_is_printed_alone_exactly_as_a_runtime_gets_it(at):
    task = add(at)
    whole = say(at, "prompt", "show", task, "--json").json
    assert say(at, "prompt", "show", task, "--section", "task").out == whole["task_prompt"]
    assert say(at, "prompt", "show", task, "--section", "system").out == whole["system_prompt"]
    assert say(at, "prompt", "show", task, "--section", "goal").out == (
        "## The goal\n\nTask T-1:\n\n> Write the parser\n"
    )


def test_a_section_that_is_not_there_is_refused_with_those_that_are(at):
    answer = drumline("prompt", "show", add(at), "--section", "learnings", at=at)
    assert (answer.code, answer.out) == (1, "")
    assert "next:    one of: system, task, identity" in answer.err


@pytest.mark.requirement("RUN-03")
def test_it_is_for_the_member_named(at):
    task = add(at)
    found = say(at, "prompt", "show", task, "--member", "brook", "--json").json
    assert found["member"] == "brook"
    assert "You are brook" in found["system_prompt"]


@pytest.mark.requirement("RUN-03")
def test_a_dependent_task_without_a_plan_is_refused_and_the_way_out_works(at):
    add(at, "first")
    task = add(at, "second", "--blocked-by", "T-1")
    answer = drumline("prompt", "show", task, at=at)
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.splitlines()[0] == "refused: T-2 has no communication plan"
    say(at, "task", "note", task, "brief.await=brook")
    assert "of `brook` in your inbox" in say(at, "prompt", "show", task).out


@pytest.mark.requirement("CTX-06")
def test_a_brief_that_is_too_long_is_refused_with_what_to_cut_first(at):
    task = add(at, "long", "--body", "x" * 60_000)
    answer = drumline("prompt", "show", task, "--json", at=at)
    assert answer.code == 1
    assert answer.json["next"].startswith("cut 'The goal': move the long part")


def test_inside_a_members_processes_the_prompt_is_its_own(at, monkeypatch):
    task = add(at)
    monkeypatch.setenv("DRUMLINE_MEMBER", "brook")
    assert say(at, "prompt", "show", task, "--json").json["member"] == "brook"
    answer = drumline("prompt", "show", task, "--member", "ada", at=at)
    assert (answer.code, answer.out) == (1, "")


def test_looking_at_a_prompt_is_no_event(at):
    task = add(at)
    before = say(at, "events", "--json").out
    say(at, "prompt", "show", task)
    assert say(at, "events", "--json").out == before
