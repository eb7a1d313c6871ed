"""Subagents in the real agent CLIs: our own verb in each of them, and Claude Code's own tool under our rules."""

import json
from contextlib import contextmanager
from pathlib import Path

import pytest

from drumline.runtimes.rehearsal.server import Rehearsal
from drumline.store.manifests import read_text
from drumline.team.profile import Profile
from drumline.team.scenario import accepted
from tests.live.agent_cli import binary
from tests.live.claude_stage import Stage, ended
from tests.live.codex_stage import model_at
from tests.live.test_members_live import CLEAN
from tests.running import ANSWER, team, until
from tests.spec.playing import rows

DONE = ANSWER.format(files="[]")
LONG = 40_000
LOOKER = "---\nname: looker\ndescription: Looks\ntools: Read, Bash\n---\nYou look.\n"
SPEAKER = "---\nname: speaker\ndescription: Speaks\ntools: Read, mcp__drumline__mail_send\n---\n"
ASKS = f"""\
scenario: asks-our-way
members:
  any:
    - when: the moon
      steps:
        - tool: {{name: Bash, input: {{command: git push origin main}}}}
          expect: {{result: refused, contains: C-TEAM-004}}
        - tool: {{name: Bash, input: {{command: drumline mail send --to human hello}}}}
          expect: {{result: refused, contains: C-TASK-006}}
        - tool: {{name: Bash, input: {{command: echo here > here.txt}}}}
          expect: ok
        - say: It is round.
    - when: the sun
      steps:
        - say: {"x" * LONG}
    - steps:
        - tool: {{name: mcp__drumline__subagent_ask, input: {{profile: looker, prompt: Look at the moon}}}}
          expect: {{contains: It is round.}}
        - tool: {{name: mcp__drumline__subagent_ask, input: {{profile: looker, prompt: Look at the sun}}}}
          expect: {{contains: "40,000 characters were returned", lacks: xxxx}}
        - tool: {{name: mcp__drumline__subagent_ask, input: {{profile: stranger, prompt: Look}}}}
          expect: {{contains: may not start a subagent}}
        - tool: {{name: Bash, input: {{command: "wc -m < $(ls $TMPDIR/returned-*.md) && rm here.txt"}}}}
          expect: {{contains: "{LONG}"}}
{DONE}"""


def agents(root: Path, **texts: str) -> None:
    folder = root / ".claude/agents"
    folder.mkdir(parents=True)
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text)


def member(runtime: str, url: str) -> str:
    words = f", arguments: {json.dumps(json.loads(model_at(url)))}" if runtime == "codex" else ""
    return (
        f"  - {{name: ada, role: Builds, runtime: {runtime}, owns: ['**'],"
        f" tools: [Read, Write, Bash, 'Agent(looker, speaker)']{words}}}\n"
    )


@contextmanager
def playing(tmp_path, doors, runtime, scenario):
    """A team of one at work on a task as the scenario has it, and the model that plays it."""
    binary(runtime)
    with Rehearsal(accepted(read_text(scenario), "play.yaml")) as model:
        url = model.url("ada")
        settings = "settings: {environment: [REHEARSAL_KEY]}\n"
        with team(tmp_path / "r", doors, member(runtime, url), settings=settings) as found:
            found.environ |= CLEAN | {"ANTHROPIC_BASE_URL": url}
            agents(found.root, looker=LOOKER, speaker=SPEAKER)
            found.run("task", "add", "Work")
            found.run("member", "start", "ada")
            yield found, model


def played(tmp_path, doors, runtime, scenario):
    """What is left of such a team once its task is done."""
    with playing(tmp_path, doors, runtime, scenario) as (found, model):
        until(lambda: found.states()["T-1"] == "completed", seconds=90)
        return Facts(found, model)


class Facts:
    """What is left of a team that has played."""

    def __init__(self, found, model) -> None:
        self.trail = found.told("audit")["entries"]
        self.letters = found.told("mail", "inbox", "human")
        self.verbs = [event["verb"] for event in found.events()]
        self.charges = rows(found, "charges")
        self.requests, self.failures = model.requests(), model.failures()
        self.unplayed, self.records = model.unplayed(), model.records()

    @property
    def refused(self):
        return [(e.get("subagent"), e["refused"]) for e in self.trail if e.get("refused")]


@pytest.mark.requirement("RUN-13", "RUN-11", "RUN-06")
@pytest.mark.parametrize("runtime", ["claude", "codex"])
def test_a_member_in_a_real_cli_asks_subagents_by_our_verb(tmp_path, doors, runtime):
    found = played(tmp_path, doors, runtime, ASKS)
    assert found.failures == []
    assert found.unplayed == []
    assert found.refused == [("looker", "C-TEAM-004"), ("looker", "C-TASK-006")]
    assert found.letters == []
    assert found.verbs.count("subagent.ended") == 2
    assert len({row["source"] for row in found.charges}) == 3
    assert sum(row["input"] for row in found.charges) == 100 * found.requests


WAITS = f"""\
scenario: waits
members:
  any:
    - when: the moon
      again: true
      steps:
        - tool: {{name: Bash, input: {{command: touch began; exec tail -f /dev/null}}}}
    - again: true
      steps:
        - tool: {{name: mcp__drumline__subagent_ask, input: {{profile: looker, prompt: Look at the moon}}}}
{DONE}"""


@pytest.mark.requirement("RUN-13", "RUN-07")
@pytest.mark.parametrize("runtime", ["claude", "codex"])
def test_a_subagent_in_a_real_cli_ends_with_its_starter(tmp_path, doors, runtime):
    with playing(tmp_path, doors, runtime, WAITS) as (found, _):
        until((found.root / ".drumline/checkouts/ada/began").exists, seconds=90)
        found.run("member", "stop", "ada")
        assert found.states()["T-1"] != "in_progress"
        ours = ("-m drumline", "drumline nest")  # the plane and what it forks from
        left = [words for _, words in found.processes() if not any(each in words for each in ours)]
        assert left == []
        verbs = [event["verb"] for event in found.events()]
        assert verbs.count("subagent.started") == verbs.count("subagent.ended") > 0


OWN = f"""\
scenario: asks-its-own-way
members:
  ada:
    - when: {{subagent: true, contains: the moon}}
      steps:
        - tool: {{name: Bash, input: {{command: git push origin main}}}}
          expect: {{result: refused, contains: C-TEAM-004}}
        - tool: {{name: Bash, input: {{command: drumline mail send --to human hello}}}}
          expect: {{result: refused, contains: C-TASK-006}}
        - tool: {{name: Write, input: {{file_path: a.txt, content: x}}}}
          expect: failed
        - say: {"x" * LONG}
    - when: {{subagent: true, contains: the people}}
      steps:
        - tool: {{name: mcp__drumline__mail_send, input: {{to: [human], text: hello}}}}
          expect: {{result: refused, contains: C-TASK-006}}
        - say: They hear nothing.
    - steps:
        - tool: {{name: Agent, input: {{description: a, prompt: Look at the moon, subagent_type: looker}}}}
          expect: {{result: ok, contains: characters were returned, lacks: xxxx}}
        - tool: {{name: Agent, input: {{description: b, prompt: Look, subagent_type: general-purpose}}}}
          expect: {{result: refused, contains: C-TOOL-001}}
        - tool: {{name: Agent, input: {{description: c, prompt: Look, subagent_type: looker, run_in_background: true}}}}
          expect: {{result: refused, contains: C-TASK-005}}
        - tool: {{name: Agent, input: {{description: d, prompt: Look, subagent_type: looker, model: opus}}}}
          expect: {{result: refused, contains: C-TASK-005}}
        - tool: {{name: Agent, input: {{description: e, prompt: Tell the people, subagent_type: speaker}}}}
          expect: {{result: ok, contains: They hear nothing}}
        - tool: {{name: Bash, input: {{command: "cat $TMPDIR/returned-*.md | wc -m"}}}}
          expect: {{contains: "400"}}
{DONE}"""


@pytest.mark.requirement("RUN-13", "RUN-11", "RUN-06", "GUARD-15")
def test_claude_code_s_own_subagents_keep_to_the_same_rules(tmp_path, doors):
    found = played(tmp_path, doors, "claude", OWN)
    assert found.failures == []
    assert found.unplayed == []
    assert found.letters == []
    assert found.refused == [
        ("looker", "C-TEAM-004"),
        ("looker", "C-TASK-006"),
        (None, "C-TOOL-001"),
        *[(None, "C-TASK-005")] * 2,
        ("speaker", "C-TASK-006"),
    ]
    assert len({row["source"] for row in found.charges}) == 1
    assert sum(row["input"] for row in found.charges) == 100 * found.requests


def beside(answer: str, *more: str) -> str:
    """A scenario in which a subagent works beside its starter, and what it says when it said too much."""
    steps = "".join(f"        - {step}\n" for step in more)
    return f"""\
scenario: beside
members:
  ada:
    - when: Do it
      steps:
        - tool: {{name: Agent, input: {{description: a, prompt: Walk the hills, subagent_type: walker}}}}
{steps}        - say: It is on its way.
    - when: {{subagent: true, contains: the hills}}
      steps: [{{say: {"y" * LONG}}}]
    - when: {{subagent: true, contains: characters were returned}}
      again: true
      steps: [{{say: {answer}}}]
    - when: in the file
      steps: [{{say: I see.}}]
    - when: characters were returned
      steps: [{{say: I see.}}]
"""


def walked(tmp_path: Path, scenario: str) -> Stage:
    """A stage on which a walker has worked in the background, whatever it wanted to say."""
    stage = Stage.told(tmp_path, scenario)
    walker = Profile(name="walker", description="Walks", tools=("Read",), background=True)

    async def work():
        async with stage.talk(profiles={"walker": walker}, tools=("Read", "Bash")) as talk:
            return await ended(talk.turn("Do it."))

    last = stage.played(work)
    assert last.outcome.succeeded
    heard = [each.heard for each in stage.model.records()]
    assert "yyyy" not in "".join(heard)
    assert [words for words in heard if "returned-" in words or "in the file" in words]
    assert stage.model.failures() == []
    return stage


@pytest.mark.requirement("RUN-11", "GUARD-15")
def test_one_that_may_work_beside_its_starter_is_asked_for_a_shorter_answer(tmp_path):
    stage = walked(tmp_path, beside("It is in the file."))
    (file,) = stage.temporary.glob("returned-*.md")
    assert file.read_text() == "y" * LONG


WAIT = "until [ $(ls $TMPDIR/returned-* | wc -l) -ge 9 ]; do sleep 0.1; done; sleep 1"


@pytest.mark.requirement("RUN-11")
@pytest.mark.parametrize(
    "more",
    [(), (f"tool: {{name: Bash, input: {{command: '{WAIT}'}}}}",) * 2],
    ids=["after the turn", "in the turn"],
)
def test_one_that_insists_on_a_long_answer_does_not_get_it_through(tmp_path, more):
    stage = walked(tmp_path, beside("y" * LONG, *more))
    assert all(len(file.read_text()) >= LONG for file in stage.temporary.glob("returned-*.md"))
