"""What every store promises about turns: one at a time, within budget, ended once."""

import threading

import pytest

from drumline.control import board, budgets, lives, turns
from drumline.errors import BadInput, BudgetSpent, Conflict, IllegalMove, Unknown
from drumline.team.budget import Budgets, No, Yes
from drumline.team.draft import NewTask
from drumline.team.ids import TaskId
from drumline.team.life import LifeState, WhyEnded
from drumline.team.turn import STATE_AFTER, Opening, TurnOutcome, TurnState
from tests.living import DIGEST, begin, life_now, start, tell
from tests.stores import seat
from tests.words import BOSS, add, verbs


def settle(store, turn, outcome=TurnOutcome.SUCCESS):
    life = store.ask(lives.find, turn.member, turn.incarnation)
    return store.do(turns.settle, life, turn.number, outcome)


def test_a_turn_says_what_it_is_about_and_its_life_is_at_work(store, clock):
    task = store.do(board.add, BOSS, NewTask(title="work", run="r1"))
    life = begin(store)
    turn = start(store, life, task)
    assert (turn.name, turn.opening) == ("ada/2/1", Opening(DIGEST, task.id, "r1"))
    assert (turn.state, turn.started_at) == (TurnState.RUNNING, clock.now())
    assert life_now(store, life).state is LifeState.WORKING


def test_turns_are_numbered_in_their_life(store):
    life = begin(store)
    numbers = []
    for _ in range(3):
        turn = start(store, life)
        numbers.append(turn.number)
        settle(store, turn)
    store.do(lives.end, life, WhyEnded.FINISHED)
    again = start(store, begin(store, pid=200))
    assert (numbers, again.name) == ([1, 2, 3], "ada/3/1")
    assert [turn.name for turn in store.ask(turns.page, "ada", after=(2, 2))] == [
        "ada/2/3",
        "ada/3/1",
    ]


def test_a_member_has_one_turn_at_a_time(store):
    life = begin(store)
    start(store, life)
    with pytest.raises(Conflict, match="ada is in turn 1 already"):
        start(store, life)


@pytest.mark.parametrize("outcome", TurnOutcome)
def test_a_settled_turn_has_its_outcome_and_its_life_is_idle(store, clock, outcome):
    life = begin(store)
    turn = start(store, life)
    clock.advance(seconds=5)
    settled = settle(store, turn, outcome)
    assert (settled.state, settled.outcome) == (STATE_AFTER[outcome], outcome)
    assert settled.settled_at == clock.now()
    assert life_now(store, life).state is LifeState.IDLE


def test_the_first_word_about_an_outcome_stands(store):
    turn = start(store, begin(store))
    settle(store, turn, TurnOutcome.RETRY)
    before = verbs(store)
    assert settle(store, turn, TurnOutcome.SUCCESS).outcome is TurnOutcome.RETRY
    assert verbs(store) == before


def test_a_turn_that_was_cut_with_its_life_stays_cut(store):
    life = begin(store)
    turn = start(store, life)
    store.do(lives.end, life, WhyEnded.BUDGET)
    assert settle(store, turn).outcome is TurnOutcome.BUDGET


@pytest.mark.parametrize("state", [LifeState.PAUSED, LifeState.STOPPING])
def test_a_life_that_is_paused_or_stopping_starts_no_turn(store, state):
    life = begin(store)
    store.do(lives.move, life, state)
    with pytest.raises(IllegalMove):
        start(store, life)


def test_a_settled_turn_does_not_wake_a_life_that_is_stopping(store):
    life = begin(store)
    turn = start(store, life)
    store.do(lives.move, life, LifeState.STOPPING)
    settle(store, turn)
    assert life_now(store, life).state is LifeState.STOPPING


@pytest.mark.parametrize(
    ("about", "error"),
    [
        (Opening("the prompt itself"), BadInput),
        (Opening(DIGEST, TaskId(99)), Unknown),
        (Opening(DIGEST, run="a\nb"), BadInput),
    ],
)
def test_what_a_turn_cannot_be_about_is_refused(store, about, error):
    life = begin(store)
    with pytest.raises(error):
        store.do(turns.start, life, about)


@pytest.mark.requirement("RUN-06")
@pytest.mark.parametrize("scope", ["member", "task", "run", "part"])
def test_no_turn_starts_when_spent_and_reserve_reach_the_budget(store, scope):
    task = store.do(board.add, BOSS, NewTask(title="work", run="r1"))
    life = begin(store)
    for n, micros in enumerate((30, 70, 80), 1):  # the dearest is 40
        turn = start(store, life, task)
        tell(store, turn, micros, n)
        settle(store, turn)
    with pytest.raises(BudgetSpent, match=f"ada starts no turn: {scope} ") as refused:
        start(store, life, task, budgets=Budgets(**{scope: 120}))
    assert "$0.000080 of $0.000120 is spent, and $0.000040 is reserved" in refused.value.what
    assert verbs(store)[-1] == "turn.refused"
    assert start(store, life, task, budgets=Budgets(**{scope: 121})).number == 4


@pytest.mark.requirement("RUN-06")
def test_a_budget_of_a_run_keeps_back_what_others_may_be_asking_for(store):
    lives_of = [begin(store, name) for name in ("ada", "brook", "cleo")]
    first = start(store, lives_of[0], run="r1")
    tell(store, first, 10)
    limit = Budgets(run=31)
    assert start(store, lives_of[1], run="r1", budgets=limit)
    with pytest.raises(BudgetSpent, match=r"run r1: .*is reserved"):
        start(store, lives_of[2], run="r1", budgets=limit)
    settle(store, first)
    assert start(store, lives_of[2], run="r1", budgets=limit)


@pytest.mark.requirement("RUN-06")
def test_of_two_who_would_spend_the_last_of_a_run_exactly_one_starts(stores):
    names = ("ada", "brook", "cleo")
    store = stores.open()
    payer = start(store, begin(store, "ada"), run="r1")
    tell(store, payer, 10)
    settle(store, payer)
    waiting = [(stores.open(), begin(store, name)) for name in names[1:]]
    answers = []

    def attempt(link, life):
        try:
            answers.append(start(link, life, run="r1", budgets=Budgets(run=21)).number)
        except BudgetSpent:
            answers.append(0)

    threads = [threading.Thread(target=attempt, args=each) for each in waiting]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [0, 1]


@pytest.mark.requirement("RUN-06")
def test_each_round_of_a_turn_can_ask_again(store):
    life = begin(store)
    turn = start(store, life, run="r1")
    limits = Budgets(member=100, run=60)

    def ask():
        return store.ask(budgets.may_go_on, "ada", turn.opening, limits)

    assert ask() == Yes(60)
    tell(store, turn, 20)
    assert ask() == Yes(20)
    tell(store, turn, 40, 2)
    assert isinstance(ask(), No)


def test_a_turn_without_a_budget_asks_for_none(store):
    life = begin(store)
    turn = start(store, life, add(store))
    tell(store, turn, 10**12)
    settle(store, turn)
    assert start(store, life).number == 2


@pytest.mark.requirement("BOARD-09", "SYNC-04")
def test_the_end_of_a_runners_turn_settles_its_member(store, clock):
    life = begin(store)
    turn = start(store, life)
    clock.advance(seconds=5)
    store.do(turns.settle, life, turn.number, TurnOutcome.SUCCESS)
    assert store.ask(lambda tx: tx.roster.get("ada")).settled_at == clock.now()
    store.do(turns.settle, life, turn.number, TurnOutcome.SUCCESS)
    assert verbs(store).count("member.settled") == 1


def test_a_member_that_was_removed_in_its_turn_can_still_end_it(store):
    life = begin(store)
    turn = start(store, life)
    seat(store, profiles={"ada": None})
    assert store.do(turns.settle, life, turn.number, TurnOutcome.SUCCESS).settled_at
    assert "member.settled" not in verbs(store)
