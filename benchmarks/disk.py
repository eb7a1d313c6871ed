"""What the disk under all of this can do, as context for every durable figure."""

import os
import time

from benchmarks.report import Bench, middle, rate

NAME = "disk"
BLOCK = b"x" * 4096


def run(bench: Bench) -> None:
    bench.report.heading(NAME, "The disk: write 4 KiB and fsync, one process")
    path = bench.place.folder / "fsync"
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    costs: list[float] = []
    end = time.monotonic() + (0.5 if bench.quick else 2.0)
    try:
        while time.monotonic() < end:
            began = time.perf_counter()
            os.write(file, BLOCK)
            os.fsync(file)
            costs.append(time.perf_counter() - began)
    finally:
        os.close(file)
        path.unlink()
    bench.report.keep(NAME, fsync_per_second=1 / middle(costs))
    bench.report.line(f"{rate(1 / middle(costs))} fsync/s (median {middle(costs) * 1e6:,.0f} µs)")
