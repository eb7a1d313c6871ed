"""Members that join and leave from the command line: what changes, what is handed on, and what is refused."""

import subprocess

import pytest

from drumline import settings
from drumline.runtimes import checkout
from drumline.wiring import open_store
from tests.surfaces.console import drumline, tree, write

MANIFEST = """\
team: atlas
description: A team to test with  # a comment
lead: human
members:
  - name: ada  # the first
    role: Builds the cache
    profile: implementer
    tools: [Read, Write]
    owns: ["src/cache/**"]

  - {name: brook, role: Reviews words, tools: [Read], owns: ["docs/**"]}
"""
NOTES = (
    "# Learnings: {}\n\n## Gotchas\n- {} was cold (added: 2026-02-13)\n\n## Cross-Agent Notes\n{}"
)
NOTE = "- (from cleo) docs/index needs a title (added: 2026-02-13)\n"
DOT = ("dot", "--role", "Warms it", "--profile", "implementer", "--owns", "src/cache/hot/**")


@pytest.fixture
def at(repository):
    write(repository, ".claude/team.yaml", MANIFEST)
    write(repository, "memory/agents/ada/learnings.md", NOTES.format("ada", "the cache", NOTE))
    write(repository, "memory/agents/brook/learnings.md", NOTES.format("brook", "the index", ""))
    say(repository, "task", "add", "first")
    return repository


def say(at, *words):
    answer = drumline(*words, at=at)
    assert answer.code == 0, answer.err
    return answer.out


def refused(at, *words):
    answer = drumline(*words, at=at)
    assert (answer.code, answer.out) == (1, "")
    assert "next:" in answer.err
    return answer.err


def members(at):
    return [each["name"] for each in drumline("status", "--json", at=at).json["members"]]


def manifest(at):
    return (at / ".claude/team.yaml").read_text()


def used(at, learning="cold"):
    """Have a learning of ada count as used, as a task's reflection would."""
    found = drumline("memory", "search", learning, "--member", "ada", "--json", at=at).json["found"]
    store = open_store(settings.find(str(at)))

    def cite(tx):
        tx.citations.add(found[0]["id"], "ada", None, "run-1", "cited")
        tx.record("ada", "memory.used", found[0]["id"])

    store.do(cite)
    store.close()


@pytest.mark.requirement("TEAM-08")
def test_a_new_member_is_on_the_board_at_once_and_the_rest_of_the_file_stays(at):
    say(at, "team", "add", *DOT)
    assert manifest(at).startswith(MANIFEST)
    assert "dot" in members(at)
    say(at, "task", "claim", "T-1", "--member", "dot")


@pytest.mark.requirement("TEAM-08", "MEM-02")
def test_a_new_member_is_given_what_related_members_used(at):
    used(at)
    told = say(at, "team", "add", *DOT)
    assert "to dot" in told
    learnt = (at / "memory/agents/dot/learnings.md").read_text()
    assert "- (from ada) the cache was cold" in learnt
    assert "the index" not in learnt


@pytest.mark.requirement("TEAM-08")
@pytest.mark.parametrize("words", [("add", *DOT), ("remove", "ada")], ids=["add", "remove"])
def test_a_dry_run_shows_the_diff_and_changes_nothing(at, words):
    before = tree(at)
    told = say(at, "team", *words, "--dry-run")
    assert "+++ b/.claude/team.yaml" in told
    assert tree(at) == before
    assert sorted(members(at)) == ["ada", "brook", "human"]


@pytest.mark.requirement("TEAM-08", "MEM-02")
def test_who_leaves_gives_its_notes_on_and_everything_it_learnt_is_still_found(at):
    say(at, "team", "remove", "ada")
    assert manifest(at) == MANIFEST.partition("  - name: ada")[0] + MANIFEST.partition("\n\n")[2]
    assert "needs a title" in (at / "memory/agents/brook/learnings.md").read_text()
    assert "the cache was cold" in say(at, "memory", "search", "cache")
    assert "brook" in say(at, "memory", "search", "title", "--kind", "learning")
    assert "ada" in say(at, "memory", "search", "title", "--kind", "archived")


@pytest.mark.requirement("TEAM-08")
def test_the_claims_of_who_leaves_go_back_to_the_board_when_somebody_says_so(at):
    say(at, "task", "claim", "T-1", "--member", "ada")
    assert "ada holds T-1" in refused(at, "team", "remove", "ada")
    assert "ada" in manifest(at)
    assert "released: T-1" in say(at, "team", "remove", "ada", "--release", "--dry-run")
    say(at, "team", "remove", "ada", "--release")
    (task,) = drumline("task", "list", "--json", at=at).json
    assert (task["state"], task["owner"]) == ("pending", None)
    assert "ada" not in members(at)


@pytest.mark.requirement("TEAM-08")
@pytest.mark.parametrize(
    ("words", "says"),
    [
        pytest.param(("remove", "nobody"), "no member", id="unknown"),
        pytest.param(("add", "ada", "--role", "r", "--tool", "Read"), "already", id="there"),
        pytest.param(("add", "dot", "--role", "r"), "which tools", id="no tools"),
        pytest.param(("add", "all", "--role", "r", "--tool", "Read"), "not", id="reserved"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_changes(at, words, says):
    before = tree(at)
    assert says in refused(at, "team", *words)
    assert tree(at) == before


@pytest.mark.requirement("TEAM-08")
def test_the_lead_and_the_last_one_stay(at):
    say(at, "team", "remove", "brook")
    assert "last member" in refused(at, "team", "remove", "ada")
    write(at, ".claude/team.yaml", MANIFEST.replace("lead: human", "lead: ada"))
    assert "leads team" in refused(at, "team", "remove", "ada")


@pytest.mark.requirement("TEAM-08", "TEAM-04")
@pytest.mark.parametrize("words", [("add", *DOT), ("remove", "brook")], ids=["add", "remove"])
def test_a_teammate_changes_nobodys_membership(at, monkeypatch, words):
    monkeypatch.setenv("DRUMLINE_MEMBER", "ada")
    before = manifest(at)
    assert "ada cannot change who is on the team" in refused(at, "team", *words)
    assert manifest(at) == before


@pytest.mark.requirement("TEAM-08")
def test_an_add_that_was_cut_off_behind_the_manifest_is_finished_by_the_next(at):
    used(at)
    who = 'name: dot, role: Warms it, profile: implementer, owns: ["src/cache/hot/**"]'
    dot = f"  - {{{who}, tools: [Read]}}\n"
    write(at, ".claude/team.yaml", MANIFEST + dot)  # as if it had been killed in between
    say(at, "team", "add", *DOT)
    learnt = (at / "memory/agents/dot/learnings.md").read_text()
    assert "- (from ada) the cache was cold" in learnt
    assert manifest(at) == MANIFEST + dot
    assert "already" in refused(at, "team", "add", *DOT)


@pytest.mark.requirement("TEAM-08")
def test_a_member_that_has_learnt_nothing_yet_is_not_taken_for_another_of_its_name(at):
    (at / "memory/agents/ada/learnings.md").unlink()
    before = tree(at)
    said = ("ada", "--role", "Something else", "--profile", "implementer")
    assert "already" in refused(at, "team", "add", *said)
    assert tree(at) == before


@pytest.mark.requirement("TEAM-08")
def test_a_removal_that_was_cut_off_behind_the_manifest_is_finished_by_the_next(at):
    without_ada = MANIFEST.partition("  - name: ada")[0] + MANIFEST.partition("\n\n")[2]
    write(at, ".claude/team.yaml", without_ada)  # as if it had been killed in between
    say(at, "team", "remove", "ada")
    assert "needs a title" in (at / "memory/agents/brook/learnings.md").read_text()
    assert "no member" in refused(at, "team", "remove", "ada")


@pytest.mark.requirement("TEAM-08", "RUN-05")
def test_a_checkout_with_uncommitted_work_outlives_its_member(at):
    git = ("git", "-c", "user.name=t", "-c", "user.email=t@t", "-C", str(at))
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "all"], check=True)
    folder = at / ".drumline" / "checkouts" / "ada"
    folder.parent.mkdir(parents=True, exist_ok=True)
    checkout.clone(at, folder, "ada")
    (folder / "half.txt").write_text("done")
    assert "its checkout stays" in say(at, "team", "remove", "ada")
    assert (folder / "half.txt").read_text() == "done"


@pytest.mark.requirement("TEAM-08", "RUN-05")
def test_a_removal_that_was_cut_off_before_the_checkout_was_gone_is_finished_by_the_next(at):
    git = ("git", "-c", "user.name=t", "-c", "user.email=t@t", "-C", str(at))
    say(at, "team", "remove", "ada")
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "all"], check=True)
    folder = at / ".drumline" / "checkouts" / "ada"
    folder.parent.mkdir(parents=True, exist_ok=True)
    checkout.clone(at, folder, "ada")  # as if it had been killed before it came to this
    say(at, "team", "remove", "ada")
    assert not folder.exists()
    assert "no member" in refused(at, "team", "remove", "ada")


@pytest.mark.requirement("TEAM-08")
@pytest.mark.parametrize("name", ["../checkouts", "..", "nobody", "Zo\u00eb"])
def test_who_was_never_here_cannot_be_removed(at, name):
    (at / ".drumline" / "checkouts").mkdir(parents=True, exist_ok=True)
    before = tree(at)
    assert "no member" in refused(at, "team", "remove", name)
    assert tree(at) == before


@pytest.mark.requirement("TEAM-08", "MEM-02")
def test_what_a_member_that_left_had_learnt_is_shown_by_its_name(at):
    say(at, "team", "remove", "ada")
    assert "the cache was cold" in say(at, "memory", "show", "ada")
    assert "the cache was cold" in say(at, "memory", "stats", "ada")
    assert "zed" in refused(at, "memory", "show", "zed")
