"""What a contestant must be able to do, so that all of them are asked the same."""

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Size:
    """A board: how much of it is done, how much waits, and for how many workers."""

    done: int
    pending: int
    workers: int

    @classmethod
    def half_done(cls, tasks: int, workers: int) -> "Size":
        """The middle of a board's life: what a scan costs on average until the board is empty."""
        return cls(tasks // 2, tasks - tasks // 2, workers)


class Desk(Protocol):
    """One process's own way to the board."""

    def add(self) -> None: ...
    def add_many(self, count: int) -> None: ...
    def claim(self) -> Any | None: ...
    def complete(self, claim: Any) -> None: ...
    def list_all(self) -> int: ...
    def send_and_ack(self) -> None: ...
    def close(self) -> None: ...


class Site(Protocol):
    """One filled board that processes can sit down at."""

    def sit(self, worker: int) -> Desk: ...
    def clear(self) -> None: ...


class Contestant(Protocol):
    """A way to keep a board."""

    name: str

    def fill(self, size: Size) -> Site: ...


def worker_name(worker: int) -> str:
    return f"w{worker:02}"


TEXT = "The parser now accepts empty input; tests are in tests/test_parser.py, please review."
TITLE = "Let the parser accept empty input"
