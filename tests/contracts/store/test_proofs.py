"""A task that carries a check closes only once the check has passed for the present claim."""

import pytest

from drumline.control import board, handing_in, records
from drumline.control.handing_in import Proof
from drumline.errors import NotAllowed, NotHolder, NotVerified
from drumline.team.actor import Actor, Role
from drumline.team.draft import NewTask
from drumline.team.task import Holder, TaskState
from drumline.team.task_fields import WRITERS, Writer
from tests.living import begin, claim_in, let_lease_run_out

PERSON = Actor("kim", Role.PERSON)
COMMIT = "c0ffee" * 6


@pytest.fixture
def held(store):
    """A task with a check, claimed by ada's runner."""
    task = store.do(board.add, PERSON, NewTask(title="Say hello"))
    store.do(records.merge, PERSON, task.id, {"verify": ["make", "test"]})
    life = begin(store)
    return life, claim_in(store, life)


def member(life):
    return Actor(life.member, Role.TEAMMATE, life.incarnation)


def finish(store, life, task, **more):
    holder = Holder(life.member, life.incarnation, task.fence)
    return store.do(board.complete, member(life), task.id, holder, **more)


def test_done_is_refused_until_the_check_has_passed(store, held):
    """BOARD-12"""
    life, task = held
    with pytest.raises(NotVerified, match="not verified") as refused:
        finish(store, life, task)
    assert "make test" in refused.value.why


def test_done_is_taken_once_the_runner_has_seen_the_check_pass(store, held):
    """BOARD-12"""
    life, task = held
    store.do(handing_in.prove, life, task.id, Proof(task.fence, COMMIT))
    assert finish(store, life, task).state is TaskState.COMPLETED


def test_a_proof_counts_only_for_the_claim_it_was_given_for(store, held):
    """BOARD-12"""
    life, task = held
    store.do(handing_in.prove, life, task.id, Proof(task.fence, COMMIT))
    store.do(board.release, member(life), task.id, Holder("ada", life.incarnation, task.fence))
    again = claim_in(store, life, task)
    with pytest.raises(NotVerified):
        finish(store, life, again)


def test_a_life_that_lost_the_task_proves_nothing(store, held):
    life, task = held
    let_lease_run_out(store, life)
    begin(store, pid=101)
    with pytest.raises(NotHolder):
        store.do(handing_in.prove, life, task.id, Proof(task.fence, COMMIT))


@pytest.mark.parametrize("fields", [{"verified": {"fence": 1}}, {"verified": 1}])
def test_nobody_says_by_hand_that_a_check_has_passed(store, held, fields):
    """BOARD-12"""
    life, task = held
    for actor in (member(life), PERSON):
        with pytest.raises(NotAllowed, match="not told by hand"):
            store.do(records.merge, actor, task.id, fields)


def test_a_holder_cannot_take_its_task_s_check_away(store, held):
    """BOARD-12"""
    life, task = held
    with pytest.raises(NotAllowed):
        store.do(records.merge, member(life), task.id, {"verify": None})


@pytest.mark.parametrize("field", [name for name, by in WRITERS.items() if by is Writer.DRUMLINE])
def test_what_we_saw_of_a_task_is_written_by_nobodys_hand(store, held, field):
    """BOARD-12"""
    life, task = held
    for actor in (member(life), PERSON):
        with pytest.raises(NotAllowed, match="not told by hand"):
            store.do(records.merge, actor, task.id, {field: -1000})


@pytest.mark.parametrize("field", [name for name, by in WRITERS.items() if by is Writer.PLANNER])
def test_what_a_planner_says_of_a_task_is_not_its_holders_to_write(store, held, field):
    """BOARD-12"""
    life, task = held
    with pytest.raises(NotAllowed, match="may not create or edit tasks"):
        store.do(records.merge, member(life), task.id, {field: "1", "note": "x"})


def test_a_holder_writes_notes(store, held):
    life, task = held
    said = store.do(records.merge, member(life), task.id, {"note": "mind the gap", "briefly": 1})
    assert (said["note"], said["briefly"]) == ("mind the gap", 1)


def test_a_member_cannot_leave_the_check_out(store, held):
    life, task = held
    with pytest.raises(NotVerified):
        finish(store, life, task, unverified=True)


def test_a_person_may_leave_the_check_out_and_it_is_told(store, held):
    _, task = held
    store.do(board.complete, PERSON, task.id, Holder(""), unverified=True)
    told = [event.verb for event in store.ask(lambda tx: tx.journal.last(most=100))[0]]
    assert "task.unverified" in told
