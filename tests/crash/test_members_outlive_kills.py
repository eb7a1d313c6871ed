"""Anything may be killed at any moment while a team works: nothing is lost, doubled or left behind."""

import os
import random
import re
import signal
from collections import Counter
from contextlib import closing, suppress

import pytest

from drumline import wiring
from drumline.control import board, records, views
from drumline.settings import find
from drumline.team.actor import Actor, Role
from drumline.team.draft import NewTask
from tests.running import WRITES_A_FILE, scripted, team, until

MEMBERS, TASKS, KILLS = 20, 21, 15
CHECKED = range(1, TASKS + 1, 6)  # from the beginning: it is made again for who was late to merge
KINDS = {
    "tool": "/bin/bash --noprofile",
    "launcher": "/leash --session",  # a member's: a check that is killed is one that failed
    "runner": "member run",
    "nest": "drumline nest",
    "plane": "up --foreground",
}
# no check for the others: a runner's turn ends with it and is played anew, nest and plane make no call
OF_ONE_CALL = {"tool", "launcher"}
KIM = Actor("kim", Role.PERSON)
# whoever does a task again writes the same, so that only the merges tell that it was done twice
SLOWLY = WRITES_A_FILE.replace("git add parts", "sleep 1.5; git add parts").replace(
    "by {member}", "{task}"
)


def end_of(states):
    return all(state == "completed" for state in states.values())


@pytest.mark.requirement("RUN-07", "RUN-05", "RUN-06")
def test_a_team_of_twenty_is_killed_at_random_and_finishes_every_task_once(tmp_path, doors):
    names = [f"m{number}" for number in range(MEMBERS)]
    chance = random.Random(7)
    settings = f"settings: {{max-parallel: {MEMBERS}}}\n"
    with team(tmp_path / "r", doors, scripted(*names), SLOWLY, settings) as running:
        add_tasks(running)
        running.run("member", "start", "--all")
        killed: Counter[str] = Counter()
        for (
            kind
        ) in KINDS:  # launchers and tools live shortly: they are waited for, while all are busy
            until(lambda: kill_one(running, chance, killed, [kind]))  # noqa: B023 - asked at once

        def finished():
            if sum(killed.values()) < KILLS:
                kill_one(running, chance, killed, KINDS)
                running.run("up")
            return end_of(running.states())

        until(finished, seconds=600)  # alone a minute and a half; beside others three times that
        running.run("down")
        assert_each_done_once(running)
        assert_charged_once(running)
        assert "clean" in running.run("store", "check")
        assert until(lambda: not running.processes(), seconds=10)
        assert unfinished(tmp_path / "r/.drumline/checkouts") == []
        for number in range(1, TASKS + 1):
            running.git("cat-file", "-e", f"drumline/merged:parts/T-{number}.txt")
        assert_merged_once(running)


def unfinished(checkouts):
    """What lies beside the checkouts, but for the lock and the mark of each."""
    names = {path.name for path in checkouts.iterdir() if path.name.startswith(".")}
    return sorted(name for name in names if not name.endswith((".lock", ".furnished")))


def add_tasks(running):
    store = wiring.open_store(find(str(running.root)))
    for number in range(1, TASKS + 1):
        task = store.do(board.add, KIM, NewTask(title=f"Part {number}"))
        if number in CHECKED:
            store.do(records.merge, KIM, task.id, check_of(task))
    store.close()


def check_of(task):
    return {"verify": ["test", "-e", f"parts/{task.id}.txt"]}


def check_what_is_in(running, line):
    """A member one of whose tools was killed believes that it wrote its file: its task has a check first.

    A tool and its launcher are of one call: until it has ended, their member holds the task it is for.
    """
    words = set(re.split(r"[\s/']", line))
    held = [each for each in running.ask(views.tasks) if words & {str(each.id), each.owner}]
    with closing(wiring.open_store(find(str(running.root)))) as store:
        for each in held:
            store.do(records.merge, KIM, each.id, check_of(each))
    return held


def kill_one(running, chance, killed, kinds):
    """kill -9 of a runner, the plane, a launcher or what it launched, whichever died least often so far."""
    there = running.processes()
    left = [kind for kind in kinds if killed[kind] < KILLS // len(KINDS)]  # each its share, no more
    for kind in sorted(left, key=lambda name: killed[name]):
        found = [each for each in there if KINDS[kind] in each[1]]
        with suppress(ProcessLookupError, IndexError):  # it ended by itself, or there is none
            process, line = chance.choice(found)
            if kind in OF_ONE_CALL:
                os.kill(process, signal.SIGSTOP)  # its member hands nothing in before the check
                if not check_what_is_in(running, line):
                    os.kill(process, signal.SIGCONT)  # it is of no task that is worked on
                    continue
            os.kill(process, signal.SIGKILL)
            killed[kind] += 1
            return True
    return False


def assert_each_done_once(running):
    done = Counter(
        event["subject"] for event in running.events() if event["verb"] == "task.completed"
    )
    assert set(done.values()) == {1}
    assert len(done) == TASKS


def assert_merged_once(running):
    told = running.git("log", "--first-parent", "--format=%s", "main..drumline/merged")
    merged = Counter(line.partition(":")[0] for line in told.splitlines())
    assert merged == dict.fromkeys((f"T-{number}" for number in range(1, TASKS + 1)), 1)


def assert_charged_once(running):
    """The sums are those of the charges, each of which names a reading of its own."""
    told, sums = {}, Counter()
    for event in running.events():
        for change in event["changes"]:
            row = change["row"]
            if change["table"] == "charges":
                key = (row["member"], row["source"], row["incarnation"], row["turn"], row["number"])
                assert told.setdefault(key, row["micros"]) == row["micros"]
            if change["table"] == "spending" and row["scope"] == "member":
                sums[row["name"]] = row["micros"]
    paid = Counter()
    for (member, *_), micros in told.items():
        paid[member] += micros
    assert paid == sums
