"""A member that is at work leaves: its process ends in order, its task goes to another, its work is kept."""

import pytest

from tests.running import ANSWER, HASTY, until
from tests.spec.playing import WAITS

SCENARIO = (
    "scenario: play\nmembers:\n  ada:\n    - again: true\n      steps:\n"
    '        - tool: {name: Bash, input: {command: "echo half > half.txt"}}\n'
    + WAITS
    + "  any:\n    - again: true\n      steps:\n"
    '        - tool: {name: Write, input: {file_path: "parts/{task}.txt", content: "by {member}\\n"}}\n'
    "        - tool: {name: Bash, input: {command: \"git add parts && git commit --quiet --message='{task}'\"}}\n"
    + ANSWER.format(files='["parts/{task}.txt"]')
)


@pytest.mark.requirement("TEAM-08", "RUN-05", "RUN-07")
def test_who_leaves_at_work_ends_and_another_does_its_task(running):
    names = ("ada", "brook")
    found = running(SCENARIO, ["Say hello"], names=names, settings=HASTY, begin=False)
    found.run("member", "start", "ada")
    half = found.root / ".drumline" / "checkouts" / "ada" / "half.txt"
    until(half.exists)
    assert "ada holds T-1" in found.run("team", "remove", "ada", code=1)
    told = found.told("team", "remove", "ada", "--release")
    assert "not clean" in told["checkout_kept"]
    assert half.read_text() == "half\n"
    assert not [words for _, words in found.processes() if "member run ada" in words]
    found.run("member", "start", "brook")
    until(lambda: found.states()["T-1"] == "completed")
    assert found.git("show", "drumline/merged:parts/T-1.txt") == "by brook\n"
    assert "ada" not in {each["name"] for each in found.told("status")["members"]}


@pytest.mark.requirement("TEAM-08")
def test_who_joins_a_team_at_work_takes_its_tasks(running):
    found = running(SCENARIO, ["Say hello"], names=("ada",), begin=False)
    found.run(
        *("team", "add", "brook", "--role", "Builds", "--runtime", "scripted"),
        *("--scenario", "play.yaml", "--tool", "Read", "--tool", "Write", "--tool", "Bash"),
    )
    found.run("member", "start", "brook")
    until(lambda: found.states()["T-1"] == "completed")
    assert found.git("show", "drumline/merged:parts/T-1.txt") == "by brook\n"
