"""The real agent CLIs, given our settings, tell the end of a turn; without the script they do not notice."""

import shutil
from pathlib import Path

import pytest

from drumline.runtimes import claude_settings
from drumline.team.settled import SettledTurn, settled_turn
from tests.live.test_claude_settings_live import session
from tests.live.test_codex_settings_live import turn
from tests.spooling import waiting
from tests.surfaces.console import drumline, write

pytestmark = pytest.mark.requirement("SYNC-01", "SYNC-16")

MANIFEST = """\
team: atlas
description: A team to test with
members:
  - {{name: ada, role: Builds, tools: [Read, Bash], owns: [], runtime: {runtime}}}
"""


@pytest.fixture
def at(repository, runtime):
    write(repository, ".claude/team.yaml", MANIFEST.format(runtime=runtime))
    return repository


@pytest.fixture
def work(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def settings(at: Path, runtime: str):
    return drumline("policy", "settings", "--runtime", runtime, "--json", at=at).json


def play(folder: Path, runtime: str, given) -> None:
    """A session of the real CLI with one turn in it."""
    if runtime == "codex":
        turn(folder, given, "true")
    else:
        session(folder, claude_settings.launch_arguments(given), "true")


@pytest.mark.parametrize("runtime", ["claude", "codex"])
def test_the_end_of_a_turn_is_told_and_wakes_who_sits_in_its_session(at, work, runtime):
    play(work, runtime, settings(at, runtime))
    spool = at / ".drumline" / "spool"
    (name,) = waiting(spool)
    found = settled_turn(runtime, name, (spool / "incoming" / name).read_bytes())
    assert isinstance(found, SettledTurn)
    assert all((found.session, found.turn, found.transcript))
    assert found.cwd == str(work)
    assert drumline("member", "sit", "ada", "--session", found.session, at=at).code == 0
    drained = drumline("spool", "drain", "--json", at=at).json
    assert drained == {"settled_turns": {"woke": 1}}
    kept = [path.read_text() for path in (spool / "processed").iterdir()]
    assert "done" not in "".join(kept), "it is what the agent said last"


@pytest.mark.parametrize("runtime", ["claude", "codex"])
def test_a_script_that_is_gone_is_not_noticed(at, work, runtime):
    given = settings(at, runtime)
    shutil.rmtree(at / ".drumline" / "hooks")
    play(work, runtime, given)
    assert waiting(at / ".drumline" / "spool") == []
