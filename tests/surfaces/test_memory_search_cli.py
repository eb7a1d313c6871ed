"""Recall from the command line and as a tool: what is written down now is found, whoever wrote it."""

import json

import pytest

from drumline import settings
from drumline.surfaces.cli.mcp import MemberTools
from tests.surfaces.console import drumline, write

MANIFEST = """\
team: {team}
description: A team to test with
lead: human
members:
  - {{name: ada, role: Builds, tools: [Read, Write], owns: ["src/**"]}}
"""
LEARNINGS = "# Learnings: ada\n\n## Gotchas\n- {} (added: 2026-02-13)\n"
FILE = "memory/agents/ada/learnings.md"


@pytest.fixture
def at(repository):
    write(repository, ".claude/team.yaml", MANIFEST.format(team="atlas"))
    write(
        repository, FILE, LEARNINGS.format("TrustService needs bootstrap; password=hunter2hunter2x")
    )
    return repository


def search(at, *words):
    answer = drumline("memory", "search", *words, at=at)
    assert answer.code == 0, answer.err
    return answer.out


@pytest.mark.requirement("MEM-07")
def test_a_hit_tells_where_it_stands_and_shows_no_secret(at):
    assert search(at, "trust", "bootstrap").splitlines() == [
        f"learning  atlas  ada  2026-02-13  {FILE}:4",
        "    TrustService needs bootstrap; password=[redacted] (added: 2026-02-13)",
    ]


@pytest.mark.requirement("MEM-07", "MEM-08")
def test_a_hand_edit_is_found_by_the_very_next_search(at):
    search(at, "trust")
    write(at, FILE, LEARNINGS.format("FaithService needs none"))
    assert "FaithService" in search(at, "faith")
    assert search(at, "trust") == "nothing has trust\n"


@pytest.mark.requirement("MEM-07", "MEM-08")
def test_what_was_saved_into_a_version_that_a_verb_displaced_is_found_by_the_very_next_search(at):
    with (at / FILE).open("a") as editor:
        added = drumline("memory", "add", "A word of ours", "--member", "ada", at=at)
        assert added.code == 0, added.err
        editor.write("- FaithService needs none\n")
    assert "FaithService" not in (at / FILE).read_text()
    assert "FaithService" in search(at, "faith")
    assert "FaithService" in (at / FILE).read_text()


@pytest.mark.requirement("MEM-07")
def test_another_project_on_the_store_is_searched_too(at, tmp_path):
    other = tmp_path / "other"
    write(other, ".claude/team.yaml", MANIFEST.format(team="borea"))
    write(other, FILE, LEARNINGS.format("a bootstrap of their own"))
    store = f"--store=sqlite:///{tmp_path}/shared.db"
    search(other, "bootstrap", store)
    found = json.loads(search(at, "bootstrap", store, "--json"))["found"]
    assert {each["team"] for each in found} == {"atlas", "borea"}
    assert {each["place"].rpartition(":")[2] for each in found} == {str(at), str(other)}


@pytest.mark.requirement("MEM-07")
@pytest.mark.parametrize(
    "query", ["***", "", "\x00", "x" * 1_000_000], ids=["marks", "nothing", "NUL", "long"]
)
def test_what_has_no_word_to_look_for_is_refused_with_the_way_out(at, query):
    answer = drumline("memory", "search", query, at=at)
    assert (answer.code, answer.out) == (1, "")
    assert "next:" in answer.err


@pytest.mark.requirement("MEM-07", "SEE-04")
def test_a_member_finds_by_its_tool_what_a_person_finds(at):
    tools = MemberTools(settings.find(str(at)), "ada", 1)
    drumline("task", "add", "first", at=at)
    facts, is_error = tools.call("memory_search", {"words": "bootstrap"})
    assert not is_error
    assert facts == json.loads(search(at, "bootstrap", "--json"))


@pytest.mark.requirement("SEE-04", "MEM-02")
def test_a_member_writes_no_learning_by_a_tool(at):
    drumline("task", "add", "first", at=at)
    tools = MemberTools(settings.find(str(at)), "ada", 1)
    before = (at / FILE).read_text()
    facts, is_error = tools.call("memory_add", {"text": "trust me", "member": "ada"})
    assert is_error
    assert facts["next"]
    assert (at / FILE).read_text() == before
