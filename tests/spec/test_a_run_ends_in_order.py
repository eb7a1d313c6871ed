"""Members are asked to stop, answer or are timed out, and leave nothing held."""

import pytest

from tests.running import until
from tests.spec.playing import COMMITS, DONE, WAITS, completed, play, rows, turn


def verbs(found):
    return [event["verb"] for event in found.events()]


def notes(found, what):
    return [line["text"] for line in found.diary("ada") if line["what"] == what]


def stopping(running, **settings):
    """A member that works when it is told to stop."""
    said = "".join(
        f"settings: {{{name.replace('_', '-')}: {span}}}\n" for name, span in settings.items()
    )
    found = running(play(turn(WAITS + COMMITS + DONE)), ["Do it"], settings=said)
    until(lambda: notes(found, "entered"))
    found.run("member", "stop", "ada", "--no-wait")
    return found


@pytest.mark.requirement("RUN-10")
def test_a_member_that_is_asked_to_stop_hands_in_what_it_has(running):
    found = stopping(running, stop_wait="60s")
    until(lambda: notes(found, "asked to stop"))
    (found.root / ".drumline" / "checkouts" / "ada" / "go").touch()
    until(completed(found))
    until(lambda: "life.ended" in verbs(found))
    assert "life.farewell-answered" in verbs(found)
    assert [row["why"] for row in rows(found, "lives") if row["why"]] == ["stopped"]


@pytest.mark.requirement("RUN-10")
def test_a_member_that_does_not_answer_is_ended_and_its_task_released(running):
    found = stopping(running, stop_wait="1s")
    until(lambda: "life.ended" in verbs(found))
    told = verbs(found)
    assert told.index("life.farewell-timed-out") < told.index("life.ended")
    assert found.states()["T-1"] == "pending"
    assert found.told("member", "list")[0]["state"] == "absent"


@pytest.mark.requirement("RUN-10")
def test_what_a_stopped_team_did_can_still_be_read(running):
    found = stopping(running, stop_wait="1s")
    found.run("down")
    assert "asked to stop" in found.run("member", "logs", "ada")
    assert "life.farewell-timed-out" in found.run("events")
    assert [each for each in found.processes() if "drumline" in each[1]] == []
