"""A round goes on to the others, whatever is wrong with one member."""

from datetime import timedelta

import pytest

from drumline.control import questions
from tests.living import claim_in
from tests.nudging import (
    LONG,
    direct,
    go_round,
    live,
    nudges,
    seen,
    settled,
    spent,
    subjects,
    woken,
)
from tests.words import add

UNREADABLE = "a row that cannot be read"


def torn(store, statement):
    store.engine.begin(writing=True)
    store.engine.script([statement])
    store.engine.commit()


@pytest.fixture
def ada_cannot_be_read(store):
    """Her task is one that nobody can read; brook has a letter."""
    claim_in(store, live(store), add(store), lease=LONG)
    live(store, "brook")
    direct(store)
    direct(store, "brook")
    torn(store, "UPDATE tasks SET claimed_at = 9000000000000000000")


@pytest.mark.requirement("SYNC-13")
@pytest.mark.usefixtures("ada_cannot_be_read")
def test_one_who_cannot_be_looked_at_keeps_nobody_from_a_nudge(store, clock):
    settled(store, clock)
    assert len(nudges(store, "brook")) == 1


@pytest.mark.requirement("SYNC-13")
@pytest.mark.usefixtures("ada_cannot_be_read")
def test_a_look_around_sees_all_the_others(store):
    go_round(store)
    assert seen(store, "brook").attends == "idle with work"


@pytest.mark.requirement("SYNC-13")
@pytest.mark.usefixtures("ada_cannot_be_read")
def test_who_cannot_be_looked_at_is_put_off_and_told_of_once_each_time(store, clock):
    for _ in range(5):
        settled(store, clock, minutes=1)
    [told] = subjects(store, "member.not-looked-at")
    assert told.startswith("ada: ")
    assert UNREADABLE in told
    assert woken(store).due_at > clock.now() + timedelta(minutes=5)
    settled(store, clock, minutes=10)
    assert len(subjects(store, "member.not-looked-at")) == 2


@pytest.mark.requirement("SYNC-11")
def test_however_much_a_task_promises_its_standstill_is_asked_about(store, clock):
    life = live(store)
    for number in range(2):
        promises = tuple(f"{number}{each}/" + '"' * 195 for each in range(5))
        task = spent(store, add(store, f"x{number}", outputs=promises))
        claim_in(store, life, task, lease=LONG)
    for _ in range(45):
        settled(store, clock, minutes=1)
    [asked] = store.ask(questions.page)
    assert asked.what.startswith("ada does not get on")
