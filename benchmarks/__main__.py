"""Run the benchmarks: `python -m benchmarks [--quick] [--only NAME] [--json FILE]`."""

import argparse
import os
import platform
import signal
import sqlite3
import sys
import time
from importlib.metadata import version
from pathlib import Path
from types import FrameType

from benchmarks import (
    building,
    callbacks,
    claims,
    confinement,
    disk,
    fairness,
    growth,
    judging,
    members,
    messages,
    moves,
    operations,
    recalling,
    remembering,
    shared_queue,
    spooling,
    start_up,
    tool_calls,
    waking,
)
from benchmarks.place import Place, temporary_place
from benchmarks.report import Bench, Report

SUBJECTS = {
    subject.NAME: subject
    for subject in (
        disk,
        start_up,
        confinement,
        judging,
        members,
        tool_calls,
        callbacks,
        spooling,
        waking,
        moves,
        recalling,
        remembering,
        claims,
        operations,
        building,
        shared_queue,
        growth,
        fairness,
        messages,
    )
}


def main() -> int:
    asked = _arguments()
    signal.signal(signal.SIGTERM, _stop)
    report = Report()
    began = time.monotonic()
    with temporary_place() as place:
        _machine(place, report)
        for name in asked.only or SUBJECTS:
            SUBJECTS[name].run(Bench(place, report, asked.quick))
    print(f"\nVerdicts, after {time.monotonic() - began:.0f} s", flush=True)
    for verdict in report.verdicts:
        report.line(str(verdict))
    if asked.json:
        report.save(asked.json)
    return 0 if all(verdict.passed for verdict in report.verdicts) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="about a minute instead of ten")
    parser.add_argument(
        "--only", action="append", choices=list(SUBJECTS), help="one subject; may be repeated"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure there")
    return parser.parse_args()


def _machine(place: Place, report: Report) -> None:
    facts = {
        "cores": str(os.cpu_count()),
        "Python": platform.python_version(),
        "SQLite": sqlite3.sqlite_version,
        "PostgreSQL": place.versions(),
        **{name: version(name) for name in ("drumline", "clawteam", "procrastinate", "psycopg")},
        "load": f"{os.getloadavg()[0]:.1f}",
    }
    print(", ".join(f"{name} {value}" for name, value in facts.items()), flush=True)
    report.keep("machine", **facts)


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
