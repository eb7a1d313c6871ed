"""Under the permission mode `default` a call that changes something waits for a person's word."""

import pytest

from tests.running import HASTY, until
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
    assert 'Write: file_path "parts/T-1.txt", content "by ada' in question["what"]
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


@pytest.mark.requirement("RUN-01")
def test_a_person_is_shown_all_of_a_long_call_and_where_it_acts_first(running):
    words = "harmless words " * 300
    writes = f'        - tool: {{name: Write, input: {{file_path: x.sh, content: "{words}end"}}}}\n'
    found = running(play(turn(writes + DONE)), ["Write it"], more=ASKING, settings=HASTY)
    first, *rest = asked(found, 1)["what"].splitlines()
    assert first.startswith(
        'ada asks whether it may call Write: file_path "x.sh", content "harmless'
    )
    assert first.endswith('words end" (4,505 characters)')
    assert f'content: "{words}end"' in rest


@pytest.mark.requirement("RUN-01")
def test_a_word_that_allows_a_call_is_used_up_by_it(running):
    runs = '        - tool: {name: Bash, input: {command: "echo said >> said.txt"}}\n'
    found = running(play(turn(runs + runs + DONE)), ["Say it"], more=ASKING, settings=HASTY)
    asked(found, 1)
    found.run("question", "answer", "Q-1", "allow")
    asked(found, 2)
    assert (found.root / ".drumline/checkouts/ada/said.txt").read_text() == "said\n"
