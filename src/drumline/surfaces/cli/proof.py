"""Proof and installation of the guards: coverage of every rule, and the settings that carry hooks."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import click

from drumline.control.coverage import Cover, Row
from drumline.errors import Refused
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.output import columns, safe, show
from drumline.surfaces.cli.place import placed
from drumline.wiring import guards, spooling


@click.command(name="coverage")
@placed
def coverage(*, as_json: bool) -> None:
    """Run every rule's probes through every layer; exit 1 on a gap nobody declared."""
    rows, unsound = guards.cover_policy(desk.here_or_none())
    data = {"rules": [_facts(row) for row in rows], "undeclared": unsound}
    show(data, _lines(rows), as_json=as_json)
    if unsound:
        raise Refused(
            f"{len(unsound)} rule(s) have a gap nobody declared: {', '.join(unsound)}",
            why="; ".join(_wrong(row) for row in rows if row.id in unsound),
            next="mend the rule, or declare the gap with its reason",
        )


@click.command(name="settings")
@click.option(
    "--runtime", type=click.Choice(["claude", "codex"]), default="claude", show_default=True
)
@click.option(
    "--user", metavar="JSON", default="", help="Your own settings, to be merged with ours."
)
@placed
def settings(runtime: str, user: str, *, as_json: bool) -> None:
    """Print what to start an agent CLI with, so that our hooks stand beside yours, once.

    For claude it is a --settings object, for codex a list of arguments.
    """
    here = desk.here()
    told = spooling.listeners(here, runtime, _warn)
    found = guards.hook_settings(here, runtime, user, told)
    lines = found if isinstance(found, list) else [json.dumps(found)]
    show(found, lines, as_json=as_json)


def _warn(words: str) -> None:
    click.echo(safe(f"warning: {words}"), err=True)


def _facts(row: Row) -> dict[str, Any]:
    return {"id": row.id, "sound": row.sound, "layers": [asdict(cover) for cover in row.covers]}


def _lines(rows: Sequence[Row]) -> Iterator[str]:
    names = [cover.layer for cover in rows[0].covers] if rows else []
    table = [("rule", *names), *((row.id, *map(_cell, row.covers)) for row in rows)]
    yield from columns(table)
    yield ""
    for row in rows:
        for cover in row.covers:
            if cover.gap:
                yield f"gap  {row.id}  {cover.layer}: {cover.gap}"


def _cell(cover: Cover) -> str:
    if cover.wrong:
        return f"WRONG {cover.right}/{cover.asked}"
    if cover.holds and not cover.gap:
        return "yes" if cover.layer == "advisory" else f"{cover.right}/{cover.asked}"
    return "gap" if cover.gap else "none"


def _wrong(row: Row) -> str:
    said = [
        f"{cover.layer}: {', '.join(cover.wrong) or 'no probe'}"
        for cover in row.covers
        if not cover.sound
    ]
    return f"{row.id} {'; '.join(said)}"
