"""A member hands off in one call: the run, the lead and the consumers hear of it, and the files are there."""

import json

import pytest

from drumline import wiring
from drumline.control import board, records, roster
from drumline.settings import find
from drumline.team.draft import NewTask
from tests.running import ANSWER, HASTY, until
from tests.spec.playing import COMMITS, DONE, WAITS, completed, play, rows, turn

BOSS = roster.person("boss")
CALL = {
    "status": "PASS",
    "narrative": "Written and looked at.\n## Findings\nno heading of ours",
    "files": ["parts/T-2.txt"],
    "decisions": ["One file: there is one thing to say."],
    "unresolved": [{"severity": "low", "what": "nobody proof-read it"}],
    "findings": ["It is short."],
}


def hands_off(**changes):
    said = json.dumps({"task": "T-2", "fence": 1, "handoff": {**CALL, **changes}})
    return f"        - tool: {{name: mcp__drumline__handoff_submit, input: {said}}}\n"


def a_run(found, *fields):
    """The run r1, whose task T-2 belongs to phase 2 and wants a handoff."""
    store = wiring.open_store(find(str(found.root)))
    store.do(records.open_run, BOSS, NewTask(title="goal", run="r1"))
    store.do(board.add, BOSS, NewTask(title="Say hello", run="r1"))
    store.do(board.add, BOSS, NewTask(title="Go on from it", run="r1"))
    store.close()
    found.run("task", "note", "T-2", "phase=2", "handoff=required", "brief.notify=brook", *fields)
    found.run("task", "note", "T-3", "phase=2", "brief.await=ada")


def go(found):
    until(lambda: [each for each in found.diary("ada") if each["what"] == "entered"])
    (found.root / ".drumline" / "checkouts" / "ada" / "go").touch()


def happened(found):
    return [(event["verb"], event["subject"]) for event in found.events()]


def handed_in(found):
    return [line["text"] for line in found.diary("ada") if line["what"] == "handed in"]


@pytest.fixture
def playing(running):
    """A way to let ada play on T-2 of a run, beside brook, who is not started."""

    def start(*turns, settings=HASTY):
        found = running(play(*turns), names=("ada", "brook"), settings=settings, begin=False)
        a_run(found)
        found.run("member", "start", "ada")
        return found

    return start


@pytest.mark.requirement("MAIL-04", "MAIL-06", "MAIL-07", "MAIL-08", "MAIL-10")
def test_a_handed_off_task_leaves_files_signals_and_a_consumer_that_may_begin(playing):
    found = playing(turn(WAITS + COMMITS + hands_off(full=["parts/T-2.txt"]) + DONE))
    assert "ada's handoff" in found.run("task", "claim", "T-3", "--member", "brook", code=1)
    go(found)
    until(completed(found, "T-2"))
    folder = found.root / ".drumline" / "runs" / "r1" / "phase-2" / "ada"
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*"))
    assert names == [
        "L1-index.yaml",
        "L2-summary.md",
        "L3-full/parts/T-2.txt",
        "handoff.yaml",
    ]
    assert (folder / "L3-full/parts/T-2.txt").read_text() == "by ada\n"
    assert found.run("handoff", "check", str(found.root / ".drumline" / "runs")).startswith("ok")
    path = ".drumline/runs/r1/phase-2/ada/L2-summary.md"
    inbox = {name: found.told("mail", "inbox", name)[0]["body"] for name in ("human", "brook")}
    assert inbox["human"] == f"PASS|task:T-2|files:1|unresolved:1|ref:{path}"
    assert inbox["brook"] == f"READY|path:{path}|fields:files,decisions,unresolved,findings"
    noted = found.told("task", "show", "T-1")["metadata"]
    assert noted["phase_signals.2.T-2"] == "PASS|files:1|unresolved:1"
    assert found.told("handoff", "show", path)["summary"] == (found.root / path).read_text()
    until(lambda: ("task.claimed", "T-3") in happened(found))
    assert happened(found).index(("task.completed", "T-2")) < happened(found).index(
        ("task.claimed", "T-3")
    )


@pytest.mark.requirement("MAIL-10")
def test_a_member_that_forgets_its_handoff_is_told_and_may_still_hand_off(playing):
    forgets = turn(COMMITS + DONE)
    remembers = turn(hands_off() + DONE, when="was not handed off")
    found = playing(remembers, forgets)
    until(completed(found, "T-2"))
    first, *_ = handed_in(found)
    assert "T-2 was not handed off" in first
    assert "drumline handoff submit --task T-2 --fence 1 -" in first


@pytest.mark.requirement("MAIL-10")
def test_a_member_that_never_hands_off_becomes_a_question_and_no_loop(playing):
    settings = "settings: {handoff-refusals: 2}\n"
    found = playing(turn(ANSWER.format(files="[]"), again="true"), settings=settings)
    [asked] = until(lambda: found.told("question", "list"))
    assert "ada said 2 times that it is done, and never handed off" in asked["what"]
    assert found.states()["T-2"] == "pending"
    assert len(handed_in(found)) == 2
    assert "no answer yet" in found.run("task", "claim", "T-2", "--member", "brook", code=1)


@pytest.mark.requirement("MAIL-04", "MAIL-08")
def test_a_link_out_of_the_checkout_goes_along_with_no_handoff(playing):
    links = '        - tool: {name: Bash, input: {command: "ln -s /etc/hostname leak; ln -s /etc out"}}\n'
    refused = "".join(
        hands_off(full=[name]).rstrip("\n") + "\n          expect: {result: failed}\n"
        for name in ("leak", "out/hostname")
    )
    tidy = '        - tool: {name: Bash, input: {command: "rm leak out"}}\n'
    found = playing(turn(links + refused + tidy + COMMITS + hands_off() + DONE))
    until(completed(found, "T-2"))
    assert [row["version"] for row in rows(found, "handoffs")] == [1]
    assert not list((found.root / ".drumline" / "runs").rglob("L3-full"))
