"""The profiles each constitution ships, the files made of them, and how they drift."""

import pytest

from drumline.store.manifests import read_text
from drumline.team.always_loaded import LoadedText, loaded_findings
from drumline.team.finding import Level
from drumline.team.preset import MemoryRight, PresetProfile, drift, render
from drumline.team.presets import PRESETS, preset
from drumline.team.profile import declared_tools, profile_findings, read_profile
from drumline.team.rights import CONSTITUTIONS
from drumline.team.sheet import Sheet
from drumline.team.tools import editing

EVERY = [
    pytest.param(shipped, id=f"{constitution} {shipped.name}")
    for constitution, profiles in PRESETS.items()
    for shipped in profiles
]


def written(shipped: PresetProfile, **changed: str) -> Sheet:
    """The shipped file as read back, some lines of its head changed by hand."""
    _, head, body = render(shipped).split("---\n", 2)
    lines = [
        f"{name}: {changed[name]}" if (name := line.partition(":")[0]) in changed else line
        for line in head.splitlines()
    ]
    read = read_text("\n".join(lines), first_line=2)
    return Sheet(file=f".claude/agents/{shipped.name}.md", name=shipped.name, head=read, body=body)


@pytest.mark.requirement("TEAM-11")
def test_every_constitution_ships_profiles():
    assert {name: len(profiles) for name, profiles in PRESETS.items()} == {
        "constitution-4": 6,
        "constitution-10": 7,
    }
    assert set(PRESETS) == set(CONSTITUTIONS)


@pytest.mark.requirement("TEAM-11")
@pytest.mark.parametrize("shipped", EVERY)
def test_a_shipped_profile_reads_back_as_it_was(shipped):
    assert read_profile(written(shipped)) == shipped.profile


@pytest.mark.requirement("TEAM-11")
@pytest.mark.parametrize("shipped", EVERY)
def test_edit_rights_and_tools_say_the_same(shipped):
    assert bool(editing(declared_tools(shipped.profile))) is shipped.edits


@pytest.mark.requirement("TEAM-11")
@pytest.mark.parametrize("constitution", PRESETS)
def test_shipped_profiles_pass_the_check(constitution):
    sheets = [written(shipped) for shipped in PRESETS[constitution]]
    names = {sheet.name for sheet in sheets}
    assert list(profile_findings(sheets, profiles=names, skills=set())) == []


@pytest.mark.requirement("TEAM-11")
@pytest.mark.parametrize(
    ("name", "level", "memory"),
    [
        pytest.param("implementer", 1, MemoryRight.OWN_SECTION, id="implementer"),
        pytest.param("integrator", 1, MemoryRight.OWN_SECTION, id="integrator"),
        pytest.param("architect", 2, MemoryRight.RELAYED, id="architect"),
        pytest.param("tester", 2, MemoryRight.RELAYED, id="tester"),
        pytest.param("researcher", 3, MemoryRight.RELAYED, id="researcher"),
        pytest.param("devils-advocate", 0, MemoryRight.READ_ONLY, id="devils-advocate"),
    ],
)
def test_the_rights_of_constitution_4(name, level, memory):
    shipped = preset("constitution-4", name)
    assert shipped is not None
    assert (shipped.level, shipped.memory) == (level, memory)
    assert {"TaskCreate", "TaskUpdate"} <= set(shipped.profile.denied)


@pytest.mark.requirement("TEAM-11")
@pytest.mark.parametrize(
    ("changed", "line", "words"),
    [
        pytest.param({"tools": "Read, Grep"}, 4, "without Bash, Edit", id="fewer tools"),
        pytest.param(
            {"disallowedTools": "WebFetch"}, 5, "with WebFetch, without TaskCreate", id="denied"
        ),
        pytest.param({"model": "opus"}, 6, "with opus, without sonnet", id="another model"),
    ],
)
def test_a_changed_field_is_noted(changed, line, words):
    shipped = preset("constitution-10", "implementer")
    assert shipped is not None
    (found,) = drift([shipped], [written(shipped, **changed)], constitution="constitution-10")
    assert (found.level, found.line) == (Level.NOTE, line)
    assert words in found.message


@pytest.mark.requirement("TEAM-11")
@pytest.mark.parametrize("shipped", EVERY)
def test_an_unchanged_profile_has_not_drifted(shipped):
    assert list(drift([shipped], [written(shipped)], constitution="x")) == []


@pytest.mark.requirement("TEAM-11")
def test_profiles_not_written_are_noted_in_one_line():
    (found,) = drift(PRESETS["constitution-4"], [], constitution="constitution-4")
    assert found.level is Level.NOTE
    assert "researcher, architect, devils-advocate" in found.message


def text(file: str, characters: int, lines: int, kind: str = "memory") -> LoadedText:
    return LoadedText(file=file, kind=kind, characters=characters, lines=lines)


@pytest.mark.requirement("TEAM-12")
@pytest.mark.parametrize(
    ("lines", "levels"),
    [
        pytest.param(200, [Level.NOTE], id="at the limit"),
        pytest.param(201, [Level.WARNING, Level.NOTE], id="over it"),
    ],
)
def test_a_memory_over_200_lines_is_reported(lines, levels):
    assert [found.level for found in loaded_findings([text("MEMORY.md", 9, lines)])] == levels


@pytest.mark.requirement("TEAM-12")
def test_the_cost_of_always_loaded_text_is_told_by_kind():
    (found,) = loaded_findings(
        [text("CLAUDE.md", 4000, 90, "instructions"), text("memory/MEMORY.md", 400, 9)]
    )
    assert found.file == "CLAUDE.md"
    assert found.message == (
        "always loaded: 4,400 characters, about 1,100 tokens in every session"
        " (instructions 4,000, memory 400)"
    )


@pytest.mark.requirement("TEAM-12")
def test_a_repository_without_such_text_hears_nothing():
    assert list(loaded_findings([])) == []
