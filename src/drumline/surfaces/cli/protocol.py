"""Understanding before work from the command line: what a member submits, and how far everyone is."""

from __future__ import annotations

import click

from drumline.control import protocol
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.kinds import TASK
from drumline.surfaces.cli.output import columns, show
from drumline.surfaces.cli.place import placed
from drumline.surfaces.cli.words import words
from drumline.team.ids import TaskId
from drumline.team.understanding import Understanding
from drumline.wiring.evidence import changed_by, looked_into

task_argument = click.argument("task", type=TASK)
given_argument = click.argument("given", metavar="JSON")


@click.group()
def command() -> None:
    """What a member shows that it understood before it may change anything."""


@command.command("show")
@task_argument
@placed
def show_understandings(task: TaskId, *, as_json: bool) -> None:
    """How far everyone came who had TASK."""
    found = desk.library().ask(protocol.of_task, task)
    lines = [line for each in found for line in _in_full(each)]
    nothing = [f"nothing is to be shown about {task}"]
    show([protocol.facts(each) for each in found], lines or nothing, as_json=as_json)


@command.command()
@task_argument
@given_argument
@placed
def submit(task: TaskId, given: str, *, as_json: bool) -> None:
    """Give your impact analysis of TASK in its form; - reads it from standard input."""
    store = desk.store()
    actor, analysis = desk.speaking(store), words(given)
    level = store.ask(protocol.level, actor, task)
    looked = looked_into(desk.here(), actor.name, level, analysis)
    _show(store.do(protocol.submit, actor, task, analysis, looked), as_json=as_json)


@command.command()
@task_argument
@given_argument
@placed
def answer(task: TaskId, given: str, *, as_json: bool) -> None:
    """Answer what you were asked about TASK, all at once; - reads it from standard input."""
    store = desk.store()
    _show(store.do(protocol.answer, desk.speaking(store), task, words(given)), as_json=as_json)


@command.command()
@task_argument
@given_argument
@placed
def plan(task: TaskId, given: str, *, as_json: bool) -> None:
    """Say what you are about to change for TASK; - reads it from standard input."""
    store = desk.store()
    actor, said = desk.speaking(store), words(given)
    changed = changed_by(desk.here(), actor.name)
    _show(store.do(protocol.plan, actor, task, said, changed), as_json=as_json)


def _show(found: Understanding, *, as_json: bool) -> None:
    show(protocol.facts(found), _in_full(found), as_json=as_json)


def _in_full(found: Understanding) -> list[str]:
    whose = found.whose
    tries = f"attempt {found.attempt} of {found.terms.limit}"
    row = (str(whose.task), whose.member, f"life {whose.incarnation}", found.stage.value, tries)
    asked = [f"  {each.category or f'point {each.point}'}: {each.question}" for each in found.asked]
    why = [f"  {line}" for line in found.why.splitlines()]
    return [*columns([row]), *asked, *why]
