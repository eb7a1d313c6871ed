"""Every kind of move a run makes, killed before, in and after it: whoever looks next finds the rest to do.

Each case brings a run to where the next look makes the move; a real process then looks and is really killed
in front of one of the statements, and another looks after it.
"""

import os
import shutil
import signal
from typing import Any, get_args

import pytest

from drumline.control import board, run_moves, runs
from drumline.store.database import Database
from drumline.store.upkeep import Caretaker
from drumline.team import moves
from drumline.team.asking_moves import ABORT, DROP
from drumline.team.next_moves import WITHOUT
from tests.living import begin
from tests.stores import Sqlite
from tests.stories import POINTS, Story
from tests.understanding import NO, YES
from tests.words import BOSS

pytestmark = pytest.mark.requirement("RECOVER-03", "RECOVER-04")

KINDS = {kind.__name__: kind for kind in get_args(moves.Move)}
MADE_OUTSIDE = {
    "Deliver": "a delivery is killed in test_runs_outlive_kills",
    "Wait": "it does nothing",
}
ACCEPTED, REFUSED = {"points": YES, "rebriefing": ""}, {"points": NO, "rebriefing": "Read it."}


def ask(story: Story) -> None:
    story.begins("build")


def ask_person(story: Story) -> None:
    story.begins("build")
    story.sized(9, 4)


def classify(story: Story) -> None:
    story.begins("build")
    story.sized()


def leave_out(story: Story) -> None:
    story.begins("build", "check")
    story.sized()
    story.person_says(WITHOUT)


def add_tasks(story: Story) -> None:
    story.begins("build")
    story.sized()
    story.lead_says({"why": "x", "tasks": []})


def assign(story: Story) -> None:
    story.begins("build", constitution="constitution-4")
    begin(story.store, "ada")
    story.sized()
    story.lead_says({"why": "x", "tasks": []})


def weigh(story: Story) -> None:
    story.planned("shown")
    story.takes()
    story.submits()
    story.lead_says(ACCEPTED)


def anew(story: Story) -> None:
    story.planned("shown")
    story.takes()
    for _ in range(3):
        story.looks()
        story.submits()
        story.lead_says(REFUSED)


def reopen(story: Story) -> None:
    story.planned("build")
    story.fails()


def drop(story: Story) -> None:
    story.planned("build")
    for _ in range(5):
        story.fails()
        story.looks()
    story.person_says(DROP)


def open_gate(story: Story) -> None:
    story.planned("build")
    story.takes()
    story.store.do(board.complete, BOSS, story.held.id, story.holder)


def close_gate(story: Story) -> None:
    open_gate(story)
    said = {"verdict": "approve", "points": POINTS, "summary": "x", "guidance": "", "tasks": []}
    story.lead_says(said)


def ask_review(story: Story) -> None:
    story.planned("seen")
    story.takes()
    story.store.do(board.complete, BOSS, story.held.id, story.holder)


def keep_review(story: Story) -> None:
    ask_review(story)
    story.another_says({"verdict": "approve", "summary": "good", "findings": []})


def mend(story: Story) -> None:
    ask_review(story)
    story.another_says({"verdict": "changes wanted", "summary": "not yet", "findings": []})


def reclassify(story: Story) -> None:
    open_gate(story)
    said = {"verdict": "approve", "points": POINTS, "summary": "x", "guidance": "", "tasks": []}
    story.lead_says({**said, "tier": "complex"})
    story.person_says("go on as complex")


def end(story: Story) -> None:
    ask_person(story)
    story.person_says(ABORT)


CASES = {
    "Ask": ask,
    "AskPerson": ask_person,
    "Classify": classify,
    "LeaveOut": leave_out,
    "Enter": classify,
    "AddTasks": add_tasks,
    "Start": add_tasks,
    "Assign": assign,
    "Anew": anew,
    "Weigh": weigh,
    "Reopen": reopen,
    "OpenGate": open_gate,
    "CloseGate": close_gate,
    "Drop": drop,
    "AskReview": ask_review,
    "KeepReview": keep_review,
    "Mend": mend,
    "Reclassify": reclassify,
    "End": end,
}


def test_no_kind_of_move_is_without_a_case():
    assert KINDS.keys() == CASES.keys() | MADE_OUTSIDE.keys()


class Place:
    """A store at one moment, of which any number of copies can be driven on."""

    def __init__(self, folder, clock):
        self.folder, self.clock, self.copies = folder, clock, 0

    def copy(self, path):
        self.copies += 1
        found = self.folder / f"{self.copies}.db"
        shutil.copy(path, found)
        return found

    def open(self, path) -> Database:
        return Database(Sqlite(path, self.clock).engine(), "atlas")


def looked(place, path, step=0) -> tuple[int, int]:
    """Look at the run in a process of its own, killed before its so-many-eth statement; how it ended, and how
    many statements it made.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _look(place.open(path), step, writing)
    os.close(writing)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reading) as said:
        made = said.read()
    return status, len(made)


def _look(store: Any, step: int, writing: int) -> None:
    """Never returns; a mark is written for each statement, so that its reader can count them."""
    engine, done = store.engine, 0
    run, fill, commit = engine.run, engine.fill, engine.commit

    def count() -> None:
        nonlocal done
        done += 1
        os.write(writing, b".")
        if done == step:
            os.kill(os.getpid(), signal.SIGKILL)

    def counting_run(*words: Any) -> Any:
        count()
        return run(*words)

    def counting_fill(*words: Any) -> Any:
        count()
        return fill(*words)

    def counting_commit(*words: Any) -> Any:
        count()
        found = commit(*words)
        count()
        return found

    engine.run, engine.fill, engine.commit = counting_run, counting_fill, counting_commit
    code = 1
    try:
        store.do(runs.advance, "run-1")
        code = 0
    finally:
        os._exit(code)


def outcome(place, path) -> dict[str, Any]:
    store = place.open(path)
    try:
        assert list(Caretaker(store.engine).check()) == []
        events, _ = store.ask(lambda tx: tx.journal.last(most=10_000))
        seen = store.ask(runs.look, "run-1")
        return {"told": [(each.actor, each.verb, each.subject) for each in events], "seen": seen}
    finally:
        store.close()


@pytest.mark.parametrize("kind", CASES)
def test_killed_around_a_move_the_run_goes_on_as_if_nobody_was(kind, tmp_path, clock, monkeypatch):
    place, path = Place(tmp_path, clock), tmp_path / "begun.db"
    opened = Sqlite(path, clock)
    store = opened.open()
    CASES[kind](Story(store))
    opened.close()
    calm = place.copy(path)
    status, steps = looked(place, calm)
    assert status == 0
    expected = outcome(place, calm)
    assert _made(place, path, monkeypatch, KINDS[kind]), f"the case makes no {kind}"
    for step in sorted({1, steps // 3, steps // 2, 2 * steps // 3, steps - 1, steps} - {0}):
        cut = place.copy(path)
        status, _ = looked(place, cut, step)
        assert os.WIFSIGNALED(status), f"nobody was killed at {step} of {steps}"
        assert looked(place, cut)[0] == 0
        assert outcome(place, cut) == expected, f"killed at {step} of {steps}"


def _made(place, path, monkeypatch, kind) -> bool:
    """Whether the next look makes a move of the kind."""
    seen, make = [], run_moves.make

    def noting(tx, at, move):
        seen.append(type(move))
        make(tx, at, move)

    with monkeypatch.context() as patch:
        patch.setattr(run_moves, "make", noting)
        store = place.open(place.copy(path))
        store.do(runs.advance, "run-1")
        store.close()
    return kind in seen
