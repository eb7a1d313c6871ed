"""What every store promises about tasks that wait for tasks."""

import pytest

from drumline.control import board, views
from drumline.errors import Cycle, NothingReady, NotReady, Unknown
from drumline.team.ids import TaskId
from drumline.team.task import TaskState
from tests.words import BOSS, add, claim, claim_next, complete, finished, holds, now

pytestmark = pytest.mark.requirement("BOARD-02")


def block(store, task, *others):
    return store.do(board.block, BOSS, task.id, [other.id for other in others])


def test_a_task_is_ready_when_all_it_waits_for_is_completed(store):
    first, second = add(store, "first"), add(store, "second")
    last = add(store, "last", first.id, second.id)
    for task in (first, second):
        assert not now(store, last).ready
        claim(store, task)
        complete(store, task)
    assert now(store, last).ready


def test_a_blocked_task_says_what_it_waits_for(store):
    first = claim(store, add(store, "first"))
    last = add(store, "last", first.id)
    with pytest.raises(NotReady, match=r"blocked by T-1 \(in_progress, ada\)"):
        claim(store, last, "brook")


def test_a_completed_blocker_does_not_block(store):
    assert add(store, "next", finished(store).id).ready


def test_a_wait_can_be_added_later(store):
    first, second = add(store), add(store)
    assert block(store, second, first).waits == 1
    claim_next(store)
    with pytest.raises(NothingReady):
        claim_next(store, "brook")


def test_the_same_wait_counts_once(store):
    first, second = add(store), add(store)
    block(store, second, first, first)
    assert block(store, second, first).waits == 1


def test_a_wait_can_be_taken_back(store):
    first, second = add(store), add(store)
    block(store, second, first)
    assert store.do(board.unblock, BOSS, second.id, [first.id]).ready
    with pytest.raises(Unknown, match="does not wait"):
        store.do(board.unblock, BOSS, second.id, [first.id])


def test_a_wait_that_was_met_can_be_taken_back_too(store):
    first = finished(store)
    second = add(store, "second", first.id)
    assert store.do(board.unblock, BOSS, second.id, [first.id]).waits == 0


def test_a_circle_is_refused_and_named(store):
    a, b, c = add(store), add(store), add(store)
    block(store, b, a)
    block(store, c, b)
    with pytest.raises(Cycle, match="T-1 → T-3 → T-2 → T-1"):
        block(store, a, c)
    assert now(store, a).ready


def test_a_task_cannot_wait_for_itself(store):
    task = add(store)
    with pytest.raises(Cycle):
        block(store, task, task)


def test_waiting_for_an_unknown_task_changes_nothing(store):
    task = add(store)
    with pytest.raises(Unknown, match="T-99"):
        store.do(board.block, BOSS, task.id, [TaskId(99)])
    with pytest.raises(Unknown):
        add(store, "new", TaskId(98))
    assert len(store.ask(views.tasks)) == 1


@pytest.mark.parametrize("end", ["fail", "cancel"])
def test_what_waits_for_lost_work_is_shown_as_stuck(store, end):
    first = claim(store, add(store))
    last = add(store, "last", first.id)
    if end == "fail":
        store.do(board.fail, BOSS, first.id, holds("ada"), "no")
    else:
        store.do(board.cancel, BOSS, first.id)
    found = store.ask(views.status, exists=lambda _: False)
    assert [task.id for task in found.stuck] == [last.id]


def test_waves_fall_out_of_the_waits(store):
    a, b = add(store), add(store)
    c = add(store, "c", a.id, b.id)
    d = add(store, "d", c.id)
    waves = store.ask(views.waves_of)
    assert [[task.id for task in wave] for wave in waves] == [[a.id, b.id], [c.id], [d.id]]


def test_a_task_in_progress_may_gain_a_wait(store):
    first, second = add(store), add(store)
    claim(store, second)
    block(store, second, first)
    store.do(board.release, BOSS, second.id, holds("ada"))
    assert claim_next(store, "brook").id == first.id
    assert now(store, second).state is TaskState.PENDING
