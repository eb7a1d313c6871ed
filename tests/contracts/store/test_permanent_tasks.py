"""What every store promises about a run's one permanent task and the fields of any task."""

import threading

import pytest

from drumline.control import board, budgets, records
from drumline.errors import (
    BadInput,
    Conflict,
    IllegalMove,
    NotAllowed,
    NothingReady,
    NotHolder,
    NotReady,
)
from drumline.team.draft import NewTask
from drumline.team.manifest import MemberEntry
from drumline.team.task import TaskState
from tests.stores import seat
from tests.words import BOSS, add, claim, claim_next, holds, teammate

pytestmark = pytest.mark.requirement("BOARD-06")


def opened(store, run="r1"):
    return store.do(records.open_run, BOSS, NewTask(title=f"goal of {run}", run=run))


def merged(store, task, **fields):
    return store.do(records.merge, BOSS, task.id, fields)


def test_a_run_has_exactly_one_permanent_task(store):
    opened(store)
    with pytest.raises(Conflict, match="run r1 has its permanent task"):
        opened(store)
    opened(store, "r2")


def test_nobody_works_on_a_permanent_task(store):
    task = opened(store)
    with pytest.raises(NothingReady):
        claim_next(store)
    with pytest.raises(NotReady, match="permanent"):
        claim(store, task)


def test_only_delivery_completes_it(store):
    task = opened(store)
    with pytest.raises(NotHolder):
        store.do(board.complete, BOSS, task.id, holds("ada"))
    with pytest.raises(NotAllowed, match="permanent task of run r1"):
        store.do(board.cancel, BOSS, task.id)
    assert store.do(records.deliver, BOSS, "r1").state is TaskState.COMPLETED
    with pytest.raises(IllegalMove, match="is completed: it cannot become delivered"):
        store.do(records.deliver, BOSS, "r1")


def test_fields_are_merged_one_by_one(store):
    task = opened(store)
    merged(store, task, tier="STANDARD", signals={"p1": "PASS|reqs:6"})
    assert merged(store, task, signals={"p2": "PASS"}) == {
        "tier": "STANDARD",
        "signals.p1": "PASS|reqs:6",
        "signals.p2": "PASS",
    }


def test_a_field_is_removed_by_none(store):
    task = add(store)
    merged(store, task, a=1, b=2)
    assert merged(store, task, a=None) == {"b": 2}


def test_a_field_and_what_lies_under_it_do_not_both_stay(store):
    task = add(store)
    merged(store, task, a={"b": 1, "c": 2}, ab=3)
    assert merged(store, task, a="flat") == {"a": "flat", "ab": 3}
    assert merged(store, task, a={"b": 1}) == {"a.b": 1, "ab": 3}


@pytest.mark.parametrize("name", ["", ".", "a..b", "a b", "ä/b", "x" * 65])
def test_a_field_needs_a_name(store, name):
    task = add(store)
    with pytest.raises(BadInput):
        store.do(records.merge, BOSS, task.id, {name: 1})


@pytest.mark.parametrize(
    "value",
    [float("nan"), "a\x1bb", ["\udcff"], [{"deep": "\x00"}], {"x": {1, 2}}, "x" * 64_001, 10**5000],
    ids=["nan", "escape", "surrogate", "nested", "set", "long", "huge number"],
)
def test_a_value_that_cannot_be_kept_is_refused(store, value):
    task = add(store)
    with pytest.raises(BadInput):
        merged(store, task, field=value)
    assert store.ask(lambda tx: tx.tasks.fields(task.id)) == {}


def test_a_field_and_its_part_cannot_be_set_together(store):
    task = add(store)
    with pytest.raises(BadInput, match="cannot both be set"):
        store.do(records.merge, BOSS, task.id, {"a": 1, "a.b": 2})


def test_a_teammate_notes_only_on_what_it_holds(store):
    task = opened(store)
    with pytest.raises(NotAllowed):
        store.do(records.merge, teammate("ada"), task.id, {"a": 1})
    held = claim(store, add(store))
    assert store.do(records.merge, teammate("ada"), held.id, {"a": 1}) == {"a": 1}
    seat(store, constitution="constitution-4")
    with pytest.raises(NotAllowed):
        store.do(records.merge, teammate("ada"), held.id, {"a": 2})


def test_writers_of_different_fields_lose_nothing(stores):
    task = opened(stores.open())
    failures = []

    def write(writer: int) -> None:
        store = stores.open()
        try:
            for n in range(10):
                merged(store, task, **{f"w{writer}": {f"f{n}": n}})
        except Exception as error:  # noqa: BLE001 - a thread's failure is the test's
            failures.append(error)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    fields = stores.open().ask(lambda tx: tx.tasks.fields(task.id))
    assert fields == {f"w{w}.f{n}": n for w in range(4) for n in range(10)}


@pytest.mark.requirement("RUN-06")
@pytest.mark.parametrize("said", ["0.01", 2, 2.5, " 7 "])
def test_a_task_s_budget_is_a_sum_however_it_is_written(store, said):
    task = add(store)
    store.do(records.merge, BOSS, task.id, {"budget": said})
    assert store.ask(lambda tx: tx.tasks.fields(task.id))["budget"] == float(said)


@pytest.mark.requirement("RUN-06")
@pytest.mark.parametrize("said", [0, -1, "free", "nan", "inf", True, [1], {"usd": 1}, 1e9])
def test_a_budget_that_nobody_can_read_is_refused(store, said):
    task = add(store)
    with pytest.raises(BadInput):
        store.do(records.merge, BOSS, task.id, {"budget": said})
    assert store.ask(lambda tx: tx.tasks.fields(task.id)) == {}


@pytest.mark.requirement("RUN-06")
def test_a_run_s_budget_is_the_one_of_its_permanent_task(store):
    run = store.do(records.open_run, BOSS, NewTask(title="goal", run="r1"))
    store.do(records.merge, BOSS, run.id, {"budget": "1.5"})
    task = add(store, run="r1")
    entry = MemberEntry(name="ada", role="builds", tools=(), owns=(), budget=5.0)
    found = store.ask(budgets.budgets_for, task, entry)
    assert (found.run, found.part, found.member) == (1_500_000, 5_000_000, None)
