"""What every store promises about claims."""

from datetime import timedelta

import pytest

from drumline.control import board, records, roster
from drumline.errors import (
    BadInput,
    IllegalMove,
    NotAllowed,
    NothingReady,
    NotHolder,
    NotReady,
    Unknown,
)
from drumline.team.task import TaskState
from tests.stores import seat
from tests.words import (
    BOSS,
    add,
    claim,
    claim_next,
    complete,
    finished,
    holds,
    now,
    teammate,
    verbs,
)


@pytest.mark.requirement("BOARD-03")
def test_a_claim_gives_owner_lease_and_fence(store, clock):
    add(store)
    task = claim_next(store)
    assert (task.owner, task.fence, task.state) == ("ada", 1, TaskState.IN_PROGRESS)
    assert task.lease_until == clock.now() + timedelta(minutes=15)


@pytest.mark.requirement("BOARD-03")
@pytest.mark.parametrize("files", [(), ("docs/**",)], ids=["at a glance", "in order"])
def test_a_claim_by_hand_lasts_as_the_team_says(store, clock, files):
    charter = store.ask(roster.charter)
    agreed = charter._replace(settings={"lease-by-hand": 90.0})
    store.do(lambda tx: (tx.roster.update(agreed), tx.record(BOSS, "team.changed", tx.team)))
    add(store, files=files)
    assert claim_next(store).lease_until == clock.now() + timedelta(seconds=90)


@pytest.mark.requirement("BOARD-03")
def test_a_held_task_is_not_claimed_again(store):
    task = add(store)
    claim_next(store)
    with pytest.raises(NotReady, match="held by ada"):
        claim(store, task, "brook")
    with pytest.raises(NothingReady):
        claim_next(store, "brook")


@pytest.mark.requirement("BOARD-03")
def test_a_lease_that_ran_out_lets_the_next_claimant_in(store, clock):
    task = add(store)
    claim(store, task, lease=timedelta(seconds=60))
    clock.advance(seconds=60)
    assert claim_next(store, "brook").fence == 2
    assert "task.expired" in verbs(store)


@pytest.mark.requirement("BOARD-03")
def test_a_lease_that_ran_out_can_be_claimed_by_name(store, clock):
    task = add(store)
    claim(store, task, lease=timedelta(seconds=60))
    clock.advance(seconds=61)
    assert claim(store, task, "brook").owner == "brook"


@pytest.mark.requirement("BOARD-03")
def test_a_lease_holds_to_its_last_microsecond(store, clock):
    claim(store, add(store), lease=timedelta(seconds=60))
    clock.advance(seconds=59, microseconds=999_999)
    with pytest.raises(NothingReady):
        claim_next(store, "brook")


@pytest.mark.requirement("BOARD-03")
def test_a_renewed_lease_runs_from_now(store, clock):
    task = claim(store, add(store), lease=timedelta(seconds=60))
    clock.advance(seconds=50)
    store.do(board.renew, BOSS, task.id, holds("ada", fence=1), lease=timedelta(seconds=60))
    clock.advance(seconds=50)
    with pytest.raises(NothingReady):
        claim_next(store, "brook")


@pytest.mark.requirement("BOARD-03")
def test_a_stale_fence_is_refused(store, clock):
    task = claim(store, add(store), lease=timedelta(seconds=1))
    clock.advance(seconds=2)
    claim_next(store, "ada")
    with pytest.raises(NotHolder, match="fence 1 is stale"):
        complete(store, task, fence=1)
    assert now(store, task).state is TaskState.IN_PROGRESS


@pytest.mark.requirement("BOARD-03")
def test_late_work_that_nobody_took_up_is_still_good(store, clock):
    task = claim(store, add(store), lease=timedelta(seconds=1))
    clock.advance(hours=1)
    assert complete(store, task, fence=1).state is TaskState.COMPLETED


@pytest.mark.requirement("BOARD-03")
@pytest.mark.parametrize("verb", [board.renew, board.release, board.complete])
def test_only_the_holder_writes_to_a_held_task(store, verb):
    task = claim(store, add(store))
    with pytest.raises(NotHolder, match="ada holds it"):
        store.do(verb, BOSS, task.id, holds("brook"))


@pytest.mark.requirement("BOARD-03")
def test_an_older_life_of_a_member_can_no_longer_write(store):
    task = claim(store, add(store))
    store.do(roster.begin_life, BOSS, "ada")
    with pytest.raises(NotHolder):
        complete(store, task, life=1)
    with pytest.raises(NotHolder, match="life 2"):
        store.do(board.claim_next, BOSS, holds("ada", life=1))


@pytest.mark.requirement("BOARD-03")
def test_a_new_life_gives_the_old_ones_claims_back(store):
    task = claim(store, add(store))
    store.do(roster.begin_life, BOSS, "ada")
    assert now(store, task).state is TaskState.PENDING
    assert claim_next(store, "brook").id == task.id


@pytest.mark.requirement("BOARD-03")
def test_a_claim_for_nobody_is_refused(store):
    add(store)
    with pytest.raises(Unknown, match="no member 'adda'"):
        claim_next(store, "adda")


@pytest.mark.requirement("BOARD-04")
def test_priority_goes_before_age(store):
    old = add(store, "old")
    urgent = add(store, "urgent", priority=5)
    assert [claim_next(store).id for _ in range(2)] == [urgent.id, old.id]


@pytest.mark.requirement("BOARD-04")
def test_a_member_takes_what_fits_its_profile(store):
    seat(store, profiles={"ada": "tester", "brook": "implementer"})
    build = add(store, "build", profile="implementer", priority=9)
    test = add(store, "test", profile="tester")
    anyone = add(store, "tidy")
    assert [claim_next(store, "ada").id for _ in range(2)] == [test.id, anyone.id]
    assert claim_next(store, "brook").id == build.id
    with pytest.raises(NothingReady):
        claim_next(store, "cleo")


@pytest.mark.requirement("BOARD-04")
def test_fewer_members_than_tasks_work_the_whole_board(store):
    tasks = [add(store, f"task {n}") for n in range(7)]
    order = []
    while True:
        try:
            for member in ("ada", "brook"):
                task = claim_next(store, member)
                order.append(complete(store, task, member).id)
        except NothingReady:
            break
    assert order == [task.id for task in tasks]


@pytest.mark.requirement("BOARD-01")
def test_a_task_goes_from_pending_to_completed(store):
    assert finished(store).state is TaskState.COMPLETED


@pytest.mark.requirement("BOARD-01")
def test_a_released_task_is_free_again(store):
    task = claim(store, add(store))
    assert store.do(board.release, BOSS, task.id, holds("ada")).owner is None
    assert claim_next(store, "brook").fence == 2


@pytest.mark.requirement("BOARD-01")
def test_a_failed_task_says_why_and_can_be_reopened(store):
    task = claim(store, add(store))
    store.do(board.fail, BOSS, task.id, holds("ada"), "the build is red")
    assert store.ask(lambda tx: tx.tasks.fields(task.id)) == {"failed": "the build is red"}
    store.do(board.reopen, BOSS, task.id)
    assert claim_next(store, "brook").id == task.id


@pytest.mark.requirement("BOARD-01")
@pytest.mark.parametrize("verb", [board.reopen, board.cancel])
def test_a_completed_task_stays_completed(store, verb):
    task = finished(store)
    with pytest.raises(IllegalMove, match="is completed"):
        store.do(verb, BOSS, task.id)


@pytest.mark.requirement("BOARD-01")
def test_a_cancelled_task_cannot_be_claimed(store):
    task = add(store)
    store.do(board.cancel, BOSS, task.id)
    with pytest.raises(IllegalMove, match="is cancelled"):
        claim(store, task)


@pytest.mark.requirement("BOARD-01")
def test_cancelling_ends_the_claim(store):
    task = claim(store, add(store))
    store.do(board.cancel, BOSS, task.id, "not needed")
    with pytest.raises(NotHolder):
        complete(store, task)


@pytest.mark.requirement("BOARD-03")
def test_a_member_cannot_claim_for_another(store):
    add(store)
    with pytest.raises(NotAllowed, match="cannot act for brook"):
        store.do(board.claim_next, teammate("ada"), holds("brook"))


@pytest.mark.requirement("BOARD-03")
@pytest.mark.parametrize("verb", [board.complete, board.release, board.renew])
def test_a_members_word_without_its_fence_is_refused(store, verb):
    task = claim(store, add(store))
    with pytest.raises(BadInput, match="which claim on T-1"):
        store.do(verb, teammate("ada"), task.id, holds("ada"))


@pytest.mark.requirement("BOARD-03")
def test_a_past_life_can_do_nothing_to_the_board(store):
    task = claim(store, add(store))
    store.do(roster.begin_life, BOSS, "ada")
    for verb, rest in (
        (board.claim_next, (holds("ada"),)),
        (board.complete, (task.id, holds("ada", fence=1))),
        (records.merge, (task.id, {"a": 1})),
    ):
        with pytest.raises(NotHolder, match="ada is in life 2, this is life 1"):
            store.do(verb, teammate("ada"), *rest)


@pytest.mark.requirement("BOARD-04")
def test_a_task_of_another_profile_cannot_be_claimed_by_name(store):
    seat(store, profiles={"ada": "tester", "brook": "implementer"})
    task = add(store, profile="tester")
    with pytest.raises(NotReady, match="T-1 is for the profile tester"):
        claim(store, task, "brook")
    assert claim(store, task, "ada").owner == "ada"


@pytest.mark.requirement("BOARD-04")
def test_a_profile_nobody_has_is_refused(store):
    seat(store, profiles={"ada": "tester"})
    with pytest.raises(Unknown, match="no member has the profile 'testre'") as refused:
        add(store, profile="testre")
    assert refused.value.next == "did you mean tester?"


@pytest.mark.requirement("BOARD-03")
def test_a_person_may_finish_whatever_is_held(store):
    task = claim(store, add(store))
    assert store.do(board.complete, BOSS, task.id, holds("")).state is TaskState.COMPLETED


@pytest.mark.requirement("BOARD-02")
def test_completing_in_one_step_frees_those_who_wait(store):
    first = claim(store, add(store))
    last = add(store, "last", first.id)
    complete(store, first, fence=1)
    assert now(store, last).ready


def led_by_ada(store):
    """A team whose lead is a member, and that lead with ada's and brook's claims on the board."""
    seat(store, lead="ada")
    lead = store.ask(roster.acting_as, "ada")
    add(store)
    return lead, claim(store, add(store), "brook")


@pytest.mark.requirement("BOARD-03", "BOARD-05")
@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        pytest.param(lambda lead: lead._replace(incarnation=0), NotHolder, id="an older life"),
        pytest.param(lambda lead: lead._replace(name="nobody"), Unknown, id="an unknown name"),
        pytest.param(lambda lead: lead._replace(name="cleo"), NotAllowed, id="a teammate"),
    ],
)
def test_only_the_present_lead_claims_and_completes_for_others(store, change, refusal):
    lead, held = led_by_ada(store)
    strange = change(lead)
    with pytest.raises(refusal):
        store.do(board.claim_next, strange, holds("brook"))
    with pytest.raises(refusal):
        store.do(board.complete, strange, held.id, holds("brook"))
    assert now(store, held).state is TaskState.IN_PROGRESS
    store.do(board.complete, lead, held.id, holds("brook"))
    assert store.do(board.claim_next, lead, holds("brook")).owner == "brook"


@pytest.mark.requirement("BOARD-03", "BOARD-05")
def test_a_removed_lead_claims_and_completes_for_nobody(store):
    lead, held = led_by_ada(store)
    seat(store, profiles={"ada": None})
    for verb, words in ((board.claim_next, ()), (board.complete, (held.id,))):
        with pytest.raises(NotAllowed, match="ada was removed"):
            store.do(verb, lead, *words, holds("brook"))


@pytest.mark.requirement("BOARD-03")
def test_a_member_cannot_finish_the_claim_of_a_life_that_is_not_its_own(store):
    task = add(store)
    store.do(roster.begin_life, BOSS, "ada")
    held = claim(store, task)
    with pytest.raises(NotHolder, match="ada is in life 2, this is life 1"):
        store.do(board.complete, teammate("ada"), task.id, holds("ada", held.fence, life=2))
