"""What a claim costs on a long board, against a short one."""

import time
from collections.abc import Callable
from typing import Any

from benchmarks.contest import Contestant, Size
from benchmarks.drumline_board import OnPostgres, OnSqlite
from benchmarks.report import Bench, Verdict, middle

NAME = "growth"
SHORT, LONG = 100, 10_000
WARM, SAMPLES = 8, 40


def run(bench: Bench) -> None:
    bench.report.heading(NAME, f"One claim at {SHORT:,} and at {LONG:,} tasks, board half done")
    contestants: list[Contestant] = [OnSqlite(bench.place), OnPostgres(bench.place)]
    found: dict[str, list[tuple[float, float]]] = {each.name: [] for each in contestants}
    for _ in range(bench.pick(7, 3)):
        for contestant in contestants:
            found[contestant.name].append(_pair(contestant))
    for name, pairs in found.items():
        short, long = (middle([pair[side] for pair in pairs]) for side in (0, 1))
        bench.report.keep(NAME, **{name: {"short": short, "long": long}})
        bench.report.judge(
            Verdict(
                subject=NAME,
                says=f"cost of a claim from {SHORT:,} to {LONG:,} tasks, {name}",
                ratio=middle([long / short for short, long in pairs]),
                target=1.3,
                at_least=False,
                detail=f"{short * 1e6:,.0f} µs → {long * 1e6:,.0f} µs",
            )
        )


def _pair(contestant: Contestant) -> tuple[float, float]:
    """The median cost on both boards, claimed from in turns."""
    sites = [contestant.fill(Size.half_done(tasks, 1)) for tasks in (SHORT, LONG)]
    desks = [site.sit(0) for site in sites]
    costs: list[list[float]] = [[], []]
    for _ in range(WARM + SAMPLES):
        for desk, spent in zip(desks, costs, strict=True):
            spent.append(seconds(desk.claim))
    for desk, site in zip(desks, sites, strict=True):
        desk.close()
        site.clear()
    short, long = (middle(spent[WARM:]) for spent in costs)
    return short, long


def seconds(act: Callable[[], Any]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began
