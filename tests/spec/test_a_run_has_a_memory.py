"""A run's memory among real processes: a member writes it from its own shell, and everybody reads one file."""

from contextlib import ExitStack

import pytest

from tests import goals
from tests.running import ANSWER, team

TEAM = goals.LEAD + goals.worker("ada")
NOTES = """\
    - again: true
      steps:
        - tool: {name: Write, input: {file_path: "parts/{task}.txt", content: "by {member}"}}
        - tool: {name: Bash, input: {command: "drumline memory team > parts/{task}.txt"}}
        - tool: {name: Bash, input: {command: "drumline memory note warning 'mind the gap'"}}
        - tool: {name: Bash, input: {command: "drumline memory note finding 'not mine' --for lea"}}
        - tool: {name: Bash, input: {command: "git add parts && git commit --quiet --message='{task}'"}}
""" + ANSWER.format(files='["parts/{task}.txt"]')


@pytest.fixture
def going(tmp_path, tmp_path_factory):
    with ExitStack() as stack:

        def go(scenario, members=TEAM):
            doors = tmp_path_factory.mktemp("d")
            return stack.enter_context(
                team(tmp_path / "r", doors, members, scenario, "lead: lea\n")
            )

        yield go


@pytest.mark.requirement("MEM-06", "MAIL-08")
def test_a_member_notes_what_it_found_and_the_runs_file_says_so(going):
    found = going(
        goals.play(
            goals.classifies(1, 1, goals.task("1", "Write the part")),
            goals.judges("approve"),
            works=NOTES,
        )
    )
    assert found.told("run", "Write a part")["state"] == "delivered"
    file = found.root / ".drumline" / "runs" / "run-1" / "TEAM-MEMORY.md"
    assert '## ada\n\n- N-1 [Warning] "mind the gap"\n' in file.read_text()
    assert "not mine" not in file.read_text()
    (read,) = (found.root / "parts").iterdir()
    assert read.read_text().startswith("# Team memory of run-1")
    assert "mind the gap" in found.run("memory", "search", "gap", "--kind", "note")
    assert found.git("status", "--porcelain") == ""
