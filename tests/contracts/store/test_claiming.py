"""What every store promises about claims."""

from datetime import timedelta

import pytest

from drumline.control import board, roster
from drumline.control.board import NewTask
from drumline.errors import IllegalMove, NotHolder, NothingReady, NotReady
from drumline.team.task import Holder, TaskState

BOSS = roster.person("boss")
ADA = Holder(member="ada")
BROOK = Holder(member="brook")


def add(store, title="work", waits_for=(), **fields):
    return store.do(board.add, BOSS, NewTask(title=title, **fields), waits_for)


def claim_next(store, member="ada", **options):
    return store.do(board.claim_next, BOSS, Holder(member=member), **options)


@pytest.mark.requirement("BOARD-03")
def test_a_claim_gives_owner_lease_and_fence(store, clock):
    add(store)
    task = claim_next(store)
    assert (task.owner, task.fence, task.state) == ("ada", 1, TaskState.IN_PROGRESS)
    assert task.lease_until == clock.now() + timedelta(minutes=15)


@pytest.mark.requirement("BOARD-03")
def test_a_held_task_is_not_claimed_again(store):
    task = add(store)
    claim_next(store)
    with pytest.raises(NotReady, match="held by ada"):
        store.do(board.claim, BOSS, task.id, BROOK)
    with pytest.raises(NothingReady):
        claim_next(store, "brook")
