"""kill -9 at any instant: what was acknowledged is there, once, and the store is whole."""

import random
from collections import Counter
from datetime import timedelta

import pytest

from drumline.control import board, mail, views
from drumline.store.upkeep import Caretaker
from drumline.team.ids import TaskId
from drumline.team.task import TaskState
from tests.crash.processes import Worker
from tests.words import BOSS, add, holds, now

OPERATIONS = 500
AT_ONCE = 3
KILLS = 24


def work_and_kill(url: str, seed: int) -> list[dict]:
    """Three processes work at once and are killed one by one in the middle of it."""
    chance = random.Random(seed)
    workers = [
        Worker("mixed", url, name, str(seed * AT_ONCE + n))
        for n, name in enumerate(("ada", "brook", "cleo"))
    ]
    said = []
    for worker in workers:
        assert worker.hear() == {"ready": True}
    for worker in workers:
        worker.go()
    for worker in workers:
        said += [worker.hear() for _ in range(chance.randrange(4, 20))]
    for worker in workers:
        said += worker.kill()
    return [word for word in said if word]


class Witness:
    """What the store has after the last kill, asked about each word that was said."""

    def __init__(self, store) -> None:
        self.store = store
        events, _ = store.ask(views.events, cursor="", most=100_000)
        self.events = Counter((event.verb, event.subject) for event in events)
        self.tasks = {int(task.id): task for task in store.ask(views.tasks, most=10_000)}
        self.titles = Counter(task.title for task in self.tasks.values())
        self.letters = {name: self.everything(name) for name in ("ada", "brook", "cleo")}

    def everything(self, name):
        found = self.store.ask(mail.inbox, name, everything=True, most=100_000)
        return {int(letter.id): letter for letter in found}

    def add(self, word):
        assert self.tasks[word["task"]].title == word["token"]
        assert self.titles[word["token"]] == 1

    def claim(self, word):
        assert self.events["task.claimed", f"T-{word['task']}"] >= word["fence"]

    def complete(self, word):
        assert self.tasks[word["task"]].state is TaskState.COMPLETED
        assert self.events["task.completed", f"T-{word['task']}"] == 1

    def send(self, word):
        box = self.letters[word["to"]]
        assert box[word["message"]].body == word["token"]
        assert sum(letter.body == word["token"] for letter in box.values()) == 1

    def ack(self, word):
        assert self.letters[word["to"]][word["message"]].acked_at

    def merge(self, word):
        fields = self.store.ask(lambda tx: tx.tasks.fields(TaskId(word["task"])))
        assert fields[word["token"]] == 1

    def block(self, word):
        edges = self.store.ask(lambda tx: tx.tasks.edges())
        assert word["on"] in edges[TaskId(word["task"])]


@pytest.mark.requirement("RECOVER-04", "SCALE-01")
def test_what_was_acknowledged_survives_kill_minus_nine(wall_stores):
    place = wall_stores
    place.open()
    said: list[dict] = []
    kills = 0
    while len(said) < OPERATIONS or kills < KILLS:
        said += work_and_kill(place.url, kills)
        kills += AT_ONCE
    store = place.open()
    assert list(Caretaker(store.engine).check()) == []
    witness = Witness(store)
    for word in said:
        getattr(witness, word["op"])(word)
    assert {word["op"] for word in said} > {"add", "claim", "complete", "send", "ack", "merge"}
    assert max(witness.titles.values()) == 1


@pytest.mark.requirement("RECOVER-04", "BOARD-03")
def test_the_work_of_a_killed_holder_comes_back(wall_stores):
    store = wall_stores.open()
    task = add(store)
    holder = Worker("claim", wall_stores.url, "ada")
    holder.hear()
    holder.go()
    assert holder.hear()["claims"] == [task.id]
    holder.kill()
    assert now(store, task).owner == "ada"
    break_lease(store)
    again = store.do(board.claim_next, BOSS, holds("brook"))
    assert (again.id, again.fence) == (task.id, 2)


def break_lease(store):
    """Let the time of a lease pass without waiting for it: the row's own clock is set back."""

    def set_back(tx):
        held = tx.tasks.held()[0]
        tx.tasks.renew(held.id, -timedelta(seconds=1))
        tx.record("test", "task.renewed", str(held.id))

    store.do(set_back)
