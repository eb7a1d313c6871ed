"""Lines of the audit trail for other programs: JSON lines, or a table no spreadsheet runs as a formula."""

import csv
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import click

from drumline.surfaces.cli.output import safe
from drumline.team.trail import Entry

COLUMNS = (
    "ts",
    "tool",
    "command",
    "file_path",
    "exit_code",
    "cwd",
    "model",
    "provider",
    "trace_id",
    "team_id",
    "team_member",
    "refused",
    "note",
    "subagent",
)
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")  # noqa: RUF001 - spreadsheets take the wide ones too


def as_jsonl(entries: Iterable[Entry]) -> None:
    for entry in entries:
        click.echo(json.dumps(entry.facts))


def as_csv(entries: Iterable[Entry]) -> None:
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(COLUMNS)
    for entry in entries:
        table.writerow([cell(entry.facts.get(column)) for column in COLUMNS])


def cell(value: Any) -> str | int:
    """A value that a terminal can show and a spreadsheet takes for text."""
    if isinstance(value, int):
        return value
    text = safe("" if value is None else str(value))
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


FORMS: Mapping[str, Callable[[Iterable[Entry]], None]] = {"csv": as_csv, "jsonl": as_jsonl}
