"""A life to be ended: a runner that holds a leash, and a command that starts what is hard to end."""

import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from drumline.runtimes.confine import launcher
from drumline.runtimes.sweep import leftovers, sweep
from tests.runtimes.cell import SOURCE, Cell

SOON = 2.0
RUNNER = """
import os, subprocess, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from drumline.runtimes import leash
held = leash.hold(Path(sys.argv[2]))
marked = os.environ | {"DRUMLINE_LIFE": sys.argv[4]}
outer = subprocess.Popen(
    sys.argv[5:], stdin=subprocess.DEVNULL, stdout=int(sys.argv[3]), env=marked
)
os.close(int(sys.argv[3]))
print(outer.pid, flush=True)
code = outer.wait()
sys.exit(code if code >= 0 else 128 - code)
"""
STUBBORN = {
    "child": "sh -c 'echo child; exec sleep 600' &",
    "daemon": "(setsid nohup sh -c 'echo daemon; exec sleep 600' 2> /dev/null &)",
    "deaf": "sh -c 'trap \"\" TERM HUP INT QUIT; echo deaf; while :; do sleep 600; done' &",
}
COMMAND = "\n".join([*STUBBORN.values(), "wait"])


@dataclass(frozen=True)
class Life:
    """A started life, and the pipe that each of its processes holds as its standard output."""

    runner: subprocess.Popen[str]
    outer: int
    pipe: int
    marker: str

    @property
    def victims(self) -> dict[str, int]:
        """Whom one may kill: `first` is the command where there is no namespace."""
        first = eldest(self.outer)
        return {
            "runner": self.runner.pid,
            "outer": self.outer,
            "first": first,
            "command": eldest(first) if is_first(first) else first,
        }

    def ended(self) -> bool:
        """Whether nothing holds the pipe or bears the mark any more, which is soon known."""
        until = monotonic() + SOON
        while monotonic() < until:
            closed = select.select([self.pipe], [], [], 0.01)[0] and not os.read(self.pipe, 4096)
            if closed and not leftovers(self.marker):
                return True
        return False


def eldest(parent: int) -> int:
    """The child a process started first."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return min(map(int, children), key=lambda child: (started(child), child))


def started(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[19])


def is_first(process: int) -> bool:
    """Whether it is the first of a namespace of processes below ours."""
    status = Path(f"/proc/{process}/status").read_text()
    numbers = next(line for line in status.splitlines() if line.startswith("NSpid")).split()
    return len(numbers) > 2 and numbers[-1] == "1"


@contextmanager
def life(cell: Cell, marker: str, script: str = COMMAND, **how) -> Iterator[Life]:
    """A life whose command has started all that is stubborn; what is left at the end is swept."""
    reader, writer = os.pipe()
    before, tied = how.pop("before", ()), how.pop("tied", {})
    leash = cell.root / "leash"
    words = [*before, *launcher(cell.confinement(**how), leash, **tied), "sh", "-c", script]
    with subprocess.Popen(
        [sys.executable, "-c", RUNNER, SOURCE, str(leash), str(writer), marker, *words],
        cwd=cell.checkout,
        pass_fds=[writer],
        stdout=subprocess.PIPE,
        text=True,
    ) as runner:
        os.close(writer)
        try:
            assert runner.stdout is not None
            outer = int(runner.stdout.readline())
            await_words(reader, set(STUBBORN))
            yield Life(runner, outer, reader, marker)
        finally:
            runner.kill()
            os.close(reader)
            sweep(marker)


def said_until_closed(reader: int) -> bytes:
    """What comes through a pipe until nobody holds its other end, which must be soon."""
    said, until = b"", monotonic() + 5 * SOON
    while True:
        left = max(0, until - monotonic())
        assert select.select([reader], [], [], left)[0], f"still held, after saying: {said!r}"
        more = os.read(reader, 4096)
        if not more:
            return said
        said += more


def await_words(reader: int, wanted: set[str]) -> None:
    said, until = "", monotonic() + 20
    while not wanted <= set(said.split()):
        assert select.select([reader], [], [], until - monotonic())[0], f"only said: {said}"
        more = os.read(reader, 4096).decode()
        assert more, f"ended after saying: {said}"
        said += more
