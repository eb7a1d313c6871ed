"""What a drainer's hand promises: the next batch is claimed meanwhile, and nothing is lost with either of the two."""

import os
import resource
import shutil
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

from drumline.control.draining import BATCH
from drumline.control.intake import take_in
from drumline.errors import StoreTrouble
from drumline.store import spool as spooling
from drumline.store import spool_hand
from drumline.team.settled import Why
from tests.crash.processes import Worker
from tests.running import until
from tests.spooling import claimed, drainer, drop, new_spool, opened, processed, stop, waiting

pytestmark = pytest.mark.requirement("SYNC-02", "SYNC-09")

EVENTS = 4 * BATCH + 7


@pytest.fixture(autouse=True)
def long_enough(monkeypatch):
    """Any line is worth a hand."""
    monkeypatch.setattr(spooling, "LONG", 1)


@pytest.fixture
def spool(tmp_path):
    spool = new_spool(tmp_path)
    for number in range(EVENTS):
        drop(spool, stop(prompt_id=f"p{number}"), member="ada", at=1000 + number)
    return spool


def hands():
    """The processes of ours that are hands."""
    tasks = Path("/proc/self/task").iterdir()
    children = [child for task in tasks for child in (task / "children").read_text().split()]
    return [
        int(each)
        for each in children
        if b"spool_hand" in Path("/proc", each, "cmdline").read_bytes()
    ]


def ahead(spool):
    """Wait until the hand has claimed the next batch; the last is cleared away on its next errand."""
    until(lambda: len(claimed(spool)) == 2 * BATCH)


def rest(draining):
    """Drain what is left; what became of how many."""
    woke = 0
    while (done := draining.batch()).full:
        woke += done.counts.get(Why.WOKE, 0)
    return woke + done.counts.get(Why.WOKE, 0)


def counts(store):
    return store.ask(lambda tx: tx.drained())


def test_the_next_batch_is_claimed_while_this_one_is_at_the_store(spool, clock):
    files = opened(spool, clock)
    first = files.claim(BATCH, clock.now())
    ahead(spool)
    second = files.claim(BATCH, clock.now())
    order = [f"p{number}" for number in range(2 * BATCH)]
    assert [claim.told.turn for claim in (*first, *second)] == order
    files.release([*second, *first])
    assert (len(waiting(spool)), claimed(spool)) == (EVENTS, [])


def test_a_short_line_has_no_hand(store, spool, monkeypatch):
    monkeypatch.setattr(spooling, "LONG", EVENTS)
    draining = drainer(store, spool)
    assert draining.batch().full
    assert hands() == []


def test_whatever_a_hand_finds_is_told_as_if_its_drainer_had_found_it(store, spool):
    drop(spool, "{", name="20260101T120000Z-1-1.claude.json", at=9000)
    drop(spool, name="no name", at=9000)
    (spool / "incoming" / "20260101T120000Z-1-2.claude.json").symlink_to("/etc/passwd")
    draining = drainer(store, spool)
    assert rest(draining) == EVENTS
    assert counts(store) == {"woke": EVENTS, "malformed": 1, "bad-name": 1, "not-a-file": 1}
    assert len(processed(spool)) == EVENTS
    assert len(list((spool / "invalid").iterdir())) == 3


def test_when_all_is_drained_no_hand_and_no_folder_is_left(store, spool):
    draining = drainer(store, spool)
    assert draining.batch().full
    assert len(hands()) == 1
    assert rest(draining) == EVENTS - BATCH
    assert (hands(), list((spool / "processing").iterdir()), waiting(spool)) == ([], [], [])


@pytest.mark.requirement("RECOVER-04")
@pytest.mark.parametrize("batches", [1, 2, 3])
def test_a_hand_that_is_killed_is_done_without_and_nothing_is_lost(store, spool, batches):
    draining = drainer(store, spool)
    assert all(draining.batch().full for _ in range(batches))
    ahead(spool)
    os.kill(hands()[0], signal.SIGKILL)
    rest(draining)
    assert counts(store) == {"woke": EVENTS}
    assert (hands(), list((spool / "processing").iterdir()), waiting(spool)) == ([], [], [])


def test_a_hand_that_answers_no_more_is_ended_and_done_without(store, spool, monkeypatch):
    monkeypatch.setattr(spool_hand, "PATIENCE", 0.2)
    draining = drainer(store, spool)
    assert draining.batch().full
    ahead(spool)
    assert draining.batch().full
    os.kill(hands()[0], signal.SIGSTOP)
    rest(draining)
    assert counts(store) == {"woke": EVENTS}
    assert (hands(), waiting(spool)) == ([], [])


@pytest.fixture
def many_files():
    """More open files than `select` knows."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most[1] < 2048:
        pytest.skip(f"at most {most[1]} files can be open here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(most[0], 2048), most[1]))
    with open(os.devnull, "rb") as one, ExitStack() as held:  # noqa: PTH123 - only its number matters
        for _ in range(1100):
            held.callback(os.close, os.dup(one.fileno()))
        yield
    resource.setrlimit(resource.RLIMIT_NOFILE, most)


@pytest.mark.usefixtures("many_files")
def test_a_drainer_with_many_files_open_has_a_hand_too(spool, clock):
    files = opened(spool, clock)
    both = [*files.claim(BATCH, clock.now()), *files.claim(BATCH, clock.now())]
    assert (len(both), len(hands())) == (2 * BATCH, 1)
    files.release(both)


def test_a_claim_that_fails_halfway_holds_nothing_up_once_it_can_be_made(store, spool):
    draining = drainer(store, spool)
    assert draining.batch().full
    ahead(spool)
    shutil.rmtree(spool / "invalid")
    (spool / "invalid").write_text("no folder")
    with pytest.raises(OSError, match="invalid"):
        rest(draining)
    assert (claimed(spool), hands()) == ([], [])
    (spool / "invalid").unlink()
    rest(draining)
    assert counts(store) == {"woke": EVENTS}
    assert (claimed(spool), waiting(spool)) == ([], [])


def test_a_hand_that_cannot_be_started_is_done_without(store, spool, monkeypatch):
    monkeypatch.setattr(spool_hand.sys, "executable", "/nowhere/python")
    assert rest(drainer(store, spool)) == EVENTS


def test_a_hand_that_ends_at_once_is_tried_once_in_a_line(store, spool, monkeypatch):
    monkeypatch.setattr(spool_hand, "START", f"open({str(spool / 'tried')!r}, 'a').write('once ')")
    assert rest(drainer(store, spool)) == EVENTS
    assert (spool / "tried").read_text() == "once "


def test_a_store_in_trouble_gets_everything_back_from_the_hand(store, spool):
    class Troubled:
        def __init__(self):
            self.left = 2

        def ask(self, *words):
            return store.ask(*words)

        def do(self, verb, *words):
            self.left -= verb is take_in
            if not self.left:
                raise StoreTrouble("the disk is full")
            return store.do(verb, *words)

    draining = drainer(Troubled(), spool)
    assert draining.batch().full
    with pytest.raises(StoreTrouble):
        draining.batch()
    assert (len(waiting(spool)), claimed(spool), hands()) == (EVENTS - BATCH, [], [])


def test_what_was_given_back_is_first_in_line_again(spool, clock):
    files = opened(spool, clock)
    files.release(files.claim(BATCH, clock.now()))
    order = [claim.told.turn for claim in files.claim(BATCH, clock.now())]
    assert order == [f"p{number}" for number in range(BATCH)]
    files.release([])


def test_who_lost_the_duty_gives_back_what_the_hand_has_claimed(store, clock, spool):
    slow = drainer(store, spool, "box:1/1")
    assert slow.batch().full
    clock.advance(minutes=2)
    other = drainer(store, spool, "box:2/2")
    assert other.batch().full
    assert slow.batch().elsewhere == "box:2/2"
    assert rest(other) == EVENTS - 2 * BATCH
    assert counts(store) == {"woke": EVENTS}


def test_a_spool_that_vanishes_takes_its_hand_along(store, spool):
    draining = drainer(store, spool)
    assert draining.batch().full
    ahead(spool)
    shutil.rmtree(spool)
    assert draining.batch().counts == {}
    assert hands() == []


def test_a_folder_that_becomes_a_link_gets_nothing_from_the_hand(store, spool, tmp_path):
    draining, elsewhere = drainer(store, spool), tmp_path / "elsewhere"
    assert draining.batch().full
    ahead(spool)
    (spool / "incoming").rename(tmp_path / "was")
    elsewhere.mkdir()
    (spool / "incoming").symlink_to(elsewhere)
    draining.batch()
    assert list(elsewhere.iterdir()) == []


@pytest.mark.requirement("RECOVER-04")
def test_what_a_killed_drainers_hand_had_claimed_is_back_at_once(wall_stores, spool):
    store = wall_stores.open()
    worker = Worker(wall_stores.url, str(spool), "0", "0", "1", module="tests.crash.drainer")
    assert worker.hear()
    worker.kill()
    until(lambda: claimed(spool) == [])
    rest(drainer(store, spool, here="box"))
    assert counts(store) == {"woke": EVENTS}
    assert waiting(spool) == []
