"""Under the permission mode `default` a call that changes something waits for a person's word."""

import pytest

from tests.running import until
from tests.spec.playing import COMMITS, DONE, completed, play, turn

ASKING = ", permission-mode: default"


def asked(found, number):
    return until(
        lambda: next(
            (each for each in found.told("question", "list") if each["id"] == f"Q-{number}"), None
        )
    )


def results(found):
    return [line["result"] for line in found.diary("ada") if line["what"] == "called"]


@pytest.mark.requirement("RUN-01", "RUN-04")
def test_a_call_is_made_once_a_person_allowed_it(running):
    found = running(play(turn(COMMITS + DONE)), ["Write it"], more=ASKING)
    question = asked(found, 1)
    assert question["kind"] == "approval"
    assert 'Write {"content"' in question["what"]
    assert results(found) == []
    found.run("question", "answer", "Q-1", "allow")
    asked(found, 2)
    found.run("question", "answer", "Q-2", "allow")
    until(completed(found))


@pytest.mark.requirement("RUN-01")
def test_a_call_that_a_person_refused_is_not_made_and_its_member_hears_why(running):
    tells = turn(
        '        - tool: {name: Bash, input: {command: "touch here"}}\n'
        '        - tool: {name: Read, input: {file_path: "play.yaml"}}\n' + DONE
    )
    found = running(play(tells), ["Write it"], more=ASKING)
    asked(found, 1)
    found.run("question", "answer", "Q-1", "refuse", "--words", "not today")
    until(lambda: results(found) == ["refused", "ok"])
    assert not (found.root / ".drumline/checkouts/ada/here").exists()


@pytest.mark.requirement("RUN-01")
def test_an_approval_that_nobody_gives_holds_nobody_up_and_counts_later(running):
    tries = '        - tool: {name: Bash, input: {command: "echo hi >> said.txt"}}\n'
    found = running(
        play(turn(tries + DONE, again="true")),
        ["Write it"],
        more=ASKING,
        settings="settings: {approval-wait: 1s}\n",
    )
    until(lambda: results(found)[:1] == ["refused"])
    assert found.told("question", "list")[0]["state"] == "open"


@pytest.mark.requirement("RUN-01")
def test_what_only_reads_is_asked_about_by_nobody(running):
    reads = turn('        - tool: {name: Read, input: {file_path: "play.yaml"}}\n' + DONE)
    found = running(play(reads), ["Read it"], more=ASKING)
    until(lambda: results(found) == ["ok"])
    assert found.told("question", "list") == []
