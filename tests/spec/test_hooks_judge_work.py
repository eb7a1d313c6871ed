"""The project's own hooks are backpressure: work that they refuse is not taken in."""

import pytest

from tests import goals
from tests.once import once
from tests.running import scripted, team, team_of_a_story, until
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
def delivering(tmp_path_factory):
    return once(tmp_path_factory, "hooks-at-deliveries", deliveries)


def deliveries(place):
    """Runs whose deliveries a hook looks at until a file is gone, and what is done meanwhile."""
    with team_of_a_story(place, goals.worker("ada"), goals.play()) as found:
        hold = found.root / ".git" / "hooks" / "hold"
        hold.parent.mkdir(exist_ok=True)
        hook = hold.with_name("pre-merge-commit")
        hook.write_text(f"#!/bin/sh\nwhile [ -e {hold} ]; do sleep 0.1; done\n")
        hook.chmod(0o755)
        told = {}
        for what in (stopped, paused, elsewhere, let_go):  # work of the last is never delivered
            [asked] = found.told("run", "Write a part")["questions"]
            found.run("question", "answer", asked, "trivial")
            [asked] = found.told("run", "watch")["questions"]
            hold.touch()
            found.run("question", "answer", asked, "approve")
            until(lambda: any("pre-merge-commit" in words for _, words in found.processes()))
            told |= what(found, hold)
        return told


def stopped(found, hold):
    """The run is looked at, its member is stopped and started, and then the plane is."""
    told = {"shown": found.told("run", "show"), "shown text": found.run("run", "show")}
    before = found.git("rev-parse", "HEAD")
    found.run("member", "stop", "ada")
    found.run("member", "start", "ada")
    until(lambda: found.told("member", "list")[0]["life"])
    told["meanwhile"] = [hold.exists(), found.told("run", "show")["delivering"]]
    found.run("down")
    told["stopped"] = [found.told("run", "show"), found.git("rev-parse", "HEAD") == before]
    hold.unlink()
    found.run("up")
    return {**told, "by the next": found.told("run", "watch")}


def ended(found, hold, verb):
    """What is left of a delivery whose run is ended while hooks look at it."""
    refused = given_up(found)
    before = found.git("rev-parse", "HEAD")
    found.run("run", verb)
    hold.unlink()
    until(lambda: given_up(found) > refused)
    return [found.git("rev-parse", "HEAD") == before, found.told("question", "list")]


def given_up(found):
    return [each["verb"] for each in found.events()].count("run.not-delivered")


def paused(found, hold):
    told = {"stop": ended(found, hold, "stop")}
    found.run("run", "resume")
    return {**told, "resumed": found.told("run", "watch")["state"]}


def let_go(found, hold):
    return {"abort": ended(found, hold, "abort")}


def elsewhere(found, hold):
    """The user switches to another branch, and comes back."""
    found.git("switch", "--quiet", "-c", "aside")
    before = found.git("rev-parse", "HEAD")
    hold.unlink()
    [asked] = found.told("run", "watch")["questions"]
    what = found.told("question", "show", asked)["what"]
    unmoved = found.git("rev-parse", "HEAD") == before
    found.git("switch", "--quiet", "main")
    found.run("question", "answer", asked, "again")
    back = found.told("run", "watch")["state"]
    return {"elsewhere": what, "unmoved": unmoved, "back": back}


@pytest.mark.requirement("PIPE-12", "SEE-06")
def test_who_looks_at_a_run_is_told_what_its_delivery_runs_and_since_when(delivering):
    told = delivering["shown"]
    assert told["delivering"]["what"] == "your hook pre-merge-commit"
    assert told["delivering"]["since"] > told["started_at"]
    assert "your hook pre-merge-commit runs since" in delivering["shown text"]
    assert delivering["by the next"]["delivering"] is None


@pytest.mark.requirement("PIPE-12", "RUN-07")
def test_members_are_looked_after_while_hooks_look_at_a_delivery(delivering):
    held, at_delivery = delivering["meanwhile"]
    assert held
    assert at_delivery


@pytest.mark.requirement("PIPE-12", "RECOVER-03")
def test_a_plane_that_is_stopped_leaves_a_delivery_that_hooks_look_at_to_the_next(delivering):
    told, unmoved = delivering["stopped"]
    assert (told["state"], told["delivering"], told["questions"]) == ("working", None, [])
    assert unmoved
    assert delivering["by the next"]["state"] == "delivered"


@pytest.mark.requirement("PIPE-12", "PIPE-20")
@pytest.mark.parametrize("verb", ["abort", "stop"])
def test_a_run_that_is_ended_while_hooks_look_at_its_delivery_is_not_delivered(delivering, verb):
    assert delivering[verb] == [True, []]
    assert delivering["resumed"] == "delivered"


@pytest.mark.requirement("PIPE-12")
def test_a_run_is_not_delivered_onto_a_branch_that_the_user_switched_to_meanwhile(delivering):
    told = "you are on aside, and the run was begun on main"
    assert told in delivering["elsewhere"]
    assert delivering["unmoved"]
    assert delivering["back"] == "delivered"


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
