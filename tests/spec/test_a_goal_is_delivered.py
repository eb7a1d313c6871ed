"""A goal goes through its pipeline: classified, worked on, judged and delivered."""

import signal
import subprocess
import sys
from contextlib import ExitStack

import pytest

from tests import goals, understanding
from tests.once import once
from tests.running import Team, team, until
from tests.spec import goal_stories

TEAM = goals.LEAD + goals.worker("ada")
LED = "lead: lea\n"
ONE_AFTER_THE_OTHER = (
    goals.task("1", "One part"),
    goals.task("2", "Another", after="['1']"),
)


@pytest.fixture
def going(tmp_path, tmp_path_factory):
    with ExitStack() as stack:

        def go(scenario, members=TEAM, led=LED):
            doors = tmp_path_factory.mktemp("d")
            return stack.enter_context(team(tmp_path / "r", doors, members, scenario, led))

        yield go


@pytest.fixture
def led_by_lea(tmp_path_factory):
    return once(tmp_path_factory, "goals-led-by-a-member", goal_stories.led_by_a_member)


@pytest.fixture
def led_by_kim(tmp_path_factory):
    return once(tmp_path_factory, "goals-led-by-a-person", goal_stories.led_by_a_person)


@pytest.mark.requirement("PIPE-03", "BOARD-06", "PIPE-12", "AUDIT-03")
def test_a_small_goal_is_classified_worked_on_judged_and_delivered(led_by_lea):
    told = led_by_lea["delivered"]
    assert (told["state"], told["tier"]) == ("delivered", "trivial")
    assert led_by_lea["written"]
    assert led_by_lea["summary"]["lead_calls"] == 2
    used = {(each["phase"], each["tool"]) for each in led_by_lea["tools"]}
    assert ("P6", "Write") in used


@pytest.mark.requirement("RUN-07", "PIPE-03")
def test_a_judgement_that_is_cut_short_again_and_again_ends_in_a_question(going):
    hangs = """\
    - again: true
      steps:
        - fault: {kind: hang}
"""
    found = going(goals.play(hangs), led=LED + "settings: {turn-limit: 1s}\n")
    found.run("run", "Write a part", "--detach")
    [question] = until(lambda: found.told("question", "list"))
    assert "gave no answer that could be read" in question["what"]
    assert found.told("run", "summary")["lead_calls"] == 2


@pytest.mark.requirement("AUDIT-03")
def test_calls_that_only_look_are_counted_too(led_by_lea):
    [read] = [each for each in led_by_lea["tools of run-1"] if each["tool"] == "Read"]
    assert (read["member"], read["phase"], read["calls"]) == ("ada", "P6", 2)
    assert led_by_lea["tools of run-7"] == []


@pytest.mark.requirement("PIPE-02", "PIPE-03", "PIPE-06")
def test_a_standard_goal_goes_through_every_phase_of_its_path(going):
    everyone = "".join(
        goals.worker(name, profile)
        for name, profile in [("ada", "implementer"), ("ben", "analyst"), ("cy", "researcher")]
    )
    found = going(
        goals.play(
            goals.classifies(3, 2),
            goals.plans(*ONE_AFTER_THE_OTHER, phase="P6"),
            goals.plans(goals.task("1", "One part")),
            goals.judges("approve"),
            understanding.VERIFIES + understanding.APPROVES,
            works=understanding.understands() + goals.WORKS,
        ),
        goals.LEAD + everyone,
    )
    told = found.told("run", "Write parts")
    assert (told["state"], told["tier"]) == ("delivered", "standard")
    gates = [gate["phase"] for gate in found.told("gate", "list")]
    assert gates == ["P0", "P1", "P2", "P3", "P6", "P7"]


@pytest.mark.requirement("PIPE-04", "PIPE-05")
def test_what_a_gate_does_not_approve_is_done_again(going):
    found = going(
        goals.play(
            goals.classifies(1, 1, goals.task("1", "Write the part")),
            goals.judges(
                "iterate", goals.task("2", "Write it better"), iteration=1, guidance="better"
            ),
            goals.judges("approve"),
        )
    )
    assert found.told("run", "Write a part")["state"] == "delivered"
    states = [(gate["iteration"], gate["state"]) for gate in found.told("gate", "list")]
    assert states == [(1, "approved"), (1, "iterated"), (2, "approved")]
    titles = [each["title"] for each in found.told("run", "summary")["tasks"]]
    assert titles == ["Write the part", "Write it better"]


@pytest.mark.requirement("TEAM-04", "PIPE-03")
def test_a_person_leads_by_answering_questions(led_by_kim):
    worked = led_by_kim["worked on"]
    assert (worked["phase"], worked["state"]) == ("P6", "working")
    assert led_by_kim["approved"]["state"] == "delivered"


@pytest.mark.requirement("PIPE-20")
def test_a_delivered_run_is_taken_back_as_one(led_by_lea):
    told = led_by_lea["reverted"]
    [written] = led_by_lea["written"]
    assert led_by_lea["left"] == []
    assert told["state"] == "reverted"
    assert any(f"parts/{written}" in line for line in told["undone"])


@pytest.mark.requirement("PIPE-12")
def test_a_delivery_that_would_overwrite_what_a_person_made_waits_for_the_person(led_by_lea):
    told = led_by_lea["in the way"]
    assert (told["state"], len(told["questions"])) == ("working", 1)
    assert led_by_lea["kept"] == "mine\n"
    assert led_by_lea["out of the way"]["state"] == "delivered"


@pytest.mark.requirement("BOARD-05", "PIPE-01", "PIPE-19")
def test_where_members_may_not_choose_the_run_gives_them_their_tasks(going):
    settings = LED + "constitution: constitution-4\n"
    found = going(
        goals.play(
            goals.classifies(1, 1, goals.task("1", "One part"), goals.task("2", "Another")),
            goals.judges("approve"),
        ),
        led=settings,
    )
    told = found.told("run", "Write parts")
    assert (told["state"], told["pipeline"]) == ("delivered", "constitution-4")
    given = [event["subject"] for event in found.events() if event["verb"] == "run.assigned"]
    assert given == ["T-2 to ada", "T-3 to ada"]
    efforts = [line["text"] for line in found.diary("ada") if line["what"] == "effort"]
    assert efforts == ["high", "high"]  # the implementation's, told anew for each task


SMALL = goals.play(
    goals.classifies(1, 1, goals.task("1", "Write the part")), goals.judges("approve")
)


@pytest.mark.requirement("PIPE-12")
def test_a_run_is_delivered_onto_the_branch_it_was_begun_on(led_by_kim):
    assert led_by_kim["elsewhere"]["state"] == "working"
    assert "begun on main" in led_by_kim["asked elsewhere"]
    assert led_by_kim["back"]["state"] == "delivered"


@pytest.mark.requirement("PIPE-12", "PIPE-20")
def test_nothing_of_an_earlier_run_is_delivered_with_the_next(led_by_lea):
    assert led_by_lea["next"]["state"] == "delivered"
    assert led_by_lea["next written"] == ["T-4.txt"]


@pytest.mark.requirement("PIPE-12")
def test_work_that_nobody_took_in_stands_in_the_way_of_a_new_run(going):
    found = going(SMALL)
    found.git("branch", "drumline/merged")
    found.git("commit", "--quiet", "--allow-empty", "--message=mine")
    tree = found.git("rev-parse", "HEAD^{tree}").strip()
    left = found.git("commit-tree", tree, "-p", "HEAD~1", "-m", "left over").strip()
    found.git("update-ref", "refs/heads/drumline/merged", left)
    said = found.run("run", "Write a part", code=1)
    assert "holds work that is not in your branch" in said
    assert found.told("run", "list") == []


@pytest.mark.requirement("RECOVER-03")
def test_a_run_that_nobody_drives_says_so_and_goes_on_when_somebody_does(led_by_kim):
    assert "drumline up   # nobody drives it here" in led_by_kim["left"]
    assert "nobody drives it" not in led_by_kim["resumed"]
    assert led_by_kim["driven"]["phase"] == "P6"


WORKING_LEAD = (
    "  - {name: lea, role: Leads and builds, runtime: scripted, scenario: play.yaml,"
    " tools: [Read, Write, Edit, Bash], owns: ['**']}\n"
)


@pytest.mark.requirement("TEAM-04")
def test_a_lead_that_may_work_does_a_small_change_itself_and_nobody_else_is_started(going):
    found = going(
        goals.play(
            goals.classifies(1, 1, goals.task("1", "Write the part")),
            goals.judges("approve"),
            goals.WORKS,
        ),
        WORKING_LEAD + goals.worker("ada"),
        led=LED + "settings: {lead-works: true}\n",
    )
    told = found.told("run", "Write a part")
    assert (told["state"], told["tier"]) == ("working", "trivial")
    for step in ("review", "audit"):  # who did the work judges neither, and nobody else is started
        [asked] = until(lambda: found.told("question", "list"))
        assert f"nobody is left on the team to {step} T-2" in asked["what"]
        found.run("question", "answer", asked["id"], "approve")
    until(lambda: found.told("run", "show", "run-1")["state"] == "delivered")
    written = next((found.root / "parts").iterdir())
    assert written.read_text() == "by lea\n"
    started = [each["subject"] for each in found.events() if each["verb"] == "run.started-member"]
    assert started == ["lea"]


@pytest.mark.requirement("SEE-06")
def test_who_stops_watching_is_told_that_the_run_goes_on(going):
    slow = goals.classifies(1, 1).replace("steps:\n", "steps:\n        - wait: 8\n")
    found = going(goals.play(slow))
    words = [sys.executable, "-P", "-m", "drumline", "run", "Write a part"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(words, cwd=found.root, env=found.environ, **pipes) as watching:
        watching.stdout.readline()  # it watches
        watching.send_signal(signal.SIGINT)
        _, said = watching.communicate()
    assert "run-1 goes on: drumline run watch run-1" in said
    assert found.told("run", "show")["state"] == "working"


@pytest.mark.requirement("SEE-06", "RUN-07")
def test_a_run_whose_members_crash_tells_why_nothing_moves_and_what_next(going):
    broken = goals.worker("ada").replace("play.yaml", "missing.yaml")
    found = going(SMALL, goals.LEAD + broken)
    found.run("run", "Write a part", "--detach")
    told = until(lambda: found.told("run", "show")["away"])
    assert "no scenario 'missing.yaml'" in told["ada"]
    for shown in (("run", "show"), ("run", "summary"), ("status",)):
        until(lambda words=shown: "no scenario 'missing.yaml'" in found.run(*words))
        assert "ada" in until(lambda words=shown: found.told(*words)["away"])
    until(lambda: "next:    drumline member start ada" in found.run("run", "show"))


@pytest.mark.requirement("RUN-07")
def test_who_begins_a_run_is_told_once_that_the_plane_stays_up(led_by_kim):
    first, second = led_by_kim["talk"]
    assert "plane stays up here: drumline down stops it" in first
    assert "plane stays up" not in second


@pytest.mark.requirement("PIPE-12")
def test_a_run_whose_work_is_not_on_the_teams_branch_any_more_is_not_delivered_without_it(
    led_by_kim,
):
    lost = led_by_kim["lost"]
    assert f"the work of {lost} is not on drumline/merged any more" in led_by_kim["asked"]
    assert led_by_kim["whole"]["state"] == "delivered"
    assert led_by_kim["written"] == [f"{lost}.txt"]


@pytest.mark.requirement("PIPE-12")
def test_no_run_is_begun_on_the_teams_own_branch(going):
    found = going(SMALL)
    found.git("switch", "--quiet", "--create", "drumline/merged")
    assert "the team's own branch" in found.run("run", "Write a part", code=1)
    assert found.told("run", "list") == []


@pytest.mark.requirement("RUN-07", "SEE-06")
def test_a_run_whose_lead_has_no_money_to_judge_waits_for_a_person_and_tells_how_to_raise_it(going):
    found = going(SMALL)
    told = found.told("run", "Write a part", "--budget", "0.0072")
    assert (told["state"], told["phase"]) == ("working", "P6")
    assert "lea: its budget is spent" in told["waits_for"]
    assert "drumline task note T-1 budget=USD" in told["away"]["lea"]
    found.run("task", "note", "T-1", "budget=1")
    found.run("member", "start", "lea")
    assert found.told("run", "watch")["state"] == "delivered"


@pytest.mark.requirement("PIPE-12", "PIPE-20")
def test_a_run_begun_in_another_working_tree_is_delivered_there_and_taken_back_there(
    going, tmp_path
):
    found = going(SMALL)
    found.git("worktree", "add", "--quiet", str(tmp_path / "side"), "-b", "side")
    beside = Team(tmp_path / "side", tmp_path)
    beside.environ = found.environ
    assert beside.told("run", "Write a part")["state"] == "delivered"
    written = next((beside.root / "parts").iterdir())
    assert not (found.root / "parts").exists()
    assert found.told("run", "revert")["state"] == "reverted"
    assert not written.exists()


@pytest.mark.requirement("RUN-07")
def test_a_plane_whose_store_was_removed_ends(going):
    found = going(SMALL)
    found.run("up")
    [plane] = [number for number, words in found.processes() if "up --foreground" in words]
    found.git("clean", "--force", "-d", "-x", "--quiet")
    until(lambda: plane not in [number for number, _ in found.processes()])
    assert found.told("run", "Write a part")["state"] == "delivered"
