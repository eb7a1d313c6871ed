"""A drainer is killed again and again, at any point: every turn counts, and none twice."""

import signal
from random import Random

import pytest

from drumline.control.draining import BATCH
from drumline.store.upkeep import Caretaker
from tests.crash.processes import Worker
from tests.spooling import claimed, drop, new_spool, processed, stop, waiting

pytestmark = pytest.mark.requirement("SYNC-02", "SYNC-09", "RECOVER-04")

EVENTS, KILLS = 1500, 12
MEMBERS = ("ada", "brook", "cleo")


def drain(url, spool, minutes, step=0, long=2 * EVENTS):
    """Drain in a process of its own until it is killed or has nothing left; how it ended."""
    words = (url, str(spool), str(minutes), str(step), str(long))
    worker = Worker(*words, module="tests.crash.drainer")
    while worker.hear():
        pass
    return worker.end()


@pytest.fixture
def spool(tmp_path):
    spool = new_spool(tmp_path)
    for number in range(EVENTS):
        drop(spool, stop(prompt_id=f"p{number}"), member=MEMBERS[number % 3])
    return spool


def each_taken_in_once(store, spool):
    assert (waiting(spool), claimed(spool)) == ([], [])
    assert store.ask(lambda tx: tx.drained()) == {"woke": EVENTS}
    events, _ = store.ask(lambda tx: tx.journal.last(most=100_000))
    changes = [change for event in events for change in event.changes]
    told = [change.row["id"] for change in changes if change.table == "settled_turns"]
    assert len(told) == len(set(told)) == EVENTS
    assert len(processed(spool)) <= 1000
    assert list(Caretaker(store.engine).check()) == []


def test_killed_anywhere_every_turn_is_taken_in_once(wall_stores, spool):
    store, chance, left = wall_stores.open(), Random(4), 0
    for kill in range(KILLS):
        step = chance.randrange(1, 300)
        assert drain(wall_stores.url, spool, 6 * kill, step) == -signal.SIGKILL
        left += bool(claimed(spool))
    assert left > KILLS / 2, "most were killed in the middle of a batch"
    assert drain(wall_stores.url, spool, 6 * KILLS) == 0
    each_taken_in_once(store, spool)


def test_killed_anywhere_with_a_hand_every_turn_is_taken_in_once(wall_stores, spool):
    """With a hand, a drainer touches files a hundred times in its first batch, and a few times in the others."""
    store, chance = wall_stores.open(), Random(4)
    for kill in range(KILLS):
        step = chance.randrange(1, 106) if kill % 2 else chance.randrange(106, 118)
        assert drain(wall_stores.url, spool, 6 * kill, step, BATCH) == -signal.SIGKILL
    assert drain(wall_stores.url, spool, 6 * KILLS) == 0
    each_taken_in_once(store, spool)
