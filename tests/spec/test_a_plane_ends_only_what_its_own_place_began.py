"""A plane ends what its own team's lives left in its own folder: another team's and a copy's are not its own."""

import shutil

import pytest

from tests.running import ANSWER, HASTY, Team, scripted, until
from tests.spec.playing import play, turn

STAYS = play(
    turn(
        '        - tool: {name: Bash, input: {command: "touch began; exec tail -f /dev/null"}}\n'
        + ANSWER.format(files="[]"),
        again="true",
    )
)
OTHER = f"team: other\ndescription: A second team\n{HASTY}members:\n"


def at_work(found, member="ada"):
    """A member's command that stays, and the runner that looks after it."""
    until((found.root / f".drumline/checkouts/{member}/began").exists)
    return {pid for pid, words in found.processes() if "tail -f" in words or "member run" in words}


def alive(found):
    return {pid for pid, _ in found.processes()}


@pytest.fixture
def two(running):
    """A repository whose member works, and the words by which a command means its second team."""
    found = running(STAYS, ["one"], settings=HASTY)
    before = at_work(found)
    (found.root / "other.yaml").write_text(OTHER + scripted("brook"))
    other = ("--manifest", str(found.root / "other.yaml"))
    yield found, before, other
    found.run("down", *other)


@pytest.mark.requirement("RUN-13")
def test_two_teams_of_one_repository_leave_each_others_members_alone(two):
    found, before, other = two
    found.run("task", "add", "two", *other)
    found.run("up", *other)
    found.run("member", "start", "brook", *other)
    at_work(found, "brook")  # begun after the plane's first look at everything that runs here
    assert before <= alive(found)
    found.run("down", *other)
    assert before <= alive(found)


@pytest.fixture
def copied(running, doors):
    """A repository whose member works, and a copy of it."""
    found = running(STAYS, ["one"], settings=HASTY)
    before = at_work(found)
    copy = Team(shutil.copytree(found.root, found.root.parent / "copy"), doors)
    yield found, before, copy
    copy.run("down", code=None)


@pytest.mark.requirement("RUN-13")
def test_what_works_in_a_repository_is_not_ended_from_its_copy(copied):
    found, before, copy = copied
    assert "no plane was up" in copy.run("down")
    assert before <= alive(found)
    assert found.told("member", "list")[0]["state"] == "working"


@pytest.mark.requirement("RUN-13")
def test_a_copy_is_worked_by_members_of_its_own(copied):
    found, before, copy = copied
    (copy.root / ".drumline/checkouts/ada/began").unlink()
    assert "up:" in copy.run("up")
    copy.run("member", "start", "ada")
    at_work(copy)
    assert before <= alive(found)
    copy.run("down")
    assert before <= alive(found)


@pytest.mark.requirement("RUN-13")
def test_a_copy_whose_manifest_cannot_be_read_ends_nobody_in_the_original(copied):
    found, before, copy = copied
    (copy.root / ".claude/team.yaml").write_text("team: [")
    copy.run("down", code=None)
    assert before <= alive(found)


@pytest.mark.requirement("RUN-13")
def test_a_copy_whose_team_was_renamed_ends_nobody_in_the_original(copied):
    found, before, copy = copied
    manifest = copy.root / ".claude/team.yaml"
    manifest.write_text(manifest.read_text().replace("team: atlas", "team: other"))
    assert "no plane was up" in copy.run("down")
    assert before <= alive(found)


@pytest.mark.requirement("RUN-13")
def test_a_repository_that_is_moved_while_it_is_worked_on_can_be_stopped_there(running):
    found = running(STAYS, ["one"], settings=HASTY)
    before = at_work(found)
    found.root = found.root.rename(found.root.parent / "moved")
    assert (
        "stopped  ada" in found.run("down").splitlines()
    )  # its plane may have seen it go, and ended
    assert not before & alive(found)


@pytest.mark.requirement("RUN-13")
def test_a_team_that_was_renamed_while_it_works_is_stopped_by_its_manifest(running):
    found = running(STAYS, ["one"], settings=HASTY)
    before = at_work(found)
    manifest = found.root / ".claude/team.yaml"
    manifest.write_text(manifest.read_text().replace("team: atlas", "team: other"))
    assert found.run("down").splitlines() == ["stopped  ada", "down"]
    assert not before & alive(found)


@pytest.mark.requirement("RUN-13")
def test_a_team_whose_manifest_cannot_be_read_is_stopped_and_no_other(two):
    found, before, other = two
    found.run("up", *other)
    (found.root / ".claude/team.yaml").write_text("team: [")
    assert found.run("down").splitlines() == ["stopped  ada", "down"]
    assert not before & alive(found)
    assert "up already" in found.run("up", *other)
