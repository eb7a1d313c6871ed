"""A goal goes through its pipeline: classified, worked on, judged and delivered."""

import signal
import subprocess
import sys
from contextlib import ExitStack

import pytest

from tests import goals, understanding
from tests.running import Team, team, until

TEAM = goals.LEAD + goals.worker("ada")
LED = "lead: lea\n"


@pytest.fixture
def going(tmp_path, tmp_path_factory):
    with ExitStack() as stack:

        def go(scenario, members=TEAM, led=LED):
            doors = tmp_path_factory.mktemp("d")
            return stack.enter_context(team(tmp_path / "r", doors, members, scenario, led))

        yield go


@pytest.mark.requirement("PIPE-03", "BOARD-06", "PIPE-12", "AUDIT-03")
def test_a_small_goal_is_classified_worked_on_judged_and_delivered(going):
    found = going(
        goals.play(
            goals.classifies(1, 1, goals.task("1", "Write the part")), goals.judges("approve")
        )
    )
    told = found.told("run", "Write a part")
    assert (told["state"], told["tier"]) == ("delivered", "trivial")
    assert (found.root / "parts").exists()
    assert found.told("run", "summary")["lead_calls"] == 2
    used = {(each["phase"], each["tool"]) for each in found.told("audit", "tools")}
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
def test_calls_that_only_look_are_counted_too(going):
    look = """\
    - again: true
      steps:
        - tool: {name: Read, input: {file_path: README.md}}
        - tool: {name: Read, input: {file_path: README.md}}
"""
    works = look + goals.WORKS.partition("      steps:\n")[2]
    small = goals.classifies(1, 1, goals.task("1", "Write the part")), goals.judges("approve")
    found = going(goals.play(*small, works=works))
    assert found.told("run", "Write a part")["state"] == "delivered"
    [read] = [
        each for each in found.told("audit", "tools", "--run", "run-1") if each["tool"] == "Read"
    ]
    assert (read["member"], read["phase"], read["calls"]) == ("ada", "P6", 2)
    assert found.told("audit", "tools", "--run", "run-7") == []


@pytest.mark.requirement("PIPE-02", "PIPE-03", "PIPE-06")
def test_a_standard_goal_goes_through_every_phase_of_its_path(going):
    everyone = "".join(
        goals.worker(name, profile)
        for name, profile in [("ada", "implementer"), ("ben", "analyst"), ("cy", "researcher")]
    )
    found = going(
        goals.play(
            goals.classifies(3, 2),
            goals.plans(goals.task("1", "One part"), goals.task("2", "Another", after="['1']")),
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
def test_a_person_leads_by_answering_questions(going):
    found = going(goals.play(works=goals.WORKS), goals.worker("ada"), led="")
    told = found.told("run", "Write a part")
    found.run("question", "answer", told["questions"][0], "trivial")
    told = found.told("run", "watch")
    assert (told["phase"], told["state"]) == ("P6", "working")
    found.run("gate", "approve", "--why", "I looked at it")
    assert found.told("run", "watch")["state"] == "delivered"


@pytest.mark.requirement("PIPE-20")
def test_a_delivered_run_is_taken_back_as_one(going):
    found = going(
        goals.play(
            goals.classifies(1, 1, goals.task("1", "Write the part")), goals.judges("approve")
        )
    )
    found.told("run", "Write a part")
    written = next((found.root / "parts").iterdir())
    told = found.told("run", "revert")
    assert not written.exists()
    assert told["state"] == "reverted"
    assert any(f"parts/{written.name}" in line for line in told["undone"])


@pytest.mark.requirement("PIPE-12")
def test_a_delivery_that_would_overwrite_what_a_person_made_waits_for_the_person(going):
    found = going(
        goals.play(
            goals.classifies(1, 1, goals.task("1", "Write the part")), goals.judges("approve")
        )
    )
    mine = found.root / "parts" / "T-2.txt"
    mine.parent.mkdir()
    mine.write_text("mine\n")
    told = found.told("run", "Write a part")
    assert (told["state"], len(told["questions"])) == ("working", 1)
    assert mine.read_text() == "mine\n"
    mine.unlink()
    found.run("question", "answer", told["questions"][0], "again")
    assert found.told("run", "watch")["state"] == "delivered"


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
def test_a_run_is_delivered_onto_the_branch_it_was_begun_on(going):
    found = going(SMALL, led="")
    told = found.told("run", "Write a part", "--lead", "human")
    found.git("switch", "--quiet", "--create", "other")
    found.run("question", "answer", told["questions"][0], "trivial")
    found.told("run", "watch")
    found.run("gate", "approve")
    waiting = found.told("run", "watch")
    assert waiting["state"] == "working"
    assert "begun on main" in found.run("question", "show", waiting["questions"][0])
    found.git("switch", "--quiet", "main")
    found.run("question", "answer", waiting["questions"][0], "again")
    assert found.told("run", "watch")["state"] == "delivered"


@pytest.mark.requirement("PIPE-12", "PIPE-20")
def test_nothing_of_an_earlier_run_is_delivered_with_the_next(going):
    found = going(SMALL)
    found.told("run", "Write a part")
    found.told("run", "revert")
    found.told("run", "Write another part")
    assert [path.name for path in (found.root / "parts").iterdir()] == ["T-4.txt"]


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
def test_a_run_that_nobody_drives_says_so_and_goes_on_when_somebody_does(going):
    found = going(SMALL, led="")
    told = found.told("run", "Write a part", "--lead", "human")
    found.run("down")
    assert "drumline up   # nobody drives it here" in found.run("run", "show")
    found.run("run", "watch")
    found.run("question", "answer", told["questions"][0], "trivial")
    assert "nobody drives it" not in found.run("run", "resume")
    assert found.told("run", "watch")["phase"] == "P6"


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
def test_who_begins_a_run_is_told_once_that_the_plane_stays_up(going):
    found = going(SMALL, led="")
    words = [sys.executable, "-P", "-m", "drumline", "run", "Write a part", "--lead", "human"]
    how = {"cwd": found.root, "env": found.environ, "capture_output": True, "text": True}
    first = subprocess.run(words, check=True, **how)
    assert "plane stays up here: drumline down stops it" in first.stderr
    found.run("run", "abort")
    second = subprocess.run(words, check=True, **how)
    assert "plane stays up" not in second.stderr


@pytest.mark.requirement("PIPE-12")
def test_a_run_whose_work_is_not_on_the_teams_branch_any_more_is_not_delivered_without_it(going):
    found = going(SMALL, led="")
    told = found.told("run", "Write a part", "--lead", "human")
    found.run("question", "answer", told["questions"][0], "trivial")
    found.told("run", "watch")
    found.git("branch", "--move", "drumline/merged", "set-aside")
    found.run("gate", "approve")
    [asked] = until(lambda: found.told("run", "show")["questions"])
    assert "the work of T-2 is not on drumline/merged any more" in found.run(
        "question", "show", asked
    )
    found.git("branch", "--move", "set-aside", "drumline/merged")
    found.run("question", "answer", asked, "again")
    assert found.told("run", "watch")["state"] == "delivered"
    assert (found.root / "parts").exists()


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
