"""Starting workers as real processes, and ending them for good."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


class Worker:
    """One process that speaks JSON lines."""

    def __init__(self, *words: str, module: str = "tests.crash.worker") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *words],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )

    def hear(self) -> dict[str, Any] | None:
        """The next thing it says; None when it has ended, a half-said line is not counted."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        return json.loads(line) if line.endswith(b"\n") else None

    def go(self) -> None:
        assert self.process.stdin
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()

    def kill(self) -> list[dict[str, Any]]:
        """kill -9; what it had said but we had not heard yet."""
        self.process.kill()
        rest = []
        while (word := self.hear()) is not None:
            rest.append(word)
        self.end()
        return rest

    def end(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def in_child(work: Callable[[], object]) -> int:
    """Do some work in a forked process; its id."""
    child = os.fork()
    if not child:
        try:
            work()
        except BaseException:  # noqa: BLE001 - a child never returns into the test
            os._exit(1)
        os._exit(0)
    return child
