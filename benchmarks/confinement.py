"""What a confined start costs: a launcher that applies every layer, against the same without them."""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.growth import seconds
from benchmarks.report import Bench, Verdict, middle, paired
from drumline.runtimes.confine import launcher
from drumline.team.confinement import Confinement

NAME = "confinement"
PLAIN, PYTHON, CONFINED = "true", "python -I -S, then true", "confined true"
BECOME = "import ctypes, os; os.execvp('true', ['true'])"
TIMES = 2000
WRITES = f"for i in $(seq {TIMES}); do echo x > file; done"


def run(bench: Bench) -> None:
    bench.report.heading(NAME, "A start under every layer this machine gives")
    folder = bench.place.new_folder("checkout")
    (folder / "hole").mkdir()
    held = launcher(Confinement(writable=[str(folder)], holes=[str(folder / "hole")]))
    starts = {
        PLAIN: ["true"],
        PYTHON: [sys.executable, "-I", "-S", "-c", BECOME],
        CONFINED: [*held, "true"],
    }
    spent = _in_turns(
        {name: partial(_call, words, folder) for name, words in starts.items()}, bench
    )
    work = ["sh", "-c", WRITES]
    inside = _in_turns(
        {PLAIN: partial(_call, work, folder), CONFINED: partial(_call, [*held, *work], folder)},
        bench,
    )
    added = _more(spent)
    each = (_more(inside) - added) / TIMES
    bench.report.keep(
        NAME,
        seconds={name: middle(several) for name, several in spent.items()},
        added=added,
        added_per_write=each,
    )
    bench.report.table(
        ("start", "ms"),
        [(name, f"{middle(several) * 1000:.1f}") for name, several in spent.items()],
    )
    bench.report.line(f"added to a start {added * 1000:.1f} ms, to a write {each * 1e6:.1f} µs")
    bench.report.judge(
        Verdict(
            subject=NAME,
            says="a confined start against the interpreter it needs",
            ratio=paired(spent[CONFINED], spent[PYTHON]),
            target=2,
            at_least=False,
            detail=f"{middle(spent[CONFINED]) * 1000:.1f} ms : {middle(spent[PYTHON]) * 1000:.1f} ms",
        )
    )


def _more(spent: dict[str, list[float]]) -> float:
    """What confinement adds, as the median of the rounds' differences."""
    return middle([a - b for a, b in zip(spent[CONFINED], spent[PLAIN], strict=True)])


def _in_turns(calls: dict[str, Callable[[], None]], bench: Bench) -> dict[str, list[float]]:
    spent: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(bench.pick(101, 31)):
        for name, call in calls.items():
            took = seconds(call)
            if turn:  # the first turn writes the bytecode
                spent[name].append(took)
    return spent


def _call(command: list[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
