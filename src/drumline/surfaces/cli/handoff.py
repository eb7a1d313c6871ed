"""Handoffs from the command line: submit, read and check them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from drumline.control import handoffs
from drumline.errors import NotAllowed
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.caller import caller
from drumline.surfaces.cli.kinds import TASK
from drumline.surfaces.cli.output import json_flag, show
from drumline.surfaces.cli.place import placed
from drumline.surfaces.cli.task import fence_option, member_option
from drumline.surfaces.cli.words import words
from drumline.surfaces.facts import written
from drumline.team import handoff as form_of
from drumline.team.ids import TaskId
from drumline.wiring import handoffs as files

if TYPE_CHECKING:
    from drumline.team.handoff import Handoff, Kept


@click.group()
def command() -> None:
    """Handoffs: what a member leaves for whoever goes on from its work."""


@command.command()
@click.argument("source", metavar="FILE|-")
@click.option("--task", type=TASK, required=True, help="The task it is of.")
@member_option
@fence_option
@placed
def submit(source: str, task: TaskId, member: str, fence: int | None, *, as_json: bool) -> None:
    """Hand off a task you hold: one call keeps it, signals the run and tells lead and consumers.

    FILE, or stdin, holds the call in JSON or YAML; its fields: drumline handoff form.
    """
    handoff = _call(source, task)
    store = desk.store()
    actor = desk.speaking(store, member)
    kept = desk.hand_off(store, actor, task, desk.holder(actor, member, fence), handoff)
    show(handoffs.kept_facts(kept), [_line(kept)], as_json=as_json)


@command.command("show")
@click.argument("which", metavar="TASK|PATH")
@placed
def show_handoff(which: str, *, as_json: bool) -> None:
    """The summary of a task's last handoff; a PATH is what a signal named."""
    store = desk.library()
    found = handoffs.kept_facts(store.ask(handoffs.read, desk.speaking(store), which))
    show(found, found["summary"].splitlines(), as_json=as_json)


@command.command()
@json_flag
def form(*, as_json: bool) -> None:
    """The form of the call, as JSON Schema."""
    told = form_of.schema()
    show(told, written(told).splitlines(), as_json=as_json)


@command.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH…", type=click.Path(exists=True))
@json_flag
@click.pass_context
def check(ctx: click.Context, paths: tuple[str, ...], *, as_json: bool) -> None:
    """Check L1 and L2 files, or folders of them, whoever wrote them; exit 1 when something is wrong."""
    found = files.check_files(list(paths))
    data = [
        {"file": each.file, "line": each.problem.line, "says": each.problem.sentence}
        for each in found
    ]
    lines = [str(each) for each in found] or ["ok: everything is in order"]
    show({"ok": not found, "violations": data}, lines, as_json=as_json)
    if found:
        click.echo("next:    mend these lines, or hand off anew: drumline handoff submit", err=True)
    ctx.exit(1 if found else 0)


def _call(source: str, task: TaskId) -> Handoff:
    if source == "-":
        return files.read_call(words(source))
    if vouched := caller():
        raise NotAllowed(
            f"{vouched.member} cannot have a file opened",
            why="its runner reads no file on a member's behalf",
            next=f"drumline handoff submit --task {task} - < FILE",
        )
    return files.read_call_file(source)


def _line(kept: Kept) -> str:
    place = handoffs.kept_facts(kept)["files"]["summary"]
    return f"{kept.origin.task}  {kept.handoff.status}  version {kept.version}  {place}"
