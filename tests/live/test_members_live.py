"""Members in the real agent CLIs: a task from the board to the team's branch, without a model."""

import json

import pytest

from drumline.runtimes.rehearsal.server import Rehearsal
from drumline.store.manifests import read_text
from drumline.team.scenario import accepted
from tests.live.agent_cli import binary
from tests.live.codex_stage import model_at
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
        - tool: {name: mcp__drumline__task_show, input: {task: "{task}"}}
          expect: {result: ok, contains: in_progress}
        - tool: {name: mcp__drumline__mail_send, input: {to: [nobody], text: lost}}
          expect: {contains: "no member 'nobody'"}
        - usage: {input: 2000, output: 80}
""" + ANSWER.format(files='["{member}.txt"]')
CLEAN = {
    "ANTHROPIC_API_KEY": "rehearsal",
    "REHEARSAL_KEY": "rehearsal",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "NO_PROXY": "127.0.0.1,localhost",
}


TOOLS = "tools: [Read, Write, Edit, Bash, apply_patch, shell], owns: ['**']"
PLAN = ("brief.notify=human", "brief.await=human")


def claude(name: str) -> str:
    return f"  - {{name: {name}, role: Builds, runtime: claude, {TOOLS}}}\n"


def codex(name: str, url: str) -> str:
    words = json.dumps(json.loads(model_at(url)))
    return f"  - {{name: {name}, role: Builds, runtime: codex, {TOOLS}, arguments: {words}}}\n"


@pytest.fixture
def rehearsal():
    with Rehearsal(accepted(read_text(PLAY), "play.yaml")) as found:
        yield found


def assert_whole(running, rehearsal, member):
    """Written, committed, verified, merged, told, refused, audited and paid for."""
    assert running.git("show", f"drumline/merged:{member}.txt") == f"by {member}\n"
    assert rehearsal.failures() == []
    trail = [line for line in running.told("audit")["entries"] if line["team_member"] == member]
    assert [line["refused"] for line in trail if line.get("refused")] == ["C-TEAM-004"]
    assert any("git commit" in line.get("command", "") for line in trail)
    paid = {each["name"]: each["cost_usd"] for each in running.told("member", "list")}
    assert paid[member] > 0


@pytest.mark.requirement("RUN-01", "RUN-04", "RUN-09", "GUARD-11", "GUARD-12", "BOARD-12")
@pytest.mark.parametrize("runtime", ["claude", "codex"])
def test_a_member_in_a_real_cli_takes_a_task_to_its_end(tmp_path, doors, rehearsal, runtime):
    binary(runtime)
    url = rehearsal.url("ada")
    member = claude("ada") if runtime == "claude" else codex("ada", url)
    settings = "settings: {environment: [REHEARSAL_KEY]}\n"
    with team(tmp_path / "r", doors, member, settings=settings) as running:
        running.environ |= CLEAN | {"ANTHROPIC_BASE_URL": url}
        running.run("task", "add", "Say hello")
        running.run("task", "note", "T-1", 'verify=["test", "-e", "ada.txt"]')
        running.run("member", "start", "ada")
        until(lambda: running.states()["T-1"] == "completed", seconds=90)
        assert_whole(running, rehearsal, "ada")
        assert "T-1 is written" in str(running.told("mail", "inbox", "human"))


@pytest.mark.requirement("RUN-04", "RUN-05")
def test_a_team_of_both_clis_and_a_scripted_member_finishes_a_chain(tmp_path, doors, rehearsal):
    for name in ("claude", "codex"):
        binary(name)
    members = claude("ada") + codex("brook", rehearsal.url("brook")) + scripted("cleo")
    profiles = {"ada": "one", "brook": "two", "cleo": "three"}
    for name, profile in profiles.items():
        members = members.replace(f"name: {name},", f"name: {name}, profile: {profile},")
    settings = "settings: {environment: [REHEARSAL_KEY]}\n"
    with team(tmp_path / "r", doors, members, PLAY, settings) as running:
        running.environ |= CLEAN | {"ANTHROPIC_BASE_URL": rehearsal.url("ada")}
        waits = []
        for number, profile in enumerate(profiles.values(), 1):
            running.run("task", "add", f"Part {number}", "--profile", profile, *waits)
            running.run("task", "note", f"T-{number}", *PLAN)
            waits = ["--blocked-by", f"T-{number}"]
        running.run("member", "start", "--all")
        until(lambda: set(running.states().values()) == {"completed"}, seconds=120)
        for name in profiles:
            assert running.git("show", f"drumline/merged:{name}.txt") == f"by {name}\n"
        done = [e["subject"] for e in running.events() if e["verb"] == "task.completed"]
        assert done == ["T-1", "T-2", "T-3"]
        merges = running.git("log", "--merges", "--format=%an", "drumline/merged").split()
        assert merges == ["cleo", "brook", "ada"]


@pytest.mark.requirement("RUN-01")
def test_a_call_that_claude_code_would_ask_about_is_a_question_to_a_person(tmp_path, doors):
    binary("claude")
    asks = PLAY.split("        - say: I begin.")[0] + (
        '        - tool: {name: Write, input: {file_path: "ada.txt", content: "by ada\\n"}}\n'
        '        - tool: {name: Bash, input: {command: "touch never"}}\n'
        "          expect: {contains: not today}\n"
    )
    member = claude("ada").replace("tools:", "permission-mode: default, tools:")
    with (
        Rehearsal(accepted(read_text(asks + ANSWER.format(files='["ada.txt"]')), "p")) as model,
        team(tmp_path / "r", doors, member) as running,
    ):
        running.environ |= CLEAN | {"ANTHROPIC_BASE_URL": model.url("ada")}
        running.run("task", "add", "Say hello")
        running.run("member", "start", "ada")
        for number, words in ((1, ["allow"]), (2, ["refuse", "--words", "not today"])):
            until(lambda at=number: len(running.told("question", "list", "--all")) == at, 90)
            running.run("question", "answer", f"Q-{number}", *words)
        checkout = running.root / ".drumline" / "checkouts" / "ada"
        until(lambda: [line for line in running.diary("ada") if line["what"] == "handed in"])
        assert (checkout / "ada.txt").exists()
        assert not (checkout / "never").exists()
        assert model.failures() == []
