"""Work that was handed in and found good: whatever comes between it and the merge, it is taken in once."""

import os

import pytest

from drumline import wiring
from drumline.control import board, handing_in, lives
from drumline.control.reflecting import speaker
from drumline.settings import find
from drumline.team.ids import TaskId
from drumline.team.life import Process, WhyEnded
from drumline.team.task import Holder
from tests.forking import command
from tests.once import once
from tests.running import ANSWER, WRITES_A_FILE, scripted, team, team_of_a_story, until
from tests.runtimes.clones import begun, git
from tests.spec.playing import COMMITS, DONE, WAITS, completed, play, turn

SAME = (
    '        - tool: {name: Bash, input: {command: "mkdir -p parts; echo {member} > parts/same.txt;'
    ' git add parts; git commit -qm same"}}\n' + ANSWER.format(files='["parts/same.txt"]')
)
NOTHING = ANSWER.format(files="[]")
JOINS = (
    '        - tool: {name: Bash, input: {command: "until [ -e ~/join.sh ]; do sleep 0.05; done; sh'
    ' ~/join.sh"}}\n' + ANSWER.format(files='["parts/same.txt"]')
)
IN_ANOTHER = (  # a repository of its own, below this one
    '        - tool: {name: Bash, input: {command: "cd lib && echo new > new && git add new && git commit'
    ' -qm new && cd .. && git commit -qam lib"}, expect: ok}\n' + ANSWER.format(files='["lib"]')
)
BY_US = ("verified", "handed-in", "kept")  # noted at a task
PLAN = ("brief.notify=human", "brief.await=human")


def handed(found, *names):
    lines = [line for name in names for line in found.diary(name)]
    return [line["text"] for line in lines if line["what"] == "handed in"]


def in_home(found, member, name, text):
    (found.root / ".drumline" / "homes" / member / name).write_text(text)


@pytest.mark.requirement("RUN-05", "BOARD-12")
def test_conflicting_work_is_brought_in_with_its_check_before_its_task_is_closed(running):
    both = turn(WAITS + SAME, again="true")
    lazy = turn(NOTHING, when="Bring")
    joins = turn(JOINS, when="not in what you handed in")
    found = running(play(joins, lazy, both), names=("ada", "brook"), begin=False)
    for task in ("T-1", "T-2"):
        found.run("task", "add", task)
        found.run("task", "note", task, 'verify=["test", "-e", "parts/same.txt"]', *PLAN)
    found.run("member", "start", "--all")
    for name in ("ada", "brook"):
        until(lambda who=name: [each for each in found.diary(who) if each["what"] == "entered"])
        (found.root / ".drumline" / "checkouts" / name / "go").touch()
    until(lambda: "T-3" in found.states())
    told = found.told("task", "show", "T-3")
    commit = told["metadata"]["kept.commit"]
    assert f"git merge {commit}" in told["body"]
    assert told["metadata"]["verify"] == ["test", "-e", "parts/same.txt"]
    until(lambda: any(commit in said for said in handed(found, "ada", "brook")))
    join = f"git merge -q {commit}\necho both > parts/same.txt\ngit add -A\ngit commit -qm both\n"
    for name in ("ada", "brook"):
        in_home(found, name, "join.sh", join)
    until(completed(found, "T-3"))
    assert found.git("show", "drumline/merged:parts/same.txt") == "both\n"
    found.git("merge-base", "--is-ancestor", commit, "drumline/merged")
    assert found.told("task", "show", "T-3")["metadata"]["verified.commit"]


@pytest.mark.requirement("RUN-07", "RUN-05")
def test_work_that_was_merged_before_its_runner_died_is_closed_and_not_done_again(running):
    found = running(WRITES_A_FILE, ["one"], begin=False)
    found.run("task", "note", "T-1", 'verify=["test", "-e", "done.txt"]')
    (found.root / "done.txt").write_text("done")
    found.git("switch", "-qc", "drumline/ada/work")
    found.git("add", "done.txt")
    found.git("commit", "-qm", "done")
    commit = found.git("rev-parse", "HEAD").strip()
    found.git("switch", "-q", "main")
    store = wiring.open_store(find(str(found.root)))
    life = store.do(lives.begin, "ada", Process("box", os.getpid(), "1", "scripted"))
    actor = store.ask(speaker, life)
    task = store.do(board.claim, actor, TaskId(1), Holder("ada", life.incarnation))
    store.do(handing_in.accept, life, task.id, handing_in.Proof(task.fence, commit))
    store.do(lives.end, life, WhyEnded.CRASHED, "killed")
    store.close()
    found.git("branch", "drumline/merged", commit)
    found.run("member", "start", "ada")
    until(completed(found))
    assert found.told("task", "show", "T-1")["metadata"]["verified.commit"] == commit
    assert found.git("rev-parse", "drumline/merged").strip() == commit
    assert not [line for line in found.diary("ada") if line["what"] == "entered"]


@pytest.mark.requirement("RUN-05", "RUN-14")
def test_work_in_a_submodule_is_there_for_whoever_begins_with_it(running):
    found = running(play(turn(IN_ANOTHER)), begin=False)
    made = begun(found.root.parent)
    git(found.root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", made, "lib")
    git(found.root, "commit", "-qm", "lib")
    found.run("task", "add", "one")
    found.run("task", "note", "T-1", 'verify=["test", "-e", "lib/new"]')
    found.run("member", "start", "ada")
    until(completed(found))
    named = found.git("rev-parse", "drumline/merged:lib").strip()
    assert found.git("-C", "lib", "show", f"{named}:new") == "new\n"


@pytest.fixture
def beside(tmp_path_factory):
    return once(tmp_path_factory, "a-person-beside-a-member", person_beside_a_member)


def person_beside_a_member(place):
    """A person looks at the member's branch, stands on the team's, and moves the repository."""
    with team_of_a_story(place, scripted("ada")) as found:
        found.run("task", "add", "one", "--tracker", "GH-7")
        told = {"by hand": [noted_by_hand(found, f"{each}.commit") for each in BY_US]}
        found.run("member", "start", "ada")
        until(completed(found))
        told["tracked"] = found.git("log", "-1", "--format=%B", "drumline/merged")
        found.git("switch", "-q", "drumline/ada/work")
        found.run("task", "add", "two")
        until(completed(found, "T-2"))
        told["status"] = found.git("status", "--porcelain")
        told |= in_its_way(found)
        found.run("down")
        found.root = found.root.rename(found.root.parent / "moved")
        found.run("task", "add", "four")
        found.run("member", "start", "ada")
        until(completed(found, "T-4"))
        return {**told, "states": found.states()}


def noted_by_hand(found, field):
    """How it ends when a person notes a commit at a task: the exit code, and what is said."""
    words = ("task", "note", "T-1", f"{field}={'0' * 40}")
    code, out, err = command(words, found.root, found.environ)
    return code, err + out


def in_its_way(found):
    found.git("switch", "-q", "drumline/merged")
    found.run("task", "add", "three")
    (question,) = until(lambda: found.told("question", "list"))
    told = {"asked": question["what"], "waits": found.states()["T-3"]}
    found.git("switch", "-q", "main")
    turns = entered(found)
    found.run("question", "answer", question["id"], "go on")
    until(completed(found, "T-3"))
    written = found.git("show", "drumline/merged:parts/T-3.txt")
    return {**told, "written": written, "more turns": entered(found) - turns}


def entered(found):
    return [line["what"] for line in found.diary("ada")].count("entered")


@pytest.mark.requirement("RUN-05", "RUN-09")
def test_a_branch_that_a_person_stands_on_is_waited_for_and_no_work_is_done_twice(beside):
    assert "switch --detach" in beside["asked"]
    assert beside["waits"] == "pending"
    assert beside["written"] == "by ada\n"
    assert beside["more turns"] == 0


@pytest.mark.requirement("RUN-05", "RUN-09")
def test_work_that_meets_a_branch_in_the_way_is_looked_at_first_and_not_done_twice(running):
    found = running(play(turn(WAITS + COMMITS + DONE, again="true")), ["one"])
    until(lambda: [line for line in found.diary("ada") if line["what"] == "entered"])
    found.git("branch", "drumline")
    (found.root / ".drumline/checkouts/ada/go").touch()
    (question,) = until(lambda: found.told("question", "list"))
    assert "branch -m drumline" in question["what"]
    assert found.told("task", "show", "T-1")["metadata"]["handed-in.commit"]
    found.git("branch", "-D", "drumline")
    found.run("question", "answer", question["id"], "go on")
    until(completed(found))
    assert len([line for line in found.diary("ada") if line["what"] == "entered"]) == 1


@pytest.mark.requirement("RUN-05", "RUN-09")
def test_good_work_that_waited_is_judged_as_its_members_whoever_takes_it_in(tmp_path, doors):
    members = scripted("ada").replace("**", "parts/**") + scripted("brook").replace("**", "docs/**")
    with team(tmp_path / "r", doors, members) as found:
        found.git("branch", "drumline/merged")
        found.git("switch", "-q", "drumline/merged")
        found.run("task", "add", "one")
        found.run("member", "start", "ada")
        (question,) = until(lambda: found.told("question", "list"))
        found.run("member", "stop", "ada")
        found.git("switch", "-q", "main")
        found.run("question", "answer", question["id"], "go on")
        found.run("member", "start", "brook")
        until(completed(found))
        assert found.git("show", "drumline/merged:parts/T-1.txt") == "by ada\n"
        assert found.git("log", "-1", "--format=%an", "drumline/merged") == "ada\n"
        assert not [line for line in found.diary("brook") if line["what"] == "entered"]


@pytest.mark.requirement("BOARD-12")
@pytest.mark.parametrize("at", range(len(BY_US)), ids=BY_US)
def test_what_became_of_work_is_not_told_by_hand(beside, at):
    code, said = beside["by hand"][at]
    assert code == 1
    assert "not told by hand" in said


@pytest.mark.requirement("RUN-05")
def test_a_person_may_look_at_a_members_branch_while_it_works(beside):
    assert beside["states"]["T-2"] == "completed"
    assert beside["status"] == ""


@pytest.mark.requirement("RUN-05")
def test_a_team_goes_on_where_its_repository_was_moved_to(beside):
    assert beside["states"]["T-4"] == "completed"


@pytest.mark.requirement("BOARD-11")
def test_the_commit_that_takes_work_in_names_the_trackers_reference(beside):
    assert "Tracker: GH-7" in beside["tracked"]
