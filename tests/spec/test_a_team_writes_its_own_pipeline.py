"""A team's own pipeline is checked as a whole before anybody goes by it."""

import json
import re
import subprocess
import sys

import pytest

from tests.surfaces.console import drumline, tree, write

MANIFEST = """\
team: atlas
description: A map of everything
constitution: constitution-4
members:
  - {name: ada, role: Builds, tools: [Read, Edit], owns: ["src/**"]}
"""
PIPELINE = """\
pipeline: short
description: Build it, have it read, hand it over
phases:
  - {name: build, title: Build, zone: execution, profile: implementer, most: 2, verified: true}
  - {name: read, title: Read it again, zone: execution, profile: reader, human: true}
  - {name: end, title: Hand over, zone: after, delivers: true}
paths:
  trivial: [build, end]
  standard: [build, read, end]
  complex: [build, read, end]
"""
READER = "---\nname: reader\ndescription: Reads.\ntools: Read\n---\nRead.\n"


@pytest.fixture
def team(repository):
    write(repository, ".claude/team.yaml", MANIFEST)
    write(repository, ".claude/agents/reader.md", READER)
    write(repository, "drumline/pipelines/short.yaml", PIPELINE)
    return repository


@pytest.mark.requirement("PIPE-01")
def test_a_sound_one_stands_beside_the_presets(team):
    assert drumline("pipeline", "check", at=team).code == 0
    listed = drumline("pipeline", "list", "--json", at=team).json
    assert [(each["name"], each["in_force"], each["from"]) for each in listed] == [
        ("constitution-4", True, "a preset"),
        ("constitution-10", False, "a preset"),
        ("short", False, "drumline/pipelines/short.yaml"),
    ]


@pytest.mark.requirement("PIPE-01")
def test_every_flaw_is_told_at_once_and_nothing_is_touched(team):
    bad = PIPELINE.replace("profile: reader", "profile: critic").replace("most: 2", "most: 0")
    bad = bad.replace("trivial: [build, end]", "trivial: [build, nowhere, build]")
    write(team, "drumline/pipelines/short.yaml", bad)
    before = tree(team)
    answer = drumline("pipeline", "check", at=team)
    places = [line.partition(": found")[0] for line in answer.out.splitlines()]
    file = "drumline/pipelines/short.yaml"
    assert answer.code == 1
    assert places == [
        f"{file}:4: phases[0].most",
        f"{file}:5: phases[1].profile",
        f"{file}:8: paths.trivial[1]",
        f"{file}:8: paths.trivial[2]",  # named twice
        f"{file}:8: paths.trivial[2]",  # and no end
    ]
    assert tree(team) == before


@pytest.mark.requirement("PIPE-01", "TEAM-02")
def test_a_check_of_the_team_tells_it_too(team):
    assert drumline("team", "check", at=team).code == 0
    write(team, "drumline/pipelines/short.yaml", PIPELINE.replace("profile: reader", "profile: x"))
    answer = drumline("team", "check", at=team)
    assert answer.code == 1
    assert "error  drumline/pipelines/short.yaml:5  phases[1].profile: found 'x'" in re.sub(
        r"  +", "  ", answer.out
    )


@pytest.mark.requirement("PIPE-01")
def test_a_broken_one_is_refused_by_name_and_spoils_no_other(team):
    write(team, "drumline/pipelines/bad.yaml", "pipeline: bad\n")
    refused = drumline("pipeline", "show", "bad", at=team)
    assert refused.code == 1
    assert "refused: drumline/pipelines/bad.yaml has 3 problems" in refused.err
    assert drumline("pipeline", "show", "short", at=team).code == 0


@pytest.mark.requirement("PIPE-01")
def test_a_preset_written_to_a_file_under_a_new_name_is_the_teams_own(team):
    text = drumline("pipeline", "show", "--yaml", at=team).out
    write(team, "drumline/pipelines/mine.yaml", text)
    assert "the name of a preset" in drumline("pipeline", "check", at=team).out
    write(team, "drumline/pipelines/mine.yaml", text.replace("constitution-4", "mine", 1))
    mine = drumline("pipeline", "show", "mine", "--json", at=team).json
    preset = drumline("pipeline", "show", "constitution-4", "--json", at=team).json
    assert mine["phases"] == preset["phases"]
    assert mine["paths"] == preset["paths"]


@pytest.mark.requirement("PIPE-02", "PIPE-06")
def test_the_path_of_a_tier_is_drawn_with_who_works_and_who_decides(team):
    lines = drumline("pipeline", "show", "short", "--tier", "standard", at=team).out.splitlines()
    rows = [line.split("  ") for line in lines]
    drawn = [[cell.strip() for cell in row if cell.strip()] for row in rows if len(row) > 5]
    assert [[row[0], *row[3:5], row[-1]] for row in drawn] == [
        ["phase", "who", "members", "gate"],
        ["build", "implementer", "1-2 by modules", "the lead → read"],
        ["read", "reader", "1", "a person → end"],
        ["end", "lead", "-", "delivers"],
    ]
    assert "standard  build → read → end" in lines


@pytest.mark.requirement("PIPE-01", "GUARD-04")
def test_a_member_cannot_change_what_it_goes_by(team):
    place = str(team / "drumline" / "pipelines" / "short.yaml")
    call = {"tool": "Write", "input": {"file_path": place, "content": "x"}, "role": "teammate"}
    asked = subprocess.run(
        [sys.executable, "-m", "drumline", "policy", "judge"],
        input=json.dumps(call | {"cwd": str(team)}),
        capture_output=True,
        text=True,
        check=True,
        cwd=team,
        timeout=60,
    )
    assert json.loads(asked.stdout)["decision"] == "deny"
