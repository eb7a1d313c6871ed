"""What a store promises when someone has laid hands on its rows, its file or its disk."""

import os

import pytest

from drumline.control import mail, views
from drumline.errors import StoreTrouble
from drumline.store.database import Database
from drumline.store.sqlite import Sqlite as SqliteEngine
from drumline.store.upkeep import Caretaker
from tests.stores import Sqlite
from tests.words import add, claim_next, send

pytestmark = pytest.mark.requirement("SCALE-01")

PLANTED = {"FAR": "9000000000000000000", "DEEP": "[" * 100_000}


def spoil(store, statement):
    for word, value in PLANTED.items():
        statement = statement.replace(word, value)
    store.engine.begin(writing=True)
    store.engine.script([statement])
    store.engine.commit()


QUESTIONS = {
    "list": lambda store: store.ask(views.tasks),
    "claim": claim_next,
    "inbox": lambda store: store.ask(mail.inbox, "brook", most=5),
    "events": lambda store: store.ask(views.last_events, most=100),
    "show": lambda store: store.ask(lambda tx: tx.tasks.fields(1)),
    "rights": lambda store: store.ask(lambda tx: tx.roster.charter()),
}


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("list", "UPDATE tasks SET files = 'garbage'"),
        ("list", "UPDATE tasks SET created_at = FAR"),
        ("claim", "UPDATE tasks SET outputs = '{'"),
        ("claim", "UPDATE teams SET settings = '{'"),
        ("claim", """UPDATE teams SET settings = '{"lease-by-hand": "15m"}'"""),
        ("inbox", "UPDATE messages SET sent_at = FAR"),
        ("events", "UPDATE events SET changes = 'x'"),
        ("events", "UPDATE events SET changes = 'DEEP'"),
        ("show", "UPDATE task_metadata SET value = '{'"),
        ("rights", "UPDATE teams SET settings = '{'"),
        ("rights", "UPDATE teams SET constitution = 'nobody'"),
    ],
)
def test_a_row_nobody_can_read_is_refused_in_words_and_found_by_the_check(
    store, question, statement
):
    task = add(store)
    send(store, "ada", "brook")
    store.do(lambda tx: (tx.tasks.merge(task.id, {"a": 1}), tx.record("x", "task.noted", "T-1")))
    spoil(store, statement)
    with pytest.raises(StoreTrouble, match="a row that cannot be read") as refused:
        QUESTIONS[question](store)
    assert refused.value.next == "drumline store check"
    assert list(Caretaker(store.engine).check())


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET at = FAR",
        "UPDATE events SET changes = 'DEEP'",
        "UPDATE events SET changes = '[[1, 2]]'",
        "UPDATE events SET changes = '[3]'",
        "UPDATE tasks SET updated_at = FAR",
    ],
)
def test_the_check_survives_what_it_finds(store, statement):
    add(store)
    spoil(store, statement)
    assert list(Caretaker(store.engine).check())


@pytest.fixture
def place(tmp_path, clock):
    found = Sqlite(tmp_path / "state.db", clock)
    yield found
    found.close()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DELETE FROM events WHERE verb = 'test.quiet'", "1 of "),
        ("DROP INDEX messages_waiting", "index messages_waiting"),
        ("CREATE TRIGGER sly AFTER INSERT ON tasks BEGIN SELECT 1; END", "trigger sly"),
        ("CREATE TABLE more (x)", "table more"),
        ("UPDATE task_texts SET body = x'ff00'", "the table disagree"),
    ],
)
def test_what_was_taken_out_of_a_file_or_put_into_it_is_found(place, statement, said):
    store = place.open()
    store.do(lambda tx: tx.record("ada", "test.quiet", "-"))
    add(store, body="words")
    assert list(Caretaker(store.engine).check()) == []
    spoil(store, statement)
    assert any(said in problem for problem in Caretaker(store.engine).check())


def test_numbers_a_server_drew_and_did_not_use_are_no_gaps_in_a_copy(store, tmp_path, clock):
    if store.engine.name == "postgres":
        spoil(store, "SELECT nextval(pg_get_serial_sequence('events', 'seq'))")
    add(store)
    Caretaker(store.engine).backup(str(tmp_path / "copy.db"))
    copy = Sqlite(tmp_path / "copy.db", clock)
    assert list(Caretaker(copy.engine()).check()) == []
    copy.close()


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        pytest.param(lambda path: os.truncate(path, 0), "is empty", id="emptied"),
        pytest.param(os.unlink, "is gone", id="removed"),
    ],
)
def test_a_file_that_was_in_use_is_not_founded_anew(place, harm, said):
    add(place.open())
    place.close()
    harm(place.path)
    for create in (True, False):
        with pytest.raises(StoreTrouble, match=said) as refused:
            SqliteEngine(str(place.path), place.clock, create=create)
        assert "restore a backup" in refused.value.next
    for left in place.path.parent.glob("state.db*"):
        left.unlink()
    assert place.open().ask(views.tasks) == []


def test_who_has_a_store_open_that_is_removed_or_replaced_is_told(place, tmp_path):
    store = place.open()
    add(store, "first")
    Caretaker(store.engine).backup(str(tmp_path / "copy.db"))
    add(store, "lost")
    place.path.unlink()
    for verb in (add, lambda store: store.ask(views.tasks), lambda store: store.changed(0)):
        with pytest.raises(StoreTrouble, match="is gone"):
            verb(store)
    for left in tmp_path.glob("state.db*"):
        left.unlink()
    restored = SqliteEngine(str(place.path), place.clock)
    Caretaker(restored).restore(str(tmp_path / "copy.db"))
    for verb in (add, lambda store: store.ask(views.tasks), lambda store: store.changed(0)):
        with pytest.raises(StoreTrouble, match="is another file now"):
            verb(store)
    other = Database(restored, "atlas")
    assert add(other, "second").id == 2
    assert list(Caretaker(restored).check()) == []
    restored.close()


def test_a_forked_child_does_not_found_what_is_gone(place):
    store = place.open()
    store.engine.part()
    place.path.unlink()
    with pytest.raises(StoreTrouble, match="is gone"):
        add(store)
    assert not place.path.exists()


def test_a_forked_child_does_not_take_what_was_replaced(place, tmp_path):
    store = place.open()
    (tmp_path / "other").touch()
    store.engine.part()
    (tmp_path / "other").rename(place.path)
    with pytest.raises(StoreTrouble, match="is another file now"):
        add(store)
    assert not place.path.stat().st_size


def test_what_was_removed_while_a_writer_waited_is_not_written(place, monkeypatch):
    store = place.open()
    gate = store.engine._gate  # noqa: SLF001 - as if somebody stood in it
    enter = gate.enter

    def enter_too_late(patience):
        place.path.unlink()
        return enter(patience)

    monkeypatch.setattr(gate, "enter", enter_too_late)
    with pytest.raises(StoreTrouble, match="is gone"):
        add(store)


def test_who_has_a_store_open_that_is_moved_away_and_back_goes_on(place, tmp_path):
    store = place.open()
    place.path.rename(tmp_path / "away.db")
    with pytest.raises(StoreTrouble, match="is gone"):
        add(store)
    (tmp_path / "away.db").rename(place.path)
    assert add(store).id == 1


def test_a_full_disk_is_not_taken_for_a_broken_store(place):
    store = place.open()
    (size,) = store.engine._link.execute("PRAGMA page_count").fetchone()  # noqa: SLF001 - as a small disk would
    store.engine.script([f"PRAGMA max_page_count = {size}"])
    with pytest.raises(StoreTrouble, match="cannot be used") as refused:
        add(store, body="x" * 60_000)
    assert "free some space" in refused.value.next
    assert store.ask(views.tasks) == []
