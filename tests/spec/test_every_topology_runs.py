"""What `init` writes is a team that runs: each topology goes from a goal to its delivery."""

import re
from contextlib import ExitStack

import pytest

from tests import goals, understanding
from tests.running import ANSWER, Team

WITHOUT = "without those phases"
READS = "    - again: true\n      steps:\n" + ANSWER.format(files="[]")
IN_ITS_OWN_FOLDER = goals.WORKS.replace("parts", "{member}")
ONE_AFTER_THE_OTHER = (goals.task("1", "One"), goals.task("2", "Another", after="['1']"))
OF_NO_FILES = tuple(each.replace("['parts/**']", "[]") for each in ONE_AFTER_THE_OTHER)


@pytest.fixture
def begun(tmp_path, tmp_path_factory):
    """A repository as `init` leaves it, whose members play a scenario; nothing else is changed."""
    with ExitStack() as stack:

        def begin(topology, scenario):
            root = tmp_path / "greetings"
            root.mkdir()
            found = Team(root, tmp_path_factory.mktemp("d"))
            found.git("init", "--quiet", "--initial-branch=main")
            found.git("config", "user.name", "kim")
            found.git("config", "user.email", "kim@localhost")
            found.run("init", "--yes", "--topology", topology)
            manifest = root / ".claude" / "team.yaml"
            scripted = r"\g<0>    runtime: scripted\n    scenario: play.yaml\n"
            manifest.write_text(re.sub(r"    profile: .*\n", scripted, manifest.read_text()))
            (root / "play.yaml").write_text(scenario)
            found.git("add", "--all")
            found.git("commit", "--quiet", "--message=start")
            stack.callback(found.run, "down", code=None)
            return found

        yield begin


def scenario(lead, works, tasks):
    leads = (
        goals.classifies(3, 2)
        + goals.plans(*tasks)
        + goals.judges("approve")
        + understanding.VERIFIES
        + understanding.APPROVES
    )
    return goals.play(leads, works=understanding.understands() + works).replace("lea:", f"{lead}:")


@pytest.mark.requirement("TEAM-06", "PIPE-14")
@pytest.mark.parametrize(
    ("topology", "lead", "works", "tasks", "phases", "made"),
    [
        pytest.param(
            "parallel-sprint",
            "conductor",
            goals.WORKS,
            ONE_AFTER_THE_OTHER,
            ["P0", "P1", "P3", "P6", "P7"],
            2,
            id="parallel-sprint",
        ),
        pytest.param(
            "isolated-attention",
            "conductor",
            IN_ITS_OWN_FOLDER,
            OF_NO_FILES,
            ["P0", "P6"],
            2,
            id="isolated-attention",
        ),
        pytest.param(
            "review-swarm",
            "synthesiser",
            READS,
            OF_NO_FILES,
            ["P0", "P1", "P3", "P7"],
            0,
            id="review-swarm",
        ),
    ],
)
def test_a_team_goes_from_a_goal_to_its_delivery(  # noqa: PLR0913 - a case of the table
    begun, *, topology, lead, works, tasks, phases, made
):
    found = begun(topology, scenario(lead, works, tasks))
    start = found.git("rev-parse", "HEAD").strip()
    told = found.told("run", "Greet everybody")
    assert told["state"] == "working", told
    [question] = told["questions"]
    found.run("question", "answer", question, WITHOUT)
    told = found.told("run", "watch")
    assert (told["state"], told["questions"]) == ("delivered", [])
    assert [gate["phase"] for gate in found.told("gate", "list")] == phases
    summary = found.told("run", "summary")
    assert {task["state"] for task in summary["tasks"]} == {"completed"}
    assert [task["failures"] for task in summary["tasks"]] == [0] * len(summary["tasks"])
    assert len(found.git("diff", "--name-only", start, "HEAD").split()) == made
    seen = {(each["task"], each["step"]) for each in summary["reviews"]}
    built = [task["task"] for task in summary["tasks"] if task["phase"] == "P6"]
    assert seen == {(task, step) for task in built for step in ("review", "audit")}
