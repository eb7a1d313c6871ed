"""Thirty-two workers on one PostgreSQL: Drumline against procrastinate."""

from collections.abc import Callable

from benchmarks.contest import Size
from benchmarks.drumline_board import OnPostgres
from benchmarks.laps import Drained, drain
from benchmarks.procrastinate_queue import Queue
from benchmarks.report import Bench, Verdict, middle, paired, rate

NAME = "queue"
WORKERS, WARM = 32, 8
OURS = "Drumline"


def run(bench: Bench) -> None:
    jobs = bench.pick(2400, 960)
    bench.report.heading(NAME, f"{WORKERS} workers empty {jobs:,} tasks on one PostgreSQL")
    stock, tuned = Queue(bench.place, tuned=False), Queue(bench.place, tuned=True)
    board = OnPostgres(bench.place)

    def ours(cycles: bool) -> Drained:  # noqa: FBT001 - one of three like it
        return drain(board, Size(0, jobs, WORKERS), cycles=cycles, warm=WARM)

    contestants: dict[str, Callable[[bool], Drained]] = {
        OURS: ours,
        stock.name: lambda cycles: stock.drain(jobs, WORKERS, cycles=cycles, warm=WARM),
        tuned.name: lambda cycles: tuned.drain(jobs, WORKERS, cycles=cycles, warm=WARM),
    }
    claims: dict[str, list[float]] = {name: [] for name in contestants}
    cycles: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(bench.pick(9, 1)):
        for name, contestant in contestants.items():
            claims[name].append(contestant(False).per_second)  # noqa: FBT003 - as above
            cycles[name].append(contestant(True).per_second)  # noqa: FBT003 - as above
    _show(bench, claims, cycles)


def _show(bench: Bench, claims: dict[str, list[float]], cycles: dict[str, list[float]]) -> None:
    rows = [[name, rate(middle(claims[name])), rate(middle(cycles[name]))] for name in claims]
    bench.report.table(["", "claims/s", "cycles/s"], rows)
    bench.report.keep(NAME, claims_per_second=claims, cycles_per_second=cycles)
    for says, found in (("claims", claims), ("claim + complete", cycles)):
        best = max((name for name in found if name != OURS), key=lambda name: middle(found[name]))
        mine, other = middle(found[OURS]), middle(found[best])
        bench.report.judge(
            Verdict(
                subject=NAME,
                says=f"{says} at 32 workers against {best}, its faster way",
                ratio=paired(found[OURS], found[best]),
                target=1.1,
                detail=f"{rate(mine)}/s : {rate(other)}/s",
            )
        )
