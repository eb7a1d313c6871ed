"""Who waits at an SQLite file looks at its log first, and is told of what that does not show."""

import os
import threading
from pathlib import Path
from time import monotonic

import pytest

from drumline.store.database import Database
from drumline.store.engine import WallClock
from drumline.store.sqlite import Sqlite as SqliteEngine
from tests.stores import Sqlite
from tests.words import add

HOUR = 3_600_000_000_000  # nanoseconds
AGES = 30.0  # seconds; what is told at once is told long before


@pytest.fixture
def waiting(tmp_path, clock):
    """One who writes and one who has heard of all that was written."""
    place = Sqlite(tmp_path / "state.db", clock)
    writer, waiter = place.open(), place.open()
    add(writer)
    waiter.changed(0)
    yield place, writer, waiter
    place.close()


def told_after(waiter, write):
    """How long one who waits is kept waiting for what is written meanwhile."""
    writing, began = threading.Thread(target=write), monotonic()
    writing.start()
    assert waiter.changed(AGES)
    writing.join()
    return monotonic() - began


def test_a_log_that_only_looks_written_is_no_news(waiting):
    place, _, waiter = waiting
    os.utime(f"{place.path}-wal", ns=(HOUR, HOUR))
    assert not waiter.changed(0.2)


def test_a_write_that_leaves_no_trace_on_its_log_is_told_in_the_end(waiting, tmp_path):
    _, writer, waiter = waiting
    still = tmp_path / "still"
    still.touch()
    os.utime(still, ns=(HOUR, HOUR))
    waiter.engine._wal = str(still)  # noqa: SLF001 - a log that is never written to
    waiter.changed(0.1)
    add(writer)
    assert waiter.changed(0.2)


def test_who_waits_through_a_link_is_told_at_once(waiting, tmp_path):
    place, writer, _ = waiting
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/linked.db").symlink_to(place.path)
    engine = SqliteEngine(str(tmp_path / "elsewhere/linked.db"), WallClock())
    waiter = Database(engine, "atlas")
    waiter.changed(0)
    waiter.changed(0.1)
    assert told_after(waiter, lambda: add(writer)) < AGES / 3
    engine.close()


def test_a_write_that_counts_only_after_its_log_was_written_is_told_at_once(waiting):
    """A durable one: its log is on the disk before SQLite tells anybody."""
    place, writer, waiter = waiting
    add(writer)
    log = Path(f"{place.path}-wal").stat()
    waiter.engine._log = (log.st_mtime_ns, log.st_size)  # noqa: SLF001 - as if it was looked at in between
    assert told_after(waiter, lambda: None) < AGES / 3
