"""The project's own hooks are backpressure: work that they refuse is not taken in."""

import pytest

from tests import goals
from tests.running import scripted, team, until
from tests.spec.playing import COMMITS, DONE, completed, play, turn

HOOK = "#!/bin/sh\ngit diff --cached --name-only | grep -q parts && [ ! -e good ] && echo no good here && exit 1\nexit 0\n"


@pytest.mark.requirement("PIPE-12")
def test_a_hook_that_refuses_is_told_to_the_member_which_mends_it(tmp_path, tmp_path_factory):
    breaks = turn(COMMITS + DONE)
    mends = turn(
        '        - tool: {name: Bash, input: {command: "touch good && git add good && git commit -qm good"}}\n'
        + DONE.replace('["parts/{task}.txt"]', '["parts/{task}.txt", "good"]'),
        when="no good here",
    )
    doors = tmp_path_factory.mktemp("d")
    with team(tmp_path / "r", doors, scripted("ada"), play(mends, breaks)) as found:
        hook = found.root / ".git" / "hooks" / "pre-commit"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(HOOK)
        hook.chmod(0o755)
        found.run("task", "add", "Say hello")
        found.run("member", "start", "--all")
        until(completed(found))
        handed = [line for line in found.diary("ada") if line["what"] == "handed in"]
        assert [line["accepted"] for line in handed] == [False, True]
        assert "good" in found.git("ls-tree", "--name-only", "drumline/merged").split()


@pytest.fixture
def delivering(tmp_path, tmp_path_factory):
    """A run whose delivery a hook looks at, until the file is gone."""
    doors = tmp_path_factory.mktemp("d")
    with team(tmp_path / "r", doors, goals.worker("ada"), goals.play()) as found:
        [asked] = found.told("run", "Write a part")["questions"]
        found.run("question", "answer", asked, "trivial")
        [asked] = found.told("run", "watch")["questions"]
        hold = found.root / ".git" / "hooks" / "hold"
        hold.parent.mkdir(exist_ok=True)
        hold.touch()
        hook = hold.with_name("pre-merge-commit")
        hook.write_text(f"#!/bin/sh\nwhile [ -e {hold} ]; do sleep 0.1; done\n")
        hook.chmod(0o755)
        found.run("question", "answer", asked, "approve")
        until(lambda: any("pre-merge-commit" in words for _, words in found.processes()))
        yield found, hold


@pytest.mark.requirement("PIPE-12", "SEE-06")
def test_whoever_looks_at_a_run_is_told_what_its_delivery_runs_and_since_when(delivering):
    found, hold = delivering
    told = found.told("run", "show")
    assert told["delivering"]["what"] == "your hook pre-merge-commit"
    assert told["delivering"]["since"] > told["started_at"]
    assert "your hook pre-merge-commit runs since" in found.run("run", "show")
    hold.unlink()
    assert found.told("run", "watch")["delivering"] is None


@pytest.mark.requirement("PIPE-12", "RUN-07")
def test_members_are_looked_after_while_hooks_look_at_a_delivery(delivering):
    found, hold = delivering
    found.run("member", "stop", "ada")
    found.run("member", "start", "ada")
    until(lambda: found.told("member", "list")[0]["life"])
    assert hold.exists()
    assert found.told("run", "show")["delivering"]


@pytest.mark.requirement("PIPE-12", "RECOVER-03")
def test_a_plane_that_is_stopped_leaves_a_delivery_that_hooks_look_at_to_the_next(delivering):
    found, hold = delivering
    before = found.git("rev-parse", "HEAD")
    found.run("down")
    told = found.told("run", "show")
    assert (told["state"], told["delivering"], told["questions"]) == ("working", None, [])
    assert found.git("rev-parse", "HEAD") == before
    hold.unlink()
    found.run("up")
    assert found.told("run", "watch")["state"] == "delivered"


@pytest.mark.requirement("PIPE-12", "PIPE-20")
@pytest.mark.parametrize("verb", ["abort", "stop"])
def test_a_run_that_is_ended_while_hooks_look_at_its_delivery_is_not_delivered(delivering, verb):
    found, hold = delivering
    before = found.git("rev-parse", "HEAD")
    found.run("run", verb)
    hold.unlink()
    until(lambda: "run.not-delivered" in {each["verb"] for each in found.events()})
    assert found.git("rev-parse", "HEAD") == before
    assert found.told("question", "list") == []
    if verb == "stop":
        found.run("run", "resume")
        assert found.told("run", "watch")["state"] == "delivered"


@pytest.mark.requirement("PIPE-12")
def test_a_run_is_not_delivered_onto_a_branch_that_the_user_switched_to_meanwhile(delivering):
    found, hold = delivering
    begun_on = found.git("symbolic-ref", "--short", "HEAD").strip()
    found.git("switch", "--quiet", "-c", "aside")
    before = found.git("rev-parse", "HEAD")
    hold.unlink()
    [asked] = found.told("run", "watch")["questions"]
    assert (
        f"you are on aside, and the run was begun on {begun_on}"
        in (found.told("question", "show", asked)["what"])
    )
    assert found.git("rev-parse", "HEAD") == before
    found.git("switch", "--quiet", begun_on)
    found.run("question", "answer", asked, "again")
    assert found.told("run", "watch")["state"] == "delivered"


@pytest.mark.requirement("PIPE-12", "BOARD-12")
def test_checks_are_run_again_on_the_merge_with_what_the_user_did_meanwhile(tmp_path, doors):
    """Both sides are good by themselves: together they are not."""
    check = '["sh", "-c", "! { test -e parts/T-2.txt && test -e rival; }"]'
    scenario = goals.play(
        goals.classifies(1, 1, goals.task("1", "Write the part", verify=check)),
        goals.judges("approve"),
    )
    members = goals.LEAD + goals.worker("ada")
    settings = "lead: lea\nsettings: {human-gates: [P6]}\n"
    with team(tmp_path / "r", doors, members, scenario, settings=settings) as found:
        [asked] = found.told("run", "Write a part")["questions"]
        (found.root / "rival").touch()
        found.git("add", "rival")
        found.git("commit", "--quiet", "--message=rival")
        before = found.git("rev-parse", "HEAD")
        found.run("question", "answer", asked, "approve")
        [asked] = found.told("run", "watch")["questions"]
        assert (
            "of T-2 fails, with 1, on what you did meanwhile"
            in (found.told("question", "show", asked)["what"])
        )
        assert found.git("rev-parse", "HEAD") == before
