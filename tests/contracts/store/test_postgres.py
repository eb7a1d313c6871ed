"""What only a server can do to us: deadlocks, and going away."""

import threading

import psycopg
import pytest

from drumline.errors import StoreTrouble
from drumline.team.ids import TaskId
from drumline.team.task import TaskState
from tests.words import add, now

pytestmark = pytest.mark.requirement("SCALE-01")


@pytest.fixture
def make_stores(postgres_stores):
    """Only the engine with a server."""
    return postgres_stores


def test_a_deadlock_is_tried_again_until_both_are_done(stores):
    first, second = add(stores.open()), add(stores.open())
    both_inside = threading.Barrier(2)
    attempts = []

    def lock_both(tx, one, other):
        attempts.append(one)
        tx.tasks.lock(one)
        if len(attempts) <= 2:
            both_inside.wait(timeout=10)
        tx.tasks.lock(other)
        tx.tasks.move(one, TaskState.CANCELLED)
        tx.record("test", "task.cancelled", str(one))

    links = [stores.open(), stores.open()]
    threads = [
        threading.Thread(target=links[0].do, args=(lock_both, first.id, second.id)),
        threading.Thread(target=links[1].do, args=(lock_both, second.id, first.id)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(attempts) == 3
    assert {now(links[0], task).state for task in (first, second)} == {TaskState.CANCELLED}


def test_a_lost_connection_is_made_again_for_the_next_verb(stores):
    store = stores.open()
    add(store)
    with psycopg.connect(stores.server, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND application_name = %s",
            (stores.schema,),
        )
    with pytest.raises(StoreTrouble):
        add(store)
    assert add(store).id == TaskId(2)
