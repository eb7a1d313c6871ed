"""Of any number of claimants exactly one wins."""

import pytest

from drumline.control import views
from drumline.store.upkeep import Caretaker
from tests.crash.processes import Worker
from tests.stores import seat
from tests.words import add

PROCESSES = 32
TASKS = 2000


@pytest.mark.requirement("BOARD-03", "SCALE-01")
def test_thirty_two_processes_race_and_every_task_is_claimed_once(wall_stores):
    place = wall_stores
    store = place.open()
    names = [f"m{n}" for n in range(PROCESSES)]
    seat(store, profiles=dict.fromkeys(names, ""))
    for n in range(TASKS):
        add(store, f"task {n}")
    workers = [Worker("claim", place.url, name) for name in names]
    assert [worker.hear() for worker in workers] == [{"ready": True}] * PROCESSES
    for worker in workers:
        worker.go()
    answers = [worker.hear() for worker in workers]
    for worker in workers:
        worker.end()
    claimed = [task for answer in answers for task in answer["claims"]]
    assert sorted(claimed) == list(range(1, TASKS + 1))
    held = store.ask(views.tasks, most=TASKS)
    assert all(task.fence == 1 and task.owner for task in held)
    assert list(Caretaker(store.engine).check()) == []
