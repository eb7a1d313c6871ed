"""What it costs to look at one member who was woken, in a small team and in a large one; and an idle plane."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import sleep

from benchmarks.crowd import crowds
from benchmarks.place import Place
from benchmarks.report import Bench, Verdict, middle
from drumline.control import board, lives, loop, postings, registration, waking
from drumline.control.ports import Transaction
from drumline.control.roster import person
from drumline.store.database import Database
from drumline.store.engine import Engine, WallClock
from drumline.store.migrations import migrate
from drumline.store.postgres import Postgres
from drumline.store.sqlite import Sqlite
from drumline.team.draft import NewTask
from drumline.team.life import LifeState, Process
from drumline.team.member import HUMAN, Member
from drumline.team.posting import Wanted
from drumline.team.rights import CONSTITUTIONS, Charter

NAME = "waking"
FEW, MANY = 10, 1000
DONE = 20_000  # tasks that the large team has behind it
WARM, SAMPLES = 5, 40
STORES = ("SQLite", "PostgreSQL")
LONG = timedelta(hours=9)
WHOLE = 60.0  # seconds: a plane renews its duties and looks around in them


def run(bench: Bench) -> None:
    bench.report.heading(
        NAME,
        f"A member is woken and looked at, of {FEW} who begin and of {MANY:,} who have done {DONE:,} tasks",
    )
    for name in STORES:
        rounds = [_pair(bench, name) for _ in range(bench.pick(3, 1))]
        few, many = (middle([each[side] for each in rounds]) for side in (0, 1))
        bench.report.keep(NAME, **{name: {"few": few, "many": many}})
        bench.report.judge(
            Verdict(
                subject=NAME,
                says=f"cost of a wake and its look from {FEW} to {MANY:,} members, {name}",
                ratio=middle([many / few for few, many in rounds]),
                target=1.3,
                at_least=False,
                detail=f"{few * 1e6:,.0f} µs → {many * 1e6:,.0f} µs",
            )
        )
    _idle(bench)


def _pair(bench: Bench, name: str) -> tuple[float, float]:
    """The median cost in both teams, looked at in turns."""
    costs: tuple[list[float], list[float]] = ([], [])
    with _team(bench.place, name, FEW) as few, _team(bench.place, name, MANY) as many:
        _wear(many)
        for number in range(WARM + SAMPLES):
            for store, spent in zip((few, many), costs, strict=True):
                spent.append(_looked(store, f"m{number % FEW}"))
    return middle(costs[0][WARM:]), middle(costs[1][WARM:])


def _looked(store: Database, member: str) -> float:
    began = time.perf_counter()
    store.do(_wake, member)
    if loop.settle_due(store) != 1:
        raise AssertionError("nobody was looked at")
    return time.perf_counter() - began


def _wake(tx: Transaction, member: str) -> None:
    waking.wake_at(tx, member, "turn settled", tx.now())


@contextmanager
def _team(place: Place, name: str, members: int) -> Iterator[Database]:
    """A team whose members all live and have nothing to do."""
    engine, schema = _engine(place, name)
    store = Database(engine, "atlas")
    migrate(engine)
    names = [f"m{number}" for number in range(members)]
    said = registration.Registration(
        charter=Charter(CONSTITUTIONS["constitution-10"], {}),
        members=(*map(Member, names), Member(HUMAN, lead=True, runtime=HUMAN)),
        home="bench",
        place="bench",
        digest="-",
    )
    store.do(registration.register, said)
    store.do(_begin_all, names)
    try:
        yield store
    finally:
        engine.close()
        if schema:
            place.drop_schema(schema)


def _begin_all(tx: Transaction, names: list[str]) -> None:
    for name in names:
        postings.want(tx, person("bench"), name, Wanted.RUNNING)
        life = lives.begin(tx, name, Process("box", 1, "1", "scripted"))
        lives.move(tx, lives.renew(tx, life, lease=LONG), LifeState.IDLE)


def _wear(store: Database) -> None:
    """Put tasks behind a team that are done: rows alone, as nobody reads the log here."""
    actor, engine = person("bench"), store.engine
    task = store.do(board.add, actor, NewTask(title="done"))
    store.do(board.cancel, actor, task.id)
    engine.begin(writing=True)
    (like,) = engine.scan("tasks", ["number"])
    engine.load("tasks", ({**like, "number": at + 2} for at in range(DONE)))
    engine.commit()


def _engine(place: Place, name: str) -> tuple[Engine, str]:
    if name == "SQLite":
        return Sqlite(str(place.new_folder("waking") / "state.db"), WallClock()), ""
    schema, url = place.new_schema()
    return Postgres(url), schema


def _idle(bench: Bench) -> None:
    """The part of a core that a plane takes while a thousand members have nothing to do."""
    members = bench.pick(MANY, 200)
    with crowds(bench.place, members, together=members) as found:
        found.idle()
        sleep(bench.pick(20, 10))  # what everybody's coming leaves to be done
        before = found.of_planes_processor()
        sleep(WHOLE)
        used = (found.of_planes_processor() - before) / WHOLE
    bench.report.keep(NAME, idle_plane_processors=used, members=members)
    bench.report.judge(
        Verdict(
            subject=NAME,
            says=f"a plane with {members:,} idle members against one in a hundred of a core",
            ratio=used / 0.01,
            target=1,
            at_least=False,
            detail=f"{used:.2%} of a core",
        )
    )
