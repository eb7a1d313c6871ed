"""How an answer looks: one fact per line, aligned, no boxes; JSON when asked."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

import click

from drumline.errors import DrumlineError
from drumline.surfaces.facts import written

Command = TypeVar("Command", bound=Callable[..., Any])

_UNSAFE = (  # compiled where it is needed: most texts are printable, and a start is short
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ud800-\udfff\U000e0000-\U000e007f]"
)


def json_flag(command: Command) -> Command:
    """Every command answers in JSON when asked."""
    return click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")(command)


def show(data: Any, lines: Iterable[str], *, as_json: bool) -> None:
    """Print the answer on stdout: `data` as JSON, or the lines for a person."""
    if as_json:
        click.echo(written(data))
        return
    for line in lines:
        click.echo(safe(line))


def safe(text: str) -> str:
    """Text that cannot move the cursor, hide itself or ring the bell."""
    if text.isprintable():
        return text
    return re.sub(_UNSAFE, lambda found: f"\\u{ord(found[0]):04x}", text)


def one_line(text: str) -> str:
    """Safe text that cannot begin a line of its own."""
    return safe(text).replace("\n", "\\n")


def columns(rows: Iterable[Sequence[str]]) -> list[str]:
    """Rows as aligned lines; the last column runs free."""
    cells = [[one_line(cell) for cell in row] for row in rows]
    if not cells:
        return []
    widths = [max(len(row[at]) for row in cells) for at in range(len(cells[0]))]
    widths[-1] = 0
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]


def facts(pairs: Mapping[str, str]) -> list[str]:
    """Name and value, one pair a line; empty values are left out."""
    return columns((f"{name}", value) for name, value in pairs.items() if value)


def refuse(error: DrumlineError, *, as_json: bool) -> None:
    """Say no: as the JSON answer, or as what, why and next on stderr."""
    if as_json:
        click.echo(written(error.facts()))
        return
    _tell("refused", error)


def note(error: DrumlineError) -> None:
    """Say what stands in nobody's way, and is better known: what, why and next, on stderr."""
    _tell("note", error)


def _tell(head: str, error: DrumlineError) -> None:
    for label, text in ((head, error.what), ("why", error.why), ("next", error.next)):
        for at, line in enumerate(text.splitlines()):
            before = f"{label + ':':<9}" if at == 0 else " " * 9
            click.echo(safe(before + line), err=True)


def ago(then: datetime | None, now: datetime) -> str:
    """How long since, in the largest unit that says something."""
    if then is None:
        return ""
    return span((now - then).total_seconds())


def span(seconds: float) -> str:
    left = max(0, int(seconds))
    for size, unit in ((86400, "d"), (3600, "h"), (60, "m")):
        if left >= size:
            return f"{left // size}{unit}"
    return f"{left}s"
