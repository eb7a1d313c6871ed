"""A clock that was fast and is set right: nobody waits until it is where it was."""

from drumline.runtimes.rounds import Rounds
from tests.nudging import direct, live, seen, take


def go(store, rounds):
    due, now = store.ask(lambda tx: (tx.due(), tx.now()))
    rounds.go(due, now, news=True, runs=False)


def test_rounds_go_on_when_the_clock_is_set_back(store, clock):
    life, rounds = live(store), Rounds(store, "box:1/1", lambda: None)
    go(store, rounds)
    clock.advance(hours=-6)
    direct(store)
    go(store, rounds)
    assert seen(store).attends == "idle with work"
    clock.advance(seconds=16)
    go(store, rounds)
    assert take(store, life) is not None
