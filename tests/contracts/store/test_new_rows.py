"""What every store promises about rows that nobody reads back: the log remembers them as their tables hold them."""

import json
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drumline.control import board, records, views
from drumline.errors import DrumlineError
from drumline.store.engine import packed
from drumline.store.session import MANY
from drumline.store.sqlite import WIDE
from drumline.store.upkeep import Caretaker
from drumline.team.draft import Listed, NewTask
from drumline.team.journal import KEYS, fold
from tests.contracts.store.test_transactions import tables
from tests.stores import seat
from tests.trying import tries
from tests.words import BOSS, add, finished, now

ODD = "ünï€ 漢字 🥁 ' \" \\ \\N %s %(x)s :team ? {} \u2028"
COUNTS = (1, MANY - 1, MANY, 3 * WIDE, 3 * WIDE + MANY + 1)
BESIDE = ("task_texts", "dependencies", "task_metadata")


def full(place, *, after=(), waits_for=()):
    """A task of which every column is something else."""
    draft = NewTask(
        title=f"{place} {ODD}",
        body=f"{place}\n\ttext {ODD}\\.\n",
        priority=place % 2001 - 1000,
        profile="backend",
        files=(f"src/{place}/**", "docs/ü.md"),
        outputs=(f"out/{place}.txt",),
        tracker=f"GH-{place} {ODD}",
        run="run-1",
        needs=("lab", "shop", "lab"),
    )
    return Listed(draft, after, waits_for)


def mixed(count, waits_for=()):
    """Plain tasks between full ones, some of which wait for others of the list."""
    return [
        full(n, after=(n - 1, n // 2) if n else (), waits_for=waits_for)
        if n % 2 == 0
        else Listed(NewTask(title=f"plain {n}"))
        for n in range(count)
    ]


def plain(count):
    return [Listed(NewTask(title=f"plain {n}", body="words")) for n in range(count)]


def log(store):
    """Each event's words and changes as they are kept."""
    rows = store.ask(lambda _: list(store.engine.scan("events", ("seq",))))
    return [row | {"changes": json.loads(row["changes"])} for row in rows]


@pytest.mark.requirement("SCALE-01")
@pytest.mark.parametrize("count", COUNTS)
def test_the_log_remembers_of_new_tasks_exactly_what_the_tables_hold(store, count):
    seat(store, profiles={"ada": "backend"})
    blockers = (add(store, "open").id, finished(store, "over").id)
    before, clean = len(log(store)), tables(store)
    added = store.do(board.add_all, BOSS, mixed(count, blockers))
    kept, told = tables(store), log(store)[before:]
    assert [event["subject"] for event in told] == [str(task.id) for task in added]
    remembered = [change for event in told for change in event["changes"]]
    for table, row in remembered:
        held = kept[table][tuple(row[key] for key in KEYS[table])]
        assert packed(row) == packed(held)  # columns of the same names, order and types
    for table in ("tasks", *BESIDE):
        new = len(kept[table]) - len(clean[table])
        old = len(blockers) if table == "tasks" else 0  # they know how many wait for them
        assert sum(name == table for name, *_ in remembered) == new + old, table
    assert list(Caretaker(store.engine).check()) == []


@pytest.mark.requirement("SCALE-01")
@pytest.mark.parametrize("count", COUNTS)
def test_the_answer_says_what_whoever_reads_the_board_finds(store, count):
    seat(store, profiles={"ada": "backend"})
    open_one, over = add(store, "open"), finished(store, "over")
    added = store.do(board.add_all, BOSS, mixed(count, (open_one.id, over.id)))
    assert [now(store, task) for task in added] == added
    assert [task.waits for task in added[::2]] == [
        1 + len({n - 1, n // 2} if n else ()) for n in range(0, count, 2)
    ]
    first = store.ask(views.task, added[0].id)
    assert (first["body"], first["metadata"]) == (
        mixed(1)[0].draft.body,
        {"needs": ["lab", "shop"]},
    )


@pytest.mark.requirement("SCALE-01")
def test_a_permanent_task_is_remembered_as_it_is_kept(store):
    task = store.do(records.open_run, BOSS, NewTask(title=ODD, run="run-1", body="words"))
    assert task.permanent
    assert now(store, task) == task
    assert fold(store.ask(views.events, cursor="", most=1000)[0]) == tables(store)


@pytest.mark.requirement("SCALE-01")
@settings(max_examples=tries(25), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.tuples(
            st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=40),
            st.text(st.characters(exclude_categories=("Cc", "Cs"), include_characters="\n\r\t")),
            st.integers(-1000, 1000),
        ).filter(lambda each: each[0].strip()),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from([1, MANY]),
)
def test_whatever_words_a_task_has_the_log_folds_to_the_tables(fresh_stores, asked, times):
    place, _ = fresh_stores()
    store = place.open()
    wanted = [
        Listed(NewTask(title=title, body=body, priority=priority, tracker=title))
        for title, body, priority in asked
    ] * times
    added = store.do(board.add_all, BOSS, wanted)
    assert [(task.title, task.priority) for task in added] == [
        (each.draft.title, each.draft.priority) for each in wanted
    ]
    assert [now(store, task) for task in added] == added
    assert fold(store.ask(views.events, cursor="", most=1000)[0]) == tables(store)
    place.close()


@pytest.mark.requirement("SCALE-01")
def test_many_events_stand_in_their_order_and_at_one_time(store, clock):
    clock.advance(minutes=1)
    before = len(log(store))
    store.do(board.add_all, BOSS, plain(5 * MANY))
    told = log(store)[before:]
    assert [event["subject"] for event in told] == [f"T-{n}" for n in range(1, 5 * MANY + 1)]
    assert {(event["team"], event["actor"], event["verb"]) for event in told} == {
        ("atlas", "person:boss", "task.added")
    }
    assert len({event["at"] for event in told}) == 1
    assert {task.created_at for task in store.ask(views.tasks)} == {clock.now()}
    followed, _ = store.ask(views.events, cursor="", most=1000)
    assert [event.subject for event in followed[before:]] == [event["subject"] for event in told]
    assert {event.at for event in followed[before:]} == {clock.now()}


@pytest.mark.requirement("SCALE-01")
def test_tasks_have_the_time_of_the_store_and_not_of_whoever_adds_them(wall_stores):
    """On a server this is the server's clock, as everywhere else."""
    store = wall_stores.open()
    added = store.do(board.add_all, BOSS, plain(MANY))
    told, _ = store.ask(views.events, cursor="", most=1000)
    assert {task.created_at for task in added} == {event.at for event in told[-MANY:]}
    assert abs(store.ask(lambda tx: tx.now()) - added[0].created_at) < timedelta(minutes=1)
    assert [now(store, task) for task in added] == added


@pytest.mark.requirement("SCALE-01")
def test_many_tasks_of_a_verb_that_raises_leave_nothing(store):
    def add_then_fail(tx):
        assert len(board.add_all(tx, BOSS, plain(5 * MANY))) == 5 * MANY
        raise DrumlineError("no")

    before = tables(store)
    with pytest.raises(DrumlineError):
        store.do(add_then_fail)
    assert tables(store) == before
    assert str(add(store).id) == "T-1"
    assert list(Caretaker(store.engine).check()) == []


@pytest.mark.requirement("SCALE-01")
def test_a_waiter_is_told_of_many_tasks(stores):
    writer, waiter = stores.open(), stores.open()
    waiter.changed(0)
    while waiter.changed(0):
        pass
    writer.do(board.add_all, BOSS, plain(MANY))
    assert waiter.changed(5)
