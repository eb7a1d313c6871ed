"""Where subagents are asked for on a machine: by a member whose turn runs, and who may."""

import pytest

from drumline.errors import NotAllowed, NotReady, NotVerified
from drumline.settings import find
from drumline.surfaces.cli.inside import MemberVerbs
from drumline.team.subagent import Errand
from drumline.wiring.members import LocalPost
from tests.running import team

pytestmark = pytest.mark.requirement("RUN-13")
MEMBER = (
    "  - {name: ada, role: Builds, runtime: claude, owns: ['**'], tools: [Read, 'Agent(looker)']}\n"
)
LOOKER = "---\nname: looker\ndescription: Looks\ntools: Read\n---\nLook twice.\n"


@pytest.fixture
def post(tmp_path, doors, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(doors))
    with team(tmp_path / "r", doors, MEMBER) as running:
        (running.root / ".claude/agents").mkdir()
        (running.root / ".claude/agents/looker.md").write_text(LOOKER)
        found = LocalPost(find(str(running.root)), MemberVerbs)
        found.stands["ada"] = {"protocol": ""}
        yield found
        found.store.close()


def test_the_profile_is_the_repository_s(post):
    assert post.annexes.allowed("ada", Errand("looker", "x")).words == "Look twice."
    with pytest.raises(NotAllowed):
        post.annexes.allowed("ada", Errand("general-purpose", "x"))


def test_who_is_not_verified_starts_nobody(post):
    post.stands["ada"] = {"protocol": "unverified"}
    with pytest.raises(NotVerified):
        post.annexes.allowed("ada", Errand("looker", "x"))


def test_nobody_is_asked_before_a_turn_runs(post):
    with pytest.raises(NotReady):
        post.annexes.ask("ada")(Errand("looker", "x"))


def test_a_cli_with_a_tool_of_its_own_is_given_the_profiles_with_all_they_are_told(post):
    (looker,) = post.annexes.native(post.entry("ada")).values()
    assert looker.words.startswith("You are a subagent of ada, of the profile looker.")
    assert "C-TASK-006" in looker.words
    assert "C-LEAD-001" not in looker.words
    assert looker.words.endswith("Look twice.")
