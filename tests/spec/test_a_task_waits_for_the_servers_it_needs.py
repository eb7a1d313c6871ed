"""MCP servers a task needs: asked before its start; without one of them it is paused, never made up for."""

import pytest

from tests import mcp_servers
from tests.running import ANSWER, scripted, team, until

pytestmark = pytest.mark.requirement("RUN-12")

GIVEN = ", mcp: [lab]"
TOOLS = ("Read, Write, Edit, Bash]", "Read, Write, Edit, Bash, WebSearch, mcp__lab__*]")
WRITES = """\
scenario: writes-a-file
members:
  any:
    - again: true
      steps:
        - tool: {name: WebSearch, input: {query: what lab would know}}
        - tool: {name: Write, input: {file_path: "parts/{task}.txt", content: "by {member}\\n"}}
        - tool: {name: Bash, input: {command: "git add parts && git commit --quiet --allow-empty --message='{task}'"}}
""" + ANSWER.format(files='["parts/{task}.txt"]')


@pytest.fixture
def running(tmp_path, doors):
    """A way to have a team work on tasks with a server of this program, or with none."""
    opened = []

    def start(text, *tasks, members=None, scenario=WRITES):
        given = members or scripted("ada", more=GIVEN).replace(*TOOLS)
        manager = team(tmp_path / "r", doors, given, scenario)
        found = manager.__enter__()
        opened.append(manager)
        if text:
            mend(found, text)
        for words in tasks:
            found.run("task", "add", *words)
        found.run("member", "start", "--all")
        return found

    yield start
    for manager in opened:
        manager.__exit__(None, None, None)


def mend(found, text):
    mcp_servers.register(found.root, lab=mcp_servers.program(found.root, "lab", text))


def asked(found):
    """The one question that waits."""
    return next(iter(found.told("question", "list")), None)


def completed(found, task="T-1"):
    return lambda: found.states()[task] == "completed"


def refused(found):
    return [line.get("refused") for line in found.told("audit")["entries"] if line.get("refused")]


def test_a_task_whose_server_answers_is_worked_on(running):
    found = running(mcp_servers.ANSWERS, ["Add two numbers", "--needs", "lab"])
    until(completed(found))
    assert asked(found) is None
    assert "C-TOOL-002" not in refused(found)


def test_a_server_that_does_not_answer_pauses_its_task_and_no_other(running):
    found = running(
        mcp_servers.DIES, ["Add two numbers", "--needs", "lab", "--priority", "9"], ["Say hello"]
    )
    until(completed(found, "T-2"))
    question = asked(found)
    assert (question["kind"], question["task"], question["holds"]) == ("need", "T-1", True)
    assert "lab: it ended with 1 before it answered initialize: 'no licence'" in question["what"]
    assert question["options"] == ["again", "without it", "cancel"]
    verbs = [each["verb"] for each in found.events() if each["subject"] == "T-1"]
    assert (verbs.count("task.claimed"), verbs.count("task.paused")) == (1, 1)
    assert found.states()["T-1"] == "pending"
    assert "T-1 is blocked by Q-1" in found.run("task", "claim", "T-1", "--member", "ada", code=1)


def test_a_mended_server_is_asked_again_when_somebody_says_so(running):
    found = running(mcp_servers.DIES, ["Add two numbers", "--needs", "lab"])
    until(lambda: asked(found))
    mend(found, mcp_servers.ANSWERS)
    found.run("question", "answer", "Q-1", "again")
    until(completed(found))


def test_a_server_that_is_still_down_is_asked_about_again_and_not_tried_in_a_loop(running):
    found = running(mcp_servers.DIES, ["Add two numbers", "--needs", "lab"])
    until(lambda: asked(found))
    found.run("question", "answer", "Q-1", "again")
    until(lambda: (asked(found) or {}).get("id") == "Q-2")
    assert found.states()["T-1"] == "pending"


def test_a_task_that_goes_on_without_its_server_gets_no_web_tool_in_its_place(running):
    found = running(mcp_servers.DIES, ["Add two numbers", "--needs", "lab"])
    until(lambda: asked(found))
    found.run("question", "answer", "Q-1", "without it")
    until(completed(found))
    assert "C-TOOL-002" in refused(found)
    told = found.run("prompt", "show", "T-1", "--member", "ada")
    assert "Not there: `lab`." in told


LEAVES = (
    "import os, sys\nsys.exit('gone') if os.path.exists(os.environ['HOME'] + '/away') else None\n"
    + mcp_servers.ANSWERS
)


def test_a_server_that_goes_away_meanwhile_is_not_made_up_for_either(running):
    leaves = "        - tool: {name: Bash, input: {command: touch ~/away}}\n"
    found = running(
        LEAVES, ["Add", "--needs", "lab"], scenario=WRITES.replace("steps:\n", f"steps:\n{leaves}")
    )
    until(completed(found))
    assert "C-TOOL-002" in refused(found)


def test_a_task_that_is_let_go_is_cancelled_by_the_answer(running):
    found = running(mcp_servers.DIES, ["Add two numbers", "--needs", "lab"])
    until(lambda: asked(found))
    found.run("question", "answer", "Q-1", "cancel")
    until(lambda: found.states()["T-1"] == "cancelled")


def test_a_server_nobody_registered_pauses_the_task(running):
    found = running("", ["Add two numbers", "--needs", "lab"])
    assert "lab: no file registers it" in until(lambda: asked(found))["what"]


def test_a_task_is_left_to_the_member_that_has_its_server(running):
    both = scripted("ada") + scripted("brook", more=GIVEN).replace(*TOOLS)
    found = running(mcp_servers.ANSWERS, *[["Add", "--needs", "lab"]] * 3, members=both)
    until(lambda: set(found.states().values()) == {"completed"})
    assert asked(found) is None
    for number in (1, 2, 3):
        assert found.git("show", f"drumline/merged:parts/T-{number}.txt") == "by brook\n"


def test_what_a_task_needs_is_shown_and_is_the_planners_to_say(running):
    found = running(mcp_servers.DIES, ["Add two numbers", "--needs", "lab", "--needs", "lab"])
    assert found.told("task", "show", "T-1")["metadata"]["needs"] == ["lab"]
    assert "needs  " in found.run("task", "show", "T-1")
    assert "Needed: `lab`, whose tools are `mcp__lab__…`" in found.run("prompt", "show", "T-1")
