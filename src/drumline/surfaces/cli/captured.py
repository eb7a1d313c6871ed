"""What one command of many says and is told, kept apart from all others in this process.

Commands use the process's own three streams, of which there is one set. A lock around each command would
let a slow one hold up every member of a runner. So stand-ins take the streams' places: each leads to the
streams of the command in whose context it is used, and outside of any to the process's own.
"""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any

from drumline.errors import BadInput

LONGEST_ANSWER = 8 * 1024 * 1024  # characters


class Said(io.TextIOBase):
    """Words of one command, bounded; surrogates are spelled, as on a terminal."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0

    def write(self, words: str) -> int:
        if not isinstance(words, str):
            raise TypeError("a stream of words takes no bytes")  # so click tells the two apart
        self._length += len(words)
        if self._length > LONGEST_ANSWER:
            self._pieces, self._length = [], 0  # the refusal itself needs the room
            raise BadInput(
                f"the answer has more than {LONGEST_ANSWER:,} characters",
                why="it has to fit into a conversation",
                next="ask for less: --most N, --limit N or --after ID",
            )
        self._pieces.append(words)
        return len(words)

    def text(self) -> str:
        return "".join(self._pieces).encode("utf-8", "backslashreplace").decode()


class Captured:
    """The three streams of one command."""

    def __init__(self, told: str) -> None:
        raw = io.BytesIO(told.encode("utf-8", "surrogateescape"))
        self.stdin = io.TextIOWrapper(raw, encoding="utf-8", errors="surrogateescape")
        self.stdout, self.stderr = Said(), Said()


_STREAMS: ContextVar[Captured | None] = ContextVar("drumline streams", default=None)
_CHANGING = Lock()


class StandIn:
    """Stands in the place of one of the process's streams."""

    encoding = "utf-8"  # click asks once, then keeps what it found: it must find the stand-in
    errors = "backslashreplace"

    def __init__(self, name: str, own: Any) -> None:
        self._name, self._own = name, own

    def __getattr__(self, name: str) -> Any:
        streams = _STREAMS.get()
        return getattr(self._own if streams is None else getattr(streams, self._name), name)


@contextmanager
def captured(told: str) -> Iterator[Captured]:
    """The streams of all that is done inside, in this thread; `told` is what its stdin holds."""
    _stand_in()
    streams = Captured(told)
    before = _STREAMS.set(streams)
    try:
        yield streams
    finally:
        _STREAMS.reset(before)


def _stand_in() -> None:
    """Take the places of streams; again, where somebody has put others there since."""
    with _CHANGING:
        for name in ("stdin", "stdout", "stderr"):
            own = getattr(sys, name)
            if not isinstance(own, StandIn):
                setattr(sys, name, StandIn(name, _nowhere(name) if own is None else own))


def _nowhere(name: str) -> Any:
    """What a process without streams reads from and writes to."""
    return open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8")  # noqa: PTH123 - it stays open
