"""What the queue in front of a SQLite file promises."""

import fcntl
import threading

import pytest

from drumline.errors import StoreBusy
from drumline.store.gate import Gate
from tests.stores import Sqlite
from tests.words import add

pytestmark = pytest.mark.requirement("SCALE-01")


def test_a_process_that_stands_in_the_gate_is_named_and_not_waited_for_for_ever(tmp_path, clock):
    place = Sqlite(tmp_path / "state.db", clock)
    store = place.open()
    store.engine.patience = 0.05
    with (tmp_path / "state.db.gate").open() as stopped:
        fcntl.flock(stopped, fcntl.LOCK_EX)
        with pytest.raises(StoreBusy, match="is busy") as refused:
            add(store)
        assert "state.db.gate" in refused.value.next
    assert add(store).id == 1
    place.close()


def test_whoever_gave_up_does_not_keep_the_gate(tmp_path):
    path = str(tmp_path / "gate")
    first, second, third = Gate(path), Gate(path), Gate(path)
    assert first.enter(1)
    assert not second.enter(0.01)
    first.leave()
    assert third.enter(5)
    third.leave()
    assert second.enter(5)


def test_all_who_wait_get_their_turn(tmp_path):
    path = str(tmp_path / "gate")
    inside, most, turns = [], [], []

    def pass_through():
        gate = Gate(path)
        for _ in range(20):
            assert gate.enter(30)
            inside.append(1)
            most.append(len(inside))
            inside.pop()
            gate.leave()
        turns.append(20)
        gate.close()

    threads = [threading.Thread(target=pass_through) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert turns == [20] * 8
    assert max(most) == 1


def test_a_gate_full_of_garbage_still_opens(tmp_path):
    path = tmp_path / "gate"
    path.write_bytes(b"\xff\x7f" * 40)
    gate = Gate(str(path))
    for _ in range(3):
        assert gate.enter(1)
        gate.leave()
    gate.close()
