"""A member shows what it understood before it may change anything, and the guard holds it to that."""

import json
from contextlib import ExitStack

import pytest

from tests import goals, understanding
from tests.running import team

TEAM = goals.LEAD + goals.worker("ada")
LED = "lead: lea\n"


@pytest.fixture
def going(tmp_path, tmp_path_factory):
    with ExitStack() as stack:

        def go(scenario, more="", members=TEAM):
            root = tmp_path / "r"
            understanding.pipeline(root, more)
            doors = tmp_path_factory.mktemp("d")
            return stack.enter_context(team(root, doors, members, scenario, LED))

        yield go


def surprises(found, member="ada"):
    """What did not come back as the scenario expects."""
    return [line for line in found.diary(member) if "not as the scenario" in str(line)]


def kinds(found, member):
    letters = found.told("mail", "inbox", member, "--all")
    return [each["kind"] for each in letters]


@pytest.mark.requirement("PROTO-02", "PROTO-04", "PROTO-05", "PROTO-07")
def test_a_member_analyses_defends_and_plans_before_its_first_change(going):
    u = understanding
    lead = u.LEADS + u.VERIFIES + u.TRIES + u.HEARS + u.APPROVES
    found = going(
        goals.play(lead, works=u.SHOWS + u.DEFENDS + u.PLANS + u.WORKS),
        ", challenge: {questions: 2}",
    )
    told = found.told("run", "Have a part", "--tier", "standard", "--pipeline", "short")
    assert (told["state"], surprises(found)) == ("delivered", [])
    assert (found.root / "parts").exists()
    shown = found.told("protocol", "show", "T-2")
    assert [(each["stage"], each["attempt"]) for each in shown] == [("approved", 1)]
    assert kinds(found, "lea") == [
        "impact-analysis", "challenge-response", "challenge-response", "plan",
    ]  # fmt: skip
    assert kinds(found, "ada") == [
        "directive", "challenge", "challenge", "impact-verified", "approval",
    ]  # fmt: skip


@pytest.mark.requirement("PROTO-03", "PROTO-06")
def test_who_does_not_understand_is_started_anew_with_what_was_missed(going):
    u = understanding
    learnt = {**u.ANALYSIS, "risks": "The lesson: no folder beside parts may appear."}
    lead = u.LEADS + u.says("The lesson: no folder", u.ACCEPTED) + u.REJECTS + u.APPROVES
    works = u.says("Not understood before", learnt) + u.SHOWS + u.SHOWS_AGAIN + u.PLANS + u.WORKS
    found = going(goals.play(lead, works=works))
    told = found.told("run", "Have a part", "--tier", "standard", "--pipeline", "short")
    assert (told["state"], surprises(found)) == ("delivered", [])
    shown = found.told("protocol", "show", "T-2")
    stages = [(each["stage"], each["attempt"], len(each["rejections"])) for each in shown]
    assert stages == [("exhausted", 3, 3), ("approved", 1, 0)]
    assert "Nobody asked for a folder." in shown[0]["rejections"][0]


@pytest.mark.requirement("PROTO-07")
def test_the_guard_hears_of_a_verdict_in_the_midst_of_a_turn(going):
    u = understanding
    submits = f"verb: {json.dumps(['protocol', 'submit', '{task}', json.dumps(u.ANALYSIS)])}"
    plans = f"verb: {json.dumps(['protocol', 'plan', '{task}', json.dumps(u.PLAN)])}"
    waits = (
        "tool: {name: Bash, input: {command: 'until drumline protocol show {task} | grep -qw"
        " %s; do sleep 0.2; done'}, expect: {result: ok}}"
    )
    steps = (u.REFUSED, submits, waits % "verified", u.REFUSED, plans, waits % "approved", *u.MAKES)
    works = u.says("show that you understand", {}, *steps) + u.ACCOUNTS
    found = going(goals.play(u.LEADS + u.VERIFIES + u.APPROVES, works=works))
    told = found.told("run", "Have a part", "--tier", "standard", "--pipeline", "short")
    assert (told["state"], surprises(found)) == ("delivered", [])


@pytest.mark.requirement("PROTO-07")
def test_a_commit_that_a_program_made_before_the_analysis_rejects_it(going, tmp_path):
    """What the program would do no guard could tell."""
    u = understanding
    (tmp_path / "r").mkdir()
    early = tmp_path / "r" / "early.sh"
    early.write_text("git commit --quiet --allow-empty --message=early\n")
    runs = "tool: {name: Bash, input: {command: 'sh early.sh'}, expect: {result: ok}}"
    undoes = "tool: {name: Bash, input: {command: 'sh undo.sh'}, expect: {result: ok}}"
    early.with_name("undo.sh").write_text("git reset --quiet --hard HEAD~1\n")
    shows = u.says("show that you understand", u.ANALYSIS, runs)
    again = u.says("[IMPACT_REJECTED]", u.ANALYSIS, undoes)
    works = shows + again + u.PLANS + u.WORKS
    found = going(goals.play(u.LEADS + u.VERIFIES + u.APPROVES, works=works))
    told = found.told("run", "Have a part", "--tier", "standard", "--pipeline", "short")
    assert (told["state"], surprises(found)) == ("delivered", [])
    [shown] = found.told("protocol", "show", "T-2")
    assert [each.startswith("files were changed before") for each in shown["rejections"]] == [True]
    assert "commit " in shown["rejections"][0]
