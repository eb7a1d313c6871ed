"""Eight processes empty a board of 1,000: Drumline against a file per task."""

from math import inf

from benchmarks.contest import Contestant, Size
from benchmarks.drumline_board import OnPostgres, OnSqlite
from benchmarks.json_files import LockFiles, ScanFiles
from benchmarks.laps import Drained, drain
from benchmarks.report import Bench, Verdict, middle, paired, rate, times

NAME = "claims"
TASKS, WORKERS, WARM = 1000, 8, 4  # everyone has claimed a few before the clock starts


def run(bench: Bench) -> None:
    bench.report.heading(NAME, f"{WORKERS} processes empty a board of {TASKS:,} tasks")
    contestants: list[Contestant] = [
        OnSqlite(bench.place),
        OnPostgres(bench.place),
        ScanFiles(bench.place),
        LockFiles(bench.place),
    ]
    claims: dict[str, list[Drained]] = {each.name: [] for each in contestants}
    cycles: dict[str, list[Drained]] = {each.name: [] for each in contestants}
    for _ in range(bench.pick(3, 1)):
        for contestant in contestants:
            for kept, both in ((claims, False), (cycles, True)):
                kept[contestant.name].append(_drained(contestant, cycles=both))
    rows = [[name, _rate(claims[name]), _rate(cycles[name])] for name in claims]
    bench.report.table(["", "claims/s", "cycles/s"], rows)
    _judge(bench, claims, cycles)


def _drained(contestant: Contestant, *, cycles: bool) -> Drained:
    # reading the whole list costs the same until the end: a few seconds of it tell its rate
    seconds = 4.0 if type(contestant) is ScanFiles else inf
    return drain(contestant, Size(0, TASKS, WORKERS), cycles=cycles, seconds=seconds, warm=WARM)


def _judge(
    bench: Bench, claims: dict[str, list[Drained]], cycles: dict[str, list[Drained]]
) -> None:
    bench.report.keep(
        NAME,
        claims_per_second={name: _speed(found) for name, found in claims.items()},
        cycles_per_second={name: _speed(found) for name, found in cycles.items()},
        handed_out_twice=sum(each.twice for found in claims.values() for each in found),
    )
    files = ScanFiles.name
    mine, other = _speed(claims[OnSqlite.name]), _speed(claims[files])
    both = paired(_speeds(cycles[OnSqlite.name]), _speeds(cycles[files]))
    best = paired(_speeds(claims[OnSqlite.name]), _speeds(claims[LockFiles.name]))
    bench.report.judge(
        Verdict(
            subject=NAME,
            says=f"claims at 1,000 tasks and 8 processes against {files}, SQLite",
            ratio=paired(_speeds(claims[OnSqlite.name]), _speeds(claims[files])),
            target=150,
            detail=f"{rate(mine)}/s : {rate(other)}/s; cycles {times(both)} x",
        )
    )
    bench.report.line(f"not judged: {times(best)} x the best a file per task could do, lock first")


def _speed(found: list[Drained]) -> float:
    return middle(_speeds(found))


def _speeds(found: list[Drained]) -> list[float]:
    return [each.per_second for each in found]


def _rate(found: list[Drained]) -> str:
    return rate(_speed(found))
