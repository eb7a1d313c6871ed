"""What a machine judges of an impact analysis."""

import pytest

from drumline.errors import BadInput
from drumline.team import impact
from drumline.team.impact import Evidence

BRIEF = (
    "Write a parser that reads every line of the journal and returns one event for each, in the order"
    " in which they were written, and refuse what is longer than the cap."
)
OWN = "Afterwards a journal can be turned into events again; oversized entries are an error."
SOUND = {
    "task": OWN,
    "position": "After the design of the journal, before the view of events.",
    "upstream": "The design names the cap and the order of fields.",
    "interfaces": "A new function `events(text)` beside the writer.",
    "effects": "The view calls it; a change of order would reach its reader.",
    "risks": "A wrong cap cuts entries; a test with the longest one shows it.",
    "files": ["src/journal.py", "src/parser.py"],
    "tasks": ["T-1"],
    "dependants": ["T-3"],
}
THERE = Evidence(
    brief=BRIEF,
    owned=("src/parser.py",),
    present=frozenset({"src/journal.py"}),
    tasks=frozenset({"T-1", "T-3"}),
    dependants=("T-3",),
)


@pytest.mark.requirement("PROTO-02")
@pytest.mark.parametrize(
    ("level", "sections", "points", "attempts"), [(1, 6, 10, 3), (2, 4, 7, 3), (3, 3, 5, 2)]
)
def test_a_level_says_how_many_sections_points_and_attempts(level, sections, points, attempts):
    assert len(impact.OF_LEVEL[level]) == sections
    assert len(impact.POINTS_OF_LEVEL[level]) == points
    assert impact.ATTEMPTS[level] == attempts


@pytest.mark.requirement("PROTO-02")
@pytest.mark.parametrize("level", [1, 2, 3])
def test_every_section_of_a_level_must_be_there(level):
    lists = {"files": [], "tasks": [], "dependants": []}
    whole = {name: SOUND[name] for name in impact.OF_LEVEL[level]} | lists
    assert impact.read(level, whole)["task"] == OWN
    for name in impact.OF_LEVEL[level]:
        with pytest.raises(BadInput, match="1 problem"):
            impact.read(level, {**whole, name: ""})


@pytest.mark.requirement("PROTO-03")
@pytest.mark.parametrize(
    ("changes", "around", "fault"),
    [
        pytest.param({}, {}, "", id="sound"),
        pytest.param({"risks": "None at all."}, {}, "says too little", id="a section of few words"),
        pytest.param({"task": BRIEF}, {}, "12 words of your brief in a row", id="copied whole"),
        pytest.param(
            {"task": "reads every line of the journal; one event for each, in the order"},
            {},
            "stands in your brief",
            id="copied in pieces",
        ),
        pytest.param(
            {"files": ["src/none.py"]}, {}, "'src/none.py' is not there", id="no such file"
        ),
        pytest.param({"files": ["src/parser.py"]}, {}, "", id="a file that the task makes"),
        pytest.param({"tasks": ["T-9"]}, {}, "no task 'T-9'", id="no such task"),
        pytest.param({"dependants": []}, {}, "T-3 waits for your task", id="a dependant not named"),
        pytest.param({}, {"changed": ("src/a.py",)}, "changed before", id="changed too early"),
    ],
)
def test_a_machine_judges_what_it_can(changes, around, fault):
    found = impact.faults({**SOUND, **changes}, THERE._replace(**around))
    assert bool(found) == bool(fault)
    assert fault in "\n".join(found)
