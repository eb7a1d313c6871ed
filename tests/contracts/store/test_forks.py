"""What a store promises to processes that fork."""

import os
import signal
import subprocess
import sys

import pytest

from drumline.control import views
from drumline.errors import StoreTrouble
from drumline.store.upkeep import Caretaker
from tests.crash.processes import in_child
from tests.stores import Sqlite
from tests.words import add

pytestmark = [
    pytest.mark.requirement("SCALE-01"),
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),  # forking is the point
]


def test_what_a_forked_process_was_told_is_kept_when_its_parent_closes(wall_stores):
    store = wall_stores.open()
    add(store)
    (told, tell), (free, let_go) = os.pipe(), os.pipe()

    def write_on():
        add(store, "before the parent closed")
        os.write(tell, b"1")
        os.read(free, 1)
        for _ in range(5):
            add(store, "afterwards")

    child = in_child(write_on)
    os.read(told, 1)
    store.close()
    newcomer = wall_stores.open()
    add(newcomer, "from a newcomer")
    os.write(let_go, b"1")
    assert os.waitpid(child, 0)[1] == 0
    for reader in (newcomer, wall_stores.open()):
        assert [task.id for task in reader.ask(views.tasks)] == list(range(1, 9))
    assert list(Caretaker(newcomer.engine).check()) == []


def test_a_store_opened_twice_in_one_process_keeps_its_hold_on_the_file(wall_stores):
    store = wall_stores.open()
    add(store)
    wall_stores.open().close()
    reader = f"""
from drumline import wiring
from drumline.control import views
from drumline.store.database import Database
engine = wiring.open_engine({wall_stores.url!r})
print(len(Database(engine, "atlas").ask(views.tasks)))
engine.close()
"""
    for known in (1, 2, 3):  # each is the only other one, and leaves: nothing may go with it
        seen = subprocess.run([sys.executable, "-c", reader], capture_output=True, check=True)
        assert int(seen.stdout) == known
        add(store)
    assert len(wall_stores.open().ask(views.tasks)) == 4


def test_the_child_of_a_killed_process_does_not_keep_its_gate_shut(tmp_path):
    place = Sqlite(tmp_path / "state.db", None)
    place.open().close()
    told, tell = os.pipe()

    def die_inside():
        store = place.open()

        def in_verb(tx):
            tx.now()  # from here on it stands in the gate
            os.kill(os.getpid(), signal.SIGKILL)

        if not os.fork():
            os.write(tell, b"%d\n" % os.getpid())
            signal.pause()
        store.do(in_verb)

    assert os.waitpid(in_child(die_inside), 0)[1] == signal.SIGKILL
    idle = int(os.read(told, 20))
    try:
        store = place.open()
        store.engine.patience = 1.0
        assert add(store).id == 1
    finally:
        os.kill(idle, signal.SIGKILL)
        place.close()


def test_a_process_forked_inside_a_verb_cannot_touch_its_parents_transaction(tmp_path):
    place = Sqlite(tmp_path / "state.db", None)
    store = place.open()
    found = []

    def fork_inside(tx):
        tx.now()  # from here on a transaction is under way

        def refused():
            with pytest.raises(StoreTrouble):
                store.engine.commit()
            store.engine.rollback()
            with pytest.raises(StoreTrouble, match="cannot be used in this process"):
                place.open()

        found.append(os.waitpid(in_child(refused), 0)[1])
        tx.record("parent", "test.forked", "-")

    store.do(fork_inside)
    assert found == [0]
    assert add(store).id == 1
    place.close()


def test_a_grandchild_has_a_link_of_its_own_too(wall_stores, monkeypatch):
    store = wall_stores.open()

    def fork_again():
        monkeypatch.setattr(sys, "unraisablehook", lambda _: os._exit(3))
        assert os.waitpid(in_child(lambda: add(store, "far away")), 0)[1] == 0
        add(store, "near")

    assert os.waitpid(in_child(fork_again), 0)[1] == 0
    assert [task.title for task in store.ask(views.tasks)] == ["far away", "near"]
