"""What every store promises about charges: what was spent is counted once, and never uncounted."""

import threading
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drumline.control import board, charges, lives, turns
from drumline.errors import BadInput, Conflict, Unknown
from drumline.store.upkeep import Caretaker
from drumline.team.budget import Budgets
from drumline.team.charge import NOTHING, Report, Scope, Usage, priced, step
from drumline.team.draft import NewTask
from drumline.team.life import WhyEnded
from drumline.team.prices import Price, built_in, price_of
from drumline.team.turn import TurnOutcome
from tests.living import begin, spent, start, tell
from tests.trying import tries
from tests.words import BOSS, verbs

pytestmark = pytest.mark.requirement("RUN-06")

A_DOLLAR_A_TOKEN = Price("test", "listed", 10**12, 10**12, 10**12)


def test_readings_are_totals_of_a_session_and_their_differences_are_counted(store, clock):
    turn = start(store, begin(store))
    added = [tell(store, turn, micros, n).added.micros for n, micros in enumerate((48, 56, 64), 1)]
    assert (added, spent(store)) == ([48, 8, 8], 64)
    last = tell(store, turn, 64, 4, usage=Usage(7, 8, 9, 64))
    assert (last.added, last.at) == (Usage(7, 8, 9), clock.now())


def test_the_same_report_never_counts_twice(store):
    turn = start(store, begin(store))
    first = tell(store, turn, 48)
    tell(store, turn, 56, 2)
    before = verbs(store)
    assert tell(store, turn, 48) == first
    assert (spent(store), verbs(store)) == (56, before)


def test_a_report_that_was_counted_cannot_say_something_else(store):
    turn = start(store, begin(store))
    tell(store, turn, 48)
    with pytest.raises(Conflict, match=r"ada/2/1 session#1 was told as"):
        tell(store, turn, 49)
    assert spent(store) == 48


def test_a_resumed_session_inherits_what_it_has_cost_before(store, clock):
    old = begin(store)
    tell(store, start(store, old), 100)
    clock.advance(seconds=60)
    resumed = start(store, begin(store, pid=200))
    assert tell(store, resumed, 130).added.micros == 30
    assert spent(store) == 130


def test_a_session_goes_on_through_turns_that_each_count_their_reports_from_one(store):
    life = begin(store)
    for totals in ((50, 80), (90, 95), (97, 120)):
        turn = start(store, life)
        for number, micros in enumerate(totals, 1):
            tell(store, turn, micros, number)
        store.do(turns.settle, life, turn.number, TurnOutcome.SUCCESS)
    assert spent(store) == 120


def test_a_meter_that_went_down_began_again(store):
    turn = start(store, begin(store))
    for number, micros in enumerate((100, 30, 50), 1):
        tell(store, turn, micros, number)
    assert spent(store) == 150


def test_what_comes_late_changes_nothing_that_a_later_reading_had_in_it(store):
    turn = start(store, begin(store))
    tell(store, turn, 80, 3)
    assert tell(store, turn, 50, 2).added == NOTHING
    assert spent(store) == 80


def test_each_source_has_a_meter_of_its_own_and_a_nested_spawn_counts_once(store):
    turn = start(store, begin(store))
    tell(store, turn, 100)
    tell(store, turn, 40, source="session/explorer")
    tell(store, turn, 40, source="session/explorer")
    assert spent(store) == 140


def test_members_with_sessions_of_one_name_pay_each_for_themselves(store):
    for name in ("ada", "brook"):
        tell(store, start(store, begin(store, name)), 10)
    assert store.ask(charges.spent_by_each, Scope.MEMBER).keys() == {"ada", "brook"}
    assert (spent(store, "ada"), spent(store, "brook")) == (10, 10)


def test_a_charge_is_counted_for_member_task_run_and_part(store):
    task = store.do(board.add, BOSS, NewTask(title="work", run="r1"))
    for name, micros in (("ada", 10), ("brook", 5)):
        tell(store, start(store, begin(store, name), task), micros)
    assert [spent(store, str(task.id), Scope.TASK), spent(store, "r1", Scope.RUN)] == [15, 15]
    parts = store.ask(charges.spent_by_each, Scope.PART)
    assert {name: part.usage.micros for name, part in parts.items()} == {
        "r1/ada": 10,
        "r1/brook": 5,
    }
    assert store.ask(charges.spent, Scope.RUN, "r1").dearest == 10


def test_money_spent_by_a_life_that_has_ended_is_counted_too(store):
    life = begin(store)
    turn = start(store, life)
    store.do(lives.end, life, WhyEnded.CRASHED)
    tell(store, turn, 48)
    assert spent(store) == 48


def test_a_budget_that_is_passed_is_reported_once(store):
    life = begin(store)
    turn = start(store, life, run="r1")
    for number, micros in enumerate((90, 130, 150), 1):
        report = Report("session", number, Usage(micros=micros))
        store.do(charges.charge, life, turn.number, report, Budgets(run=100))
    events, _ = store.ask(lambda tx: tx.journal.last(most=100))
    told = [event.subject for event in events if event.verb == "budget.passed"]
    assert told == ["run r1: $0.000030 over a budget of $0.000100"]


def test_tokens_become_money_at_the_price_of_their_model(store):
    turn = start(store, begin(store))
    price = price_of(built_in(), "gpt-5.3-codex")
    usage = Usage(input=1_000_000, cached=1_000_000, output=1_000_000)
    charge = tell(store, turn, 0, usage=usage, model="gpt-5.3-codex", price=price)
    assert (charge.added.micros, charge.basis, charge.model) == (
        15_925_000,
        "listed",
        "gpt-5.3-codex",
    )


def test_a_model_nobody_listed_is_said_to_be_unknown_and_priced_by_the_default(store):
    turn = start(store, begin(store))
    price = price_of(built_in(), "gpt-99")
    charge = tell(store, turn, 0, usage=Usage(output=1_000), model="gpt-99", price=price)
    assert (charge.basis, charge.added.micros) == ("unknown", 30_000)


def test_a_session_that_changes_its_model_pays_each_difference_at_its_own_price(store):
    turn = start(store, begin(store))
    cheap, dear = (Price("x", "listed", per, 0, 0) for per in (10**6, 3 * 10**6))
    tell(store, turn, 0, 1, usage=Usage(input=100), price=dear)
    tell(store, turn, 0, 2, usage=Usage(input=150), price=cheap)
    assert spent(store) == 350


@pytest.mark.parametrize(
    ("report", "problem"),
    [
        (Report("", 1, NOTHING), "the report's source is empty"),
        (Report("s", -1, NOTHING), "-1 is not a reading of number"),
        (Report("s", 1, Usage(micros=-5)), "-5 is not a reading of micros"),
        (Report("s", 1, Usage(input=10**16)), "is not a reading of input"),
        (Report("s", 1, NOTHING, "a\nb"), "more than one line"),
    ],
)
def test_what_cannot_be_counted_is_refused(store, report, problem):
    life = begin(store)
    turn = start(store, life)
    with pytest.raises(BadInput, match=problem):
        store.do(charges.charge, life, turn.number, report)
    assert spent(store) == 0


def test_a_turn_nobody_started_costs_nothing(store):
    life = begin(store)
    with pytest.raises(Unknown, match="no turn 1 of ada/2"):
        store.do(charges.charge, life, 1, Report("s", 1, NOTHING))


def test_the_same_reports_told_by_eight_at_once_are_counted_once(stores):
    store = stores.open()
    turn = start(store, begin(store), run="r1")
    links = [stores.open() for _ in range(8)]

    def tell_all(link, backwards):
        numbers = range(1, 11)
        for number in reversed(numbers) if backwards else numbers:
            tell(link, turn, number * 10, number)

    threads = [
        threading.Thread(target=tell_all, args=(link, n % 2)) for n, link in enumerate(links)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [spent(store), spent(store, "r1", Scope.RUN)] == [100, 100]
    assert list(Caretaker(store.engine).check()) == []


small = st.integers(0, 5)
usages = st.builds(Usage, small, small, small, small)
meters = st.dictionaries(st.sampled_from(("s1", "s2", "s1/spawn")), st.lists(usages, max_size=4))


def whole(readings, price):
    """What all meters come to, each read in its own order."""
    total = NOTHING
    for told in readings.values():
        before = NOTHING
        for reading in (priced(usage, price) for usage in told):
            total, before = total.plus(step(before, reading)), reading
    return total


def test_any_interleaving_and_repetition_of_reports_gives_the_same_total(stores):
    store = stores.open()
    life = begin(store)
    names = count()

    @settings(max_examples=tries(40), deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.data(), meters, st.booleans())
    def check(data, readings, by_price):
        run = f"r{next(names)}"
        price = A_DOLLAR_A_TOKEN if by_price else None
        reports = [
            Report(f"{run}/{source}", number, usage, price=price)
            for source, told in readings.items()
            for number, usage in enumerate(told)
        ]
        order = data.draw(st.permutations(reports * 2))
        turn = start(store, life, run=run)
        so_far = 0
        for report in order:
            store.do(charges.charge, life, turn.number, report)
            assert spent(store, run, Scope.RUN) >= so_far
            so_far = spent(store, run, Scope.RUN)
        store.do(turns.settle, life, turn.number, TurnOutcome.SUCCESS)
        assert store.ask(charges.spent, Scope.RUN, run).usage == whole(readings, price)

    check()
    assert list(Caretaker(store.engine).check()) == []
