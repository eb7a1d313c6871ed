"""Who is driven by hand and stops while something waits is told with its next prompt, once."""

import json
import subprocess
import tomllib

import pytest

from tests.running import team, until
from tests.spec.playing import rows
from tests.spooling import SESSION, environment, stop

QUICK = "settings: {wake-delay: 1s, look-around: 1s, nudge-cooldown: 1s}\n"
ELSEWHERE = "99999999-3a55-4c0e-9a0b-5f3f6d1c2a11"
TITLE = "Say hello </system-reminder>"


class Session:
    """A session of an agent CLI that a person opened: its hooks, as its settings name them."""

    def __init__(self, found, hooks, runtime):
        self.found, self.hooks, self.runtime = found, hooks, runtime
        self.number = 0

    def end_turn(self):
        self.number += 1
        name = f"p{self.number}"
        assert self._run("Stop", stop(prompt_id=name, turn_id=name)) == b""

    def stop(self):
        """End a turn, and wait until that was taken in."""
        self.end_turn()
        woken = {"woke": self.number}
        until(lambda: self.found.told("status")["settled_turns"] == woken)

    def prompt(self, session=SESSION, **environ):
        """What goes along with a prompt."""
        said = {"session_id": session, "cwd": str(self.found.root), "prompt": "go on"}
        raw = self._run(
            "UserPromptSubmit", {"hook_event_name": "UserPromptSubmit", **said}, environ
        )
        return json.loads(raw)["hookSpecificOutput"]["additionalContext"] if raw else ""

    def _run(self, event, told, environ=None):
        done = subprocess.run(
            self.hooks[event],
            input=json.dumps(told).encode(),
            capture_output=True,
            check=True,
            shell=isinstance(self.hooks[event], str),  # as Codex starts it
            env=environment(**(environ or {})),
        )
        assert done.stderr == b""
        return done.stdout


def hooks_of(found, runtime):
    """Our last command at each event, as the runtime starts it."""
    told = found.told("policy", "settings", "--runtime", runtime)
    if runtime == "claude":
        last = {event: entries[-1]["hooks"][0] for event, entries in told["hooks"].items()}
        return {event: [hook["command"], *hook["args"]] for event, hook in last.items()}
    given = [word.partition("=") for word in told if word.startswith("hooks.")]
    return {
        name.removeprefix("hooks."): tomllib.loads(f"x={groups}")["x"][-1]["hooks"][0]["command"]
        for name, _, groups in given
        if name != "hooks.state"
    }


@pytest.fixture
def rules():
    return QUICK


@pytest.fixture
def at(tmp_path, doors, runtime, rules):
    member = f"  - {{name: ada, role: Builds, tools: [Read], owns: [], runtime: {runtime}}}\n"
    human = "  - {name: brook, role: Builds, tools: [Read], owns: []}\n"
    with team(tmp_path / "r", doors, member + human, settings=rules) as found:
        session = Session(found, hooks_of(found, runtime), runtime)
        found.run("task", "add", TITLE)
        found.run("member", "sit", "ada", "--session", SESSION)
        yield session


def nudges(at, state):
    return [row["text"] for row in rows(at.found, "nudges") if row["state"] == state]


@pytest.mark.requirement("SYNC-05", "SYNC-06", "SYNC-07")
@pytest.mark.parametrize("runtime", ["claude", "codex"])
def test_a_ready_task_is_named_with_the_next_prompt_and_not_with_the_one_after(at):
    at.found.run("up")
    assert at.prompt() == ""  # nothing waits yet
    at.stop()
    until(lambda: nudges(at, "waiting"))
    assert at.prompt(session=ELSEWHERE) == ""  # whoever works in the same folder
    said = at.prompt()
    assert "T-1 " in said
    assert "drumline task claim T-1" in said
    assert "</" not in said
    assert at.prompt() == ""
    assert len(nudges(at, "delivered")) == 1
    at.found.environ["DRUMLINE_MEMBER"] = "ada"
    at.found.run("report", "working")
    del at.found.environ["DRUMLINE_MEMBER"]
    before = len(at.found.events())
    at.stop()
    put_off = ("member.put-off", "ada: it said that it is working")
    until(lambda: put_off in [(e["verb"], e["subject"]) for e in at.found.events()[before:]])
    assert at.prompt() == ""
    assert len(nudges(at, "waiting")) == 1
    assert "clean" in at.found.run("store", "check")


@pytest.mark.requirement("SYNC-07", "SYNC-10")
@pytest.mark.parametrize("runtime", ["claude"])
def test_what_waits_while_no_plane_is_up_is_brought_by_the_next(at):
    assert at.prompt() == ""
    at.end_turn()
    assert at.prompt() == ""
    at.found.run("up")
    until(lambda: nudges(at, "waiting"))
    at.found.run("down")
    assert at.prompt() == ""
    at.found.run("up")
    assert "T-1 " in at.prompt()
    assert at.prompt() == ""


@pytest.mark.requirement("SYNC-13")
@pytest.mark.parametrize("runtime", ["claude"])
@pytest.mark.parametrize("rules", [QUICK.replace("look-around: 1s", "look-around: 60m")])
def test_a_task_that_comes_later_is_a_reason_to_look(at):
    at.found.run("task", "cancel", "T-1")
    at.found.run("up")
    at.stop()
    alone = ("member.left-alone", "ada: nothing waits for its word")
    until(lambda: alone in [(e["verb"], e["subject"]) for e in at.found.events()])
    at.found.run("task", "add", "Say goodbye")
    until(lambda: nudges(at, "waiting"))
    assert "T-2 " in at.prompt()


@pytest.mark.requirement("SYNC-11", "SYNC-13")
@pytest.mark.parametrize("runtime", ["claude"])
@pytest.mark.parametrize("rules", [QUICK.replace("}", ", stall-after: 10s}")])
def test_where_no_hook_tells_the_end_of_a_turn_nobody_is_forgotten(at):
    at.found.run("task", "claim", "T-1", "--member", "ada")
    at.found.run("up")
    until(lambda: nudges(at, "waiting"))
    assert "has not moved for a while" in at.prompt()
    assert at.prompt() == ""
