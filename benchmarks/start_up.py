"""How long `drumline status` takes, against the interpreter with the two imports it needs anyway."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

from benchmarks.growth import seconds
from benchmarks.report import Bench, Verdict, middle

NAME = "start-up"
TASKS = 20
BARE = "python -c 'import click, sqlite3'"


def run(bench: Bench) -> None:
    bench.report.heading(NAME, f"Start-up of `drumline status` with {TASKS} tasks")
    folder = bench.place.new_folder("repository")
    _repository(folder)
    script = str(Path(sys.executable).parent / "drumline")
    commands = {
        BARE: [sys.executable, "-c", "import click, sqlite3"],
        "python -m drumline status": [sys.executable, "-m", "drumline", "status"],
        "drumline status": [script, "status"],
    }
    spent: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(bench.pick(41, 16)):
        for name, command in commands.items():
            took = seconds(partial(_call, command, folder))
            if turn:  # the first turn writes the bytecode
                spent[name].append(took)
    bench.report.keep(NAME, seconds={name: middle(several) for name, several in spent.items()})
    bare = middle(spent.pop(BARE))
    for name, several in spent.items():
        bench.report.judge(
            Verdict(
                subject=NAME,
                says=f"`{name}` against {BARE}",
                ratio=middle(several) / bare,
                target=1.5,
                at_least=False,
                detail=f"{middle(several) * 1000:.0f} ms : {bare * 1000:.0f} ms",
            )
        )


def _repository(folder: Path) -> None:
    drumline = [sys.executable, "-m", "drumline"]
    _call(["git", "init", "-q"], folder)
    _call([*drumline, "init", "--yes", "--name", "atlas"], folder)
    for number in range(TASKS):
        _call([*drumline, "task", "add", f"Task {number}"], folder)


def _call(command: list[str], folder: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, cwd=folder, env=kept, check=True, stdout=subprocess.DEVNULL)
