"""The demo's own scenario, played to the real Claude Code: the largest kind of run, without a model."""

import pytest

from drumline.runtimes.rehearsal.server import Rehearsal
from drumline.store.manifests import read_file
from drumline.surfaces.cli.demonstration.play import Play
from drumline.surfaces.cli.demonstration.stage import Stage
from drumline.team.scenario import accepted
from tests.live.agent_cli import binary
from tests.live.test_members_live import CLEAN
from tests.running import Team

SCRIPTED = "runtime: scripted, scenario: scenario.yaml"
LONGEST = 900.0  # seconds: each judgement is a process of the CLI's


@pytest.fixture
def stage(tmp_path, doors, monkeypatch):
    """The demo's repository, in which everybody is a session of Claude Code."""
    binary("claude")
    root = tmp_path / "demo"
    root.mkdir()
    found = Stage(root)
    found.build()
    manifest = root / ".claude" / "team.yaml"
    text = manifest.read_text("utf-8")
    assert text.count(SCRIPTED) == 4
    manifest.write_text(text.replace(SCRIPTED, "runtime: claude"), "utf-8")
    found.git("add", "--all")
    found.git("commit", "--quiet", "--message=Claude Code plays")
    with Rehearsal(accepted(read_file(root / "scenario.yaml"), "scenario.yaml")) as model:
        told = CLEAN | {"ANTHROPIC_BASE_URL": model.url("any"), "XDG_RUNTIME_DIR": str(doors)}
        for name, value in told.items():
            monkeypatch.setenv(name, value)
        yield found
        assert model.failures() == []


@pytest.mark.requirement("PIPE-02", "PIPE-03", "RUN-01", "TEAM-03")
def test_claude_code_takes_the_demo_from_its_plan_to_its_delivery(stage):
    lines: list[tuple[str, str]] = []
    found = Play(stage, lambda _, word, words: lines.append((word, words)), LONGEST).perform()
    told = {word for word, _ in lines}
    gates = [(gate["phase"], gate["state"]) for gate in found.summary["gates"]]
    assert (found.summary["state"], found.summary["tier"]) == ("delivered", "complex"), lines
    assert [phase for phase, state in gates if state == "approved"] == [f"P{n}" for n in range(8)]
    assert gates.count(("P6", "iterated")) == 1
    assert {"asked", "answered", "stale", "confirmed", "nudged", "failed", "verified"} <= told
    assert any("git push origin main (C-TEAM-004)" in each for each in found.refused)
    assert (stage.root / "greeting.txt").read_text() == "hello, world\n"
    assert "Greet (ada)" in found.history
    assert Team(stage.root, stage.root).processes() == []
