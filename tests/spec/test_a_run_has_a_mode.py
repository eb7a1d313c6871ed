"""A run has a mode, and its members are held to it: by their guard, in the midst of a turn too."""

import pytest

from tests import goals
from tests.running import team

LED = "lead: lea\n"
LEAD = goals.LEAD.replace("[Read]", "['Read', 'Write', 'Bash']")
TRIES = """\
    - when: {contains: "is done, iteration"}
      again: true
      steps:
"""
SMALL = goals.classifies(1, 1, goals.task("1", "Write the part"))


def judging(*calls):
    """A lead that makes some calls before it approves."""
    tools = "".join(f"        - tool: {each}\n" for each in calls)
    return TRIES + tools + goals.judges("approve").partition("      steps:\n")[2]


def refused(found):
    """Who was refused what, by which rule."""
    lines = found.told("audit", "--limit", "1000")["entries"]
    return {
        (each["team_member"], each["tool"], each["refused"])
        for each in lines
        if each.get("refused")
    }


@pytest.mark.requirement("PIPE-18")
def test_the_lead_of_a_single_session_opens_no_finding(tmp_path, tmp_path_factory):
    finding = "{name: Read, input: {file_path: .drumline/runs/run-1/phase-P6/ada/summary.md}}"
    plan = "{name: Read, input: {file_path: play.yaml}}"
    members = LEAD + goals.worker("ada") + goals.worker("cora", "coordinator")
    scenario = goals.play(SMALL, judging(finding, plan))
    with team(tmp_path / "r", tmp_path_factory.mktemp("d"), members, scenario, LED) as found:
        told = found.told("run", "Write a part", "--mode", "single-session")
        assert (told["state"], told["mode"]) == ("delivered", "single-session")
        assert refused(found) == {("lea", "Read", "C-MODE-002")}
        titles = [each["title"] for each in found.told("run", "summary")["tasks"]]
        assert titles == ["Write the part", "Bring together what Execution found"]


@pytest.mark.requirement("PIPE-18")
def test_a_lead_that_may_work_changes_nothing_in_a_delegating_run(tmp_path, tmp_path_factory):
    change = "{name: Write, input: {file_path: mine.txt, content: x}}"
    members = LEAD + goals.worker("ada")
    settings = f"{LED}settings: {{lead-works: true}}\n"
    scenario = goals.play(SMALL, judging(change))
    with team(tmp_path / "r", tmp_path_factory.mktemp("d"), members, scenario, settings) as found:
        assert found.told("run", "Write a part", "--mode", "delegate")["state"] == "delivered"
        by_rule = {rule for _, tool, rule in refused(found) if tool == "Write"}
        assert by_rule == {"C-LEAD-001"}
