"""What an SQLite file must hold to be a store of ours, and where one does not."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache

from drumline.store.queries import migrations


def strange(link: sqlite3.Connection, engine: str) -> Iterator[str]:
    """All that nobody of ours would have left so."""
    yield from _redrawn(link, engine)
    yield from _gaps(link)


def _gaps(link: sqlite3.Connection) -> Iterator[str]:
    count, last = link.execute("SELECT count(*), coalesce(max(seq), 0) FROM events").fetchone()
    if count != last:
        yield f"{last - count} of {last} events are missing from the log"


def _redrawn(link: sqlite3.Connection, engine: str) -> Iterator[str]:
    """Where the schema is not what the migrations make."""
    meant, found = _meant(engine), _drawn(link)
    for name in sorted(meant.keys() | found.keys()):
        if meant.get(name) != found.get(name):
            yield f"the schema is not as it was made: {name}"


@cache
def _meant(engine: str) -> dict[str, str]:
    with closing(sqlite3.connect(":memory:")) as fresh:
        for _, _, steps in migrations(engine):
            for step in steps:
                fresh.execute(step)
        return _drawn(fresh)


def _drawn(link: sqlite3.Connection) -> dict[str, str]:
    drawn = link.execute(
        "SELECT type || ' ' || name, sql FROM sqlite_master"
        " WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name <> 'schema_migrations'"
    )
    return {name: " ".join(sql.split()) for name, sql in drawn}
