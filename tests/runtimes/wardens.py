"""One confined process that tries many commands, each in a child of its own: all are held as it is.

To confine a process takes a launcher and a Python; to fork one that is confined takes a tenth of that.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Container, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from drumline.runtimes.confine import launcher
from tests.runtimes.cell import LAW, SOURCE, Cell, tree

LOOP = """
import ctypes, json, mmap, os, resource, signal, struct, sys, traceback
def be(argv, told):
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(told["out"], 1)
    os.dup2(told["err"], 2)
    os.closerange(3, 64)
    signal.alarm(60)  # what hangs hangs nobody else
    if argv[:2] != [sys.executable, "-c"]:
        os.execvp(argv[0], argv)
    try:
        exec(compile(argv[2], "<attack>", "exec"), {"__name__": "__main__"})
        code = 0
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
print("ready", flush=True)
for line in sys.stdin:
    told = {name: os.memfd_create(name) for name in ("out", "err")}
    child = os.fork()
    if not child:
        be(json.loads(line), told)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    said = [os.pread(each, 1 << 20, 0).decode("utf-8", "replace") for each in told.values()]
    for each in told.values():
        os.close(each)
    print(json.dumps([code, *said]), flush=True)
"""


class Tried(NamedTuple):
    """How a command ended, and what it said."""

    returncode: int
    stdout: str
    stderr: str


class Warden:
    """A confined process in a cell; `said` is what its launcher told."""

    def __init__(self, cell: Cell, before: Sequence[str] = (), tied: dict | None = None, **how):
        self.cell = cell
        self._talk = (cell.root / "talk").open("w+")
        self._held = subprocess.Popen(
            [
                *before,
                *launcher(cell.confinement(**how), **(tied or {})),
                *(sys.executable, "-S", "-c", LOOP),
            ],
            cwd=cell.checkout,
            env=os.environ | {"PYTHONPATH": SOURCE},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._talk,
            text=True,
        )
        assert self._hear() == "ready\n"
        self.said = (cell.root / "talk").read_text()

    def run(self, *argv: str) -> Tried:
        """Try a command in a process of its own."""
        assert self._held.stdin is not None
        self._held.stdin.write(json.dumps(argv) + "\n")
        self._held.stdin.flush()
        return Tried(*json.loads(self._hear()))

    def python(self, script: str) -> Tried:
        return self.run(sys.executable, "-c", script)

    def is_over(self) -> bool:
        return self._held.poll() is not None

    def _hear(self) -> str:
        assert self._held.stdout is not None
        return self._held.stdout.readline()

    def end(self) -> None:
        self._held.communicate()
        self._talk.close()


Furnish = Callable[[Cell], dict[str, Any]]


class Wardens:
    """A warden for each kind of cell, as long as what it guards is as it was."""

    def __init__(self, places: pytest.TempPathFactory) -> None:
        self._places = places
        self._known: dict[str, tuple[Warden, Any]] = {}
        self._asked: set[str] = set()
        self.at_the_end = ExitStack()

    def of(self, kind: str, furnish: Furnish = lambda _: {}, **how) -> Warden:
        """The warden of a kind; what is put into a new cell may say more about how it is confined."""
        if kind not in self._known:
            cell = Cell(self._places.mktemp("cell").resolve()).build()
            made = Warden(cell, **how, **furnish(cell))
            self._known[kind] = (made, tree(cell.root))
        self._asked.add(kind)  # one that could not be made needs no tidying
        return self._known[kind][0]

    def tidy(self) -> None:
        """Let nothing of one case be found by the next: a cell that is not as it was is given up."""
        for kind in self._asked:
            warden, before = self._known[kind]
            _clear(warden.cell.checkout, before)
            if warden.is_over() or tree(warden.cell.root) != before:
                warden.end()
                del self._known[kind]
        self._asked.clear()

    def end(self) -> None:
        for warden, _ in self._known.values():
            warden.end()
        self.at_the_end.close()


def _clear(checkout: Path, before: Container[str]) -> None:
    for path in checkout.iterdir():
        if str(path.relative_to(checkout.parent)) not in before:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    shutil.rmtree(checkout / "work")
    (checkout / "work").mkdir()
    (checkout / "work" / "kept.txt").write_text(LAW)
