"""`drumline spool`, and what installs the hook that fills it."""

import json
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from drumline.settings import find
from drumline.wiring import spooling
from tests.running import until
from tests.spooling import SAID, SESSION, drop, environment, hint, processed, stop, waiting
from tests.surfaces.console import drumline, write

MANIFEST = """\
team: atlas
description: A team to test with
lead: cleo
members:
  - {name: ada, role: Builds, tools: [Read, Write], owns: ["src/**"]}
  - {name: brook, role: Builds, tools: [Read, Write], owns: ["docs/**"]}
  - {name: cleo, role: Leads, tools: [Read], owns: []}
"""
KILLED_IN_ITS_BATCH = """
import os, signal, sys
from drumline import settings, wiring
from drumline.wiring import spooling

found = settings.find(sys.argv[1])
draining = spooling.drainer(found, wiring.open_store(found))
sys.addaudithook(lambda event, _: event == "os.remove" and os.kill(os.getpid(), signal.SIGKILL))
draining.batch()
"""


@pytest.fixture
def at(repository: Path) -> Path:
    write(repository, ".claude/team.yaml", MANIFEST)
    assert drumline("task", "add", "first", "--output", "report.md", at=repository).code == 0
    return repository


@pytest.fixture
def spool(at: Path) -> Path:
    assert drumline("policy", "settings", at=at).code == 0
    return at / ".drumline" / "spool"


def told(*words: str, at: Path):
    answer = drumline(*words, "--json", at=at)
    assert answer.code == 0, answer
    return answer.json


def listener(at: Path) -> list[str]:
    """The words of our hook at the end of a turn, as Claude Code starts it."""
    hooks = told("policy", "settings", at=at)["hooks"]["Stop"]
    found = [hook for entry in hooks for hook in entry["hooks"]]
    (ours,) = [hook for hook in found if hook["statusMessage"] == "drumline listener"]
    return [ours["command"], *ours["args"]]


def end_turn(words: list[str], event: dict, **who: str) -> None:
    done = subprocess.run(
        words,
        input=json.dumps(event).encode(),
        capture_output=True,
        check=False,
        cwd="/",
        env=environment(**who),
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.requirement("SYNC-12")
def test_what_became_of_turns_is_seen_in_status_and_by_itself(at, spool):
    drop(spool, member="ada")
    drop(spool, stop(session_id="other", transcript_path=None))
    drop(spool, member="cleo")
    drop(spool, "junk")
    assert told("spool", "status", at=at)["incoming"] == 4
    assert drumline("status", at=at).out.count("turns ") == 0
    counts = {"woke": 1, "unknown": 1, "lead": 1, "malformed": 1}
    assert told("spool", "drain", at=at) == {"settled_turns": counts}
    found = told("spool", "status", at=at)
    assert found["settled_turns"] == counts
    assert (found["incoming"], found["processed"], found["invalid"]) == (0, 3, 1)
    assert found["refused"] == {"malformed": 1}
    assert found["drained_by"] is None
    assert told("status", at=at)["settled_turns"] == counts
    (line,) = [x for x in drumline("status", at=at).out.splitlines() if x.startswith("turns")]
    assert line == "turns    1 woke, 1 lead, 1 malformed, 1 unknown: drumline spool status"
    said = drumline("spool", "status", at=at).out
    assert "1 lead: whoever leads is not woken" in said
    assert "1 malformed: it is not an event" in said


@pytest.mark.requirement("SYNC-12")
def test_an_empty_spool_says_so(at):
    assert drumline("spool", "drain", at=at).out == "nothing waits\n"
    assert told("spool", "status", at=at)["incoming"] == 0


@pytest.mark.requirement("BOARD-09")
def test_a_turn_told_by_the_hook_flags_what_looks_finished(at, spool):
    drumline("task", "claim", "T-1", "--member", "ada", at=at)
    (at / "report.md").touch()
    assert told("status", at=at)["lagging"] == []
    end_turn(listener(at), stop(), DRUMLINE_MEMBER="ada", DRUMLINE_TEAM="atlas")
    drumline("spool", "drain", at=at)
    assert told("status", at=at)["lagging"] == ["T-1"]
    assert SAID not in (spool / "processed").iterdir().__next__().read_text()


@pytest.mark.requirement("SYNC-09")
def test_a_claim_that_a_killed_drainer_left_can_be_put_back_at_once(at, spool):
    drop(spool, member="ada")
    lost = spool / "processing" / "20260101T120000.000000Z-1"
    lost.mkdir()
    for path in (spool / "incoming").iterdir():
        path.rename(lost / path.name)
    assert told("spool", "requeue", at=at) == {"claims": 1, "filed": 0}
    assert told("spool", "drain", at=at) == {"settled_turns": {"woke": 1}}


@pytest.mark.requirement("SYNC-09")
def test_a_drain_that_is_interrupted_in_a_long_line_has_given_back_what_was_claimed(at, spool):
    for number in range(5000):
        drop(spool, stop(prompt_id=f"p{number}"), member="ada")
    line = subprocess.Popen(
        [sys.executable, "-P", "-m", "drumline", "spool", "drain"],
        cwd=at,
        env=environment(),
        stdout=subprocess.DEVNULL,
    )
    until(lambda: list((spool / "processed").iterdir()))
    line.send_signal(signal.SIGINT)
    assert line.wait() == 130
    assert list((spool / "processing").iterdir()) == []
    left = len(waiting(spool))
    assert 0 < left < 5000
    assert told("spool", "drain", at=at)["settled_turns"] == {"woke": left}


def test_a_drainer_that_was_killed_keeps_nobody_from_putting_its_claims_back(at, spool):
    drop(spool, member="ada")
    killed = subprocess.run(
        [sys.executable, "-P", "-c", KILLED_IN_ITS_BATCH, str(at)],
        check=False,
        cwd="/",
        env=environment(),
    )
    assert killed.returncode == -signal.SIGKILL
    assert told("spool", "status", at=at)["drained_by"]
    assert told("spool", "requeue", at=at) == {"claims": 1, "filed": 0}


def test_files_are_as_old_as_the_machine_says_that_keeps_them(at, spool):
    kept = spool / "processed" / "old.jsonl"
    kept.touch()
    two_days_ago = kept.stat().st_mtime - 48 * 3600
    os.utime(kept, (two_days_ago, two_days_ago))
    the_stores_time = datetime(2020, 1, 1, tzinfo=UTC)  # which another machine tells
    spooling.open_spool(find(str(at))).tidy(the_stores_time)
    assert not kept.exists()


@pytest.mark.requirement("SYNC-04")
def test_a_turn_nobody_was_known_for_is_looked_at_again_once_somebody_is(at, spool):
    drop(spool, stop())
    assert told("spool", "drain", at=at) == {"settled_turns": {"unknown": 1}}
    sat = told("member", "sit", "brook", "--session", SESSION, at=at)
    assert (sat["member"], sat["session"], sat["cwd"]) == ("brook", SESSION, str(at))
    assert told("spool", "requeue", "--reason", "unknown", at=at) == {"claims": 0, "filed": 1}
    assert told("spool", "drain", at=at) == {"settled_turns": {"woke": 1}}
    assert [record["member"] for record in processed(spool)] == ["brook"]
    assert told("status", at=at)["settled_turns"] == {"woke": 1}


def test_inside_claude_code_its_session_is_known(at, monkeypatch):
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)
    assert told("member", "sit", "ada", at=at)["session"] == SESSION
    assert drumline("member", "sit", "zed", at=at).code == 1


@pytest.mark.parametrize("words", [("drain",), ("requeue",)])
def test_a_teammate_does_not_move_the_spool(at, monkeypatch, words):
    monkeypatch.setenv("DRUMLINE_MEMBER", "ada")
    answer = drumline("spool", *words, at=at)
    assert answer.code == 1
    assert "ada cannot" in answer.err


# the hook


@pytest.mark.requirement("SYNC-01", "SYNC-16")
def test_the_hook_stands_beside_the_guard_once_and_names_nobody(at):
    words = listener(at)
    assert listener(at) == words
    script = Path(words[3])
    assert script.parent.parent == at / ".drumline" / "hooks"
    assert words[4:] == [str(at / ".drumline" / "spool"), "claude"]
    own = drumline("policy", "settings", "--runtime", "codex", at=at).out.splitlines()
    assert any("hooks.Stop=" in line and str(script) in line for line in own)
    user = json.dumps(told("policy", "settings", at=at))
    again = told("policy", "settings", "--user", user, at=at)
    assert json.dumps(again).count("turn_settled.sh") == 1
    assert json.dumps(again).count("turn_start.py") == 1


@pytest.mark.requirement("SYNC-07")
def test_the_hook_at_the_start_of_a_turn_is_in_the_settings_of_both_runtimes(at):
    (entry,) = told("policy", "settings", at=at)["hooks"]["UserPromptSubmit"]
    (ours,) = entry["hooks"]
    assert ours["statusMessage"] == "drumline listener"
    assert "onFailure" not in ours  # a prompt is nothing to be kept back
    assert ours["args"][-2:] == [str(at / ".drumline"), "claude"]
    given = told("policy", "settings", "--runtime", "codex", at=at)
    (hook,) = [word for word in given if word.startswith("hooks.UserPromptSubmit=")]
    assert "turn_start.py" in hook
    assert "codex" in hook
    (trust,) = [word for word in given if word.startswith("hooks.state=")]
    assert "user_prompt_submit:0:0" in trust


@pytest.mark.requirement("SYNC-16")
def test_an_upgrade_leaves_the_scripts_that_sessions_may_still_name(at):
    script = Path(listener(at)[3])
    older = script.parent.parent / "an-older-one" / script.name
    older.parent.mkdir()
    older.write_text(script.read_text())
    assert Path(listener(at)[3]) == script
    end_turn(["/bin/sh", str(older), str(at / ".drumline/spool"), "claude"], stop())
    assert len(waiting(at / ".drumline" / "spool")) == 1


@pytest.mark.requirement("SYNC-16")
@pytest.mark.parametrize("harm", ["gone", "emptied", "broken", "a folder", "unreadable words"])
def test_whatever_happened_to_the_script_no_turn_notices(at, spool, harm):
    words = listener(at)
    script = Path(words[3])
    script.unlink()
    if harm == "a folder":
        script.mkdir()
    elif harm != "gone":
        said = {"emptied": b"", "broken": b"if then ((", "unreadable words": os.urandom(5000)}
        script.write_bytes(said[harm])
    end_turn(words, stop())
    assert waiting(spool) == []
    script.rmdir() if harm == "a folder" else script.unlink(missing_ok=True)
    end_turn(listener(at), stop())
    assert len(waiting(spool)) == 1


@pytest.mark.requirement("SYNC-15")
def test_a_hook_that_cannot_be_installed_is_told_and_the_session_gets_its_guard(at):
    (at / ".drumline" / "hooks").write_text("in the way")
    answer = drumline("policy", "settings", at=at)
    assert answer.code == 0
    assert "warning: the end of a turn will not be told: " in answer.err
    hooks = json.loads(answer.out)["hooks"]
    assert "drumline guard" in json.dumps(hooks["Stop"])
    assert "turn_settled" not in json.dumps(hooks)
    assert "turn_start" in json.dumps(hooks["UserPromptSubmit"])
    assert turn_hook(at)[0] == "warning"


def turn_hook(at: Path) -> tuple[str, str]:
    """How the doctor finds the hook."""
    lines = drumline("doctor", "--json", at=at).json["lines"]
    (found,) = [line for line in lines if line["what"] == "turn hook"]
    return found["health"], found["says"]


@pytest.mark.requirement("SYNC-15")
def test_the_doctor_says_whether_turns_can_be_told(at):
    assert turn_hook(at) == ("ok", "not installed: drumline policy settings installs it")
    listener(at)
    path = spooling.script_path(find(str(at)))
    assert turn_hook(at) == ("ok", f"installed: {path}")
    (at / ".drumline/spool/incoming").rmdir()
    health, says = turn_hook(at)
    assert health == "warning"
    assert "nothing can be put into" in says
    listener(at)
    Path(path).write_text("changed")
    health, says = turn_hook(at)
    assert health == "warning"
    assert "is not there as it must be" in says


def test_a_hint_alone_moves_no_other_team(at, spool):
    drop(spool, json.dumps(stop()) + hint("ada", "boreas"))
    assert told("spool", "drain", at=at) == {"settled_turns": {"unknown": 1}}
