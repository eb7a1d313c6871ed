"""Whoever drives a run is killed before, in and after each of its moves: it ends as if nobody was."""

import shutil
import signal
import subprocess
from functools import partial
from itertools import groupby

import pytest

from drumline.control import runs
from drumline.control.roster import person
from drumline.settings import find
from drumline.store.upkeep import Caretaker
from drumline.team.pipelines import Pipelines
from drumline.wiring import open_store
from tests import goals
from tests.crash.driver import FILES
from tests.crash.processes import Worker
from tests.running import team

pytestmark = pytest.mark.requirement("RECOVER-03", "RECOVER-04")

MOVES = {
    *("judgement.asked", "run.classified", "run.entered", "gate.opened", "gate.approved"),
    *("gate.iterated", "run.planned", "run.started-member", "run.escalated", "run.delivered"),
}


OF_THE_LEADS_LIFE = {"run.lead-known", "run.lead-anew"}  # the lead is played in the killed process


def drive(root, step=0):
    """Drive in a process of its own; how it ended, and what it said at each step."""
    worker = Worker(str(root), str(step), module="tests.crash.driver")
    said = []
    while word := worker.hear():
        said.append(word)
    return worker.end(), said


def outcome(root):
    """How a run ended, without names of moments and commits: tasks, gates, judgements, events, files, history."""
    settings = find(str(root))
    store = open_store(settings)
    try:
        seen = store.ask(runs.look, "run-1")
        events, _ = store.ask(lambda tx: tx.journal.last(most=100_000))
        told = sorted(
            (event.verb, event.subject)
            for event in events
            if event.actor == "run-1" and event.verb not in OF_THE_LEADS_LIFE
        )
        assert list(Caretaker(store.engine).check()) == []
        return {
            "state": seen.run.state,
            "tasks": [(each.task.title, each.task.state, each.failures) for each in seen.tasks],
            "gates": [(gate.phase, gate.iteration, gate.state) for gate in seen.gates.values()],
            "judgements": [(key, each.tries) for key, each in seen.judgements.items()],
            "told": told,
            "letters": sum(event.verb == "mail.sent" for event in events),
            "files": sorted(path.name for path in (root / "parts").iterdir()),
            "history": sorted(_git(root, "log", "--format=%s", "main").splitlines()),
        }
    finally:
        store.close()


def _git(root, *words):
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A repository with a run that nobody has looked at yet."""
    root, doors = tmp_path_factory.mktemp("run") / "r", tmp_path_factory.mktemp("d")
    members = goals.LEAD + goals.worker("ada")
    with team(root, doors, members, goals.play(goals.judges("approve")), "lead: lea\n") as found:
        found.run("task", "list")
        settings = find(str(root))
        store = open_store(settings)
        wanted = runs.Begin("Write parts", Pipelines().find("constitution-10"), "0" * 40)
        store.do(runs.begin, person("kim"), wanted)
        store.close()
        yield root


@pytest.fixture(scope="module")
def undisturbed(begun, tmp_path_factory):
    root = tmp_path_factory.mktemp("calm") / "r"
    shutil.copytree(begun, root)
    code, said = drive(root)
    assert code == 0, said
    return outcome(root), said


def moments(said):
    """For each kind of move: some steps before the store is told of it, the commit, and some after.

    Of those between which nothing reaches the disk only the first and the last: killed there a run is the same.
    """
    steps = [word for word in said if "step" in word]
    found = set()
    for move in sorted(MOVES):
        at = next(i for i, word in enumerate(steps) if move in word["last"])
        commits = [i for i, word in enumerate(steps) if word["what"] in {"commit", "committed"}]
        near = sorted(commits, key=lambda i: abs(i - at))
        found |= {at - 3, at - 1, at + 1, near[0]}
    there = sorted(each for each in found if 0 <= each < len(steps))
    alike = groupby(there, key=partial(on_disk, [word["what"] for word in steps]))
    ends = {end for _, same in alike for end in first_and_last(same)}
    return sorted(steps[each]["step"] for each in ends)


def first_and_last(found):
    first, *others = found
    return {first, *others[-1:]}


def on_disk(steps, at):
    """How often the disk was written before a step: of the store, what is committed."""
    return steps[: at + 1].count("committed"), sum(each in FILES for each in steps[:at])


def test_killed_around_each_move_a_run_ends_the_same(begun, undisturbed, tmp_path):
    expected, said = undisturbed
    for step in moments(said):
        root = tmp_path / f"r{step}"
        shutil.copytree(begun, root)
        assert drive(root, step)[0] == -signal.SIGKILL
        code, after = drive(root)
        assert code == 0, after
        assert outcome(root) == expected, f"killed at step {step}"
        shutil.rmtree(root)


def test_a_run_that_iterates_and_fails_on_the_way_is_delivered_once(undisturbed):
    found, _ = undisturbed
    assert found["state"] == "delivered"
    assert [subject for subject in found["history"] if subject.startswith("run-1")] == [
        "run-1: Write parts"
    ]
