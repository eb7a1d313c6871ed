"""Nudges in the real agent CLIs: who stops while something waits for it is told, once."""

from contextlib import contextmanager

import pytest

from drumline.runtimes.rehearsal.server import Rehearsal
from drumline.store.manifests import read_text
from drumline.team.scenario import accepted
from tests.live.agent_cli import binary
from tests.live.test_members_live import CLEAN, claude, codex
from tests.running import ANSWER, scripted, team, until
from tests.spec.playing import rows

QUICK = "wake-delay: 1s, look-around: 1s, nudge-cooldown: 1s"
DIRECTIVE = "[DIRECTIVE] Phase 1: Use spaces | Files: a.txt | [INJECTION] GC-v1\nNever tabs."
LEADS = """\
scenario: leads
members:
  ada:
    - when: "T-1 "
      steps:
        - verb: [task, claim, T-1, --member, brook]
          expect: ok
        - say: It is given out.
    - when: "T-2 "
      steps:
        - say: Later.
  brook:
    - steps:
        - say: I work.
""" + ANSWER.format(files="[]")
HELD = """\
        - wait: 2
        - tool: {name: Bash, input: {command: "for each in $(seq 100); do [ -e on ] && break; sleep 0.1; done"}}
          expect: ok
"""
# it thinks between its calls, as models do, and on a machine that is too busy in one pause it is told in another
WORKS = f"""\
scenario: works
members:
  ada:
    - again: true
      steps:
        - tool: {{name: Bash, input: {{command: "touch begun; until [ -e go ]; do sleep 0.1; done; rm begun go"}}}}
          expect: ok
{HELD * 2}\
        - wait: 2
        - tool: {{name: Bash, input: {{command: "until [ -e on ]; do sleep 0.1; done; rm on"}}}}
          expect: ok
        - verb: [mail, ack, M-1]
          expect: ok
""" + ANSWER.format(files="[]")


@pytest.fixture
def place(tmp_path, doors):
    return tmp_path / "r", doors


@contextmanager
def playing(place, runtime, scenario, *, more="", settings=""):
    """A team whose ada is a real agent CLI, and the model that it talks to."""
    binary(runtime)
    with Rehearsal(accepted(read_text(scenario), "play.yaml")) as model:
        url = model.url("ada")
        ada = claude("ada") if runtime == "claude" else codex("ada", url)
        rules = f"settings: {{environment: [REHEARSAL_KEY], {QUICK}}}\n{settings}"
        with team(*place, ada + more, scenario, rules) as found:
            found.environ |= CLEAN | {"ANTHROPIC_BASE_URL": url}
            yield found, model


def told(found, about, state="delivered"):
    """The nudges about something that came to a state."""
    return [row for row in rows(found, "nudges") if row["state"] == state and about in row["text"]]


def looked_around(found, other):
    """Wait until everyone was looked at twice: another member is seen to go, and to come."""
    for verb, seen in (("stop", "member.away"), ("start", "member.idle-done")):
        before = len(found.events())
        found.run("member", verb, other)
        until(lambda: (seen, other) in [(e["verb"], e["subject"]) for e in found.events()[before:]])  # noqa: B023


@pytest.mark.requirement("SYNC-05", "SYNC-06", "SYNC-07")
@pytest.mark.parametrize("runtime", ["claude", "codex"])
def test_who_stops_while_a_task_is_ready_is_told_of_it_once(place, runtime):
    settings = "constitution: constitution-4\nlead: ada\n"
    others = scripted("brook", "cleo")
    with playing(place, runtime, LEADS, more=others, settings=settings) as (found, model):
        found.run("member", "start", "--all")
        found.run("task", "add", "Say hello")
        until(lambda: found.states()["T-1"] == "completed", seconds=90)
        found.run("task", "add", "Say goodbye")
        until(lambda: told(found, "T-2"), seconds=90)
        looked_around(found, "cleo")
        assert [len(told(found, task)) for task in ("T-1", "T-2")] == [1, 1]
        assert model.failures() == []
        sessions = {row["session"] for row in rows(found, "lives") if row["member"] == "ada"} - {""}
        assert len(sessions) == 1  # the second turn is of the same conversation


@pytest.mark.requirement("SYNC-07", "SYNC-14")
def test_claude_code_is_told_in_the_midst_of_a_turn_and_never_in_a_call(place):
    with playing(place, "claude", WORKS) as (found, model):
        found.run("task", "add", "Say hello")
        found.run("member", "start", "ada")
        checkout = found.root / ".drumline" / "checkouts" / "ada"
        until((checkout / "begun").exists, seconds=90)
        found.run("mail", "send", "--to", "ada", DIRECTIVE)
        until(lambda: told(found, "M-1", "waiting"))
        assert not told(found, "M-1", "sending")
        (checkout / "go").touch()
        until(lambda: told(found, "M-1", "sending"))
        (checkout / "on").touch()
        until(lambda: found.states()["T-1"] == "completed", seconds=90)
        assert len(told(found, "M-1")) == 1
        assert model.failures() == []
