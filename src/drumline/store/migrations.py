"""The schema's numbered steps, each applied once and in order."""

from collections.abc import Callable

from drumline.errors import StoreTooNew, StoreTooOld
from drumline.store.engine import Engine, micros
from drumline.store.queries import migrations, newest_migration

_LEDGER = """CREATE TABLE schema_migrations (
    number     BIGINT NOT NULL PRIMARY KEY,
    name       TEXT   NOT NULL,
    applied_at BIGINT NOT NULL
)"""


def version(engine: Engine) -> tuple[int, int]:
    """How far the store is, and how far this Drumline knows."""
    newest = newest_migration(engine.name)
    engine.begin(writing=False)
    try:
        if "schema_migrations" not in engine.tables():
            return 0, newest
        return _applied(engine), newest
    finally:
        engine.rollback()


def migrate(
    engine: Engine, *, to: int | None = None, tell: Callable[[str], None] = lambda _: None
) -> list[str]:
    """Apply what is missing, up to a number if one is named, all or nothing; what was applied."""
    known = migrations(engine.name)[:to]
    engine.begin(writing=True)
    try:
        engine.schema_lock()
        if "schema_migrations" not in engine.tables():  # it may stand in a later schema of the path
            engine.script([_LEDGER])
        have = _applied(engine)
        _not_newer(have, known[-1][0])
        done = []
        for number, name, statements in known:
            if number > have:
                tell(f"applying {name}")
                engine.script(statements)
                applied = {"number": number, "name": name, "applied_at": micros(engine.now())}
                engine.run("add_migration", applied)
                done.append(name)
        engine.commit()
    except BaseException:
        engine.rollback()
        raise
    return done


def require_current(engine: Engine, *, upgrade: bool) -> None:
    """Make an empty store usable; an older one only where nobody else depends on it."""
    have, newest = reached(engine), newest_migration(engine.name)
    if have == newest:
        return
    if have and not upgrade:
        raise StoreTooOld(
            f"the store is at schema {have}, this Drumline needs {newest}",
            why="other hosts may still run an older Drumline on it",
            next="drumline store migrate",
        )
    migrate(engine)


def reached(engine: Engine) -> int:
    """How far the store is, if this Drumline knows as much."""
    have, newest = version(engine)
    _not_newer(have, newest)
    return have


def _applied(engine: Engine) -> int:
    return int(engine.run("last_migration", {})[0]["number"] or 0)


def _not_newer(have: int, newest: int) -> None:
    if have > newest:
        raise StoreTooNew(
            f"the store is at schema {have}, this Drumline knows {newest}",
            why="a later version wrote it",
            next="upgrade Drumline on this host",
        )
