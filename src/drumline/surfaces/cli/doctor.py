"""Whether this installation is sound, and whether the guards hold in the agent CLI that is here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from drumline.surfaces.cli import desk
from drumline.surfaces.cli.output import columns, one_line, show
from drumline.surfaces.cli.place import placed
from drumline.team.checkup import Health
from drumline.wiring import checkups, doctoring

if TYPE_CHECKING:
    from drumline.team.checkup import Line
    from drumline.team.probe import Probed


@click.command(name="doctor")
@click.option(
    "--probe",
    "runtime",
    type=click.Choice(doctoring.AGENTS),
    help="Prove which hooks fire and block in this agent CLI.",
)
@click.option("--cli", default="", metavar="PATH", help="The CLI's program, if not the one found.")
@placed
def command(runtime: str | None, cli: str, *, as_json: bool) -> None:
    """Say what is wrong with this installation, and how to mend it; exit 1 on a problem.

    With --probe, start the agent CLI against a model of our own on loopback, without key, tokens or
    network, and prove each hook, refusal and limit the guards stand on; exit 1 if any fails.
    """
    if runtime is None:
        if cli:
            raise click.UsageError("--cli names what to probe: add --probe claude or codex")
        _examine(as_json=as_json)
        return
    found = doctoring.probe(runtime, cli, desk.here_or_none(), _tell)
    show(found.facts(), _probed(found), as_json=as_json)
    if found.failed:
        raise click.exceptions.Exit(1)


def _tell(words: str) -> None:
    click.echo(f"… {words}", err=True)


def _examine(*, as_json: bool) -> None:
    found = list(checkups.examine(desk.here_or_none()))
    counts = {health.value: sum(each.health is health for each in found) for health in Health}
    data = {"sound": not counts[Health.PROBLEM], **counts, "lines": [x._asdict() for x in found]}
    show(data, _lines(found, counts), as_json=as_json)
    if counts[Health.PROBLEM]:
        raise click.exceptions.Exit(1)


def _lines(found: Sequence[Line], counts: Mapping[str, int]) -> Iterator[str]:
    yield from columns((each.health.value, each.what, _said(each)) for each in found)
    yield ", ".join(f"{count} {health}" for health, count in counts.items())


def _said(line: Line) -> str:
    return f"{line.says}; fix: {line.fix}" if line.fix else line.says


def _probed(found: Probed) -> Iterator[str]:
    yield one_line(f"{found.runtime} {found.version}  {found.program}")
    rows = [("ok" if each.passed else "FAIL", each.name, each.detail) for each in found.proofs]
    rows += [("-", each.name, f"not claimed: {each.why}") for each in found.unclaimed]
    yield from columns(rows)
    for each in found.failed:
        yield one_line(f"means  {each.name}: {each.means}")
    yield f"{len(found.proofs) - len(found.failed)} of {len(found.proofs)} probes passed"
