"""Who waits at an SQLite file looks at its log first, and is told of what that does not show."""

import os

import pytest

from tests.stores import Sqlite
from tests.words import add

HOUR = 3_600_000_000_000  # nanoseconds


@pytest.fixture
def waiting(tmp_path, clock):
    """One who writes and one who has heard of all that was written."""
    place = Sqlite(tmp_path / "state.db", clock)
    writer, waiter = place.open(), place.open()
    add(writer)
    waiter.changed(0)
    yield place, writer, waiter
    place.close()


@pytest.mark.requirement("SCALE-01")
def test_a_log_that_only_looks_written_is_no_news(waiting):
    place, _, waiter = waiting
    os.utime(f"{place.path}-wal", ns=(HOUR, HOUR))
    assert not waiter.changed(0.2)


@pytest.mark.requirement("SCALE-01")
def test_a_write_that_leaves_no_trace_on_its_log_is_told_in_the_end(waiting):
    _, writer, waiter = waiting
    waiter.engine.path += ".elsewhere"  # a log that is never written to
    waiter.changed(0.1)
    add(writer)
    assert waiter.changed(0.2)
