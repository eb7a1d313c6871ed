"""What a member learnt outlives kill -9, wherever it strikes while it is written down: once, and no more."""

import fcntl
import os
import signal
import sqlite3
from contextlib import contextmanager

import pytest

from drumline.control import lessons
from drumline.store.notebooks import STATE, folder_of
from drumline.team.learning import learnings_file
from tests.crash.processes import in_child
from tests.learning import account, memory, suggests, texts
from tests.running import ANSWER, scripted, team, until
from tests.stores import Sqlite, seat
from tests.words import add, verbs

pytestmark = pytest.mark.requirement("RECOVER-04")

TABS = "The lexer chokes on tabs"
WORKS = """\
    - again: true
      steps:
        - tool: {name: Bash, input: {command: "git commit --quiet --allow-empty --message='{task}'"}}
"""
SAID = "[{category: gotcha, content: " + TABS + "}]"
ANSWERS = ANSWER.format(files="[]")
PLAY = (
    "scenario: learns\nmembers:\n"
    f"  ada:\n{WORKS}{ANSWERS.replace('suggested_learnings: []', f'suggested_learnings: {SAID}')}"
    f"  brook:\n{WORKS}{ANSWERS}"
)


@contextmanager
def notebook_held(root, member):
    """While this lasts nobody writes into a member's notebook."""
    folder = root / STATE / folder_of(learnings_file(member))
    folder.mkdir(parents=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def kill(found, kind):
    for process, line in found.processes():
        if kind in line:
            os.kill(process, signal.SIGKILL)


def test_what_a_killed_runner_was_about_to_write_is_written_by_whoever_takes_the_task_up(
    tmp_path, doors
):
    with team(tmp_path / "r", doors, scripted("ada", "brook"), PLAY) as found:
        found.run("task", "add", "Look at the lexer")
        with notebook_held(found.root, "ada"):
            found.run("member", "start", "ada")
            until(lambda: "task.reflected" in {event["verb"] for event in found.events()})
            kill(found, "up --foreground")
            kill(found, "member run")
        assert not (found.root / learnings_file("ada")).exists()
        found.run("member", "stop", "ada")
        found.run("member", "start", "brook")
        found.run("up")
        until(lambda: found.states() == {"T-1": "completed"}, seconds=180)
        found.run("down")
        assert (found.root / learnings_file("ada")).read_text().count(TABS) == 1
        learnt = [event["actor"] for event in found.events() if event["verb"] == "memory.learnt"]
        assert learnt == ["ada"]
        assert "clean" in found.run("store", "check")


def test_what_is_in_the_file_and_not_in_the_store_yet_is_there_once_when_it_is_done_again(
    tmp_path, clock
):
    place = Sqlite(tmp_path / "state.db", clock)
    of = memory(place.open(), tmp_path)
    seat(of.store)
    task = add(of.store)
    said = account(suggests(TABS), suggests("Ask before you merge", to="nobody"))
    file = tmp_path / learnings_file("ada")

    began, go = os.pipe(), os.pipe()

    def reflect():
        own = memory(place.open(), tmp_path)
        os.write(began[1], b".")
        os.read(go[0], 1)
        lessons.reflect(own, "ada", task, said)

    child = in_child(reflect)
    os.read(began[0], 1)
    writer = sqlite3.connect(tmp_path / "state.db", isolation_level=None)
    with notebook_held(tmp_path, "ada"):
        os.write(go[1], b".")
        until(lambda: "memory.begun" in verbs(of.store))
        writer.execute("BEGIN IMMEDIATE")
    until(lambda: file.exists() and TABS in file.read_text())
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    writer.execute("ROLLBACK")
    writer.close()
    assert "memory.learnt" not in verbs(of.store)
    lessons.reflect(of, "ada", task, said)
    assert texts(of, "ada") == [TABS]
    told = [verb for verb in verbs(of.store) if verb.startswith(("memory.", "mail."))]
    assert told == ["memory.begun", "memory.learnt", "mail.sent"]
