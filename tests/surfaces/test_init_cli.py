"""`drumline init`: a team's first files, planned, shown, written, never overwritten."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from drumline.team.starter import slug
from drumline.team.text import is_name
from tests.surfaces.console import drumline, tree, write

TOPOLOGIES = ["parallel-sprint", "isolated-attention", "review-swarm"]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "Atlas_Maps"
    root.mkdir()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


@pytest.mark.requirement("TEAM-06", "TEAM-11")
@pytest.mark.parametrize("constitution", ["constitution-4", "constitution-10"])
@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_a_new_team_passes_its_check(repo, topology, constitution):
    chosen = ("--topology", topology, "--constitution", constitution)
    assert drumline("init", "--yes", *chosen, at=repo).code == 0
    answer = drumline("team", "check", at=repo)
    assert answer.out == "atlas-maps: 0 errors, 0 warnings, 0 notes\n"
    assert answer.code == 0


@pytest.mark.requirement("TEAM-06")
def test_init_writes_manifest_profiles_memories_and_policy(repo):
    drumline("init", "--yes", "--topology", "isolated-attention", at=repo)
    files = tree(repo)
    assert {path for path in files if not path.startswith(".claude/agents/")} == {
        ".claude/team.yaml",
        ".gitignore",
        "drumline/policy.json",
        "memory/team/decisions.md",
        *(
            f"memory/agents/{name}/learnings.md"
            for name in ("conductor", "frontend", "backend", "qa")
        ),
    }
    assert sum(path.startswith(".claude/agents/") for path in files) == 7
    assert json.loads(files["drumline/policy.json"]) == {"version": "1.0.0", "constraints": []}
    assert files[".gitignore"] == b".drumline/\n"


@pytest.mark.requirement("TEAM-06")
def test_memories_have_their_headings(repo):
    drumline("init", "--yes", at=repo)
    learnings = (repo / "memory/agents/reviewer/learnings.md").read_text().split("\n\n")
    assert [line.strip() for line in learnings] == [
        "# Learnings: reviewer",
        "## Codebase Patterns",
        "## Gotchas",
        "## Preferences",
        "## Cross-Agent Notes",
    ]
    decisions = (repo / "memory/team/decisions.md").read_text().split("\n\n")
    assert [line.strip() for line in decisions] == [
        "# Team Decisions",
        "## Architecture",
        "## Conventions",
    ]


@pytest.mark.requirement("TEAM-06")
def test_a_dry_run_shows_the_diff_and_writes_nothing(repo):
    write(repo, ".gitignore", "*.o")
    before = tree(repo)
    answer = drumline("init", "--dry-run", at=repo)
    assert answer.code == 0
    assert "+++ b/.claude/team.yaml\n" in answer.out
    assert "+team: atlas-maps\n" in answer.out
    assert "--- a/.gitignore\n" in answer.out
    assert tree(repo) == before
    assert not (repo / ".drumline").exists()


@pytest.mark.requirement("TEAM-06")
@pytest.mark.parametrize(
    "ending", [pytest.param("*.o\n", id="closed"), pytest.param("*.o", id="open")]
)
def test_a_dry_run_is_what_a_patch_would_take(repo, ending):
    write(repo, ".gitignore", ending)
    diff = drumline("init", "--dry-run", at=repo).out
    done = subprocess.run(
        ["git", "-C", str(repo), "apply", "-"],
        input=diff,
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert drumline("init", "--dry-run", at=repo).out == ""


@pytest.mark.requirement("TEAM-06")
def test_nothing_that_exists_is_overwritten(repo):
    mine = write(repo, ".claude/agents/implementer.md", "mine")
    memory = write(repo, "memory/team/decisions.md", "ours")
    kept = drumline("init", "--yes", "--json", at=repo).json["kept"]
    assert set(kept) == {".claude/agents/implementer.md", "memory/team/decisions.md"}
    assert (mine.read_text(), memory.read_text()) == ("mine", "ours")


@pytest.mark.requirement("TEAM-06")
def test_a_second_run_changes_nothing(repo):
    drumline("init", "--yes", at=repo)
    before = tree(repo)
    answer = drumline("init", "--yes", "--json", at=repo)
    assert (answer.json["written"], answer.json["appended"]) == ([], [])
    assert tree(repo) == before


@pytest.mark.requirement("TEAM-06")
def test_a_half_made_team_is_finished_by_running_again(repo):
    drumline("init", "--yes", at=repo)
    whole = tree(repo)
    (repo / ".claude/team.yaml").unlink()
    (repo / "memory/agents/builder-2/learnings.md").unlink()
    drumline("init", "--yes", at=repo)
    assert tree(repo) == whole


@pytest.mark.requirement("TEAM-06")
@pytest.mark.parametrize("place", [".claude/team.yaml", "team.yaml"])
def test_a_team_that_is_there_keeps_its_manifest_and_gets_the_rest(repo, place):
    member = "members: [{name: eve, role: x, tools: [Read], owns: []}]\n"
    text = f"team: own\ndescription: x\nconstitution: constitution-4\n{member}"
    write(repo, place, text)
    answer = drumline("init", "--yes", "--json", at=repo)
    assert answer.json["team"] == "own"
    assert place in answer.json["kept"]
    assert (repo / place).read_text() == text
    assert (repo / "memory/agents/eve/learnings.md").exists()
    assert (repo / ".claude/agents/devils-advocate.md").exists()


@pytest.mark.requirement("TEAM-06")
def test_another_name_for_a_team_that_is_there_is_refused(repo):
    drumline("init", "--yes", at=repo)
    before = tree(repo)
    answer = drumline("init", "--yes", "--name", "other", at=repo)
    assert answer.code == 1
    assert "already team atlas-maps" in answer.err
    assert tree(repo) == before


@pytest.mark.requirement("TEAM-06")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("*.o\n", "*.o\n.drumline/\n", id="a line is added"),
        pytest.param("*.o", "*.o\n.drumline/\n", id="after an open last line"),
        pytest.param("a\r\nb", "a\r\nb\n.drumline/\n", id="other lines stay as they are"),
        pytest.param("x\n/.drumline/\n", "x\n/.drumline/\n", id="once is enough"),
        pytest.param("", ".drumline/\n", id="an empty file"),
    ],
)
def test_the_state_folder_is_ignored_by_git(repo, before, after):
    (repo / ".gitignore").write_bytes(before.encode())
    drumline("init", "--yes", at=repo)
    assert (repo / ".gitignore").read_bytes() == after.encode()


@pytest.mark.requirement("TEAM-06")
def test_bytes_in_gitignore_survive(repo):
    (repo / ".gitignore").write_bytes(b"caf\xe9\n")
    drumline("init", "--yes", at=repo)
    assert (repo / ".gitignore").read_bytes() == b"caf\xe9\n.drumline/\n"


@pytest.mark.requirement("TEAM-06")
@pytest.mark.parametrize("link", [".claude", "memory", ".gitignore", ".drumline"])
def test_a_link_out_of_the_repository_is_not_followed(repo, tmp_path, link):
    outside = tmp_path / "outside"
    outside.mkdir()
    (repo / link).symlink_to(outside if link != ".gitignore" else outside / "file")
    answer = drumline("init", "--yes", at=repo)
    assert answer.code == 1
    assert "leads out of the repository" in answer.err
    assert list(outside.iterdir()) == []
    assert tree(repo) == {}


@pytest.mark.requirement("TEAM-06")
@pytest.mark.parametrize("link", ["memory", ".gitignore"])
def test_a_link_that_leads_to_itself_is_refused(repo, link):
    (repo / link).symlink_to(link)
    answer = drumline("init", "--yes", at=repo)
    assert (answer.code, "leads to itself" in answer.err) == (1, True), answer.err
    assert tree(repo) == {}


@pytest.mark.requirement("TEAM-06")
@pytest.mark.parametrize("file", [".claude", "memory", "drumline", ".drumline"])
def test_a_file_where_a_folder_should_be_is_refused_before_anything_is_written(repo, file):
    write(repo, file, "in the way")
    before = tree(repo)
    answer = drumline("init", "--yes", at=repo)
    assert answer.code == 1
    assert "is a file, not a folder" in answer.err
    assert tree(repo) == before


@pytest.mark.requirement("TEAM-06")
def test_without_a_terminal_it_asks_for_a_yes(repo):
    answer = drumline("init", at=repo)
    assert answer.code == 1
    assert "next:    drumline init --yes" in answer.err
    assert tree(repo) == {}


@pytest.mark.requirement("TEAM-06")
@pytest.mark.parametrize(
    ("typed", "code", "there"),
    [pytest.param(b"y\n", 0, True, id="yes"), pytest.param(b"n\n", 1, False, id="no")],
)
def test_at_a_terminal_it_asks(repo, typed, code, there):
    ours, theirs = pty.openpty()
    os.write(ours, typed)
    done = subprocess.run(
        [sys.executable, "-m", "drumline", "init"],
        cwd=repo,
        stdin=theirs,
        capture_output=True,
        text=True,
        check=False,
    )
    os.close(ours)
    os.close(theirs)
    assert "Write team atlas-maps in" in done.stderr
    assert done.returncode == code
    assert (repo / ".claude/team.yaml").exists() is there


@pytest.mark.requirement("TEAM-06")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        pytest.param(("--topology", "swarm"), 2, id="unknown topology"),
        pytest.param(("--yes", "--dry-run"), 2, id="both"),
        pytest.param(("--yes", "--name", "No Name"), 1, id="not a name"),
        pytest.param(("--yes", "-C", "not-there"), 1, id="no such folder"),
    ],
)
def test_wrong_words_write_nothing(repo, words, code):
    assert drumline("init", *words, at=repo).code == code
    assert tree(repo) == {}


@pytest.mark.requirement("TEAM-06")
def test_from_a_folder_inside_it_writes_at_the_top(repo):
    inside = repo / "src"
    inside.mkdir()
    drumline("init", "--yes", at=inside)
    assert (repo / ".claude/team.yaml").exists()
    assert not (inside / ".claude").exists()


@pytest.mark.requirement("TEAM-06")
@pytest.mark.parametrize(
    ("folder", "team"),
    [
        pytest.param("Atlas Maps", "atlas-maps", id="spaces"),
        pytest.param("--x--", "x", id="dashes"),
        pytest.param("日本", "team", id="no letters left"),
        pytest.param("1.5", "1-5", id="a number"),
        pytest.param("a" * 90, "a" * 64, id="long"),
    ],
)
def test_a_folder_gives_the_team_its_name(folder, team):
    assert slug(folder) == team
    assert is_name(team)


@pytest.mark.requirement("TEAM-06")
@pytest.mark.parametrize("name", ["2026", "1e5", "true", "null", "0x1f", "2026-01-01", "no"])
def test_a_name_yaml_could_mistake_is_quoted(repo, name):
    assert drumline("init", "--yes", "--name", name, at=repo).code == 0
    assert drumline("team", "show", "--json", at=repo).json["team"] == name
