"""What every store promises about its schema, its soundness and its copies."""

import pytest

from drumline.control import views
from drumline.errors import Conflict, StoreTooNew, StoreTooOld, Unknown
from drumline.store.database import Database
from drumline.store.engine import WallClock
from drumline.store.migrations import migrate, require_current, version
from drumline.store.queries import migrations, statements
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
    only_postgres = {"notify_followers", "follow", "unfollow"}
    assert statements("sqlite").keys() ^ statements("postgres").keys() == only_postgres


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
    ids=lambda value: value.split(" WHERE")[0] if value.isupper() else None,
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
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.db", "copy.db.gate"]


def test_a_backup_never_overwrites(store, tmp_path):
    target = tmp_path / "copy.db"
    target.write_text("precious")
    with pytest.raises(Conflict, match="exists"):
        Caretaker(store.engine).backup(str(target))
    assert target.read_text() == "precious"


def test_a_backup_fills_an_empty_store_of_either_engine(store, stores, tmp_path, clock):
    busy(store)
    target = str(tmp_path / "copy.db")
    Caretaker(store.engine).backup(target)
    fresh = (
        type(stores)(tmp_path / "fresh.db", clock)
        if hasattr(stores, "path")
        else type(stores)(stores.server, clock)
    )
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
