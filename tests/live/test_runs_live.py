"""A goal with the real Claude Code: it leads, works, and delivers, without a model."""

import pytest

from drumline.runtimes.rehearsal.server import Rehearsal
from drumline.store.manifests import read_text
from drumline.team.scenario import accepted
from tests import goals, understanding
from tests.live.agent_cli import binary
from tests.live.test_members_live import CLEAN
from tests.running import team

LEAD = "  - {name: lea, role: Leads, runtime: claude, tools: [Read], owns: []}\n"
WORKS = goals.WORKS.replace(
    "      steps:\n",
    "      steps:\n"
    "        - tool: {name: Bash, input: {command: git push origin main}}\n"
    "          expect: {result: refused, contains: C-TEAM-004}\n",
)


def worker(name, profile="implementer"):
    return goals.worker(name, profile).replace(
        "runtime: scripted, scenario: play.yaml", "runtime: claude"
    )


def play(*turns):
    """One scenario for whoever asks: the CLIs all speak to one model."""
    return "scenario: a-goal\nmembers:\n  any:\n" + goals.looks() + "".join(turns) + WORKS


@pytest.fixture
def going(tmp_path, doors):
    binary("claude")

    def go(members, *turns):
        with (
            Rehearsal(accepted(read_text(play(*turns)), "play.yaml")) as model,
            team(tmp_path / "r", doors, members, settings="lead: lea\n") as running,
        ):
            running.environ |= CLEAN | {"ANTHROPIC_BASE_URL": model.url("any")}
            told = running.told("run", "Write the parts")
            return told, running.told("run", "summary"), model.failures()

    return go


@pytest.mark.requirement("PIPE-03", "RUN-01")
def test_claude_code_leads_and_works_on_a_small_goal_with_two_calls_of_the_lead(going):
    told, summary, failures = going(
        LEAD + worker("ada"),
        goals.classifies(1, 1, goals.task("1", "Write the part")),
        goals.judges("approve"),
    )
    assert (told["state"], summary["lead_calls"], failures) == ("delivered", 2, [])
    assert summary["usd"] > 0


@pytest.mark.requirement("PIPE-02", "PIPE-03")
def test_claude_code_takes_a_standard_goal_through_its_phases(going):
    members = [("ada", "implementer"), ("ben", "analyst"), ("cy", "researcher")]
    told, summary, failures = going(
        LEAD + "".join(worker(name, profile) for name, profile in members),
        goals.classifies(3, 2),
        goals.plans(goals.task("1", "Write a part")),
        goals.judges("approve"),
        understanding.VERIFIES + understanding.APPROVES,
        understanding.understands(),
    )
    assert (told["state"], told["tier"], failures) == ("delivered", "standard", [])
    phases = [gate["phase"] for gate in summary["gates"] if gate["state"] == "approved"]
    assert phases == ["P0", "P1", "P2", "P3", "P6", "P7"]
