"""What the store needs of a database, and nothing more."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from drumline.errors import BadInput

Row = dict[str, Any]
Call = tuple[str, dict[str, Any]]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Clock(Protocol):
    """Where `now` comes from."""

    def now(self) -> datetime: ...


class WallClock:
    """This host's clock, for a store only this host writes."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class Engine(Protocol):
    """One connection: transactions of named statements."""

    name: str

    def begin(self, *, writing: bool, durable: bool = False) -> None: ...
    def run(self, name: str, parameters: dict[str, Any]) -> list[Row]: ...
    def batch(self, calls: Sequence[Call]) -> list[list[Row]]: ...
    def at_once(self, name: str, parameters: dict[str, Any]) -> list[Row] | None: ...
    def commit(self, last: Sequence[Call] = ()) -> None: ...
    def rollback(self) -> None: ...
    def now(self) -> datetime: ...
    def script(self, statements: Sequence[str]) -> None: ...
    def schema_lock(self) -> None: ...
    def tables(self) -> set[str]: ...
    def conflict(self, error: Exception) -> bool: ...
    def changed(self, team: str, seconds: float) -> bool: ...
    def integrity(self) -> list[str]: ...
    def scan(self, table: str, order: Sequence[str]) -> Iterator[Row]: ...
    def load(self, table: str, rows: Iterator[Row]) -> int: ...
    def close(self) -> None: ...


def not_text() -> BadInput:
    """The refusal of words that no database can keep."""
    return BadInput(
        "that is not valid UTF-8", why="text is stored as UTF-8", next="check the names you gave"
    )


def micros(moment: datetime) -> int:
    """A time as it is stored."""
    return (moment - EPOCH) // timedelta(microseconds=1)


def moment(stored: int | None) -> datetime | None:
    """A stored time, if there is one."""
    return None if stored is None else EPOCH + timedelta(microseconds=stored)


def instant(stored: int) -> datetime:
    """A stored time that is always there."""
    return EPOCH + timedelta(microseconds=stored)
