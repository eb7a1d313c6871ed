"""What every store promises about keeping lives and what they cost: races, kills, the log, copies."""

import threading
import time

import psycopg
import pytest

from drumline.control import charges, duties, limits, lives, postings, turns
from drumline.errors import Conflict, StoreTrouble
from drumline.store.database import Database
from drumline.store.migrations import migrate
from drumline.store.upkeep import Caretaker
from drumline.team.charge import Report, Scope, Usage
from drumline.team.journal import KEYS, fold
from drumline.team.life import LEASE, LifeState, WhyEnded
from drumline.team.posting import Wanted
from drumline.team.task import TaskState
from drumline.team.turn import TurnOutcome, TurnState
from tests.crash.processes import Worker
from tests.living import begin, claim_in, let_lease_run_out, life_now, spent, start, tell
from tests.stores import seat
from tests.words import BOSS, add, now, verbs

BEGINNERS = 8
NEW = ("postings", "lives", "turns", "charges", "spending", "duties", "limits")


def runner(mode, url, name):
    return Worker(mode, url, name, module="tests.crash.runner")


@pytest.mark.requirement("RUN-07")
def test_of_eight_processes_exactly_one_fills_the_place(wall_stores):
    store = wall_stores.open()
    workers = [runner("begin", wall_stores.url, "ada") for _ in range(BEGINNERS)]
    assert [worker.hear() for worker in workers] == [{"ready": True}] * BEGINNERS
    for worker in workers:
        worker.go()
    answers = [worker.hear() or {} for worker in workers]
    for worker in workers:
        worker.end()
    (won,) = [answer for answer in answers if answer["began"]]
    assert won["began"] == 2
    refused = [answer["refused"] for answer in answers if not answer["began"]]
    assert refused == [f"ada lives on box as process {won['pid']}"] * (BEGINNERS - 1)
    assert [life.process.pid for life in store.ask(lives.living)] == [won["pid"]]
    assert list(Caretaker(store.engine).check()) == []


@pytest.mark.requirement("RUN-07")
def test_of_eight_who_see_a_lease_run_out_exactly_one_takes_the_place(stores, clock):
    links = [stores.open() for _ in range(BEGINNERS)]
    begin(links[0])
    clock.advance(seconds=60)
    answers = together(links, lambda store: begin(store, pid=200).incarnation)
    assert sorted(answers, key=str) == [3, *["Conflict"] * (BEGINNERS - 1)]
    assert verbs(links[0]).count("life.ended") == 1


@pytest.mark.requirement("RUN-07")
def test_of_eight_passes_exactly_one_ends_a_life(stores, clock):
    links = [stores.open() for _ in range(BEGINNERS)]
    for name in ("ada", "brook", "cleo"):
        begin(links[0], name)
    clock.advance(seconds=60)
    answers = together(links, lambda store: len(store.do(lives.ended_leases)))
    assert sum(answers) == 3
    assert verbs(links[0]).count("life.ended") == 3


@pytest.mark.requirement("RUN-07")
def test_a_renewal_and_a_pass_that_meet_leave_one_truth(stores, clock):
    """Whoever is first decides: a renewed life goes on, an ended one is told so."""
    links = [stores.open() for _ in range(4)]
    for _ in range(5):
        life = begin(links[0])
        clock.advance(seconds=60)
        attempts = [lambda store: store.do(lives.ended_leases) and "ended"] * 2
        attempts += [lambda store, it=life: store.do(lives.renew, it) and "renewed"] * 2
        answers = together(links, *attempts)
        if life_now(links[0], life).ended:
            assert answers.count("ended") == 1
        else:
            assert "ended" not in answers
            links[0].do(lives.end, life, WhyEnded.FINISHED)


@pytest.mark.requirement("RUN-07")
@pytest.mark.parametrize(
    ("late", "expected"),
    [
        pytest.param(lambda store: store.do(lives.ended_leases), [], id="a pass"),
        pytest.param(lambda store: begin(store, pid=200), "Conflict", id="a beginner"),
    ],
)
def test_who_sees_a_lease_run_out_waits_for_a_renewal_that_is_under_way(
    stores, clock, late, expected
):
    here, there = stores.open(), stores.open()
    life = begin(here)
    clock.advance(seconds=60)
    answers = []
    thread = threading.Thread(target=lambda: answers.extend(together([there], late)))

    def renew_while_another_looks(tx):
        lives.renew(tx, life)
        thread.start()
        wait_for_a_lock(stores)

    here.do(renew_while_another_looks)
    thread.join()
    assert answers == [expected]
    assert not life_now(here, life).ended


def wait_for_a_lock(stores):
    """Until someone waits for what this transaction holds; on SQLite nobody comes that far."""
    if not hasattr(stores, "schema"):
        return
    asked = (
        "SELECT 1 FROM pg_stat_activity WHERE application_name = %s AND wait_event_type = 'Lock'"
    )
    end = time.monotonic() + 30
    with psycopg.connect(stores.server, autocommit=True) as link:
        while not link.execute(asked, (stores.schema,)).fetchone():
            assert time.monotonic() < end


def together(links, *attempts):
    """What each link's attempt gives, or the name of its refusal, all tried at once."""
    answers = []
    gate = threading.Barrier(len(links))

    def attempt(store, verb):
        gate.wait()
        try:
            answers.append(verb(store))
        except Exception as refused:  # noqa: BLE001 - its name is the answer
            answers.append(type(refused).__name__)

    verbs_of = attempts if len(attempts) > 1 else attempts * len(links)
    threads = [
        threading.Thread(target=attempt, args=each) for each in zip(links, verbs_of, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


@pytest.mark.requirement("RUN-07", "RUN-06")
def test_after_kill_minus_nine_the_work_comes_back_and_no_charge_counts_twice(wall_stores):
    store = wall_stores.open()
    task = add(store)
    paid = []
    for life in (2, 3, 4):
        worker = runner("live", wall_stores.url, "ada")
        worker.hear()
        worker.go()
        heard = [worker.hear() for _ in range(3)] + worker.kill()
        assert {word["incarnation"] for word in heard} == {life}
        paid.append(max(word["spent"] for word in heard))
        assert now(store, task).owner == "ada"
        with pytest.raises(Conflict):
            begin(store)
        let_lease_run_out(store, store.ask(lives.living)[0])
        (ended,) = store.do(lives.ended_leases)
        assert (ended.incarnation, ended.why) == (life, WhyEnded.CRASHED)
        assert now(store, task).state is TaskState.PENDING
    states = [turn.state for turn in store.ask(turns.page, "ada")]
    assert states == [TurnState.CUT] * 3
    # what was said was counted; of each life one more may have been counted without a word
    assert 0 <= spent(store) - sum(paid) <= len(paid)
    assert spent(store, "T-1", Scope.TASK) == spent(store)
    assert list(Caretaker(store.engine).check()) == []


def worked(store, clock):
    """A store with some of everything that members who run leave behind."""
    task = add(store)
    for name, state in (
        ("ada", Wanted.RUNNING),
        ("brook", Wanted.STOPPED),
        ("cleo", Wanted.PAUSED),
    ):
        store.do(postings.want, BOSS, name, state, "box")
    old = begin(store, account="acme")
    claim_in(store, old)
    store.do(lives.renew, old)
    tell(store, start(store, old, task, "r1"), 50)
    clock.advance(seconds=60)
    store.do(lives.ended_leases)
    new = begin(store, pid=200)
    store.do(lives.enter, new, "session")
    for number, outcome in enumerate(TurnOutcome, 1):
        turn = start(store, new, task, "r1")
        tell(store, turn, 50 + number, number)
        store.do(turns.settle, new, turn.number, outcome)
    for name, why in (("brook", WhyEnded.STOPPED), ("cleo", WhyEnded.BUDGET)):
        store.do(lives.end, begin(store, name), why)
    start(store, begin(store, "brook"))
    store.do(limits.pause, "acme", clock.now() + LEASE, "weekly")
    store.do(limits.pause, "gone", clock.now() + LEASE, "weekly")
    store.do(limits.lift, BOSS, "gone")
    store.do(duties.hold, "plane:box", "a", LEASE)
    store.do(duties.hold, "sweep", "a", LEASE)
    store.do(duties.let_go, "sweep", "a")
    return store


def rows_of(store, table):
    return store.ask(lambda _: list(store.engine.scan(table, KEYS[table])))


def test_folding_the_log_gives_all_that_members_leave(store, clock):
    worked(store, clock)
    events, _ = store.ask(lambda tx: tx.journal.after("", most=1000))
    told = fold(events)
    for table in NEW:
        rows = {tuple(row[key] for key in KEYS[table]): row for row in rows_of(store, table)}
        assert rows, table
        assert told[table] == rows
    assert list(Caretaker(store.engine).check()) == []


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE lives SET pid = 1 WHERE member = 'ada'", "lives atlas/ada/2: the event log"),
        ("DELETE FROM postings WHERE member = 'ada'", "postings atlas/ada: the event log"),
        ("UPDATE postings SET member = 'x' WHERE member = 'ada'", "posting of x points at nothing"),
        ("UPDATE lives SET incarnation = 99 WHERE pid = 200", "life ada/99 points at nothing"),
        ("DELETE FROM lives WHERE member = 'ada' AND incarnation = 2", "turn ada/2/1 points at"),
        (
            "UPDATE lives SET state = 'ended', why = 'budget', lease_until = NULL, ended_at = 0",
            "turn brook/3/1 points at nothing",
        ),
        (
            "DELETE FROM turns WHERE member = 'ada' AND number = 7",
            "charge ada/3/7 session#7 points",
        ),
        ("UPDATE charges SET micros = 9 WHERE number = 1", "the sum of member ada is not what was"),
        ("UPDATE spending SET input = 9 WHERE scope = 'run'", "the sum of run r1 is not what was"),
        ("DELETE FROM spending WHERE scope = 'part'", "the sum of part r1/ada is not what was"),
        ("UPDATE duties SET holder = 'b'", "duties atlas/plane:box: the event log"),
        ("DELETE FROM limits", "limits atlas/acme: the event log"),
    ],
)
def test_a_torn_store_is_found_out(store, clock, statement, found):
    worked(store, clock)
    store.engine.begin(writing=True)
    store.engine.script([statement])
    store.engine.commit()
    problems = list(Caretaker(store.engine).check())
    assert any(found in problem for problem in problems), problems


@pytest.mark.parametrize(
    ("statement", "question"),
    [
        ("UPDATE lives SET started_at = 9000000000000000000", lives.living),
        ("UPDATE limits SET until = 9000000000000000000", limits.paused),
        ("UPDATE duties SET since = 9000000000000000000", duties.held),
        ("UPDATE postings SET since = 9000000000000000000", lambda tx: tx.postings.here("box")),
        ("UPDATE turns SET started_at = 9000000000000000000", lambda tx: turns.page(tx, "ada")),
    ],
)
def test_a_row_nobody_can_read_is_refused_in_words(store, clock, statement, question):
    worked(store, clock)
    store.engine.begin(writing=True)
    store.engine.script([statement])
    store.engine.commit()
    with pytest.raises(StoreTrouble, match="a row that cannot be read"):
        store.ask(question)


def test_a_backup_carries_everything_to_either_engine(store, clock, make_stores, tmp_path):
    target = str(tmp_path / "copy.db")
    copied = Caretaker(worked(store, clock).engine).backup(target)
    assert all(copied[table] for table in NEW)
    fresh = make_stores(clock)
    try:
        engine = fresh.engine()
        Caretaker(engine).restore(target)
        restored = Database(engine, "atlas")
        for table in NEW:
            assert rows_of(restored, table) == rows_of(store, table)
        assert restored.ask(lives.living) == store.ask(lives.living)
        (ada,) = [life for life in restored.ask(lives.living) if life.member == "ada"]
        assert restored.do(lives.renew, ada).state is LifeState.IDLE
        report = Report("session", 1, Usage(micros=60))
        turn = start(restored, ada)
        assert restored.do(charges.charge, ada, turn.number, report).added.micros == 3
        assert list(Caretaker(engine).check()) == []
    finally:
        fresh.close()


def test_a_store_of_the_schema_before_is_brought_up_with_all_it_has(stores):
    """What 0004 and later ones add stands beside what was there; nothing of it changes."""
    store = Database(stores.engine(), "atlas")
    migrate(store.engine, to=3)
    seat(store)
    add(store)
    before = rows_of(store, "tasks")
    assert migrate(store.engine)[0] == "0004_members_that_run"
    assert rows_of(store, "tasks") == before
    assert begin(store).incarnation == 2
    assert list(Caretaker(store.engine).check()) == []
