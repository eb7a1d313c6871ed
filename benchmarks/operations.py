"""Every operation at every size, by Drumline and by the two designs that keep a file per task."""

import time
from collections.abc import Iterator
from math import ceil, inf
from typing import Any

from benchmarks.clawteam_files import ClawTeam
from benchmarks.contest import Contestant, Desk, Site, Size
from benchmarks.drumline_board import OnPostgres, OnSqlite
from benchmarks.json_files import ScanFiles
from benchmarks.laps import Drained, Lap, claiming, cycling, lap
from benchmarks.race import Start, race
from benchmarks.report import Bench, Verdict, middle, rate, times

NAME = "operations"
OPERATIONS = ("claim", "complete", "cycle", "add", "list", "send+ack")
SLOW = 6.0  # a contestant that needs longer for one round is not asked again
Cell = tuple[str, int, int]  # operation, tasks, processes


def run(bench: Bench) -> None:
    bench.report.heading(NAME, "Operations per second, all processes together, board half done")
    contestants: list[Contestant] = [
        OnSqlite(bench.place),
        OnPostgres(bench.place),
        ScanFiles(bench.place),
        ClawTeam(bench.place),
    ]
    sizes = (100, 1000) if bench.quick else (100, 1000, 10_000)
    crowds = (1, 8) if bench.quick else (1, 8, 32)
    found: dict[Cell, dict[str, float]] = {}
    for tasks in sizes:
        for workers in crowds:
            measured = _interleaved(contestants, Size.half_done(tasks, workers), bench)
            found |= {(name, tasks, workers): measured[name] for name in OPERATIONS}
    _show(bench, [each.name for each in contestants], found)
    _judge(bench, found)


def _interleaved(
    contestants: list[Contestant], size: Size, bench: Bench
) -> dict[str, dict[str, float]]:
    rounds: dict[str, list[dict[str, float]]] = {each.name: [] for each in contestants}
    asked = list(contestants)
    for _ in range(bench.pick(3, 1)):
        for contestant in list(asked):
            began = time.monotonic()
            rounds[contestant.name].append(_round(contestant, size, 0.12 if bench.quick else 0.25))
            if time.monotonic() - began > SLOW:
                asked.remove(contestant)
    return {
        operation: {
            name: middle([each[operation] for each in several]) for name, several in rounds.items()
        }
        for operation in OPERATIONS
    }


def _round(contestant: Contestant, size: Size, seconds: float) -> dict[str, float]:
    """All operations on one fresh board, by processes that line up again before each."""
    site = contestant.fill(size)
    try:
        found = race(lambda worker, start: _all(site, worker, size, seconds, start), size.workers)
    finally:
        site.clear()
    return {name: _per_second(name, [laps[name] for laps in found]) for name in OPERATIONS}


def _all(site: Site, worker: int, size: Size, seconds: float, start: Start) -> dict[str, Lap]:
    desk = site.sit(worker)
    for _ in range(3):
        desk.send_and_ack()
    found = dict(_laps(desk, ceil(size.pending / 2 / size.workers), seconds, start))
    desk.close()
    return found


def _laps(desk: Desk, share: int, seconds: float, start: Start) -> Iterator[tuple[str, Lap]]:
    held: list[Any] = []
    yield "list", lap(desk.list_all, start, most=20, seconds=seconds)
    yield "send+ack", lap(_said(desk.send_and_ack), start, most=200, seconds=seconds)
    yield "claim", lap(claiming(desk, held), start, most=share, seconds=seconds)
    completing = _said(lambda: desk.complete(held.pop()))
    yield "complete", lap(completing, start, most=len(held), seconds=seconds)
    yield "cycle", lap(cycling(desk), start, most=inf, seconds=seconds)
    yield "add", lap(_said(desk.add), start, most=200, seconds=seconds)


def _said(act: Any) -> Any:
    """An act that always succeeds."""

    def done() -> bool:
        act()
        return True

    return done


def _per_second(name: str, laps: list[Lap]) -> float:
    if name in {"claim", "cycle"}:
        together = Drained(tuple(laps))
        return together.per_second if together.distinct else float("nan")
    window = max(each.seconds for each in laps)
    return sum(each.times for each in laps) / window if window else float("nan")


def _show(bench: Bench, names: list[str], found: dict[Cell, dict[str, float]]) -> None:
    ours, theirs = names[:2], names[2:]
    against = [(mine, other) for mine in ours for other in theirs]
    head = ["operation", "tasks", "procs", *names, *(f"{a} / {b}" for a, b in against)]
    rows = [
        [operation, f"{tasks:,}", str(workers), *(rate(cell[name]) for name in names)]
        + [times(cell[mine] / cell[other]) for mine, other in against]
        for (operation, tasks, workers), cell in sorted(found.items(), key=_order)
    ]
    bench.report.table(head, rows)
    bench.report.keep(
        NAME,
        per_second={f"{op} {tasks}/{procs}": cell for (op, tasks, procs), cell in found.items()},
    )


def _order(item: tuple[Cell, Any]) -> tuple[int, int, int]:
    operation, tasks, workers = item[0]
    return OPERATIONS.index(operation), tasks, workers


def _judge(bench: Bench, found: dict[Cell, dict[str, float]]) -> None:
    for operation in ("add", "complete"):
        cell = found[operation, 1000, 1]
        bench.report.judge(
            Verdict(
                subject=NAME,
                says=f"{operation} at 1,000 tasks against ClawTeam, one process, SQLite",
                ratio=cell[OnSqlite.name] / cell[ClawTeam.name],
                target=50,
                detail=f"{rate(cell[OnSqlite.name])}/s : {rate(cell[ClawTeam.name])}/s",
            )
        )
    _judge_a_checked_add(bench, found)
    mine, other = (_together(found, name) for name in (OnSqlite.name, ClawTeam.name))
    bench.report.judge(
        Verdict(
            subject=NAME,
            says="add and complete one task at 1,000 against ClawTeam, one process, SQLite",
            ratio=other / mine,
            target=50,
            detail=f"{mine * 1e6:,.0f} µs : {other * 1e6:,.0f} µs",
        )
    )


def _judge_a_checked_add(bench: Bench, found: dict[Cell, dict[str, float]]) -> None:
    """Against ClawTeam's unreleased add, which lists the board for cycles first, as ours checks."""
    mine = found["add", 1000, 1][OnSqlite.name]
    other = 1 / sum(1 / found[operation, 1000, 1][ClawTeam.name] for operation in ("list", "add"))
    bench.report.judge(
        Verdict(
            subject=NAME,
            says="add at 1,000 tasks against ClawTeam's list and add, as its repository has it",
            ratio=mine / other,
            target=50,
            detail=f"{rate(mine)}/s : {rate(other)}/s",
        )
    )


def _together(found: dict[Cell, dict[str, float]], name: str) -> float:
    """Seconds to add a task and complete one."""
    return sum(1 / found[operation, 1000, 1][name] for operation in ("add", "complete"))
