"""Members in the real agent CLIs show what they understood before they may change anything."""

import pytest

from drumline.runtimes.rehearsal.server import Rehearsal
from drumline.store.manifests import read_text
from drumline.team.scenario import accepted
from tests import goals, understanding
from tests.live.agent_cli import binary
from tests.live.test_members_live import CLEAN, claude, codex
from tests.running import team

LOOKS = "tool: {name: Bash, input: {command: 'git status'}, expect: {result: ok}}"
WRITES = "tool: {name: Write, input: {file_path: 'parts/early.txt', content: 'x'}, expect: {result: refused, contains: C-PROTO-001}}"
SHOWS = understanding.says("show that you understand", understanding.ANALYSIS, LOOKS, WRITES)
PLANS = understanding.says("with your plan", understanding.PLAN, WRITES)
WORKS = understanding.WORKS
LEAD = understanding.LEADS + understanding.VERIFIES + understanding.APPROVES
SETTINGS = "lead: lea\nsettings: {environment: [REHEARSAL_KEY]}\n"


@pytest.fixture
def rehearsal():
    with Rehearsal(accepted(read_text(goals.play(works=SHOWS + PLANS + WORKS)), "play.yaml")) as it:
        yield it


@pytest.mark.requirement("PROTO-02", "PROTO-05", "PROTO-07", "TEAM-03")
@pytest.mark.parametrize("runtime", ["claude", "codex"])
def test_a_real_cli_is_refused_until_its_member_is_verified(tmp_path, doors, rehearsal, runtime):
    binary(runtime)
    url = rehearsal.url("ada")
    member = claude("ada") if runtime == "claude" else codex("ada", url)
    members = goals.LEAD + member.replace("name: ada,", "name: ada, profile: implementer,")
    root = tmp_path / "r"
    understanding.pipeline(root)
    with team(root, doors, members, goals.play(LEAD), SETTINGS) as running:
        running.environ |= CLEAN | {"ANTHROPIC_BASE_URL": url}
        told = running.told("run", "Have a part", "--tier", "standard", "--pipeline", "short")
        assert (told["state"], rehearsal.failures()) == ("delivered", [])
        assert (root / "parts").exists()
        shown = running.told("protocol", "show", "T-2")
        assert [each["stage"] for each in shown] == ["approved"]
