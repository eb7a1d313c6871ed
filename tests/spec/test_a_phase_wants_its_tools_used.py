"""A phase may want tools used: its members are told, their calls are counted, and its gate knows."""

import pytest

from tests import goals
from tests.running import team

PIPELINE = """\
pipeline: reading
description: Read before you build
phases:
  - {name: build, title: Build, zone: execution, profile: implementer, effort: low, tools: {Read: mandatory, Grep: recommended, "mcp__tavily__*": mandatory}}
  - {name: end, title: Hand over, zone: after, delivers: true}
paths:
  trivial: [build, end]
  standard: [build, end]
  complex: [build, end]
"""
STEPS = goals.WORKS.partition("      steps:\n")[2]
READS = "    - when: {contains: Read first}\n      again: true\n      steps:\n"
READ = "        - tool: {name: Read, input: {file_path: play.yaml}}\n"


@pytest.mark.requirement("PIPE-10", "AUDIT-03")
def test_a_mandatory_tool_never_used_has_the_phase_done_again_until_it_is(
    tmp_path, tmp_path_factory
):
    lead = (
        goals.classifies(1, 1, goals.task("1", "Just write")),
        goals.judges("approve", goals.task("2", "Read first")),
    )
    scenario = goals.play(*lead, works=READS + READ + STEPS + goals.WORKS)
    members, doors = goals.LEAD + goals.worker("ada"), tmp_path_factory.mktemp("d")
    with team(tmp_path / "r", doors, members, scenario, "lead: lea\n") as found:
        own = found.root / "drumline" / "pipelines" / "reading.yaml"
        own.parent.mkdir(parents=True)
        own.write_text(PIPELINE)
        found.git("add", "--all")
        found.git("commit", "--quiet", "--message=pipeline")
        assert found.told("run", "Write a part", "--pipeline", "reading")["state"] == "delivered"
        first, second = found.told("gate", "list")
        [tools] = [point for point in first["points"] if point["name"] == "tools"]
        assert (first["state"], tools["holds"]) == ("iterated", False)
        assert "mandatory and never used: ada Read" in tools["why"]
        assert "not available: ada Grep, ada mcp__tavily__*" in tools["why"]
        assert second["state"] == "approved"
        shown = found.run("prompt", "show", "T-3", "--member", "ada")
        assert "Mandatory in this phase: `Read`" in shown
        assert "effort: low" in shown
