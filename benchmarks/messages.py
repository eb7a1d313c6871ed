"""A million messages on one store: does the next one still cost the same?

The same store is measured before and after the load, each time in turns with a store that stays
almost empty, so that a change of the machine's mood is not taken for a change of the cost.
"""

import time

from benchmarks.contest import Contestant, Size
from benchmarks.drumline_board import DrumlineDesk, OnPostgres, OnSqlite
from benchmarks.filling import load_messages, prove_truthful
from benchmarks.growth import seconds
from benchmarks.report import Bench, Verdict, middle

NAME = "messages"
WORKERS = 32
ALMOST_NONE = 1000
WARM, SAMPLES = 30, 400


def run(bench: Bench) -> None:
    total = bench.pick(1_000_000, 60_000)
    bench.report.heading(NAME, f"send + ack on a store of {total:,} messages")
    for contestant in (OnSqlite(bench.place), OnPostgres(bench.place)):
        _measure(bench, contestant, total)


def _measure(bench: Bench, contestant: OnSqlite | OnPostgres, total: int) -> None:
    sites = [contestant.fill(Size(0, 0, WORKERS)) for _ in range(2)]
    filled, empty = (site.sit(0) for site in sites)
    load_messages(empty.store.engine, ALMOST_NONE, WORKERS)
    prove_truthful(empty.store.engine)
    before = _in_turns(filled, empty)
    began = time.monotonic()
    load_messages(filled.store.engine, total, WORKERS)
    _settle(bench, contestant, filled)
    bench.report.line(f"{contestant.name}: loaded in {time.monotonic() - began:.0f} s")
    after = _in_turns(filled, empty)
    for desk, site in zip((filled, empty), sites, strict=True):
        desk.close()
        site.clear()
    _judge(bench, contestant, before, after)


def _in_turns(filled: DrumlineDesk, empty: DrumlineDesk) -> tuple[float, float]:
    spent: tuple[list[float], list[float]] = ([], [])
    for _ in range(WARM + SAMPLES):
        for desk, costs in zip((filled, empty), spent, strict=True):
            costs.append(seconds(desk.send_and_ack))
    return middle(spent[0][WARM:]), middle(spent[1][WARM:])


def _settle(bench: Bench, contestant: Contestant, desk: DrumlineDesk) -> None:
    """Let the engine finish its housekeeping for the load, as it would have by the next day."""
    if isinstance(contestant, OnSqlite):
        desk.store.engine.script(["PRAGMA wal_checkpoint(TRUNCATE)"])
    else:
        bench.place.administer("VACUUM ANALYZE", "CHECKPOINT")


def _judge(
    bench: Bench, contestant: Contestant, before: tuple[float, float], after: tuple[float, float]
) -> None:
    drift = after[1] / before[1]
    micros = [f"{value * 1e6:,.0f}" for value in (before[0], after[0], before[1], after[1])]
    bench.report.keep(NAME, **{contestant.name: {"before": before, "after": after}})
    bench.report.judge(
        Verdict(
            subject=NAME,
            says=f"send + ack after the load against before, {contestant.name}",
            ratio=after[0] / before[0] / drift,
            target=1.3,
            at_least=False,
            detail="same store {} → {} µs; almost empty one {} → {} µs".format(*micros),
        )
    )
