"""Reading a file that may be a folder, a pipe, a device or far too long."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

AT_ONCE = 1 << 20  # bytes, for which room is made before any is read


class NotReadable(Exception):
    """The file cannot be taken for text; the message says what was found."""


def read_regular(path: Path, *, cap: int) -> bytes:
    """At most `cap` + 1 bytes of a regular file; never waits for a pipe."""
    with opened_regular(path) as handle:
        return read_all(handle, cap + 1)


@contextmanager
def opened_regular(path: Path) -> Iterator[int]:
    """A regular file, open to be read."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise NotReadable(f"a file that cannot be opened: {error.strerror}") from error
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise NotReadable("something that is not a regular file")
        yield handle
    except OSError as error:
        raise NotReadable(f"a file that cannot be read: {error.strerror}") from error
    finally:
        os.close(handle)


def read_all(handle: int, limit: int) -> bytes:
    parts, left = [], limit
    while left and (part := os.read(handle, min(left, AT_ONCE))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
