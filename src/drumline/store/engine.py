"""What the store needs of a database, and nothing more."""

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache, wraps
from typing import Any, ParamSpec, Protocol, TypeVar

from drumline.errors import BadInput, StoreTrouble

P = ParamSpec("P")
T = TypeVar("T")

Row = dict[str, Any]
Call = tuple[str, dict[str, Any]]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
KNOWN = 8_192  # rows of one kind that need not be read anew


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
    gapless: bool  # whether the log's numbers follow one another

    def begin(self, *, writing: bool, durable: bool = False) -> None: ...
    def run(self, name: str, parameters: dict[str, Any]) -> list[Row]: ...
    def batch(self, calls: Sequence[Call]) -> list[list[Row]]: ...
    def fill(self, name: str, rows: Sequence[tuple[Any, ...]]) -> None: ...
    def at_once(
        self, name: str, parameters: dict[str, Any], *, alone: bool
    ) -> list[Row] | None: ...
    def commit(self, last: Sequence[Call] = ()) -> None: ...
    def rollback(self) -> None: ...
    def now(self) -> datetime: ...
    def script(self, statements: Sequence[str]) -> None: ...
    def schema_lock(self) -> None: ...
    def hold(self, tables: Sequence[str]) -> None: ...
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


def from_rows(build: Callable[P, T]) -> Callable[P, T]:
    """A reader of rows that refuses one which is not what it must be."""

    @wraps(build)
    def read(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return build(*args, **kwargs)
        except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError) as error:
            raise StoreTrouble(
                "the store holds a row that cannot be read",
                why=f"{build.__name__}: {type(error).__name__}: {error}",
                next="drumline store check",
            ) from error

    return read


def packed(value: object) -> str:
    """A value as its column keeps it: JSON, as short as it goes."""
    return _encode(value)


def remembered(read: Callable[[Row], T]) -> Callable[[Row], T]:
    """A reader of rows that are read again and again: what says the same is the same noun, which nobody changes."""

    @lru_cache(maxsize=KNOWN)
    def known(names: tuple[str, ...], values: tuple[Any, ...]) -> T:
        return read(dict(zip(names, values, strict=True)))

    return lambda row: known(tuple(row), tuple(row.values()))


def micros(moment: datetime) -> int:
    """A time as it is stored."""
    return (moment - EPOCH) // _MICROSECOND


def span(length: timedelta) -> int:
    """A length of time as it is stored."""
    return length // _MICROSECOND


def moment(stored: int | None) -> datetime | None:
    """A stored time, if there is one."""
    return None if stored is None else EPOCH + timedelta(microseconds=stored)


def instant(stored: int) -> datetime:
    """A stored time that is always there."""
    return EPOCH + timedelta(microseconds=stored)
