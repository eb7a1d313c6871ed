"""Agent profiles: what their heads say, and which tools they really get."""

import pytest

from drumline.store.manifests import read_text
from drumline.team.finding import Finding, Level
from drumline.team.profile import Profile, effective_tools, gained_edits, profile_findings
from drumline.team.sheet import Sheet
from drumline.team.skill import Skill, fallen_out, skill_findings
from drumline.team.tools import split

FILE = ".claude/agents/scout.md"


def sheet(head: str, *, file: str = FILE, name: str = "scout", body: str = "") -> Sheet:
    return Sheet(file=file, name=name, head=read_text(head, first_line=2), body=body)


def said(head: str) -> list[Finding]:
    return list(profile_findings([sheet(head)], profiles={"scout"}, skills={"survey"}))


SOUND = "name: scout\ndescription: Looks\n"


@pytest.mark.requirement("TEAM-07")
def test_a_sound_profile_is_passed_over():
    assert said(SOUND + "skills: [survey]\ntools: Read, Task(scout)\n") == []


@pytest.mark.requirement("TEAM-07")
@pytest.mark.parametrize(
    ("head", "line", "words"),
    [
        pytest.param(SOUND + "colour: red\n", 4, "did you mean color?", id="unknown field"),
        pytest.param("name: scout\n", 1, "it has no description", id="missing field"),
        pytest.param(SOUND + "skills: cook\n", 4, "the skill cook", id="lost skill"),
        pytest.param(SOUND + "tools: Task(cook)\n", 4, "may start cook", id="lost profile"),
        pytest.param("name: a: b\n", 2, "its head cannot be read", id="a broken head"),
        pytest.param(SOUND + "name: other\n", 4, "'name' twice", id="a field twice"),
    ],
)
def test_a_profile_is_reported_by_file_and_line(head, line, words):
    (found,) = said(head)
    assert (found.level, found.file, found.line) == (Level.WARNING, FILE, line)
    assert words in found.message


@pytest.mark.requirement("TEAM-07")
def test_two_files_with_one_profile_name_are_reported():
    twins = [sheet(SOUND), sheet(SOUND, file=".claude/agents/other.md")]
    (found,) = profile_findings(twins, profiles={"scout"}, skills=set())
    assert found.message == f"profile scout is also in {FILE}"


@pytest.mark.requirement("TEAM-13")
@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        pytest.param(Profile(name="a"), ("*",), id="no list means every tool"),
        pytest.param(Profile(name="a", tools=("Read", "Edit")), ("Read", "Edit"), id="as listed"),
        pytest.param(
            Profile(name="a", tools=("Read", "Edit"), denied=("Edit",)),
            ("Read",),
            id="less the denied",
        ),
        pytest.param(
            Profile(name="a", tools=("Bash(git:*)",), denied=("Bash",)),
            (),
            id="a denied tool as a whole",
        ),
        pytest.param(
            Profile(name="a", tools=("Bash",), denied=("Bash(rm:*)",)),
            ("Bash",),
            id="a denied part",
        ),
        pytest.param(
            Profile(name="a", tools=("Grep",), memory="user"),
            ("Grep", "Read", "Write", "Edit"),
            id="memory brings three",
        ),
        pytest.param(
            Profile(name="a", tools=("Read",), denied=("Edit", "Write"), memory="project"),
            ("Read", "Write", "Edit"),
            id="memory brings them though denied",
        ),
    ],
)
def test_the_tools_in_effect_are_computed(profile, expected):
    assert effective_tools(profile) == expected


@pytest.mark.requirement("TEAM-13")
@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        pytest.param(Profile(name="a", tools=("Read",)), (), id="no memory"),
        pytest.param(
            Profile(name="a", tools=("Read",), memory="user"), ("Write", "Edit"), id="no-edit role"
        ),
        pytest.param(Profile(name="a", tools=("Edit",), memory="user"), (), id="edits anyway"),
        pytest.param(
            Profile(name="a", tools=("Write",), denied=("Edit",), memory="user"),
            ("Edit",),
            id="denied edit",
        ),
        pytest.param(Profile(name="a", memory="user"), (), id="every tool anyway"),
        pytest.param(
            Profile(name="a", denied=("Edit",), memory="user"), ("Edit",), id="every tool but edit"
        ),
    ],
)
def test_a_role_without_edits_that_gains_them_is_seen(profile, expected):
    assert gained_edits(profile) == expected


@pytest.mark.requirement("TEAM-13")
def test_gained_edits_are_reported_at_the_memory_field():
    (found,) = said(SOUND + "tools: [Read]\nmemory: project\n")
    assert (found.line, found.field) == (5, "memory")
    assert found.message == "scout may not edit, but memory gives it Write and Edit"


@pytest.mark.requirement("TEAM-07")
def test_commas_inside_brackets_belong_to_the_tool():
    assert split("Read, Task(a, b),Bash(x)") == ("Read", "Task(a, b)", "Bash(x)")


def skill(head: str, *, name: str = "survey", body: str = "") -> Sheet:
    return sheet(head, file=f".claude/skills/{name}/SKILL.md", name=name, body=body)


def skills_said(*sheets: Sheet, budget: int = 16_000) -> list[Finding]:
    return list(skill_findings(sheets, profiles={"scout"}, budget=budget))


@pytest.mark.requirement("TEAM-07")
def test_the_size_of_skill_descriptions_is_told_against_the_budget():
    (found,) = skills_said(skill("description: 12345\nwhen_to_use: abc\n"))
    assert found.level is Level.NOTE
    assert found.message == "1 skill, descriptions 8 of 16,000 characters"


@pytest.mark.requirement("TEAM-07")
def test_a_skill_only_people_call_costs_nothing():
    (found,) = skills_said(skill("description: abc\ndisable-model-invocation: true\n"))
    assert "descriptions 0 of" in found.message


@pytest.mark.requirement("TEAM-07")
def test_a_skill_without_description_costs_its_first_paragraph():
    (found,) = skills_said(skill("name: survey\n", body="# Survey\n\nabcd\n\nmore\n"))
    assert "descriptions 4 of" in found.message


@pytest.mark.requirement("TEAM-07")
@pytest.mark.parametrize(
    ("head", "words"),
    [
        pytest.param("description: x\nowner: me\n", "unknown field 'owner'", id="unknown field"),
        pytest.param("description: x\nagent: cook\n", "names the agent cook", id="lost agent"),
    ],
)
def test_a_skill_is_reported_by_file_and_line(head, words):
    found, _budget = skills_said(skill(head))
    assert (found.level, found.line) == (Level.WARNING, 3)
    assert words in found.message


@pytest.mark.requirement("TEAM-12")
def test_the_skills_past_the_budget_fall_out_by_name():
    skills = [Skill(name="c", cost=10), Skill(name="a", cost=60), Skill(name="b", cost=40)]
    assert [skill.name for skill in fallen_out(skills, 100)] == ["c"]


@pytest.mark.requirement("TEAM-12")
def test_fallen_skills_are_a_warning_with_their_names():
    (found,) = skills_said(
        skill("description: aaaa\n", name="a"), skill("description: bbbb\n", name="b"), budget=5
    )
    assert found.level is Level.WARNING
    assert found.message == "2 skills, descriptions 8 of 5 characters; these fall out: b"
