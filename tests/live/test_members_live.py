"""Members in the real agent CLIs: a task from the board to the team's branch, without a model."""

import pytest

from drumline.runtimes.rehearsal.server import Rehearsal
from drumline.store.manifests import read_text
from drumline.team.scenario import accepted
from tests.live.agent_cli import binary
from tests.running import ANSWER, scripted, team, until

PLAY = """\
scenario: whole-task
members:
  any:
    - again: true
      steps:
        - say: I begin.
        - tool: {name: Bash, input: {command: git push origin main}}
          expect: {result: refused, contains: C-TEAM-004}
        - tool: {name: Write, input: {file_path: "{member}.txt", content: "by {member}\\n"}}
          expect: ok
        - tool: {name: Bash, input: {command: "git add . && git commit --quiet --message='{task}'"}}
          expect: ok
        - verb: [mail, send, --to, human, "{task} is written"]
          expect: ok
        - usage: {input: 2000, output: 80}
""" + ANSWER.format(files='["{member}.txt"]')
CLEAN = {
    "ANTHROPIC_API_KEY": "rehearsal",
    "REHEARSAL_KEY": "rehearsal",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "NO_PROXY": "127.0.0.1,localhost",
}


def claude(name: str) -> str:
    tools = "[Read, Write, Edit, Bash]"
    return f"  - {{name: {name}, role: Builds, runtime: claude, tools: {tools}, owns: ['**']}}\n"


@pytest.fixture
def rehearsal():
    with Rehearsal(accepted(read_text(PLAY), "play.yaml")) as found:
        yield found


@pytest.mark.requirement("RUN-01", "RUN-04", "RUN-09", "GUARD-11", "GUARD-12")
def test_a_member_in_claude_code_takes_a_task_to_its_end(tmp_path, doors, rehearsal):
    cli = binary("claude")
    with team(tmp_path / "r", doors, claude("ada")) as running:
        running.environ |= CLEAN | {"ANTHROPIC_BASE_URL": rehearsal.url("ada")}
        running.run("task", "add", "Say hello")
        running.run("task", "note", "T-1", 'verify=["test", "-e", "ada.txt"]')
        running.run("member", "start", "ada")
        until(lambda: running.states()["T-1"] == "completed", seconds=90)
        assert running.git("show", "drumline/merged:ada.txt") == "by ada\n"
        assert rehearsal.failures() == []
        trail = running.told("audit")["entries"]
        assert [line["refused"] for line in trail if line.get("refused")] == ["C-TEAM-004"]
        assert {line["team_member"] for line in trail} == {"ada"}
        assert "T-1 is written" in str(running.told("mail", "inbox", "human"))
        assert running.told("member", "list")[0]["cost_usd"] > 0
    assert cli
