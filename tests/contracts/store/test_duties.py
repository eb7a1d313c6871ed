"""What every store promises about duties: exactly one holder, by a lease of the store's clock."""

import threading
from datetime import timedelta

import pytest

from drumline.control import duties
from drumline.errors import BadInput
from drumline.store.upkeep import Caretaker
from drumline.team.duty import plane_of
from tests.crash.processes import Worker
from tests.words import verbs

LEASE = timedelta(seconds=30)
HOLDERS = 8
PLANE = plane_of("box")


def hold(store, holder="a", duty=PLANE, lease=LEASE):
    return store.do(duties.hold, duty, holder, lease)


def holders(store):
    return {duty.name: duty.holder for duty in store.ask(duties.held)}


def test_one_holds_a_duty_and_the_next_is_told_no(store):
    assert hold(store)
    assert not hold(store, "b")
    assert holders(store) == {"plane:box": "a"}


def test_duties_and_teams_are_apart(store, stores):
    assert hold(store)
    assert hold(store, "b", plane_of("other"))
    assert hold(stores.open("boreas"), "c")


def test_a_lease_holds_to_its_last_microsecond_and_then_another_takes_over(store, clock):
    hold(store)
    clock.advance(seconds=29, microseconds=999_999)
    assert not hold(store, "b")
    clock.advance(microseconds=1)
    assert holders(store) == {}
    assert hold(store, "b")
    assert holders(store) == {"plane:box": "b"}


def test_who_lost_a_duty_is_told_so(store, clock):
    hold(store)
    clock.advance(seconds=30)
    hold(store, "b")
    assert not store.do(duties.renew, PLANE, "a", LEASE)
    assert not store.do(duties.let_go, PLANE, "a")
    assert holders(store) == {"plane:box": "b"}


def test_a_renewal_runs_from_now_and_is_good_late_while_nobody_took_over(store, clock):
    hold(store)
    clock.advance(seconds=20)
    assert store.do(duties.renew, PLANE, "a", LEASE)
    clock.advance(seconds=20)
    assert not hold(store, "b")
    clock.advance(hours=1)
    assert store.do(duties.renew, PLANE, "a", LEASE)
    assert not hold(store, "b")


def test_holding_again_is_renewing(store, clock):
    hold(store)
    clock.advance(seconds=20)
    assert hold(store)
    assert verbs(store)[-2:] == ["duty.held", "duty.renewed"]
    assert store.ask(duties.held)[0].lease_until == clock.now() + LEASE


def test_a_duty_that_is_let_go_is_free_at_once(store):
    hold(store)
    assert store.do(duties.let_go, PLANE, "a")
    assert not store.do(duties.let_go, PLANE, "a")
    assert hold(store, "b")


def test_a_refusal_says_nothing_in_the_log(store):
    hold(store)
    before = verbs(store)
    hold(store, "b")
    assert verbs(store) == before


@pytest.mark.parametrize("words", [("", "a"), ("plane", ""), ("a\nb", "a"), ("plane", "a\x00")])
def test_what_cannot_be_kept_is_refused(store, words):
    with pytest.raises(BadInput):
        hold(store, words[1], words[0])


def test_a_lease_of_nothing_is_refused(store):
    with pytest.raises(BadInput, match="cannot be held"):
        hold(store, lease=timedelta(0))


def tried_at_once(url, count=HOLDERS):
    """Real processes that all try for the duty at the same word, and what each was told."""
    workers = [Worker("hold", url, PLANE, module="tests.crash.runner") for _ in range(count)]
    assert [worker.hear() for worker in workers] == [{"ready": True}] * count
    for worker in workers:
        worker.go()
    return workers, [worker.hear() for worker in workers]


def test_of_eight_processes_exactly_one_holds_it_and_after_kill_minus_nine_another(wall_stores):
    store = wall_stores.open()
    workers, answers = tried_at_once(wall_stores.url)
    (winner,) = [answer["holder"] for answer in answers if answer["held"]]
    for worker in workers:
        worker.kill()
    assert holders(store) == {PLANE: winner}
    assert not hold(store, "late")

    def set_back(tx):
        tx.duties.renew(PLANE, winner, -LEASE)
        tx.record("test", "duty.renewed", PLANE)

    store.do(set_back)
    workers, answers = tried_at_once(wall_stores.url, 4)
    for worker in workers:
        worker.end()
    assert sum(answer["held"] for answer in answers) == 1
    assert list(Caretaker(store.engine).check()) == []


def test_of_eight_who_see_a_lease_run_out_exactly_one_takes_over(stores, clock):
    links = [stores.open() for _ in range(HOLDERS)]
    hold(links[0], "old")
    clock.advance(seconds=30)
    answers = []
    threads = [
        threading.Thread(target=lambda link=link, n=n: answers.append(hold(link, f"new {n}")))
        for n, link in enumerate(links)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [False] * (HOLDERS - 1) + [True]
