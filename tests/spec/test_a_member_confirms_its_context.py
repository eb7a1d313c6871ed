"""A member at work is sent its run's context by the plane, and confirms it through its runner."""

import pytest

from tests import goals
from tests.running import team, until
from tests.spec.playing import COMMITS, DONE, play, turn

CONFIRMS = """\
        - tool: {name: Bash, input: {command: "until drumline context ack 1 --items 1/1 --action continue; do sleep 0.1; done"}}
"""


@pytest.mark.requirement("PROTO-01", "CTX-01", "CTX-02")
def test_a_member_at_work_confirms_the_version_it_was_sent_in_this_life(running):
    found = running(play(turn(CONFIRMS + COMMITS + DONE)), begin=False)
    found.run("run", "Ship it", "--detach")
    (found.root / "draft.md").write_text("## Goal\n\nShip it.\n")
    assert found.told("context", "publish", "draft.md")["version"] == 1
    found.run("task", "add", "Work")
    found.run("member", "start", "ada")

    def held():
        [ada] = found.told("context", "who")["members"]
        return ada if ada["held"] == 1 else None

    ada = until(held)
    assert (ada["stale"], ada["action"]) == (False, "continue")
    assert ada["incarnation"] > 1


ACK = "drumline context ack 1 --items 1/1 --impact mine --action"
PAUSES = f"""\
    - again: true
      steps:
        - tool: {{name: Bash, input: {{command: "until {ACK} pause; do sleep 0.1; done"}}}}
        - tool: {{name: Write, input: {{file_path: "parts/early.txt", content: "x"}}}}
        - tool: {{name: Bash, input: {{command: "{ACK} continue"}}}}
"""


@pytest.mark.requirement("CTX-03")
def test_a_member_that_pauses_changes_nothing_until_it_goes_on(tmp_path, tmp_path_factory):
    small = goals.classifies(1, 1, goals.task("1", "Write the part")), goals.judges("approve")
    works = PAUSES + goals.WORKS.partition("      steps:\n")[2]
    members, doors = goals.LEAD + goals.worker("ada"), tmp_path_factory.mktemp("d")
    with team(
        tmp_path / "r", doors, members, goals.play(*small, works=works), "lead: lea\n"
    ) as found:
        found.run("run", "Write a part", "--detach")
        (found.root / "draft.md").write_text("## Goal\n\nWrite it.\n")
        found.run("context", "publish", "draft.md")
        until(lambda: found.told("run", "show")["state"] == "delivered")
        entries = found.told("audit", "--member", "ada", "--tool", "Write")["entries"]
        assert [each.get("refused", "") for each in entries] == ["C-PROTO-001", ""]
        assert list((found.root / "parts").iterdir())
