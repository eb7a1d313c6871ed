"""Gates from the command line: what is said between phases, and saying it."""

from __future__ import annotations

import click

from drumline.control import gates
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.output import columns, show
from drumline.surfaces.cli.place import placed
from drumline.team.gate import Gate
from drumline.team.verdict import Call

run_option = click.option(
    "--run", "name", default="", metavar="RUN", help="Another than the newest."
)


@click.group()
def command() -> None:
    """What is said between phases: nothing of the next begins without it."""


@command.command("list")
@run_option
@placed
def list_gates(name: str, *, as_json: bool) -> None:
    """The gates of a run, as they were opened."""
    found = desk.library().ask(gates.of_run, name)
    rows = [
        (each.phase, str(each.iteration), each.state.value, each.by, each.summary) for each in found
    ]
    lines = columns(rows) or ["no gate was opened yet"]
    show([gates.facts(each) for each in found], lines, as_json=as_json)


@command.command("show")
@click.argument("phase", default="")
@run_option
@placed
def show_gate(phase: str, name: str, *, as_json: bool) -> None:
    """One gate with its checklist: the last of PHASE, or the last of all."""
    found = desk.library().ask(gates.find, name, phase)
    show(gates.facts(found), _in_full(found), as_json=as_json)


def _says(call: Call, says: str) -> click.Command:
    @command.command(call.value, help=says)
    @click.argument("phase", default="")
    @click.option("--why", default="", metavar="TEXT", help="What whoever goes on must know.")
    @run_option
    @placed
    def said(phase: str, why: str, name: str, *, as_json: bool) -> None:
        store = desk.store()
        actor = desk.speaking(store)
        closed = store.do(gates.say, actor, name, gates.Said(phase, call, why))
        show(gates.facts(closed), _in_full(closed), as_json=as_json)

    return said


approve = _says(Call.APPROVE, "Let the run go on to the next phase.")
iterate = _says(Call.ITERATE, "Have the phase done once more.")
abort = _says(Call.ABORT, "End the run.")


def _in_full(gate: Gate) -> list[str]:
    mark = {True: "yes", False: "no", None: "not said yet"}
    rows = [(point.name, mark[point.holds], point.by, point.why) for point in gate.points]
    head = f"{gate.name}  {gate.state}{f' by {gate.by}' if gate.by else ''}"
    return [head, *columns(rows), *filter(None, (gate.summary, gate.guidance))]
