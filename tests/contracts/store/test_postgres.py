"""What only a server can do to us: deadlocks, and going away."""

import os
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count

import psycopg
import pytest

from drumline.control import board, views
from drumline.control.attribution import Grounds
from drumline.control.intake import take_in
from drumline.errors import DrumlineError, StoreTrouble
from drumline.store.database import Database
from drumline.store.migrations import migrate
from drumline.store.postgres import Postgres
from drumline.store.session import MANY, Session
from drumline.store.tasks import Board
from drumline.store.upkeep import Caretaker
from drumline.team.draft import Listed, NewTask
from drumline.team.ids import TaskId
from drumline.team.settled import Why
from drumline.team.task import TaskState
from tests.contracts.store.test_settled import turn
from tests.stores import WAITING
from tests.words import BOSS, add, claim_next, holds, now

pytestmark = pytest.mark.requirement("SCALE-01")


@pytest.fixture
def make_stores(postgres_stores):
    """Only the engine with a server."""
    return postgres_stores


def test_a_deadlock_is_tried_again_until_both_are_done(stores):
    first, second = add(stores.open()), add(stores.open())
    both_inside = threading.Barrier(2)
    attempts = []

    def lock_both(tx, one, other):
        attempts.append(one)
        tx.tasks.lock(one)
        if len(attempts) <= 2:
            both_inside.wait(timeout=10)
        tx.tasks.lock(other)
        tx.tasks.move(one, TaskState.CANCELLED)
        tx.record("test", "task.cancelled", str(one))

    links = [stores.open(), stores.open()]
    threads = [
        threading.Thread(target=links[0].do, args=(lock_both, first.id, second.id)),
        threading.Thread(target=links[1].do, args=(lock_both, second.id, first.id)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # who is tried again may be faster than who waited, and meet it once more
    assert len(attempts) > 2
    assert {now(links[0], task).state for task in (first, second)} == {TaskState.CANCELLED}


def test_a_lost_connection_is_made_again_for_the_next_verb(stores):
    store = stores.open()
    add(store)
    stores.cut()
    with pytest.raises(StoreTrouble):
        add(store)
    assert add(store).id == TaskId(2)


def test_a_connection_lost_at_the_end_of_a_verb_leaves_open_whether_it_is_stored(stores):
    store = stores.open()

    def add_and_be_cut_off(tx):
        board.add(tx, BOSS, NewTask(title="work"))
        stores.cut()

    with pytest.raises(StoreTrouble, match="it is stored, or it is not") as doubt:
        store.do(add_and_be_cut_off)
    assert "look before you do it again" in doubt.value.next


def test_a_connection_lost_amid_a_claim_leaves_open_whether_it_is_stored(stores):
    store = stores.open()
    add(store)
    with psycopg.connect(stores.url) as other, ThreadPoolExecutor() as beside:
        other.execute("SELECT 1 FROM members FOR UPDATE")
        claiming = beside.submit(claim_next, store)
        watch = psycopg.connect(stores.server, autocommit=True)
        while not watch.execute(WAITING, (stores.schema,)).fetchone():
            assert not claiming.done()
        watch.close()
        stores.cut(other)  # were its lock to go first, the claim would come through
        with pytest.raises(StoreTrouble, match="it is stored, or it is not"):
            claiming.result()
        other.close()


def test_whoever_waited_sees_what_was_done_whatever_the_servers_default_is(stores):
    stores.open()
    strict = "options=-cdefault_transaction_isolation%3Drepeatable%5C%20read%20"
    url = stores.url.replace("options=", strict)
    links = [Database(Postgres(url, stores.clock), "atlas") for _ in range(8)]
    ready = threading.Barrier(8)

    def take(link):
        ready.wait()
        filed = link.do(take_in, [turn(number) for number in range(20)], {}, Grounds())
        link.close()
        return Counter(each.why for each in filed)

    with ThreadPoolExecutor(8) as takers:
        assert sum(takers.map(take, links), Counter()) == {Why.WOKE: 160}


def test_a_store_in_a_later_schema_of_the_path_is_not_split(stores):
    add(stores.open())
    with psycopg.connect(stores.server, autocommit=True) as admin:
        admin.execute(f"CREATE SCHEMA {stores.schema}_first")
    path = f"{stores.schema}_first%2C{stores.schema}"
    engine = Postgres(stores.url.replace(f"search_path%3D{stores.schema}", f"search_path%3D{path}"))
    assert migrate(engine) == []
    assert len(Database(engine, "atlas").ask(views.tasks)) == 1
    engine.close()
    with psycopg.connect(stores.server, autocommit=True) as admin:
        admin.execute(f"DROP SCHEMA {stores.schema}_first")


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")  # forking is the point
def test_a_forked_process_has_a_link_of_its_own(stores):
    store = stores.open()
    add(store)
    child = os.fork()
    if not child:
        add(store, "from the child")
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert add(store).id == 3


def test_an_open_transaction_elsewhere_does_not_hide_the_newest_event(stores):
    store = stores.open()
    with psycopg.connect(stores.server) as idle:
        idle.execute("SELECT pg_current_xact_id()")
        add(store)
        assert store.ask(views.last_events, most=1)[0][0].verb == "team.founded"
        assert store.ask(views.status, exists=lambda _: False).last.verb == "task.added"


def test_a_role_without_rights_is_refused_in_words(stores):
    stores.open()
    with psycopg.connect(stores.server, autocommit=True) as admin:
        admin.execute(f"CREATE ROLE {stores.schema}_nobody LOGIN")
    engine = Postgres(stores.url + f"&user={stores.schema}_nobody")
    with pytest.raises(StoreTrouble, match="refused a statement"):
        migrate(engine)
    engine.close()
    with psycopg.connect(stores.server, autocommit=True) as admin:
        admin.execute(f"DROP ROLE {stores.schema}_nobody")


def test_a_tail_does_not_step_over_a_slower_commit(stores):
    store = stores.open()
    _, cursor = store.ask(views.events, cursor="", most=100)
    with psycopg.connect(stores.url) as slow:
        slow.execute(
            "INSERT INTO events (team, at, actor, verb, subject, changes)"
            " VALUES ('atlas', 0, 'slow', 'test.slow', '-', '[]')"
        )
        add(store)
        early, cursor = store.ask(views.events, cursor=cursor, most=100)
        slow.commit()
    late, _ = store.ask(views.events, cursor=cursor, most=100)
    assert sorted(event.verb for event in [*early, *late]) == ["task.added", "test.slow"]


def add_many(store):
    store.do(board.add_all, BOSS, [Listed(NewTask(title="work"))] * MANY)


@pytest.mark.parametrize("answered", [False, True])
@pytest.mark.parametrize("verb", [add, add_many])
def test_a_verb_interrupted_anywhere_does_not_spoil_the_next(stores, monkeypatch, answered, verb):
    store = stores.open()
    first, wait = add(store), psycopg.Connection.wait
    for steps in count():
        left = iter(range(steps))

        def interrupted(link, *given, left=left, **options):
            if next(left, None) is not None:
                return wait(link, *given, **options)
            if answered:
                wait(link, *given, **options)
            raise KeyboardInterrupt

        monkeypatch.setattr(psycopg.Connection, "wait", interrupted)
        try:
            verb(store)
        except KeyboardInterrupt:
            monkeypatch.undo()
            assert now(store, first).id == first.id
            assert add(store).title == "work"
        else:
            break
    assert steps > 3


@pytest.mark.parametrize("statement", ["SELECT 1", "SELECT nothing", "DELETE FROM tasks"])
def test_a_question_leaves_no_transaction_open_however_it_ends(stores, statement):
    store = stores.open()

    def fail(_):
        store.engine.script([statement])
        raise DrumlineError("no")

    with pytest.raises(DrumlineError):
        store.ask(fail)
    link = store.engine._link  # noqa: SLF001 - as below
    assert link.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
    assert add(store).title == "work"


def test_what_was_prepared_for_one_question_serves_the_next(stores):
    store = stores.open()
    for _ in range(4):
        store.ask(views.tasks)
    link = store.engine._link  # noqa: SLF001 - only a link knows what is prepared on it
    kept = link.execute("SELECT name FROM pg_prepared_statements WHERE statement LIKE '%tasks%'")
    assert kept.fetchall()


def test_nobody_writes_into_a_store_while_it_is_restored(stores, postgres_stores, tmp_path):
    target = str(tmp_path / "copy.db")
    Caretaker(stores.open().engine).backup(target)
    fresh = postgres_stores(None)
    engine = fresh.engine()
    load, held = engine.load, []

    def load_against_another(table, rows):
        with psycopg.connect(fresh.url, autocommit=True) as other:
            other.execute("SET lock_timeout = 50")
            with pytest.raises(psycopg.errors.LockNotAvailable):
                other.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
        held.append(table)
        return load(table, rows)

    engine.load = load_against_another
    Caretaker(engine).restore(target)
    assert {"teams", "tasks", "events"} <= set(held)
    fresh.close()


def test_whoever_claims_is_not_led_through_all_that_is_held(stores):
    store = stores.open()
    store.do(board.add_all, BOSS, [Listed(NewTask(title="work")) for _ in range(400)])
    link = store.engine._link  # noqa: SLF001 - it counts, and changes nothing
    link.execute("ANALYZE tasks")  # a planner that has seen nothing held

    def so_far():
        read = "SELECT idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relid = 'tasks'::regclass"
        return link.execute(read).fetchone()["idx_tup_fetch"]

    def rows_read():
        tasks = Board(Session(store.engine, "atlas", alone=True))
        with link.transaction():
            before = so_far()
            assert tasks.claim_head(BOSS, holds("ada"), timedelta(minutes=1))
            return so_far() - before

    first = rows_read()
    for _ in range(300):
        claim_next(store)
    assert rows_read() <= first + 20
