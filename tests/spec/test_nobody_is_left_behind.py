"""Nobody is left behind: who has something to do and does not know it is told, once."""

import json

import pytest

from tests.running import WRITES_A_FILE, until
from tests.spec.playing import COMMITS, DONE, completed, play, rows, turn

QUICK = "settings: {wake-delay: 1s, look-around: 1s, nudge-cooldown: 1s}\n"
DIRECTIVE = "[DIRECTIVE] Phase 1: Use spaces | Files: a.txt | [INJECTION] GC-v1\nNever tabs."
HEARS = turn(
    "        - say: I heard.\n        - verb: [mail, ack, M-1]\n",
    when="waits for you",
    again="true",
)


def nudges(found, state="delivered"):
    """Every nudge that came to a state, by its key."""
    return {
        (row["member"], row["incarnation"], row["fingerprint"]): row["text"]
        for row in rows(found, "nudges")
        if row["state"] == state
    }


def lived(found, member="ada"):
    def born():
        return next(e["pid"] for e in found.told("member", "list") if e["name"] == member)

    return until(born)


@pytest.mark.requirement("SYNC-06", "SYNC-07", "SYNC-13")
def test_an_idle_member_is_given_a_turn_for_a_directive_that_nobody_read(running):
    found = running(play(HEARS), settings=QUICK)
    lived(found)
    found.run("mail", "send", "--to", "ada", DIRECTIVE)
    until(lambda: found.told("mail", "inbox", "ada", "--all")[0]["state"] == "acked")
    until(lambda: nudges(found))
    [text] = nudges(found).values()
    assert "M-1, directive" in text
    [said] = [line for line in found.diary("ada") if line["what"] == "said"]
    assert said["text"] == "I heard."
    assert "Never tabs" not in json.dumps(rows(found, "nudges"))  # a nudge is no letter


@pytest.mark.requirement("SYNC-06", "SYNC-07", "SYNC-14")
def test_a_member_at_work_is_told_between_two_calls_and_never_in_one(running):
    works = turn(
        '        - tool: {name: Bash, input: {command: "touch begun; while ! test -e go; do sleep 0.1; done"}}\n'
        '        - tool: {name: Bash, input: {command: "while ! test -e on; do sleep 0.1; done"}}\n'
        '        - tool: {name: Bash, input: {command: "rm -f begun go on"}}\n' + COMMITS + DONE
    )
    found = running(play(works), ["Say hello"], settings=QUICK)
    checkout = found.root / ".drumline" / "checkouts" / "ada"
    until((checkout / "begun").exists)
    found.run("mail", "send", "--to", "ada", DIRECTIVE)
    until(lambda: nudges(found, "waiting"))
    assert not nudges(found, "sending")  # it is in a call
    (checkout / "go").touch()
    until(lambda: nudges(found, "sending"))
    (checkout / "on").touch()
    until(completed(found))
    assert list(nudges(found)) == list(nudges(found, "sending"))
    assert len(nudges(found)) == 1


@pytest.mark.requirement("SYNC-07")
def test_what_comes_while_work_is_verified_is_said_when_somebody_hears_it(running):
    slow = "test ${PWD##*/} = ada || exit 0; touch begun; while ! test -e go; do sleep 0.1; done; rm begun go"
    scenario = play(turn(COMMITS + DONE, when="Say hello"), HEARS)
    found = running(scenario, ["Say hello"], settings=QUICK, begin=False)
    found.run("task", "note", "T-1", f"verify={json.dumps(['sh', '-c', slow])}")
    found.run("member", "start", "ada")
    checkout = found.root / ".drumline" / "checkouts" / "ada"
    until((checkout / "begun").exists)
    found.run("mail", "send", "--to", "ada", DIRECTIVE)
    until(lambda: nudges(found, "waiting"))
    for number in range(4):  # whatever happens makes its runner look again
        found.run("mail", "send", "--to", "ada", f"note {number}")
    assert not nudges(found, "sending")
    (checkout / "go").touch()
    until(completed(found))
    until(lambda: nudges(found))


@pytest.mark.requirement("SYNC-06", "BOARD-05")
def test_a_lead_that_alone_may_give_tasks_out_is_told_of_one_that_is_ready(running):
    gives = turn(
        "        - verb: [task, claim, T-1, --member, brook]\n", when="is ready, and nobody has it"
    )
    works = turn(COMMITS + DONE)
    scenario = f"scenario: play\nmembers:\n  ada:\n{gives}  brook:\n{works}"
    settings = "constitution: constitution-4\nlead: ada\n" + QUICK
    found = running(scenario, ["Say hello"], names=("ada", "brook"), settings=settings)
    until(completed(found))
    assert [member for member, *_ in nudges(found)] == ["ada"]
    claims = [e["actor"] for e in found.events() if e["verb"] == "task.claimed"]
    assert claims == ["ada"]


@pytest.mark.requirement("SYNC-05", "SYNC-08")
def test_who_finished_everything_is_looked_at_once_and_left_alone(running):
    found = running(WRITES_A_FILE, ["One"], ["Two"], settings=QUICK)
    until(lambda: set(found.states().values()) == {"completed"})
    until(lambda: [e for e in found.events() if e["verb"] == "member.left-alone"])
    assert not rows(found, "nudges")
    [shown] = until(
        lambda: [e for e in found.told("status")["members"] if e["liveness"] == "idle, done"]
    )
    assert shown["name"] == "ada"
    assert "member.idle-done" in [event["verb"] for event in found.events()]


@pytest.mark.requirement("RUN-15", "SYNC-11")
def test_who_waits_for_a_usage_limit_is_neither_nudged_nor_a_stall(running):
    limited = turn("        - fault: {kind: 429, retry_after: 500}\n", again="true")
    settings = QUICK.replace("}", ", stall-after: 1s}")
    found = running(play(limited), ["Say hello"], settings=settings)
    until(lambda: "member.usage-limit" in [event["verb"] for event in found.events()])
    found.run("mail", "send", "--to", "ada", DIRECTIVE)
    put_off = "ada: its account is paused by a usage limit"
    until(
        lambda: put_off in [e["subject"] for e in found.events() if e["verb"] == "member.put-off"]
    )
    assert not rows(found, "nudges")
    assert "member.stalled" not in [event["verb"] for event in found.events()]
