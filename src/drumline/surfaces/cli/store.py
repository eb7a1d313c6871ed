"""The store as a whole, from the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from drumline.errors import StoreTrouble
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.output import show
from drumline.surfaces.cli.place import place, placed
from drumline.surfaces.cli.under_way import Ticker, under_way

if TYPE_CHECKING:
    from drumline.control.ports import Upkeep


@click.group()
def command() -> None:
    """Migrate, check, back up and restore what is remembered."""


@command.command()
@placed
def migrate(*, as_json: bool) -> None:
    """Bring the store's schema up to this version of Drumline."""
    with under_way() as tell:
        upkeep = _upkeep(tell)
        done = upkeep.migrate()
    have, _ = upkeep.version()
    lines = [f"applied  {name}" for name in done] or [f"schema {have}: nothing to do"]
    show({"applied": done, "version": have}, lines, as_json=as_json)


@command.command()
@placed
def check(*, as_json: bool) -> None:
    """Prove that nothing is torn: pages, counters, references, and the log against the tables."""
    with under_way() as tell:
        upkeep = _upkeep(tell)
        have, newest = upkeep.version()
        problems = list(upkeep.check()) if have == newest else [_apart(have, newest)]
    if as_json or not problems:
        data = {"ok": not problems, "version": have, "problems": problems}
        show(data, [f"schema {have}: clean"], as_json=as_json)
    if problems and not as_json:
        raise StoreTrouble(
            f"the store has {len(problems)} problem{'s' if len(problems) > 1 else ''}",
            why="\n".join(problems[:100]),
            next="keep a copy: drumline store backup FILE",
        )
    raise click.exceptions.Exit(1 if problems else 0)


@command.command()
@click.argument("file", type=click.Path(dir_okay=False))
@placed
def backup(file: str, *, as_json: bool) -> None:
    """Copy everything, as of one moment, into a new SQLite file."""
    with under_way() as tell:
        rows = _upkeep(tell).backup(file)
    _show_copied(rows, f"written  {file}", as_json=as_json)


@command.command()
@click.argument("file", type=click.Path(dir_okay=False))
@placed
def restore(file: str, *, as_json: bool) -> None:
    """Fill an empty store from a backup; also how a team moves to PostgreSQL."""
    with under_way() as tell:
        rows = _upkeep(tell, create=True).restore(file)
    _show_copied(rows, f"restored {file}", as_json=as_json)


def _upkeep(tell: Ticker, *, create: bool = False) -> Upkeep:
    return desk.upkeep(place().store or desk.here().store, tell, create=create)


def _apart(have: int, newest: int) -> str:
    remedy = "drumline store migrate" if have < newest else "upgrade Drumline on this host"
    return f"the store is at schema {have}, this Drumline needs {newest}: {remedy}"


def _show_copied(rows: dict[str, int], said: str, *, as_json: bool) -> None:
    counted = ", ".join(f"{count} {table}" for table, count in rows.items() if count)
    show({"rows": rows}, [said, f"rows     {counted}"], as_json=as_json)
