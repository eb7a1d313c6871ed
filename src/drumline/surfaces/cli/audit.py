"""The audit trail from the command line."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from drumline.control import trail
from drumline.errors import BadInput, StoreTrouble
from drumline.surfaces.cli import desk, reader
from drumline.surfaces.cli.export import FORMS
from drumline.surfaces.cli.kinds import Read, span_of
from drumline.surfaces.cli.output import columns, show
from drumline.surfaces.cli.place import placed
from drumline.team.trail import Entry, Wanted
from drumline.wiring import guards

if TYPE_CHECKING:
    from drumline.control.trail import Page, Trail
    from drumline.team.seal import Verdict

SHOWN = 50
WIDEST = 160
PATIENCE = 0.2


def since_of(text: str) -> datetime:
    """`90s`, `15m`, `2h` or `7d` ago, or a moment as ISO 8601 writes it; UTC where it does not say."""
    now = datetime.now(UTC)
    if re.fullmatch(r"[0-9]{1,4}d", text):
        return now - timedelta(days=int(text[:-1]))
    if re.fullmatch(r"[0-9]+[a-z]", text):
        return now - span_of(text)
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise BadInput(
            f"{text[:80]!r} is not a time", next="say 2h, 7d or 2026-01-31T12:00"
        ) from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


SINCE = Read("since", since_of)


@click.group(invoke_without_command=True)
@click.option("--member", default="", metavar="NAME", help="Only what this member did.")
@click.option("--tool", default="", metavar="TOOL", help="Only calls of this tool.")
@click.option("--since", type=SINCE, help="Only what is newer: 2h, 7d or an ISO time (UTC).")
@click.option("--follow", is_flag=True, help="Go on with what happens next, one line each.")
@click.option("--export", "form", type=click.Choice(list(FORMS)), help="Every line, as a file.")
@click.option("--limit", type=click.IntRange(1, 1_000_000), help="The newest so many.")
@placed
@click.pass_context
def command(
    ctx: click.Context, /, form: str | None, limit: int | None, *, follow: bool, **asked: Any
) -> None:
    """What members did to the world, oldest first; the newest 50 unless told otherwise."""
    as_json = asked.pop("as_json")
    if ctx.invoked_subcommand:
        if form or limit or follow or as_json or any(asked.values()):
            raise click.UsageError(f"say it after the verb: audit {ctx.invoked_subcommand} --…")
        return
    if form and (follow or as_json):
        raise click.UsageError("--export stands alone: leave --follow and --json out")
    files, wanted = _trail(), Wanted(**asked)
    if form:
        FORMS[form](files.newest(wanted, limit).entries if limit else files.entries(wanted))
        return
    page = files.newest(wanted, limit or SHOWN)
    if follow:
        _follow(files, page, wanted, as_json=as_json)
    data = {"entries": [one.facts for one in page.entries], "unreadable": page.unreadable}
    _answer(data, _lines(page.entries), as_json=as_json)
    _tell_unreadable(page)


@command.command()
@placed
def verify(*, as_json: bool) -> None:
    """Prove that no sealed line was changed, cut or taken away."""
    files = _trail()
    found = trail.verify(desk.library(), files)
    if as_json or not found.faults:
        show(_verdict_facts(found), _verdict_lines(found), as_json=as_json)
    if found.faults and not as_json:
        raise StoreTrouble(
            f"the audit trail is not as it was sealed: {_count(len(found.faults), 'fault')}",
            why="\n".join(map(str, found.faults[:100])),
            next=f"keep a copy of {files.folder}, and find out who could write there",
        )
    raise click.exceptions.Exit(1 if found.faults else 0)


@command.command()
@click.option("--finished", is_flag=True, help="Leave the growing file alone.")
@placed
def seal(*, finished: bool, as_json: bool) -> None:
    """Put the digest of all that was written so far into the event log."""
    store = desk.store()
    sealing = trail.seal if finished else trail.rotate_and_seal
    done = sealing(store, desk.speaking(store), _trail())
    data = [{"segment": one.segment, **one.measure._asdict()} for one in done]
    lines = [f"sealed  {one.segment}  {_count(one.measure.lines, 'line')}" for one in done]
    show(data, lines or ["nothing to seal"], as_json=as_json)


@command.command()
@click.option("--member", default="", metavar="NAME", help="Only this member's.")
@click.option("--phase", default="", metavar="PHASE", help="Only in this phase; - is none.")
@click.option("--run", default="", metavar="RUN", help="Only in this run.")
@click.option(
    "--since", type=SINCE, help="Only newer ones (2h, 7d, ISO), of those that change things."
)
@placed
def tools(member: str, phase: str, run: str, since: datetime | None, *, as_json: bool) -> None:
    """How often each member called each tool, phase by phase."""
    if run and since:
        raise click.UsageError(
            "--run stands without --since: calls are counted by run, not by time"
        )
    wanted = Wanted(member=member, since=since)
    found = trail.tools(desk.library(), _trail(), wanted, phase=phase, run=run)
    rows = [
        (use.member or "-", use.phase, use.tool, _count(use.calls, "call"), _refusals(use.refused))
        for use in found
    ]
    _answer([use._asdict() for use in found], columns(rows), as_json=as_json)


def _trail() -> Trail:
    """This repository's trail; where its volume cannot be trusted, that is said."""
    opened = guards.open_trail(desk.here())
    volume = opened.volume()
    if not volume.local:
        click.echo(f"warning: {opened.folder} is on {volume.kind}: {volume.why}", err=True)
    return opened


def _answer(data: Any, lines: list[str], *, as_json: bool) -> None:
    """Show words that nobody checked: in JSON, too, nothing may reach a terminal unescaped."""
    if as_json:
        click.echo(json.dumps(data))
    else:
        show(data, lines or ["nothing was recorded"], as_json=False)


def _follow(files: Trail, page: Page, wanted: Wanted, *, as_json: bool) -> None:
    """Go on until stopped, or until nobody reads any more."""
    try:
        while not reader.left():
            for one in page.entries:
                _answer(one.facts, _lines([one]), as_json=as_json)
            _tell_unreadable(page)
            if not page.entries:
                time.sleep(PATIENCE)
            page = files.after(page.place, wanted)
    except KeyboardInterrupt:
        pass
    raise click.exceptions.Exit(0)


def _tell_unreadable(page: Page) -> None:
    if page.unreadable:
        click.echo(
            f"{_count(page.unreadable, 'line')} cannot be read: a writer was killed", err=True
        )


def _lines(entries: Iterable[Entry]) -> list[str]:
    return columns(
        (
            f"{one.at:%Y-%m-%d %H:%M:%S}" if one.at else "-",
            one.by,
            one.tool,
            _outcome(one),
            _short(one.target),
        )
        for one in entries
    )


def _outcome(one: Entry) -> str:
    if one.refused:
        return f"refused {one.refused}"
    code = one.facts.get("exit_code")
    return f"exit {code}" if code else ""


def _short(text: str) -> str:
    return text if len(text) <= WIDEST else f"{text[:WIDEST]}…"


def _refusals(count: int) -> str:
    return f"{count} refused" if count else ""


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _verdict_facts(found: Verdict) -> dict[str, Any]:
    facts = found._asdict()
    faults = [fault._asdict() for fault in found.faults]
    return {"ok": not faults, **facts, "faults": faults}


def _verdict_lines(found: Verdict) -> list[str]:
    proved = f"{_count(found.segments, 'segment')}, {_count(found.lines, 'line')}"
    lines = [f"sealed    {proved}: as they were"]
    if found.unsealed_lines:
        loose = _count(found.unsealed_lines, "line")
        lines.append(f"unsealed  {loose}: nothing proves them yet; drumline audit seal")
    return lines
