"""What every store promises about lives: one process per place, by lease, ended once."""

from datetime import timedelta

import pytest

from drumline.control import board, lives, registration, roster, turns
from drumline.errors import (
    BadInput,
    Conflict,
    IllegalMove,
    NotAllowed,
    NotHolder,
    StoreTrouble,
    Unknown,
)
from drumline.team.life import LEASE, LifeState, WhyEnded
from drumline.team.member import Member
from drumline.team.rights import CONSTITUTIONS, Charter
from drumline.team.task import TaskState
from drumline.team.turn import Opening, TurnOutcome, TurnState
from tests.living import DIGEST, begin, claim_in, life_now, process, start
from tests.words import BOSS, add, claim, complete, holds, now, verbs

pytestmark = pytest.mark.requirement("RUN-07")


def incarnation(store, name="ada"):
    return store.ask(lambda tx: tx.roster.get(name)).incarnation


def test_a_life_begins_as_the_next_incarnation_with_a_lease_of_a_minute(store, clock):
    life = begin(store, host="north", pid=4711, socket="/run/a.sock", session="s", account="acme")
    assert (life.member, life.incarnation) == ("ada", 2) == ("ada", incarnation(store))
    assert (life.state, life.lease_until) == (LifeState.STARTING, clock.now() + LEASE)
    assert life.process == process("north", 4711, socket="/run/a.sock", session="s", account="acme")
    assert timedelta(seconds=60) == LEASE
    assert store.ask(lives.living) == [life]


def test_a_second_process_is_refused_and_told_where_the_first_one_is(store):
    begin(store, host="north", pid=4711)
    with pytest.raises(Conflict, match="ada lives on north as process 4711") as refused:
        begin(store, host="south")
    assert "until 12:01:00 UTC" in refused.value.why
    assert incarnation(store) == 2


def test_a_lease_holds_to_its_last_microsecond_and_then_the_place_is_free(store, clock):
    old = begin(store)
    clock.advance(seconds=59, microseconds=999_999)
    with pytest.raises(Conflict):
        begin(store, pid=200)
    clock.advance(microseconds=1)
    new = begin(store, pid=200)
    assert (new.incarnation, new.process.pid) == (3, 200)
    ended = life_now(store, old)
    assert (ended.state, ended.why) == (LifeState.ENDED, WhyEnded.REPLACED)
    assert (ended.ended_at, ended.lease_until) == (clock.now(), None)


def test_a_replaced_life_can_no_longer_write(store, clock):
    task = add(store)
    old = begin(store)
    held = claim_in(store, old)
    clock.advance(seconds=60)
    begin(store, pid=200)
    assert now(store, task).state is TaskState.PENDING
    for late in (
        lambda: store.do(lives.renew, old),
        lambda: store.do(lives.move, old, LifeState.WORKING),
        lambda: store.do(lives.enter, old, "s"),
        lambda: start(store, old),
    ):
        with pytest.raises(NotHolder, match="life 2 of ada has ended: replaced"):
            late()
    with pytest.raises(NotHolder):
        claim_in(store, old)
    with pytest.raises(NotHolder):
        store.do(board.complete, BOSS, task.id, holds("ada", fence=held.fence, life=2))


def test_a_renewal_runs_from_now_and_takes_the_claims_of_this_life_along(store, clock):
    mine, theirs = add(store), add(store)
    life = begin(store)
    claim_in(store, life, mine)
    claim(store, theirs, "brook", lease=LEASE)
    clock.advance(seconds=40)
    renewed = store.do(lives.renew, life)
    assert renewed.lease_until == clock.now() + LEASE == now(store, mine).lease_until
    assert now(store, theirs).lease_until == clock.now() + timedelta(seconds=20)


def test_a_renewal_never_shortens_a_claim_and_is_no_progress(store, clock):
    task = add(store)
    life = begin(store)
    claimed = claim_in(store, life, task, lease=timedelta(hours=1))
    clock.advance(seconds=20)
    store.do(lives.renew, life)
    assert now(store, task).lease_until == claimed.lease_until
    assert now(store, task).updated_at == claimed.updated_at


def test_a_late_renewal_is_good_while_nobody_took_the_place(store, clock):
    task = add(store)
    life = begin(store)
    claim_in(store, life)
    clock.advance(hours=1)
    assert store.do(lives.renew, life).lease_until == clock.now() + LEASE
    assert now(store, task).owner == "ada"


def test_a_pass_ends_whoever_let_the_lease_run_out_and_gives_the_work_back(store, clock):
    first, second = add(store), add(store)
    dead, well = begin(store), begin(store, "brook")
    claim_in(store, dead, first)
    turn = start(store, dead, first)
    claim_in(store, well, second)
    clock.advance(seconds=30)
    store.do(lives.renew, well)
    clock.advance(seconds=30)
    (ended,) = store.do(lives.ended_leases)
    assert (ended.name, ended.why) == ("ada/2", WhyEnded.CRASHED)
    assert now(store, first).state is TaskState.PENDING
    assert now(store, second).owner == "brook"
    cut = store.ask(turns.find, dead, turn.number)
    assert (cut.state, cut.outcome) == (TurnState.CUT, TurnOutcome.CRASHED)
    assert store.ask(lives.living) == [life_now(store, well)]


def test_a_pass_that_finds_nothing_says_nothing(store, clock):
    begin(store)
    clock.advance(seconds=60)
    store.do(lives.ended_leases)
    before = verbs(store)
    assert store.do(lives.ended_leases) == []
    assert verbs(store) == before


def test_what_an_heir_claimed_is_not_given_back_with_the_old_life(store, clock):
    """A member that was begun anew by hand has claims of its own; the old life ends later."""
    task = add(store)
    begin(store)
    store.do(roster.begin_life, BOSS, "ada")
    claim(store, task, "ada")
    clock.advance(seconds=60)
    assert len(store.do(lives.ended_leases)) == 1
    assert now(store, task).owner == "ada"


@pytest.mark.parametrize("why", WhyEnded)
def test_an_ended_life_says_why_and_gives_its_work_back(store, clock, why):
    task = add(store)
    life = begin(store)
    claim_in(store, life)
    turn = start(store, life, task)
    ended = store.do(lives.end, life, why)
    assert (ended.state, ended.why, ended.ended_at) == (LifeState.ENDED, why, clock.now())
    assert now(store, task).state is TaskState.PENDING
    assert store.ask(turns.find, life, turn.number).state is TurnState.CUT
    assert begin(store, pid=200).incarnation == 3


def test_the_first_word_about_an_end_stands(store):
    life = begin(store)
    store.do(lives.end, life, WhyEnded.FINISHED)
    before = verbs(store)
    assert store.do(lives.end, life, WhyEnded.CRASHED).why is WhyEnded.FINISHED
    assert verbs(store) == before


def test_a_life_tells_what_it_does_and_saying_it_twice_changes_nothing(store):
    life = begin(store)
    assert store.do(lives.move, life, LifeState.IDLE).state is LifeState.IDLE
    before = verbs(store)
    store.do(lives.move, life, LifeState.IDLE)
    assert verbs(store) == before
    store.do(lives.move, life, LifeState.STOPPING)
    with pytest.raises(IllegalMove, match="life ada/2 is stopping: it cannot become working"):
        store.do(lives.move, life, LifeState.WORKING)


def test_a_session_is_remembered_once_it_is_known(store):
    life = begin(store)
    assert store.do(lives.enter, life, "s-1").process.session == "s-1"
    assert store.do(lives.enter, life, "s-1").process.session == "s-1"
    assert verbs(store).count("life.entered") == 1
    with pytest.raises(BadInput):
        store.do(lives.enter, life, "")


def test_a_place_that_was_filled_by_hand_is_not_the_old_ones(store):
    life = begin(store)
    store.do(roster.begin_life, BOSS, "ada")
    with pytest.raises(NotHolder, match="ada is in life 3, this is life 2"):
        store.do(lives.renew, life)
    with pytest.raises(Conflict):
        begin(store, pid=200)
    assert store.do(lives.end, life, WhyEnded.REPLACED).ended
    assert begin(store, pid=200).incarnation == 4


def test_a_life_of_a_removed_member_can_only_end(store):
    life = begin(store, "cleo")
    said = registration.Registration(
        charter=Charter(CONSTITUTIONS["constitution-10"], {}),
        members=(Member("ada"), Member("human", lead=True, runtime="human")),
        home="test:/repo",
        place="test:/repo",
        digest="2",
    )
    store.do(registration.register, said)
    for verb in (lives.renew, lambda tx, life: turns.start(tx, life, Opening(DIGEST))):
        with pytest.raises(NotAllowed, match="cleo was removed"):
            store.do(verb, life)
    with pytest.raises(NotAllowed, match="cleo was removed"):
        begin(store, "cleo")
    assert store.do(lives.end, life, WhyEnded.STOPPED).why is WhyEnded.STOPPED


def test_lives_of_other_teams_are_other_lives(store, stores):
    other = stores.open("boreas")
    begin(store)
    assert begin(other).incarnation == 2
    assert len(other.ask(lives.living)) == 1


@pytest.mark.parametrize(
    ("member", "facts", "error", "problem"),
    [
        ("nobody", {}, Unknown, "no member 'nobody'"),
        ("human", {}, NotAllowed, "human is a person"),
        ("ada", {"pid": 0}, BadInput, "0 is not a process"),
        ("ada", {"host": ""}, BadInput, "the process's host is empty"),
        ("ada", {"socket": "a\nb"}, BadInput, "more than one line"),
        ("ada", {"session": "a\x1bb"}, BadInput, "control character"),
    ],
)
def test_what_cannot_be_a_life_is_refused(store, member, facts, error, problem):
    with pytest.raises(error, match=problem) as refused:
        begin(store, member, **facts)
    assert refused.value.next
    assert store.ask(lives.living) == []


def test_a_life_nobody_began_is_unknown(store):
    life = begin(store)
    with pytest.raises(Unknown, match="no life 9 of 'ada'"):
        store.do(lives.end, life._replace(incarnation=9), WhyEnded.STOPPED)


def test_a_late_done_of_a_crashed_life_cannot_hurt_its_successor(store, clock):
    task = add(store)
    old = begin(store)
    stale = claim_in(store, old)
    clock.advance(seconds=60)
    store.do(lives.ended_leases)
    new = begin(store, pid=200)
    claim_in(store, new)
    with pytest.raises(NotHolder, match="fence 1 is stale"):
        complete(store, task, fence=stale.fence)
    assert complete(store, task, fence=2).state is TaskState.COMPLETED


def test_even_a_verb_that_forgot_to_look_cannot_fill_a_place_twice(store):
    begin(store)

    def begin_blindly(tx):
        tx.lives.add(tx.roster.begin_life("ada"), process(), LEASE)
        tx.record(BOSS, "life.began", "ada")

    with pytest.raises(StoreTrouble):
        store.do(begin_blindly)
    assert incarnation(store) == 2
