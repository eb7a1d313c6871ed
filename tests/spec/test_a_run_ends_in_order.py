"""Members are asked to stop, answer or are timed out, and leave nothing held; a run ends with all of them."""

import pytest

from tests import goals
from tests.running import team, until
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


@pytest.mark.requirement("RUN-10")
def test_a_run_ends_with_its_reports_its_synthesis_and_nobody_left(tmp_path, doors):
    members = goals.LEAD + goals.worker("ada")
    sized = goals.classifies(1, 1, goals.task("1", "Write the part"))
    scenario = goals.play(sized, goals.judges("approve"))
    with team(tmp_path / "r", doors, members, scenario, "lead: lea\n") as found:
        assert found.told("run", "Write a part")["state"] == "delivered"
        until(lambda: verbs(found).count("life.ended") == 2)
        told = verbs(found)
        work, delivered = told.index("task.completed"), told.index("run.delivered")
        assert work < delivered < told.index("member.wanted-stopped") < told.index("life.ended")
        synthesis = (found.root / ".drumline" / "runs" / "run-1" / "synthesis.md").read_text()
        assert "Write the part" in synthesis
        assert found.told("run", "summary")["lead_calls"] == 2
        assert {each["state"] for each in found.told("member", "list")} == {"absent"}
        assert set(found.states().values()) == {"completed"}
        assert "delivered" in found.run("run", "show", "run-1")
