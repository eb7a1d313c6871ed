"""What the queue in front of a SQLite file promises."""

import _thread
import fcntl
import os
import select
import signal
import threading
import time
from contextlib import suppress
from datetime import timedelta
from queue import SimpleQueue

import pytest

from drumline.errors import BadInput, StoreBusy
from drumline.store.gate import Gate
from tests.crash.processes import in_child
from tests.stores import Sqlite
from tests.words import add, claim_next

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


@pytest.mark.filterwarnings(
    "ignore:.*fork.*:DeprecationWarning"
)  # the alarm is a lone thread's way
@pytest.mark.parametrize("number", [signal.SIGALRM, signal.SIGINT])
def test_a_signal_in_the_instant_the_gate_opens_leaves_nothing_behind(
    tmp_path, monkeypatch, number
):
    path, lock = str(tmp_path / "gate"), fcntl.flock

    def opens_with_a_signal(file, how):
        if how == fcntl.LOCK_EX | fcntl.LOCK_NB:
            raise BlockingIOError
        lock(file, how)
        if how == fcntl.LOCK_EX:
            signal.raise_signal(number)

    def wait():
        gate = Gate(path)
        monkeypatch.setattr(fcntl, "flock", opens_with_a_signal)
        with suppress(KeyboardInterrupt):
            assert not gate.enter(0.05)
        monkeypatch.undo()
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
        assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
        assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())
        assert Gate(path).enter(0.1)

    assert os.waitpid(in_child(wait), 0)[1] == 0


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")  # as above
def test_whoever_has_an_alarm_of_its_own_has_it_again_after_a_wait(tmp_path):
    path = str(tmp_path / "gate")

    def wait():
        heard = signal.signal(signal.SIGALRM, own := lambda *_: None)
        signal.setitimer(signal.ITIMER_REAL, 1000)
        assert heard is signal.SIG_DFL
        stands_there = Gate(path)
        assert stands_there.enter(1)
        assert not Gate(path).enter(0.01)
        assert signal.getsignal(signal.SIGALRM) is own
        assert 900 < signal.getitimer(signal.ITIMER_REAL)[0] <= 1000

    assert os.waitpid(in_child(wait), 0)[1] == 0


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")  # as above
def test_an_alarm_that_strikes_just_before_a_wait_begins_still_ends_it(tmp_path, monkeypatch):
    path, lock = str(tmp_path / "gate"), fcntl.flock

    def struck_too_soon(file, how):
        if how == fcntl.LOCK_EX:
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
            signal.sigwait([signal.SIGALRM])
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])
        lock(file, how)

    def wait():
        stands_there = Gate(path)
        assert stands_there.enter(1)
        monkeypatch.setattr(fcntl, "flock", struck_too_soon)
        assert not Gate(path).enter(0.01)

    child = in_child(wait)
    ended = os.pidfd_open(child)
    if not select.select([ended], [], [], 20)[0]:
        os.kill(child, signal.SIGKILL)
    os.close(ended)
    assert os.waitpid(child, 0)[1] == 0


def test_an_alarm_of_somebody_else_does_not_end_a_wait(tmp_path, monkeypatch):
    gate, heard = Gate(str(tmp_path / "gate")), iter([False, True])
    monkeypatch.setattr(gate, "_free", lambda: False)
    monkeypatch.setattr(gate, "_queued", lambda _: next(heard))
    assert gate.enter(30)


def test_a_writer_in_a_thread_that_nobody_counts_gives_up_in_time_too(tmp_path):
    path, answers = str(tmp_path / "gate"), SimpleQueue()
    stands_there = Gate(path)
    assert stands_there.enter(1)
    _thread.start_new_thread(lambda: answers.put(Gate(path).enter(0.05)), ())
    assert answers.get(timeout=20) is False


def test_a_gate_that_opens_during_a_nap_is_entered_without_standing_in_the_queue(
    tmp_path, monkeypatch
):
    path = str(tmp_path / "gate")
    first, second = Gate(path), Gate(path)
    monkeypatch.setattr(time, "sleep", lambda _: first.leave())
    monkeypatch.setattr(second, "_queued", lambda _: pytest.fail("it stood in the queue"))
    assert first.enter(1)
    assert second.enter(1)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")  # as above
def test_whoever_held_the_alarm_off_before_a_wait_holds_it_off_after_it(tmp_path):
    path = str(tmp_path / "gate")

    def wait():
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        stands_there = Gate(path)
        assert stands_there.enter(1)
        assert not Gate(path).enter(0.01)
        assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == {signal.SIGALRM}

    assert os.waitpid(in_child(wait), 0)[1] == 0


def test_a_verb_that_is_refused_at_once_waits_for_nobody(tmp_path, clock):
    place = Sqlite(tmp_path / "state.db", clock)
    store, other = place.open(), Gate(str(tmp_path / "state.db.gate"))
    store.engine.patience = 0.05
    assert other.enter(1)
    with pytest.raises(BadInput, match="a lease of"):
        claim_next(store, lease=timedelta(0))
    other.close()
    place.close()


def test_an_interrupted_verb_leaves_the_gate(tmp_path, clock, monkeypatch):
    place = Sqlite(tmp_path / "state.db", clock)
    store, other = place.open(), place.open()
    enter = Gate.enter

    def interrupted(gate, patience):
        enter(gate, patience)
        raise KeyboardInterrupt

    monkeypatch.setattr(Gate, "enter", interrupted)
    with pytest.raises(KeyboardInterrupt):
        add(store)
    monkeypatch.undo()
    other.engine.patience = 0.05
    assert add(other).id == 1
    place.close()


def test_whoever_gave_up_once_keeps_the_gate_the_next_time(tmp_path):
    path = str(tmp_path / "gate")
    first, second, third = Gate(path), Gate(path), Gate(path)
    slipped_in = []

    def give_up_then_enter():
        for _ in range(50):
            assert first.enter(5)
            assert not second.enter(0.001)
            first.leave()
            assert second.enter(5)
            slipped_in.append(third.enter(0.002))
            second.leave()
            third.leave()

    thread = threading.Thread(target=give_up_then_enter)  # where a porter waits in one's place
    thread.start()
    thread.join()
    assert slipped_in == [False] * 50
    for gate in (first, second, third):
        gate.close()
