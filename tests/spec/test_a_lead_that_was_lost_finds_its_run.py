"""A lead that is killed in the midst of a run finds the run again, and members hear what holds."""

import os
import signal

import pytest

from tests import goals, understanding
from tests.running import team, until
from tests.stories import POINTS

WAITS = 'tool: {name: Bash, input: {command: "until [ -e parts/go ]; do sleep 0.05; done; rm parts/go"}}'
FOUND = {
    "verdict": "approve", "points": POINTS, "summary": "found again", "guidance": "", "tasks": [],
}  # fmt: skip
LEAD = understanding.says("You were started anew in the midst of this run", FOUND)
LEAD += understanding.LEADS + understanding.VERIFIES + understanding.APPROVES
WORKS = understanding.says("show that you understand", understanding.ANALYSIS)
WORKS += understanding.says("with your plan", understanding.PLAN)
WORKS += understanding.WORKS.replace("      steps:\n", f"      steps:\n        - {WAITS}\n")


@pytest.mark.requirement("RECOVER-03", "RECOVER-05")
def test_a_killed_lead_is_told_where_its_run_stands_and_the_run_is_delivered(tmp_path, doors):
    root = tmp_path / "r"
    understanding.pipeline(root)
    members = goals.LEAD + goals.worker("ada")
    with team(root, doors, members, goals.play(LEAD, works=WORKS), "lead: lea\n") as found:
        found.run("run", "Have a part", "--tier", "standard", "--pipeline", "short", "--detach")
        checkout = root / ".drumline" / "checkouts" / "ada"
        until(lambda: "understanding.approved" in [event["verb"] for event in found.events()])
        [runner] = [
            pid for pid, words in found.processes() if " lea" in words and "member" in words
        ]
        os.kill(runner, signal.SIGKILL)
        until(lambda: "run.lead-anew" in [event["verb"] for event in found.events()])
        (checkout / "parts").mkdir()
        (checkout / "parts" / "go").touch()
        until(lambda: found.told("run", "show")["state"] == "delivered")
        kinds = [each["kind"] for each in found.told("mail", "inbox", "ada", "--all")]
        assert kinds.count("directive") == 2
        gates = found.told("run", "summary")["gates"]
        assert [gate["summary"] for gate in gates] == ["found again"]
