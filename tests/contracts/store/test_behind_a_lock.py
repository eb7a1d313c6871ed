"""What a verb does with rows that change while it waits for their lock, on the engine that lets it wait."""

import threading
from contextlib import contextmanager
from datetime import timedelta

import psycopg
import pytest

from drumline.control import board, registration
from drumline.control.at_once import at_once
from drumline.errors import DrumlineError
from drumline.team.member import Member
from drumline.team.rights import CONSTITUTIONS, Charter
from tests.stores import WAITING, seat
from tests.words import BOSS, add, claim, holds, now, teammate

GIVEN_AWAY = "UPDATE tasks SET profile = 'reviewer' WHERE number = %(task)s"
GIVEN_FILES = """UPDATE tasks SET files = '["src/a.py"]' WHERE number = %(task)s"""

TAKEN = """UPDATE tasks SET state = 'in_progress', owner = 'brook', incarnation = 1, fence = 1,
    claimed_at = 0, lease_until = 9000000000000000 WHERE number = %(task)s"""


@pytest.fixture
def make_stores(postgres_stores):
    """Only the engine with a server."""
    return postgres_stores


@contextmanager
def meanwhile(stores, *changes, **words):
    """Begin a transaction that changes rows, and commit it once someone waits for them."""
    with psycopg.connect(stores.url) as link, psycopg.connect(stores.url, autocommit=True) as watch:
        for change in changes:
            link.execute(change, words)
        helper = threading.Thread(target=_commit_when_awaited, args=(link, watch, stores.schema))
        helper.start()
        yield
        helper.join()


def _commit_when_awaited(link, watch, schema):
    for _ in range(100_000):
        if watch.execute(WAITING, (schema,)).fetchone():
            break
    link.commit()


def answer(store, verb, *words):
    try:
        return store.do(verb, *words)
    except DrumlineError as error:
        return error


@pytest.mark.requirement("BOARD-04")
def test_a_task_given_to_another_profile_meanwhile_is_not_taken(stores):
    store = stores.open()
    seat(store, profiles={"brook": "reviewer"})
    task, other = add(store), add(store, files=("docs/**",))
    with meanwhile(stores, GIVEN_AWAY, task=int(task.id)):
        taken = answer(store, board.claim_next, BOSS, holds("ada"))
    assert taken.id == other.id
    assert now(store, task).owner is None


@pytest.mark.requirement("BOARD-07")
def test_a_task_given_files_in_use_meanwhile_is_not_taken(stores):
    store = stores.open()
    claim(store, add(store, files=("src/**",)), "brook")
    task, other = add(store), add(store, files=("docs/**",))
    with meanwhile(stores, GIVEN_FILES, task=int(task.id)):
        taken = answer(store, board.claim_next, BOSS, holds("ada"))
    assert taken.id == other.id


@pytest.mark.requirement("BOARD-04")
def test_a_task_with_files_is_not_passed_over_while_the_one_before_it_is_taken(stores):
    store = stores.open()
    first, second, _ = add(store), add(store, files=("docs/**",)), add(store)
    with meanwhile(stores, TAKEN, task=int(first.id)):
        taken = answer(store, board.claim_next, BOSS, holds("ada"))
    assert taken.id == second.id


@pytest.mark.requirement("BOARD-03")
def test_a_claim_amid_other_changes_keeps_no_task_it_only_looked_at(stores):
    store = stores.open()
    add(store, files=("docs/**",))

    @at_once
    def amid_others(tx):
        assert tx.roster.get("ada")
        assert tx.tasks.claim_head(BOSS, holds("ada"), timedelta(minutes=1)) is None
        with psycopg.connect(stores.url) as other:
            other.execute("SELECT 1 FROM tasks FOR UPDATE NOWAIT")

    store.do(amid_others)


@pytest.mark.requirement("BOARD-05")
@pytest.mark.parametrize(
    ("constitution", "claimant"),
    [
        pytest.param("constitution-4", "ada", id="not allowed"),
        pytest.param("constitution-10", "zoe", id="not on the team"),
    ],
)
def test_who_may_not_claim_keeps_no_task_from_others(stores, constitution, claimant):
    store = stores.open()
    seat(store, constitution=constitution)
    add(store)
    assert isinstance(
        answer(store, board.claim_next, teammate(claimant), holds(claimant)), DrumlineError
    )
    with psycopg.connect(stores.url) as link:
        assert link.execute("SELECT xmax = '0' FROM tasks").fetchone() == (True,)  # never locked


def manifest_of(home, *names):
    """What the manifest of one repository says."""
    members = [Member(name=name) for name in names]
    return registration.Registration(
        charter=Charter(CONSTITUTIONS["constitution-10"], {}),
        members=(*members, Member(name="human", lead=True)),
        home=home,
        place=home,
        digest="-",
    )


@pytest.mark.requirement("BOARD-08")
def test_whom_another_repository_names_meanwhile_stays(stores):
    store = stores.open()
    store.do(registration.register, manifest_of("other:/repo", "zoe"), joining=True)
    changes = (
        "SELECT 1 FROM teams FOR UPDATE",
        """UPDATE homes SET members = '["zoe", "cleo"]' WHERE home = 'other:/repo'""",
    )
    with meanwhile(stores, *changes):
        store.do(registration.register, manifest_of("test:/repo", "ada"))
    here = {member.name for member in store.ask(lambda tx: tx.roster.everyone()) if member.active}
    assert here == {"ada", "cleo", "human", "zoe"}
