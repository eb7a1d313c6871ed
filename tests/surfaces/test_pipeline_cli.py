"""`drumline pipeline`: what a person and a script read of the phases."""

import json
import os

import pytest

from drumline.team.pipeline_form import schema
from tests.surfaces.console import drumline, write

pytestmark = pytest.mark.requirement("PIPE-01")

MANIFEST = """\
team: atlas
description: A map of everything
members:
  - {name: ada, role: Builds, tools: [Read, Edit], owns: ["src/**"]}
"""
PIPELINE = """\
pipeline: short
description: Hand it over
phases:
  - {name: "1", title: Hand over, zone: after, delivers: true}
paths: {trivial: ["1"], standard: ["1"], complex: ["1"]}
"""


@pytest.fixture
def team(repository):
    write(repository, ".claude/team.yaml", MANIFEST)
    return repository


def test_outside_a_team_there_are_the_presets_and_none_is_in_force(tmp_path):
    listed = drumline("pipeline", "list", "--json", at=tmp_path).json
    assert [(each["name"], each["in_force"]) for each in listed] == [
        ("constitution-4", False),
        ("constitution-10", False),
    ]


def test_the_constitution_says_which_is_in_force(team):
    lines = drumline("pipeline", "list", at=team).out.splitlines()
    assert [line.split()[0] for line in lines if "in force" in line] == ["constitution-10"]


def test_show_draws_the_one_in_force_where_none_is_named(team):
    lines = drumline("pipeline", "show", at=team).out.splitlines()
    assert lines[:2] == ["pipeline  constitution-10", "from      a preset, in force"]
    assert "trivial   P0 → P6 → P8" in lines


def test_show_says_what_a_phase_asks_for(tmp_path):
    lines = drumline("pipeline", "show", "constitution-4", at=tmp_path).out.splitlines()
    (third,) = [line for line in lines if "Architecture" in line]
    cells = [cell.strip() for cell in third.split("  ") if cell.strip()]
    assert cells[-3:] == ["analysis, 3 questions, an alternative", "planning, 2", "the lead"]
    assert "3  mandatory    mcp__sequential-thinking__*, mcp__tavily__*" in lines
    assert "cost      75% before, 25% execution" in lines


@pytest.mark.requirement("PIPE-02")
def test_on_a_path_it_is_told_where_the_lead_needs_no_team(team):
    shown = drumline("pipeline", "show", "--tier", "standard", "--json", at=team).json
    assert [(each["name"], each["execution"]) for each in shown["phases"]][:3] == [
        ("P0", "subagents"),
        ("P1", "subagents"),
        ("P2", "team"),
    ]
    drawn = drumline("pipeline", "show", "--tier", "standard", at=team).out
    assert drawn.count("lead, with subagents") == 2


def test_mermaid_and_yaml_are_texts_also_in_json(team):
    drawn = drumline("pipeline", "show", "--mermaid", at=team).out
    assert drawn.startswith("flowchart TD\n")
    assert drumline("pipeline", "show", "--mermaid", "--json", at=team).json["mermaid"] == drawn
    text = drumline("pipeline", "show", "--yaml", at=team).out
    assert text.startswith("pipeline: constitution-10\n")
    assert drumline("pipeline", "show", "--yaml", "--json", at=team).json["yaml"] == text


@pytest.mark.parametrize(
    "words", [("--mermaid", "--yaml"), ("--tier", "huge")], ids=["two forms", "no tier"]
)
def test_wrong_usage_exits_2(team, words):
    assert drumline("pipeline", "show", *words, at=team).code == 2


def test_an_unknown_name_is_refused_with_the_way_out(team):
    answer = drumline("pipeline", "show", "constitution-5", at=team)
    assert answer.code == 1
    assert answer.err.splitlines() == [
        "refused: no pipeline 'constitution-5'",
        "why:     there are constitution-4, constitution-10",
        "next:    drumline pipeline show constitution-4",
    ]


def test_check_of_files_named_tells_which_are_sound(team):
    write(team, "good.yaml", PIPELINE)
    write(team, "bad.yaml", PIPELINE.replace("zone: after", "zone: late").replace("short", "bad"))
    answer = drumline("pipeline", "check", "good.yaml", "bad.yaml", at=team)
    assert answer.code == 1
    assert answer.out.splitlines() == [
        "good.yaml: ok, the pipeline short",
        "bad.yaml:4: phases[0].zone: found 'late'; allowed: before | execution | after",
    ]
    told = drumline("pipeline", "check", "good.yaml", "bad.yaml", "--json", at=team).json
    assert told == {
        "checked": ["good.yaml", "bad.yaml"],
        "problems": [
            {
                "file": "bad.yaml",
                "line": 4,
                "field": "phases[0].zone",
                "found": "'late'",
                "allowed": "before | execution | after",
            }
        ],
        "ok": False,
    }


def test_check_of_a_file_that_is_not_there_says_so(team):
    answer = drumline("pipeline", "check", "none.yaml", at=team)
    assert answer.code == 1
    assert answer.out.startswith("none.yaml:1: found a file that cannot be opened")


def test_check_without_any_of_the_teams_own_is_well(team):
    answer = drumline("pipeline", "check", at=team)
    assert (answer.code, answer.out) == (0, "ok: no pipelines of the team's own\n")


@pytest.mark.parametrize("name", ["a.yaml", "b.yml"])
def test_both_endings_of_yaml_are_read_and_others_are_not(team, name):
    write(team, f"drumline/pipelines/{name}", PIPELINE)
    write(team, "drumline/pipelines/notes.md", "not one")
    checked = drumline("pipeline", "check", "--json", at=team).json["checked"]
    assert checked == [f"drumline/pipelines/{name}"]


def test_what_is_no_file_is_told_and_waits_for_nobody(team):
    (team / "drumline" / "pipelines" / "folder.yaml").mkdir(parents=True)
    os.mkfifo(team / "drumline" / "pipelines" / "pipe.yaml")
    answer = drumline("pipeline", "check", at=team)
    assert answer.code == 1
    assert answer.out.count("not a regular file") == 2


def test_a_broken_file_is_listed_with_the_way_to_its_problems(team):
    write(team, "drumline/pipelines/bad.yaml", "pipeline: bad\n")
    lines = drumline("pipeline", "list", at=team).out.splitlines()
    assert "3 problems: drumline pipeline check" in lines[-1]


def test_words_of_a_file_cannot_move_the_cursor(team):
    write(team, "drumline/pipelines/a.yaml", PIPELINE.replace("Hand it over", '"a\\u202eb"'))
    write(team, "drumline/pipelines/b.yaml", PIPELINE.replace("pipeline: short", '"\\e[2J": x'))
    for words in (("list",), ("check",), ("show", "short")):
        answer = drumline("pipeline", *words, at=team)
        assert not {"\u202e", "\x1b"} & set(answer.out + answer.err)
    assert "a\\u202eb" in drumline("pipeline", "list", at=team).out
    assert "x1b[2J" in drumline("pipeline", "check", at=team).out


def test_the_schema_is_printed_for_editors(tmp_path):
    assert json.loads(drumline("pipeline", "schema", at=tmp_path).out) == schema()
