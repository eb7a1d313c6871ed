"""What a confined process inherits open: three streams, and only what was named besides."""

from __future__ import annotations

import fcntl
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STANDARD = (0, 1, 2)


def close_all_but(kept: Iterable[int]) -> None:
    """Close what was opened outside: it would write where no rule looks.

    A folder is closed even among the standard ones: it leads past every mount of ours.
    """
    staying = {*STANDARD, *kept}
    for number in _open_ones():
        if number not in staying or stat.S_ISDIR(os.fstat(number).st_mode):
            os.close(number)


def leave_only(kept: Iterable[int]) -> None:
    """Close everything else, the standard streams included: who reads them must see them end."""
    for number in set(_open_ones()).difference(kept):
        os.close(number)


def written() -> list[int]:
    """The standard streams that may be opened again by name, as `> /dev/stderr` does.

    Who holds one for writing gains nothing by it, unless it was held for appending only.
    """
    there = _open_ones()
    return [number for number in STANDARD if number in there and _is_written(number)]


def _is_written(number: int) -> bool:
    mode, flags = os.fstat(number).st_mode, fcntl.fcntl(number, fcntl.F_GETFL)
    named = stat.S_ISREG(mode) or stat.S_ISCHR(mode)
    return named and bool(flags & (os.O_WRONLY | os.O_RDWR)) and not flags & os.O_APPEND


def _open_ones() -> list[int]:
    return list(_still_open(map(int, os.listdir("/dev/fd"))))  # noqa: PTH208 - pathlib costs every start 10 ms


def _still_open(numbers: Iterable[int]) -> Iterator[int]:
    """Leave out the descriptor that the listing itself needed."""
    for number in numbers:
        try:
            os.fstat(number)
        except OSError:
            continue
        yield number
