"""What it costs to look at a large run and to decide what it does next: everything read anew each time."""

import shutil
import time
from collections.abc import Callable
from contextlib import closing
from statistics import median
from typing import Any, NamedTuple

from benchmarks.large_run import NAME as RUN
from benchmarks.large_run import found_run
from benchmarks.report import Bench, Verdict
from drumline.control import runs
from drumline.store.engine import Engine, WallClock
from drumline.store.postgres import Postgres
from drumline.store.sqlite import Sqlite
from drumline.team.next_moves import next_moves

NAME = "moves"
TASKS, FEW, MEMBERS = 1_000, 100, 100
STATES = {"at work": 0.5, "all done": 0.0}  # and how much of it is not done
MARK = 10.0  # milliseconds
LAPS = 30
FILLED = ("tasks", "run_tasks", "judgements", "understandings", "works", "reviews", "handoffs")


class Cost(NamedTuple):
    """Milliseconds: of one look by the clock, and of our processor for it and for a decision from what it saw."""

    look: float
    processor: float
    decision: float


def run(bench: Bench) -> None:
    """Look and decide again and again, on both engines; what is usual counts."""
    bench.report.heading(NAME, f"What a run with {TASKS:,} tasks and {MEMBERS} members does next")
    found: dict[tuple[str, str, int], Cost] = {}
    for store in ("SQLite", "PostgreSQL"):
        for state, undone in STATES.items():
            for tasks in (FEW, TASKS):
                found[store, state, tasks] = _cost(bench, store, tasks, int(tasks * undone))
    large = {key[:2]: cost for key, cost in found.items() if key[2] == TASKS}
    rows = [
        (f"{store}, {state}", *(f"{each:.1f}" for each in cost))
        for (store, state), cost in large.items()
    ]
    bench.report.table(("", "look, ms", "of our processor", "decision, ms"), rows)
    for (store, state), cost in large.items():
        bench.report.keep(NAME, **{f"{store}, {state}": cost._asdict()})
    bench.report.judge(_decided(large))
    for store in ("SQLite", "PostgreSQL"):
        bench.report.judge(_looked(store, found))


def _decided(large: dict[tuple[str, str], Cost]) -> Verdict:
    slowest = max(cost.decision for cost in large.values())
    return Verdict(
        subject=NAME,
        says="the moves of a large run, decided, against ten milliseconds",
        ratio=slowest / MARK,
        target=1.0,
        at_least=False,
        detail=f"{slowest:.1f} ms at most",
    )


def _looked(store: str, found: dict[tuple[str, str, int], Cost]) -> Verdict:
    """What a task adds to a look does not grow with how many there are."""
    few, many = (found[store, "all done", tasks].look / tasks for tasks in (FEW, TASKS))
    return Verdict(
        subject=NAME,
        says=f"a look, for each task, from {FEW:,} to {TASKS:,} tasks, {store}",
        ratio=many / few,
        target=1.3,
        at_least=False,
        detail=f"{few * 1e3:,.0f} µs → {many * 1e3:,.0f} µs",
    )


def _cost(bench: Bench, store: str, tasks: int, undone: int) -> Cost:
    engine, settle, clear = _engine(bench, store)
    with closing(found_run(engine, MEMBERS, tasks, undone)) as filled:
        settle()
        laps = bench.pick(LAPS, 5)
        seen = filled.ask(runs.look, RUN)
        cost = Cost(
            _usual(lambda: filled.ask(runs.look, RUN), laps, time.perf_counter),
            _usual(lambda: filled.ask(runs.look, RUN), laps, time.process_time),
            _usual(lambda: next_moves(seen), laps, time.process_time),
        )
    clear()
    return cost


def _engine(bench: Bench, store: str) -> tuple[Engine, Callable[[], object], Callable[[], object]]:
    """A fresh store, what lets it settle once it is filled, and how to get rid of it."""
    place = bench.place
    if store == "SQLite":
        folder = place.new_folder("moves")
        engine = Sqlite(str(folder / "state.db"), WallClock())
        return engine, lambda: None, lambda: shutil.rmtree(folder)
    schema, url = place.new_schema()
    analyze = [f"ANALYZE {schema}.{table}" for table in FILLED]
    return Postgres(url), lambda: place.administer(*analyze), lambda: place.drop_schema(schema)


def _usual(act: Callable[[], Any], laps: int, clock: Callable[[], float]) -> float:
    spent = []
    for _ in range(laps):
        began = clock()
        act()
        spent.append((clock() - began) * 1_000)
    return median(spent)
