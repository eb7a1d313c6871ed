"""What every store promises about its schema, its soundness and its copies."""

import sqlite3
import tempfile
import threading
from contextlib import closing

import pytest

from drumline.control import views
from drumline.errors import BadInput, Conflict, StoreTooNew, StoreTooOld, StoreTrouble, Unknown
from drumline.store.database import Database
from drumline.store.engine import WallClock
from drumline.store.migrations import migrate, require_current, version
from drumline.store.queries import migrations, names
from drumline.store.sqlite import Sqlite
from drumline.store.upkeep import Caretaker
from tests.words import add, claim_next, finished, send

pytestmark = pytest.mark.requirement("SCALE-01")


def busy(store):
    """A store with some of everything."""
    first = finished(store, body="long words")
    add(store, "second", first.id)
    claim_next(store)
    send(store, "ada", "brook")
    return store


def break_it(engine, statement):
    engine.begin(writing=True)
    engine.script([statement])
    engine.commit()


def test_migrations_are_applied_once(stores):
    engine = stores.engine()
    assert migrate(engine) == [name for _, name, _ in migrations(engine.name)]
    assert migrate(engine) == []


def test_migrations_are_numbered_without_gaps(stores):
    numbers = [number for number, _, _ in migrations(stores.engine().name)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_both_engines_have_the_same_schema_and_know_the_same_statements():
    sqlite, postgres = (
        [(n, name) for n, name, _ in migrations(engine)] for engine in ("sqlite", "postgres")
    )
    assert sqlite == postgres
    only_postgres = {"notify_followers", "follow", "unfollow", "with_event"}
    assert names("sqlite") ^ names("postgres") == only_postgres


def test_an_empty_store_is_made_ready(stores):
    engine = stores.engine()
    assert version(engine)[0] == 0
    require_current(engine, upgrade=False)
    assert version(engine)[0] == version(engine)[1]


def test_an_older_shared_store_is_migrated_only_when_asked(stores):
    engine = stores.engine()
    migrate(engine)
    break_it(engine, "DELETE FROM schema_migrations WHERE number > 1")
    with pytest.raises(StoreTooOld, match="at schema 1") as refused:
        require_current(engine, upgrade=False)
    assert refused.value.next == "drumline store migrate"


def test_a_newer_store_is_not_touched(stores):
    engine = stores.engine()
    migrate(engine)
    break_it(engine, "INSERT INTO schema_migrations VALUES (999, 'future', 0)")
    for attempt in (migrate, lambda link: require_current(link, upgrade=True)):
        with pytest.raises(StoreTooNew, match="at schema 999"):
            attempt(engine)


def test_a_sound_store_is_clean(store):
    busy(store)
    assert list(Caretaker(store.engine).check()) == []


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE tasks SET waits = 3 WHERE number = 2", "T-2 waits for 3, in truth for 0"),
        ("DELETE FROM message_texts", "M-1 without its text"),
        ("UPDATE messages SET recipient = 'nobody'", "to nobody points at nothing"),
        ("DELETE FROM tasks WHERE number = 1", "dependency of T-2 on T-1"),
        ("UPDATE counters SET value = 1", "T-2 beyond the counter"),
        (
            "UPDATE tasks SET title = 'forged' WHERE number = 2",
            "the event log and the table disagree",
        ),
        ("DELETE FROM events WHERE verb = 'task.claimed'", "the event log and the table disagree"),
    ],
)
def test_a_torn_store_is_found_out(store, statement, found):
    busy(store)
    break_it(store.engine, statement)
    assert any(found in problem for problem in Caretaker(store.engine).check())


def test_a_backup_is_a_store_with_everything_in_it(store, tmp_path):
    busy(store)
    target = tmp_path / "copy.db"
    rows = Caretaker(store.engine).backup(str(target))
    assert (rows["tasks"], rows["messages"]) == (2, 1)
    copy = Database(Sqlite(str(target), WallClock()), "atlas")
    assert copy.ask(views.tasks) == store.ask(views.tasks)
    assert list(Caretaker(copy.engine).check()) == []
    copy.close()


def test_a_backup_never_overwrites(store, tmp_path):
    target = tmp_path / "copy.db"
    target.write_text("precious")
    with pytest.raises(Conflict, match="exists"):
        Caretaker(store.engine).backup(str(target))
    assert target.read_text() == "precious"


def test_a_backup_fills_an_empty_store_of_either_engine(store, make_stores, tmp_path, clock):
    busy(store)
    target = str(tmp_path / "copy.db")
    Caretaker(store.engine).backup(target)
    fresh = make_stores(clock)
    try:
        engine = fresh.engine()
        Caretaker(engine).restore(target)
        restored = Database(engine, "atlas")
        assert restored.ask(views.tasks) == store.ask(views.tasks)
        assert int(send(restored, "ada", "brook").id) == 2
        assert list(Caretaker(engine).check()) == []
    finally:
        fresh.close()


def test_a_restore_never_mixes_two_histories(store, tmp_path):
    target = str(tmp_path / "copy.db")
    Caretaker(store.engine).backup(target)
    with pytest.raises(Conflict, match="not empty"):
        Caretaker(store.engine).restore(target)
    with pytest.raises(Unknown, match="no backup"):
        Caretaker(store.engine).restore(str(tmp_path / "none.db"))


def test_a_backup_is_only_read(store, make_stores, tmp_path, clock):
    target = tmp_path / "copy.db"
    Caretaker(busy(store).engine).backup(str(target))
    before = target.read_bytes()
    fresh = make_stores(clock)
    Caretaker(fresh.engine()).restore(str(target))
    fresh.close()
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.glob("copy*")] == ["copy.db"]


def test_a_file_that_is_no_backup_is_refused_and_left_alone(make_stores, tmp_path, clock):
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as link:
        link.execute("CREATE TABLE precious (x)")
    before = other.read_bytes()
    fresh = make_stores(clock)
    with pytest.raises(BadInput, match="not a backup of Drumline"):
        Caretaker(fresh.engine()).restore(str(other))
    fresh.close()
    assert other.read_bytes() == before


def test_two_backups_to_one_place_leave_one_whole_file(stores, tmp_path):
    links = [busy(stores.open()), stores.open()]
    target = str(tmp_path / "copy.db")
    answers = []

    def back_up(store):
        try:
            answers.append(Caretaker(store.engine).backup(target))
        except Conflict as taken:
            answers.append(taken)

    threads = [threading.Thread(target=back_up, args=(store,)) for store in links]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(type(answer).__name__ for answer in answers) == ["Conflict", "dict"]
    assert [path.name for path in tmp_path.glob("copy*")] == ["copy.db"]


def test_many_who_open_a_new_store_at_once_make_one_schema(stores):
    engines = [stores.engine() for _ in range(6)]
    applied = []
    threads = [
        threading.Thread(target=lambda e=engine: applied.append(migrate(e))) for engine in engines
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(len, applied)) == [0, 0, 0, 0, 0, len(migrations(engines[0].name))]


def test_the_log_of_a_store_moved_from_another_server_is_still_shown(store):
    busy(store)
    if store.engine.name == "postgres":
        break_it(store.engine, "UPDATE events SET tx = '999999999999'")
        assert store.ask(views.last_events, most=1)[0] == []
    Caretaker(store.engine).migrate()
    assert store.ask(views.last_events, most=1)[0][0].verb == "mail.sent"


def test_an_older_store_is_backed_up_as_it_is_and_restored(stores, make_stores, tmp_path, clock):
    engine, target = stores.engine(), str(tmp_path / "old.db")
    migrate(engine, to=1)
    break_it(engine, "INSERT INTO counters VALUES ('atlas', 'task', 7)")
    assert Caretaker(engine).backup(target)["counters"] == 1
    old = Sqlite(target, WallClock(), gate=False)
    assert version(old)[0] == 1
    old.close()
    fresh = make_stores(clock)
    assert Caretaker(fresh.engine()).restore(target)["counters"] == 1
    fresh.close()


def test_a_newer_store_is_not_backed_up_by_halves(stores, tmp_path):
    engine = stores.engine()
    migrate(engine)
    break_it(engine, "INSERT INTO schema_migrations VALUES (999, 'future', 0)")
    with pytest.raises(StoreTooNew) as refused:
        Caretaker(engine).backup(str(tmp_path / "copy.db"))
    assert refused.value.next == "upgrade Drumline on this host"
    assert not list(tmp_path.glob("copy*"))


def test_a_store_in_use_is_not_taken_for_a_backup(make_stores, tmp_path, clock):
    live = Sqlite(str(tmp_path / "live.db"), clock)
    migrate(live)
    (tmp_path / "link.db").symlink_to("live.db")
    fresh = make_stores(clock)
    for name in ("live.db", "link.db"):
        with pytest.raises(Conflict, match="in use") as refused:
            Caretaker(fresh.engine()).restore(str(tmp_path / name))
        assert "drumline store backup" in refused.value.next
    fresh.close()
    live.close()


def test_a_backup_that_cannot_be_read_is_refused_in_words(stores, tmp_path, monkeypatch):
    engine, target = stores.engine(), str(tmp_path / "copy.db")
    migrate(engine)
    Caretaker(engine).backup(target)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(StoreTrouble, match="cannot be copied") as refused:
        Caretaker(engine).restore(target)
    assert "nowhere" in refused.value.why
