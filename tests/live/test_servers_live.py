"""MCP servers in the real agent CLIs: what a member is given is really started, and really called."""

import json

import pytest

from drumline.runtimes.rehearsal.server import Rehearsal
from drumline.store.manifests import read_text
from drumline.team.scenario import accepted
from tests import mcp_servers
from tests.live.agent_cli import binary
from tests.live.test_members_live import CLEAN, TOOLS, claude, codex
from tests.running import ANSWER, team, until

PLAY = """\
scenario: asks-a-server
members:
  any:
    - again: true
      steps:
        - tool: {name: mcp__lab__add, input: {a: 2, b: 3}}
          expect: {result: ok, contains: "5"}
        - tool: {name: mcp__other__add, input: {a: 2, b: 3}}
          expect: {contains: "other"}
        - tool: {name: Bash, input: {command: "env | grep --count hunter2 || echo 'seen by none'"}}
          expect: {result: ok, contains: seen by none}
""" + ANSWER.format(files="[]")
SETTINGS = "settings: {environment: [REHEARSAL_KEY], server-environment: [LAB_KEY]}\n"


@pytest.fixture
def rehearsal():
    with Rehearsal(accepted(read_text(PLAY), "play.yaml")) as found:
        yield found


@pytest.fixture
def working(tmp_path, doors, rehearsal):
    """A way to have a task done that needs a server, by a member of this runtime that is given it."""
    opened = []

    def start(runtime, **servers):
        binary(runtime)
        url = rehearsal.url("ada")
        member = claude("ada") if runtime == "claude" else codex("ada", url)
        given = TOOLS.replace("shell]", "shell, mcp__lab__*], mcp: [lab]")
        manager = team(tmp_path / "r", doors, member.replace(TOOLS, given), settings=SETTINGS)
        found = manager.__enter__()
        opened.append(manager)
        mcp_servers.register(found.root, **servers)
        found.environ |= CLEAN | {"ANTHROPIC_BASE_URL": url, "LAB_KEY": "hunter2"}
        found.run("task", "add", "Add two numbers", "--needs", "lab")
        found.run("member", "start", "ada")
        until(lambda: found.states()["T-1"] == "completed", seconds=90)
        assert rehearsal.failures() == []
        return found

    yield start
    for manager in opened:
        manager.__exit__(None, None, None)


@pytest.mark.requirement("RUN-12")
@pytest.mark.parametrize("runtime", ["claude", "codex"])
def test_a_member_calls_the_server_it_is_given_and_only_the_server_sees_its_key(
    tmp_path, working, runtime
):
    start = mcp_servers.program(tmp_path, "lab", mcp_servers.ANSWERS)
    found = working(runtime, lab={**start, "env": {"LAB_KEY": "${LAB_KEY}"}}, other=start)
    called = found.root / ".drumline" / "homes" / "ada" / "called.json"
    seen = json.loads(called.read_text())
    assert seen["key"] == "hunter2"
    assert "DRUMLINE_TOKEN_FILE" not in seen["names"]
    assert "mcp" in seen["lines"]
    assert "hunter2" not in seen["lines"]


@pytest.mark.requirement("RUN-12")
@pytest.mark.parametrize("runtime", ["claude", "codex"])
def test_a_member_calls_a_server_at_an_address_with_its_headers(working, runtime):
    with mcp_servers.on_the_web() as url:
        lab = {"type": "http", "url": url, "headers": {"Authorization": "Bearer ${LAB_KEY}"}}
        working(runtime, lab=lab)
