"""Members that cannot go on ask, go on with something else, and hear the answer when they come back."""

import pytest

from tests.running import ANSWER, until
from tests.spec.playing import COMMITS, DONE, completed, play, rows, turn

STUCK = ANSWER.format(files="[]").replace("status: completed", "status: blocked")
NO_DOOR = STUCK.replace("blocked_by: null", 'blocked_by: "which door?"')
HUMAN = STUCK.replace("needs_human: false", "needs_human: true")
ANSWERED = turn(COMMITS + DONE, when="the blue door", again="true")


def asked(found):
    return lambda: found.told("question", "list")


@pytest.mark.requirement("RUN-09")
def test_a_blocked_member_asks_does_other_work_and_is_told_the_answer(running):
    other = turn(COMMITS + DONE, when="Other work", again="true")
    found = running(play(ANSWERED, other, turn(NO_DOOR)), ["Open it"], ["Other work"])
    [question] = until(asked(found))
    assert question["holds"]
    assert "which door?" in question["what"]
    until(completed(found, "T-2"))
    assert found.states()["T-1"] == "pending"
    assert "1 question waits for an answer" in found.run("status")
    found.run("question", "answer", "Q-1", "go on", "--words", "the blue door")
    until(completed(found))
    assert "the blue door" in found.run("prompt", "show", "T-1", "--member", "ada")


@pytest.mark.requirement("RUN-09")
def test_a_question_for_a_person_can_end_the_task(running):
    found = running(play(turn(HUMAN)), ["Open it"])
    [question] = until(asked(found))
    assert question["kind"] == "help"
    found.run("question", "answer", "Q-1", "cancel")
    assert found.states()["T-1"] == "cancelled"
    assert found.told("question", "list") == []


@pytest.mark.requirement("RUN-09")
def test_what_a_member_suggests_is_a_task_once_somebody_takes_it_up(running):
    suggests = turn(COMMITS + DONE.replace("suggested_next: null", 'suggested_next: "Paint it"'))
    paints = turn(COMMITS + DONE, when="Paint it")
    found = running(play(paints, suggests), ["Open it"])
    [question] = until(asked(found))
    assert (question["kind"], found.states()["T-2"]) == ("proposal", "pending")
    found.run("question", "answer", "Q-1", "take up")
    until(completed(found, "T-2"))


@pytest.mark.requirement("RUN-06")
def test_a_task_without_money_is_set_aside_and_its_member_goes_on(running):
    dear = turn("        - usage: {input: 1000, output: 1000}\n" + COMMITS * 2 + DONE)
    cheap = turn(COMMITS + DONE, when="Cheap work", again="true")
    found = running(play(cheap, dear), begin=False)
    found.run("task", "add", "Dear work", "--priority", "5")
    found.run("task", "note", "T-1", "budget=0.01")
    found.run("task", "add", "Cheap work")
    found.run("member", "start", "ada")
    until(completed(found, "T-2"))
    [question] = until(asked(found))
    assert question["task"] == "T-1"
    assert "no money is left for it: task T-1" in question["what"]
    assert [row["why"] for row in rows(found, "lives") if row["why"]] == []
