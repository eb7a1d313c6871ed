"""`drumline team`: what a person and a script read about the team's files."""

import json
import subprocess
from pathlib import Path

import pytest

from drumline.team.manifest import schema
from tests.surfaces.console import drumline, write

MANIFEST = """\
team: atlas
description: A map of everything
lead: ada
constitution: constitution-10
members:
  - name: ada
    role: Leads
    tools: [Read]
    owns: []
  - name: brook
    role: Builds
    tools: [Read, Edit]
    owns: ["src/**"]
  - name: cleo
    role: Tests
    tools: [Read, Write]
    owns: ["tests/**"]
"""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    write(tmp_path, ".claude/team.yaml", MANIFEST)
    return tmp_path


def messages(repo: Path) -> list[tuple[str, str, str]]:
    """Level, place and message of what `team check` says, the note about presets aside."""
    found = drumline("team", "check", "--json", at=repo).json["findings"]
    return [
        (one["level"], f"{one['file']}:{one['line']}", one["message"])
        for one in found
        if "also ships" not in one["message"]
    ]


def mend(repo: Path, old: str, new: str) -> None:
    place = repo / ".claude/team.yaml"
    assert old in place.read_text()
    place.write_text(place.read_text().replace(old, new))


@pytest.mark.requirement("TEAM-01")
@pytest.mark.parametrize("where", [".claude/team.yaml", "team.yaml"])
def test_the_manifest_is_found_in_both_places(tmp_path, where):
    write(tmp_path, where, MANIFEST)
    assert drumline("team", "show", "--json", at=tmp_path).json["team"] == "atlas"


@pytest.mark.requirement("TEAM-01")
def test_a_manifest_named_on_the_line_comes_first(repo):
    write(repo, "other.yaml", MANIFEST.replace("team: atlas", "team: other"))
    answer = drumline("team", "show", "--json", "--manifest", "other.yaml", at=repo)
    assert answer.json["team"] == "other"


@pytest.mark.requirement("TEAM-01", "TEAM-03", "TEAM-04", "TEAM-10")
def test_show_gives_the_manifest_with_defaults_as_json(repo):
    shown = drumline("team", "show", "--json", at=repo).json
    members = shown.pop("members")
    assert shown == {
        "team": "atlas",
        "description": "A map of everything",
        "constitution": "constitution-10",
        "lead": "ada",
        "language": {"people": "English", "artefacts": "English"},
        "enabled": "auto",
    }
    assert members[1] == {
        "name": "brook",
        "role": "Builds",
        "tools": ["Read", "Edit"],
        "owns": ["src/**"],
        "runtime": "claude",
        "profile": "",
        "model": "sonnet",
        "budget": 0.5,
        "permission_mode": "dontAsk",
        "arguments": [],
        "ports": None,
        "scenario": "",
        "command": [],
        "mcp": [],
    }


@pytest.mark.requirement("TEAM-01")
def test_show_aligns_members_for_a_person(repo):
    lines = drumline("team", "show", at=repo).out.splitlines()
    assert "lead          ada" in lines
    assert "brook   claude   sonnet  0.50    dontAsk  -        src/**    Builds" in lines


@pytest.mark.requirement("TEAM-02")
def test_check_of_a_sound_team_exits_0(repo):
    answer = drumline("team", "check", at=repo)
    assert answer.code == 0
    assert answer.out.splitlines()[-1] == "atlas: 0 errors, 0 warnings, 1 note"


@pytest.mark.requirement("TEAM-02")
def test_check_of_a_bad_manifest_lists_every_problem_and_exits_1(repo):
    mend(repo, "role: Leads", "role: [Leads]")
    mend(repo, "owns: []", "owns: [/etc]")
    answer = drumline("team", "check", at=repo)
    assert answer.code == 1
    assert [line.split("  ")[:2] for line in answer.out.splitlines()[:-1]] == [
        ["error", ".claude/team.yaml:7"],
        ["error", ".claude/team.yaml:9"],
    ]
    assert answer.out.splitlines()[-1] == "the manifest: 2 errors, 0 warnings, 0 notes"


@pytest.mark.requirement("TEAM-02")
def test_check_of_a_bad_manifest_answers_in_json(repo):
    mend(repo, "lead: ada", "lead: eve")
    answer = drumline("team", "check", "--json", at=repo)
    assert answer.code == 1
    assert answer.json["ok"] is False
    (found,) = answer.json["findings"]
    assert (found["level"], found["line"], found["field"]) == ("error", 3, "lead")


@pytest.mark.requirement("TEAM-02")
def test_show_of_a_bad_manifest_is_refused_with_the_list(repo):
    mend(repo, "lead: ada", "lead: eve")
    answer = drumline("team", "show", at=repo)
    assert (answer.code, answer.out) == (1, "")
    assert "why:     .claude/team.yaml:3: lead: found 'eve'" in answer.err


@pytest.mark.requirement("TEAM-04")
@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        pytest.param("lead: ada", "lead: brook", 12, id="a lead with edits"),
        pytest.param("owns: []", 'owns: ["docs/**"]', 9, id="a lead with files"),
    ],
)
def test_a_lead_that_works_is_an_error(repo, old, new, line):
    mend(repo, old, new)
    level, place, message = messages(repo)[0]
    assert (level, place) == ("error", f".claude/team.yaml:{line}")
    assert "delegates" in message


@pytest.mark.requirement("TEAM-04")
def test_a_setting_lets_the_lead_work(repo):
    mend(repo, "lead: ada", "lead: brook\nsettings: {lead-works: true}")
    assert messages(repo) == []


@pytest.mark.requirement("RUN-12")
def test_a_server_a_member_is_given_and_cannot_use_is_an_error(repo):
    mend(repo, "tools: [Read, Edit]", "tools: [Read, Edit, mcp__lab__add]\n    mcp: [lab, maps]")
    write(repo, ".mcp.json", json.dumps({"mcpServers": {"lab": {"command": "sh"}}}))
    assert messages(repo) == [
        (
            "error",
            ".claude/team.yaml:13",
            "brook is given the MCP server maps and cannot use it: no file registers it",
        )
    ]


@pytest.mark.requirement("RUN-12")
def test_tools_of_a_server_a_member_is_not_given_are_a_warning(repo):
    mend(repo, "tools: [Read, Edit]", "tools: [Read, Edit, mcp__lab__add, mcp__drumline__*]")
    said = "brook may use tools of lab, an MCP server it is not given: name it in `mcp`"
    assert messages(repo) == [("warning", ".claude/team.yaml:12", said)]


@pytest.mark.requirement("RUN-12")
@pytest.mark.parametrize("name", ["drumline", "a__b", "a b"])
def test_a_server_whose_name_would_be_mistaken_cannot_be_given(repo, name):
    mend(repo, "tools: [Read, Edit]", f'tools: [Read, Edit]\n    mcp: ["{name}"]')
    ((level, place, _),) = messages(repo)
    assert (level, place) == ("error", ".claude/team.yaml:13")


@pytest.mark.requirement("TEAM-05")
def test_members_that_own_one_file_are_an_error_with_the_file(repo):
    write(repo, "src/tests/a.py", "")
    write(repo, "src/b.py", "")
    mend(repo, '"tests/**"', '"**/tests/**"')
    ((level, place, message),) = messages(repo)
    assert (level, place) == ("error", ".claude/team.yaml:17")
    assert message == (
        "brook and cleo both own 1 file: src/tests/a.py; src/** (line 13) meets **/tests/**"
    )


@pytest.mark.requirement("TEAM-05")
def test_a_long_collision_is_cut_and_counted(repo):
    for number in range(12):
        write(repo, f"src/tests/{number:02}.py", "")
    mend(repo, '"tests/**"', '"src/tests/**"')
    ((_, _, message),) = messages(repo)
    assert "both own 12 files: src/tests/00.py" in message
    assert "src/tests/09.py and 2 more;" in message


@pytest.mark.requirement("TEAM-05")
def test_patterns_that_meet_on_no_file_are_a_note(repo):
    mend(repo, '"tests/**"', '"src/tests/**"')
    ((level, _, message),) = messages(repo)
    assert level == "note"
    assert message.endswith("no such file exists today")


@pytest.mark.requirement("TEAM-05")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("[Read, Write]", "[Read]", id="one only reads"),
        pytest.param("lead: ada", "lead: ada\nsettings: {max-parallel: 1}", id="one at a time"),
        pytest.param("role: Tests", "role: Tests\n    profile: integrator", id="the integrator"),
    ],
)
def test_owners_that_cannot_clash_are_not_reported(repo, old, new):
    write(repo, "src/a.py", "")
    write(repo, ".claude/agents/integrator.md", "---\nname: integrator\ndescription: x\n---\n")
    mend(repo, '"tests/**"', '"src/**"')
    mend(repo, old, new)
    assert messages(repo) == []


@pytest.mark.requirement("TEAM-05")
def test_files_git_ignores_do_not_collide(repo):
    write(repo, "src/built/a.o", "")
    write(repo, ".gitignore", "built/\n")
    mend(repo, '"tests/**"', '"**/built/**"')
    ((level, _, _),) = messages(repo)
    assert level == "note"


@pytest.mark.requirement("TEAM-07")
def test_a_member_with_a_lost_profile_is_an_error(repo):
    mend(repo, "role: Builds", "role: Builds\n    profile: implementer")
    ((level, place, message),) = messages(repo)
    assert (level, place) == ("error", ".claude/team.yaml:12")
    assert message.endswith("which does not exist: drumline init writes it")


@pytest.mark.requirement("TEAM-07")
def test_profiles_and_skills_are_read_from_the_repository(repo):
    write(
        repo, ".claude/agents/scout.md", "---\nname: scout\ndescription: x\ncolour: red\n---\nHi\n"
    )
    write(repo, ".claude/skills/survey/SKILL.md", "---\ndescription: abcd\nagent: cook\n---\n")
    assert [(level, place) for level, place, _ in messages(repo)] == [
        ("warning", ".claude/agents/scout.md:4"),
        ("warning", ".claude/skills/survey/SKILL.md:3"),
        ("note", ".claude/skills:1"),
    ]


@pytest.mark.requirement("TEAM-07")
@pytest.mark.parametrize(
    ("raw", "words"),
    [
        pytest.param(b"\xff\xfe", "not UTF-8", id="not text"),
        pytest.param(b"---\nname: x\n", "never closed", id="an open head"),
        pytest.param(b"---\n- a\n---\n", "found a list of 1", id="a list as a head"),
        pytest.param(b"", "it has no name", id="empty"),
    ],
)
def test_a_broken_profile_is_a_warning_not_a_crash(repo, raw, words):
    write(repo, ".claude/agents/scout.md", "").write_bytes(raw)
    level, place, message = messages(repo)[0]
    assert (level, place) == ("warning", ".claude/agents/scout.md:1") or place.endswith(":2")
    assert words in message


@pytest.mark.requirement("TEAM-12")
def test_long_memory_and_always_loaded_text_are_reported(repo):
    write(repo, "CLAUDE.md", "x" * 4000)
    write(repo, ".claude/rules/style.md", "y" * 400)
    write(repo, ".claude/rules/sql.md", "---\npaths: ['**/*.sql']\n---\n" + "z" * 9000)
    write(repo, ".claude/agent-memory/scout/MEMORY.md", "m\n" * 201)
    warning, note = messages(repo)
    assert warning[:2] == ("warning", ".claude/agent-memory/scout/MEMORY.md:201")
    assert "always loaded: 4,802 characters" in note[2]
    assert "(instructions 4,000, rules 400, memory 402)" in note[2]


@pytest.mark.requirement("TEAM-13")
def test_profiles_lists_the_tools_really_given(repo):
    head = "---\nname: scout\ndescription: x\ntools: Grep\nmemory: user\n---\n"
    write(repo, ".claude/agents/scout.md", head)
    assert drumline("team", "profiles", at=repo).out == "scout  inherit  Grep, Read, Write, Edit\n"


@pytest.mark.requirement("TEAM-02")
def test_schema_prints_the_schema(tmp_path):
    assert json.loads(drumline("team", "schema", at=tmp_path).out) == schema()


@pytest.mark.requirement("TEAM-09")
@pytest.mark.parametrize("verb", ["check", "show", "profiles"])
def test_where_no_team_is_the_way_out_is_init(tmp_path, verb):
    answer = drumline("team", verb, at=tmp_path)
    assert answer.code == 1
    assert "next:    drumline init" in answer.err
