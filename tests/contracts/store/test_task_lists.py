"""What every store promises about many tasks added at once: all of them or none, and the log says so."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drumline.control import board, views
from drumline.control.task_lists import add_listed
from drumline.errors import BadInput, Cycle, NotAllowed, Unknown
from drumline.store.upkeep import Caretaker
from drumline.team.draft import Listed, NewTask
from drumline.team.ids import TaskId
from drumline.team.journal import fold
from drumline.team.task_list import read_list
from tests.contracts.store.test_transactions import tables
from tests.stores import seat
from tests.trying import tries
from tests.words import BOSS, add, claim, complete, finished, now, teammate, verbs

MANY = 1000


def listed(*lines):
    return read_list("\n".join(map(json.dumps, lines)).encode(), "plan.jsonl")


def put(store, *lines, by=BOSS):
    return store.do(add_listed, by, listed(*lines))


def events(store):
    found, _ = store.ask(lambda tx: tx.journal.after("", most=100_000))
    return found


@pytest.mark.requirement("BOARD-01", "BOARD-02")
def test_tasks_of_a_list_are_numbered_in_its_order_and_wait_as_it_says(store):
    old, over = add(store, "old"), finished(store, "over")
    tasks = put(
        store,
        {"title": "c", "blocked_by": ["a", "b", str(old.id), str(over.id), "a"]},
        {"title": "a", "key": "a"},
        {"title": "b", "key": "b", "blocked_by": ["a"]},
    )
    assert [(str(task.id), task.title, task.waits) for task in tasks] == [
        ("T-3", "c", 3),
        ("T-4", "a", 0),
        ("T-5", "b", 1),
    ]
    assert [now(store, task) for task in tasks] == tasks
    waiting = store.ask(lambda tx: {task.id: tx.tasks.waiting_for(task.id) for task in tasks})
    assert waiting == {3: [], 4: [3, 5], 5: [3]}


@pytest.mark.requirement("BOARD-02")
def test_what_waited_for_another_of_its_list_is_freed_by_it(store):
    first, second = put(store, {"title": "a", "key": "a"}, {"title": "b", "blocked_by": ["a"]})
    claim(store, first)
    complete(store, first)
    assert now(store, second).ready


def test_everything_a_line_says_is_on_the_board(store):
    seat(store, profiles={"ada": "backend"})
    line = {
        "title": "Write the parser",
        "body": "all the words",
        "priority": 7,
        "profile": "backend",
        "files": ["src/**"],
        "outputs": ["src/a.py"],
        "tracker": "GH-12",
        "needs": ["lab", "lab"],
    }
    (task,) = put(store, line)
    found = store.ask(views.task, task.id)
    assert {name: found[name] for name in line.keys() - {"needs"}} == {
        name: value for name, value in line.items() if name != "needs"
    }
    assert found["metadata"] == {"needs": ["lab"]}


@pytest.mark.requirement("SCALE-01")
def test_each_task_of_a_list_has_its_event_and_folding_the_log_gives_the_tables(store):
    old = add(store, "old")
    before = len(events(store))
    put(
        store,
        {"title": "a", "key": "a", "body": "words", "needs": ["lab"]},
        {"title": "b", "blocked_by": ["a", str(old.id)]},
        {"title": "c", "blocked_by": [str(old.id)]},
    )
    found = events(store)
    assert [(event.verb, event.subject) for event in found[before:]] == [
        ("task.added", "T-2"),
        ("task.added", "T-3"),
        ("task.added", "T-4"),
    ]
    assert all(
        change.row["number"] == TaskId.parse(event.subject)
        for event in found[before + 1 :]
        for change in event.changes
    )
    assert fold(found) == tables(store)
    assert fold(reversed(found)) == tables(store)


@pytest.mark.requirement("SCALE-01")
def test_what_only_the_board_knows_is_wrong_is_told_with_the_rest(store):
    seat(store, profiles={"ada": "backend"})
    add(store)
    before = tables(store)
    with pytest.raises(BadInput) as refused:
        put(
            store,
            {"title": "a", "profile": "nobody", "blocked_by": ["T-1", "T-8"]},
            {"title": "", "profile": "backend"},
            {"title": "c", "profile": "none", "blocked_by": ["T-9", "x"]},
        )
    assert refused.value.why.splitlines() == [
        "line 1: profile: found 'nobody'; allowed: a profile of this team: backend",
        "line 1: blocked_by: found T-8; allowed: a task of team atlas",
        "line 2: title: found ''; allowed: one line of text, 1 to 200 characters",
        "line 3: blocked_by: found 'x'; allowed: a key of this list, or a task id such as T-12",
        "line 3: profile: found 'none'; allowed: a profile of this team: backend",
        "line 3: blocked_by: found T-9; allowed: a task of team atlas",
    ]
    assert tables(store) == before


@pytest.mark.requirement("BOARD-02", "SCALE-01")
@pytest.mark.parametrize(
    ("tasks", "error"),
    [
        ([Listed(NewTask(title="a"), (1,)), Listed(NewTask(title="b"), (0,))], Cycle),
        ([Listed(NewTask(title="a"), (0,))], Cycle),
        ([Listed(NewTask(title="a")), Listed(NewTask(title="b"), (), (TaskId(99),))], Unknown),
        ([Listed(NewTask(title="a")), Listed(NewTask(title="b", profile="nobody"))], Unknown),
    ],
    ids=["each other", "itself", "no such task", "no such profile"],
)
def test_tasks_that_cannot_be_added_together_leave_nothing(store, tasks, error):
    before = tables(store)
    with pytest.raises(error):
        store.do(board.add_all, BOSS, tasks)
    assert tables(store) == before


@pytest.mark.requirement("BOARD-05")
def test_whoever_may_not_add_a_task_may_not_add_a_list(store):
    seat(store, constitution="constitution-4")
    before = tables(store)
    with pytest.raises(NotAllowed):
        put(store, {"title": "a"}, by=teammate("ada"))
    assert tables(store) == before


def test_no_tasks_are_added_without_a_trace(store):
    before = tables(store)
    assert store.do(board.add_all, BOSS, []) == []
    assert tables(store) == before
    assert verbs(store) == ["team.founded"]


@pytest.mark.requirement("SCALE-01")
def test_a_thousand_tasks_in_a_chain_are_a_clean_store(store):
    tasks = put(
        store,
        *(
            {"title": f"{n}", "key": f"k{n}", "blocked_by": [f"k{n - 1}"] if n else []}
            for n in range(MANY)
        ),
    )
    assert [int(task.id) for task in tasks] == list(range(1, MANY + 1))
    assert len(store.ask(views.waves_of)) == MANY
    assert list(Caretaker(store.engine).check()) == []


@pytest.mark.requirement("SCALE-01")
def test_lists_added_at_the_same_time_each_have_numbers_in_a_row(stores):
    shared = [add(stores.open(), "shared").id for _ in range(3)]
    lines = [{"title": f"{n}", "blocked_by": [str(shared[n % 3])]} for n in range(50)]
    opened = [stores.open() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda store: put(store, *lines), opened))
    numbers = sorted(int(task.id) for tasks in found for task in tasks)
    assert numbers == list(range(4, 204))
    assert all(int(tasks[-1].id) - int(tasks[0].id) == 49 for tasks in found)
    assert list(Caretaker(opened[0].engine).check()) == []


@pytest.mark.requirement("BOARD-02", "SCALE-01")
@settings(max_examples=tries(25), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.tuples(
            st.lists(st.integers(0, 9), max_size=4),
            st.sampled_from(["", "words", "ünï€ 漢字 🥁 ' \" \\ %s :team"]),
            st.lists(st.sampled_from(["lab", "shop"]), max_size=2),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_whatever_list_is_added_the_log_folds_to_the_tables(fresh_stores, asked):
    place, _ = fresh_stores()
    store = place.open()
    old = [add(store, "old").id, finished(store, "over").id]
    names = [*map(str, old), *(f"k{n}" for n in range(len(asked)))]
    lines = [
        {
            "key": f"k{n}",
            "title": f"title {n} {body}"[:200].strip(),
            "body": body,
            "blocked_by": [names[other] for other in others if other < n + 2],
            "needs": needs,
        }
        for n, (others, body, needs) in enumerate(asked)
    ]
    tasks = put(store, *lines)
    assert [store.ask(views.task, task.id)["body"] for task in tasks] == [
        line["body"] for line in lines
    ]
    assert fold(events(store)) == tables(store)
    assert list(Caretaker(store.engine).check()) == []
    place.close()
