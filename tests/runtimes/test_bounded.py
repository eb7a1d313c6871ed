"""A process is run within its bounds, and nothing that it started outlives the answer."""

import os
import sys
from pathlib import Path

import pytest

from drumline.runtimes import bounded, leash
from drumline.runtimes.confine import launcher
from tests.runtimes.cell import Cell, cell, needs
from tests.runtimes.clones import running, seconds_of_its_own

__all__ = ["cell"]

pytestmark = pytest.mark.requirement("RUN-07")
LAUNCHED = {
    "in a namespace": pytest.param({}, marks=needs("processes"), id="in a namespace"),
    "adopting": pytest.param({"namespace": False}, id="adopting"),
}
LEAVES = "setsid sleep {long} & sleep {long} & echo up; {then}"


def run(argv: list[str], folder: Path, *, most: int = 100) -> bounded.Done:
    return bounded.run(
        bounded.Command(argv=argv, folder=folder, environ=os.environ, seconds=600.0, most=most)
    )


@pytest.mark.parametrize("how", LAUNCHED.values())
@pytest.mark.parametrize("behind", [False, True], ids=["before it", "behind another"])
def test_what_a_launcher_holds_ends_when_a_bound_is_met(cell: Cell, how, behind):
    long = seconds_of_its_own()
    held = launcher(cell.confinement(), leash.OF_THE_RUN, **how)
    words = [*held, "sh", "-c", LEAVES.format(long=long, then=f"sleep {long}")]
    if behind:
        waits = "import subprocess, sys; subprocess.run(sys.argv[1:])"
        words = [sys.executable, "-c", waits, *words]
    assert run(words, cell.checkout, most=1).cut == bounded.TOO_MUCH
    assert running(long) == []


def test_what_a_launcher_holds_ends_with_the_one_who_started_it(cell: Cell):
    long = seconds_of_its_own()
    held = launcher(cell.confinement(), leash.OF_THE_RUN)
    leaves = "import subprocess, sys; subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE).stdout.readline()"
    script = LEAVES.format(long=long, then=f"sleep {long}")
    assert run([sys.executable, "-c", leaves, *held, "sh", "-c", script], cell.checkout).cut == ""
    assert running(long) == []


def test_nothing_starts_on_the_leash_of_a_run_that_is_over(cell: Cell):
    with leash.of_one_run() as line:
        words = line.put_into([*launcher(cell.confinement(), leash.OF_THE_RUN), "echo", "started"])
        line.cut()
        done = run(words, cell.checkout, most=100_000)
    assert (done.code, done.out) == (125, b"")
