"""Finding one of 100,000 learnings by words: how long the slowest of a hundred searches takes.

Words are drawn as people use them, few of them often and most of them seldom, and asked for as people ask:
a common word, a few words at once, the beginning of one, and words that nothing has together.
"""

import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from typing import NamedTuple

from benchmarks.contest import Size
from benchmarks.drumline_board import OnPostgres, OnSqlite
from benchmarks.growth import seconds
from benchmarks.report import Bench, Verdict, middle
from drumline.control import recall
from drumline.control.ports import Store
from drumline.control.ports_recall import Source
from drumline.control.recall import Wanted

NAME = "recalling"
VOCABULARY, WORDS, IN_A_FILE = 20_000, 14, 100
MOST = 0.050  # seconds
WARM = 5


class Asking(NamedTuple):
    """One way to ask, and how it is worded."""

    name: str
    words: Callable[[], str]


class Language:
    """Made-up words, the n-th of them used n times less than the first."""

    def __init__(self) -> None:
        self._chance = random.Random(7)
        letters = "etaoinshrdlucmfwypvbgkjqxz"
        self.words = [
            "".join(self._chance.choices(letters, k=self._chance.randint(3, 9)))
            for _ in range(VOCABULARY)
        ]
        self._shares = list(accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))

    def said(self, count: int) -> str:
        return " ".join(self._chance.choices(self.words, cum_weights=self._shares, k=count))

    def askings(self) -> Sequence[Asking]:
        chance, words = self._chance, self.words
        return (
            Asking("one word", lambda: self.said(1)),
            Asking("three words", lambda: self.said(3)),
            Asking("the most common", lambda: chance.choice(words[:3])),
            Asking("a beginning", lambda: chance.choice(words[100:])[:4]),
            Asking("none together", lambda: f"{self.said(4)} {chance.choice(words[15_000:])}"),
        )


def run(bench: Bench) -> None:
    total = bench.pick(100_000, 10_000)
    bench.report.heading(NAME, f"one search among {total:,} learnings")
    for contestant in (OnSqlite(bench.place), OnPostgres(bench.place)):
        site = contestant.fill(Size(0, 0, 1))
        desk = site.sit(0)
        language = Language()
        began = time.monotonic()
        _fill(desk.store, language, total)
        if isinstance(contestant, OnPostgres):
            bench.place.administer("VACUUM ANALYZE")  # as its housekeeping does within minutes
        bench.report.line(f"{contestant.name}: indexed in {time.monotonic() - began:.0f} s")
        costs = {
            each.name: _costs(desk.store, each, bench.pick(300, 60)) for each in language.askings()
        }
        _judge(bench, contestant.name, costs)
        desk.close()
        site.clear()


def _fill(store: Store, language: Language, total: int) -> None:
    for number in range(total // IN_A_FILE):
        path = f"memory/agents/m{number}/learnings.md"
        said = "".join(f"- {language.said(WORDS)} (added: 2026-01-01)\n" for _ in range(IN_A_FILE))
        text = f"# Learnings\n\n## Gotchas\n{said}"
        store.do(recall.take_in, "bench:/repo", Source(path, "1", path), text)


def _costs(store: Store, asking: Asking, samples: int) -> list[float]:
    """What searches cost, the cheapest first."""
    asked = [Wanted(asking.words()) for _ in range(WARM + samples)]
    return sorted([seconds(partial(store.ask, recall.search, each)) for each in asked][WARM:])


def _judge(bench: Bench, name: str, costs: dict[str, list[float]]) -> None:
    for asked, spent in costs.items():
        middle_one, slow = middle(spent) * 1e3, _p99(spent) * 1e3
        bench.report.line(f"{name}  {asked:<16} p50 {middle_one:6.1f} ms  p99 {slow:6.1f} ms")
    every = sorted(cost for spent in costs.values() for cost in spent)
    bench.report.keep(NAME, **{name: {asked: _p99(spent) for asked, spent in costs.items()}})
    bench.report.judge(
        Verdict(
            subject=NAME,
            says=f"p99 of a search against {MOST * 1e3:.0f} ms, {name}",
            ratio=_p99(every) / MOST,
            target=1.0,
            at_least=False,
            detail=f"p50 {middle(every) * 1e3:.1f} ms, p99 {_p99(every) * 1e3:.1f} ms",
        )
    )


def _p99(sorted_costs: Sequence[float]) -> float:
    return sorted_costs[min(len(sorted_costs) - 1, len(sorted_costs) * 99 // 100)]
