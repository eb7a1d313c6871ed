"""What every store promises about keeping requests: races, the event log, torn rows and copies."""

import threading
from datetime import timedelta

import pytest

from drumline.control import requests
from drumline.errors import Conflict, StoreTrouble
from drumline.store.database import Database
from drumline.store.upkeep import Caretaker
from drumline.team.journal import KEYS, fold
from drumline.team.request import RequestState
from tests.asking import BADLY, WELL, ask, finish, now, take
from tests.crash.processes import Worker
from tests.words import BOSS

pytestmark = pytest.mark.requirement("GUARD-17")

TAKERS = 8


def test_of_eight_processes_exactly_one_takes_the_request(wall_stores):
    store = wall_stores.open()
    asked, _ = ask(store), ask(store, "br close 1")
    workers = [Worker("take", wall_stores.url, f"p{n}") for n in range(TAKERS)]
    assert [worker.hear() for worker in workers] == [{"ready": True}] * TAKERS
    for worker in workers:
        worker.go()
    answers = [worker.hear() or {} for worker in workers]
    for worker in workers:
        worker.end()
    assert [answer for answer in answers if answer["taken"]] == [{"taken": "R-1", "fence": 1}]
    winner = now(store, asked).by
    losers = [answer["refused"] for answer in answers if not answer["taken"]]
    assert losers == [f"R-1 is taken by {winner}"] * (TAKERS - 1)
    assert list(Caretaker(store.engine).check()) == []


def test_of_eight_who_ask_the_same_one_files_it(stores):
    links = [stores.open() for _ in range(TAKERS)]
    answers = []

    def attempt(store):
        try:
            answers.append(str(ask(store).id))
        except Conflict:
            answers.append("no")

    threads = [threading.Thread(target=attempt, args=(store,)) for store in links]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == ["R-1", *["no"] * (TAKERS - 1)]


def test_even_a_verb_that_forgot_to_look_cannot_take_two(store):
    first, second = ask(store), ask(store, "br close 1")

    def take_both(tx):
        for each in (first, second):
            tx.requests.take(each.id, BOSS, timedelta(minutes=1))
        tx.record(BOSS, "request.taken", "both")

    with pytest.raises(StoreTrouble):
        store.do(take_both)
    assert now(store, first).state is RequestState.FILED


def worked(store, clock):
    """A store with a request in every state."""
    asked = [ask(store, f"push {n}") for n in range(5)]
    for one, outcome in zip(asked, (WELL, BADLY), strict=False):
        take(store, one)
        finish(store, one, outcome)
    store.do(requests.decline, BOSS, asked[2].id, "no")
    take(store, asked[3])
    clock.advance(minutes=15)
    take(store, asked[3])
    return store


def test_folding_the_log_gives_the_requests(store, clock):
    worked(store, clock)
    events, _ = store.ask(lambda tx: tx.journal.after("", most=1000))
    rows = store.ask(lambda _: list(store.engine.scan("requests", KEYS["requests"])))
    assert len({row["state"] for row in rows}) == len(RequestState)
    assert list(fold(events)["requests"].values()) == rows
    assert list(Caretaker(store.engine).check()) == []


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE requests SET what = 'forged' WHERE number = 4", "requests atlas/4: the event log"),
        ("DELETE FROM requests WHERE number = 1", "requests atlas/1: the event log"),
        ("UPDATE counters SET value = 4 WHERE name = 'request'", "R-5 beyond the counter"),
    ],
)
def test_a_torn_request_is_found_out(store, clock, statement, found):
    worked(store, clock)
    store.engine.begin(writing=True)
    store.engine.script([statement])
    store.engine.commit()
    assert any(found in problem for problem in Caretaker(store.engine).check())


def test_a_backup_carries_the_requests_to_either_engine(store, clock, make_stores, tmp_path):
    target = str(tmp_path / "copy.db")
    assert Caretaker(worked(store, clock).engine).backup(target)["requests"] == 5
    fresh = make_stores(clock)
    try:
        engine = fresh.engine()
        Caretaker(engine).restore(target)
        restored = Database(engine, "atlas")
        everything = {"everything": True}
        assert restored.ask(requests.page, **everything) == store.ask(requests.page, **everything)
        assert str(ask(restored, "new").id) == "R-6"
        assert list(Caretaker(engine).check()) == []
    finally:
        fresh.close()
