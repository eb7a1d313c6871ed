"""The lead's four views from the command line: observe, coordinate, enforce, synthesize."""

from __future__ import annotations

import click

from drumline.control import lead_views
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.output import columns, show
from drumline.surfaces.cli.place import placed


@click.group()
def command() -> None:
    """What whoever leads a run sees, in a few lines each."""


def _shows(which: str, says: str, nothing: str) -> click.Command:
    @command.command(which, help=says)
    @click.option("--run", "name", default="", metavar="RUN", help="Another than the newest.")
    @placed
    def shown(name: str, *, as_json: bool) -> None:
        store = desk.library()
        found = store.ask(lead_views.view_for, desk.speaking(store), which, name)
        show([each._asdict() for each in found], columns(found) or [nothing], as_json=as_json)

    return shown


observe = _shows("observe", "Who does what, who is idle, what stands still.", "nobody runs")
coordinate = _shows(
    "coordinate",
    "What can be taken, what waits for what, who could take it.",
    "nothing to hand out",
)
enforce = _shows(
    "enforce", "Who is not verified, who is stale, which gate is open.", "all is as it should be"
)
synthesize = _shows(
    "synthesize", "What came of it so far, and what was left open.", "nothing came of it yet"
)
