"""MCP servers a task needs: asked before its start; without one of them it is paused, never made up for."""

import pytest

from tests import mcp_servers
from tests.once import once
from tests.running import ANSWER, scripted, team, team_of_a_story, until

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


@pytest.fixture
def down(tmp_path_factory):
    return once(tmp_path_factory, "a-server-that-is-down", server_that_is_down)


def server_that_is_down(place):
    """What becomes of a task whose server does not answer, and of one that needs none, by each answer."""
    members = scripted("ada", more=GIVEN).replace(*TOOLS)
    with team_of_a_story(place, members, WRITES) as found:
        mend(found, mcp_servers.DIES)
        needs = ("--needs", "lab", "--needs", "lab", "--priority", "9")
        found.run("task", "add", "Add two numbers", *needs)
        found.run("task", "add", "Say hello")
        found.run("member", "start", "ada")
        until(completed(found, "T-2"))
        told = {"paused": paused(found), "shown": shown(found)}
        found.run("question", "answer", "Q-1", "again")
        until(lambda: (asked(found) or {}).get("id") == "Q-2")
        told["still down"] = [found.states()["T-1"], refused(found)]
        return {**told, **gone_on(found), **let_go(found), **mended(found)}


def paused(found):
    claim = found.run("task", "claim", "T-1", "--member", "ada", code=1)
    verbs = [each["verb"] for each in found.events() if each["subject"] == "T-1"]
    return {"asked": asked(found), "verbs": verbs, "state": found.states()["T-1"], "claim": claim}


def shown(found):
    return {
        "task": found.told("task", "show", "T-1"),
        "text": found.run("task", "show", "T-1"),
        "prompt": found.run("prompt", "show", "T-1"),
    }


def gone_on(found):
    found.run("question", "answer", "Q-2", "without it")
    until(completed(found))
    prompt = found.run("prompt", "show", "T-1", "--member", "ada")
    return {"without it": {"refused": refused(found), "prompt": prompt}}


def let_go(found):
    found.run("task", "add", "Add three", "--needs", "lab")
    found.run("question", "answer", until(lambda: asked(found))["id"], "cancel")
    until(lambda: found.states()["T-3"] == "cancelled")
    return {"let go": found.states()["T-3"]}


def mended(found):
    found.run("task", "add", "Add four", "--needs", "lab")
    question = until(lambda: asked(found))
    mend(found, mcp_servers.ANSWERS)
    found.run("question", "answer", question["id"], "again")
    until(completed(found, "T-4"))
    return {"mended": found.states()["T-4"]}


def test_a_server_that_does_not_answer_pauses_its_task_and_no_other(down):
    question, verbs = down["paused"]["asked"], down["paused"]["verbs"]
    assert (question["kind"], question["task"], question["holds"]) == ("need", "T-1", True)
    assert "lab: it ended with 1 before it answered initialize: 'no licence'" in question["what"]
    assert question["options"] == ["again", "without it", "cancel"]
    assert (verbs.count("task.claimed"), verbs.count("task.paused")) == (1, 1)
    assert down["paused"]["state"] == "pending"
    assert "T-1 is blocked by Q-1" in down["paused"]["claim"]


def test_a_mended_server_is_asked_again_when_somebody_says_so(down):
    assert down["mended"] == "completed"


def test_a_server_that_is_still_down_is_asked_about_again_and_not_tried_in_a_loop(down):
    assert down["still down"] == ["pending", []]


def test_a_task_that_goes_on_without_its_server_gets_no_web_tool_in_its_place(down):
    assert "C-TOOL-002" in down["without it"]["refused"]
    assert "Not there: `lab`." in down["without it"]["prompt"]


def test_a_task_that_is_let_go_is_cancelled_by_the_answer(down):
    assert down["let go"] == "cancelled"


def test_what_a_task_needs_is_shown_and_is_the_planners_to_say(down):
    assert down["shown"]["task"]["metadata"]["needs"] == ["lab"]
    assert "needs  " in down["shown"]["text"]
    assert "Needed: `lab`, whose tools are `mcp__lab__…`" in down["shown"]["prompt"]


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
