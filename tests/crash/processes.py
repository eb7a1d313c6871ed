"""Starting workers as real processes, and ending them for good."""

import json
import os
from collections.abc import Callable
from typing import Any

from tests.forking import Forked


class Worker:
    """One process that speaks JSON lines."""

    def __init__(self, *words: str, module: str = "tests.crash.worker") -> None:
        self.process = Forked(module, words)

    def hear(self) -> dict[str, Any] | None:
        """The next thing it says; None when it has ended, a half-said line is not counted."""
        line = self.process.stdout.readline()
        return json.loads(line) if line.endswith(b"\n") else None

    def go(self) -> None:
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

    def end(self) -> int:
        """Wait for its end, and how it came."""
        return self.process.end()


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
