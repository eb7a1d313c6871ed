"""Work is delivered once others than its authors looked at it, and what they found was mended."""

from contextlib import ExitStack

import pytest

from tests import goals
from tests.running import team

LED = "lead: lea\n"
PIPELINE = """\
pipeline: short
description: Build, and let others look at it
phases:
  - {name: build, title: Build, zone: execution, profile: implementer, reviewed: true}
  - {name: hand-over, title: Hand over, zone: after, delivers: true}
paths:
  trivial: [build, hand-over]
  standard: [build, hand-over]
  complex: [build, hand-over]
"""
FINDING = "{file: parts/T-2.txt, line: 1, severity: high, what: It greets nobody}"
LOOKING = (  # each sees what was changed, and the second reviewer what was found before
    goals.looks(when="(?s)Audit the work of.*by ada")
    + goals.looks(when="(?s)Review the work of.*found in it before.*It greets nobody.*by ada")
    + goals.looks("changes wanted", when="(?s)Review the work of.*by ada", findings=f"[{FINDING}]")
)
EVERYONE = goals.LEAD + "".join(
    goals.worker(name, profile)
    for name, profile in [("ada", "implementer"), ("ben", "analyst"), ("cy", "researcher")]
)


@pytest.fixture
def going(tmp_path, tmp_path_factory):
    with ExitStack() as stack:

        def go(scenario, members=EVERYONE, led=LED):
            folder = tmp_path / "r" / "drumline" / "pipelines"
            folder.mkdir(parents=True)
            (folder / "short.yaml").write_text(PIPELINE)
            doors = tmp_path_factory.mktemp("d")
            return stack.enter_context(team(tmp_path / "r", doors, members, scenario, led))

        yield go


@pytest.mark.requirement("PIPE-14")
def test_what_others_find_is_mended_and_seen_again_before_it_is_delivered(going):
    found = going(
        goals.play(
            goals.classifies(3, 2),
            goals.plans(goals.task("1", "Write the part")),
            goals.judges("approve"),
            looking=LOOKING,
        )
    )
    told = found.told("run", "Write a part", "--pipeline", "short")
    assert told["state"] == "delivered", found.told("question", "list")
    summary = found.told("run", "summary")
    said = [
        (each["task"], each["step"], each["by"], each["verdict"]) for each in summary["reviews"]
    ]
    assert said == [
        ("T-2", "review", "ben", "changes wanted"),
        ("T-3", "review", "ben", "approve"),
        ("T-3", "audit", "cy", "approve"),
    ]
    commits = found.git("log", "--format=%H").split()
    assert {each["version"] for each in summary["reviews"]} <= set(commits)
    record = (found.root / ".drumline/runs/run-1/phase-build/gate-record.yaml").read_text()
    assert f"T-3@{summary['reviews'][1]['version']} review: approve by ben" in record
    assert "It greets nobody" in found.run("task", "show", "T-3")
    assert (summary["lead_calls"], summary["other_calls"]) == (3, 3)


@pytest.mark.requirement("PIPE-14")
def test_a_team_of_two_delivers_a_larger_change_with_a_persons_audit(going):
    found = going(
        goals.play(
            goals.classifies(3, 2),
            goals.plans(goals.task("1", "Write the part")),
            goals.judges("approve"),
            goals.looks(),
        ),
        goals.LEAD + goals.worker("ada"),
    )
    told = found.told("run", "Write a part", "--pipeline", "short")
    assert told["state"] == "working"
    [asked] = found.told("question", "list")
    assert "nobody is left on the team to audit T-2" in asked["what"]
    found.run("question", "answer", asked["id"], "approve")
    assert found.told("run", "watch")["state"] == "delivered"
    by = [(each["step"], each["by"]) for each in found.told("task", "show", "T-2")["reviews"]]
    assert by[0] == ("review", "lea")
    assert by[1][1].startswith("person:")
