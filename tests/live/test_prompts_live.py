"""The real agent CLIs, driven by hand: the prompt after a turn brings what waits into the conversation, once."""

import json
from collections.abc import Sequence

import pytest

from drumline.runtimes import claude_settings
from drumline.runtimes.toml_value import toml_value
from tests.live.agent_cli import binary, run
from tests.live.scripted_model import ScriptedModel, scripted_model
from tests.live.test_claude_settings_live import ENVIRONMENT
from tests.running import team, until
from tests.spec.playing import rows

pytestmark = pytest.mark.requirement("SYNC-05", "SYNC-06", "SYNC-07")

MEMBER = "  - {{name: ada, role: Builds, tools: [Read, Bash], owns: [], runtime: {runtime}}}\n"
QUICK = "settings: {wake-delay: 1s, look-around: 1s, nudge-cooldown: 1s}\n"
NUDGE = "is ready for you: drumline task claim T-1"


class Claude:
    """One conversation of Claude Code, a process for each prompt."""

    def __init__(self, found, model: ScriptedModel) -> None:
        self.session = ""
        self._folder, self._url = found.root, model.url
        self._given = claude_settings.launch_arguments(found.told("policy", "settings"))

    def prompt(self, words: str) -> None:
        resume = ["--resume", self.session] if self.session else []
        command = [binary("claude"), "-p", "--output-format=json", "--strict-mcp-config"]
        environ = {**ENVIRONMENT, "ANTHROPIC_BASE_URL": self._url}
        done = run([*command, *self._given, *resume, words], self._folder, environ)
        assert done.code == 0, done
        self.session = json.loads(done.out)["session_id"]


class Codex:
    """One conversation of Codex, a process for each prompt."""

    def __init__(self, found, model: ScriptedModel) -> None:
        self.session = ""
        self._folder = found.root
        self._given: Sequence[str] = found.told("policy", "settings", "--runtime", "codex")
        self._provider = {
            "name": "scripted",
            "base_url": f"{model.url}/v1",
            "env_key": "SCRIPTED_KEY",
            "wire_api": "responses",
            "request_max_retries": 1,
            "stream_max_retries": 1,
        }

    def prompt(self, words: str) -> None:
        resume = ["resume", self.session] if self.session else []
        command = [
            *(binary("codex"), "exec", "--json", "--skip-git-repo-check"),
            f"-cmodel_providers.scripted={toml_value(self._provider)}",
            *("-cmodel_provider=scripted", "-cmodel=scripted-model"),
        ]
        home = {"CODEX_HOME": str(self._folder.parent / "home"), "SCRIPTED_KEY": "dummy"}
        done = run([*command, *self._given, *resume, words], self._folder, home)
        assert done.code == 0, done
        started = next(
            line for line in map(json.loads, done.out.splitlines()) if "thread_id" in line
        )
        self.session = started["thread_id"]


def heard(model: ScriptedModel) -> int:
    """How often the nudge is in the conversation, as the model was last sent it."""
    return model.heard().count(NUDGE)


def nudged(found, state: str) -> int:
    return len([row for row in rows(found, "nudges") if row["state"] == state])


@pytest.mark.parametrize("cli", [Claude, Codex])
def test_a_session_that_stops_while_a_task_is_ready_hears_of_it_with_its_next_prompt(
    tmp_path, doors, cli
):
    runtime = cli.__name__.lower()
    binary(runtime)
    with (
        scripted_model() as model,
        team(tmp_path / "r", doors, MEMBER.format(runtime=runtime), settings=QUICK) as found,
    ):
        found.run("task", "add", "Say hello")
        found.run("up")
        talk = cli(found, model)
        talk.prompt("begin")
        assert heard(model) == 0
        found.run("member", "sit", "ada", "--session", talk.session)
        until(lambda: found.told("status")["settled_turns"])
        found.run("spool", "requeue", "--reason", "unknown")  # its turn ended before we said whose
        until(lambda: nudged(found, "waiting"))
        session = talk.session
        until(lambda: talk.prompt("go on") or heard(model))  # where a plane is slow, a later one
        assert talk.session == session
        assert heard(model) == 1
        assert nudged(found, "delivered") == 1
        until(lambda: found.told("status")["settled_turns"].get("woke", 0) >= 2)
        talk.prompt("and on")
        assert heard(model) == 1  # what was said before stays in the conversation
        assert NUDGE not in json.dumps(last_of(model, "and on"))
        assert nudged(found, "waiting") == 1


def last_of(model: ScriptedModel, words: str) -> list[object]:
    """What the model was sent from the prompt before this one's answer on."""
    sent = model.requests[-1]
    turns: list[object] = sent.get("messages") or sent["input"]
    begins = max(at for at, each in enumerate(turns) if words in json.dumps(each))
    return turns[begins:]
