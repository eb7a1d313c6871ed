"""Thirty-two processes race for 2,000 tasks: the gate against SQLite's own busy-retry."""

from benchmarks.contest import Size
from benchmarks.drumline_board import OnSqlite
from benchmarks.laps import Drained, drain
from benchmarks.report import Bench, Verdict, middle, rate

NAME = "fairness"
WORKERS, TASKS = 32, 2000
GATE, RETRY = "gate", "busy-retry"


def run(bench: Bench) -> None:
    bench.report.heading(NAME, f"{WORKERS} processes race for {TASKS:,} tasks on SQLite")
    contestants = {GATE: OnSqlite(bench.place), RETRY: OnSqlite(bench.place, gate=False)}
    found: dict[str, list[Drained]] = {name: [] for name in contestants}
    for _ in range(bench.pick(5, 1)):
        for name, contestant in contestants.items():
            found[name].append(drain(contestant, Size(0, TASKS, WORKERS), cycles=False))
    rows = [
        [
            name,
            rate(middle([each.per_second for each in races])),
            f"{_worst(races) * 1000:,.0f}",
            f"{middle([each.worst_refusal for each in races]) * 1000:,.0f}",
            f"{_unevenness(races):.2g}",
        ]
        for name, races in found.items()
    ]
    bench.report.table(
        ["", "claims/s", "worst wait ms", "worst refusal ms", "most/fewest claims"], rows
    )
    _judge(bench, found)


def _judge(bench: Bench, found: dict[str, list[Drained]]) -> None:
    gate, retry = _worst_of_all(found[GATE]), _worst_of_all(found[RETRY])
    bench.report.keep(NAME, worst_wait={GATE: gate, RETRY: retry})
    bench.report.judge(
        Verdict(
            subject=NAME,
            says="worst wait for an answer against plain busy-retry",
            ratio=gate / retry,
            target=1 / 3,
            at_least=False,
            detail=f"{gate * 1000:,.0f} ms : {retry * 1000:,.0f} ms",
        )
    )
    lucky = _worst(found[GATE]) / _worst(found[RETRY])
    bench.report.line(
        f"not judged: {lucky:.2g} x among calls that got a task: the starved got none"
    )
    bench.report.keep(NAME, unevenness=_unevenness(found[GATE]))
    bench.report.judge(
        Verdict(
            subject=NAME,
            says="most claims of a process against fewest, with the gate",
            ratio=_unevenness(found[GATE]),
            target=4,
            at_least=False,
            detail=f"busy-retry {_unevenness(found[RETRY]):.2g} x",
        )
    )


def _worst(races: list[Drained]) -> float:
    return middle([each.worst_wait for each in races])


def _worst_of_all(races: list[Drained]) -> float:
    """With the last call of each process, which learns that nothing is left."""
    return middle([max(each.worst_wait, each.worst_refusal) for each in races])


def _unevenness(races: list[Drained]) -> float:
    return middle([each.unevenness for each in races])
