"""Prompts from the command line: what a runtime would be given, before anything is spent."""

from collections.abc import Iterator

import click

from drumline import wiring
from drumline.control import briefing, policy
from drumline.control.briefing import Brief, Surroundings
from drumline.control.ports import Store
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.kinds import TASK
from drumline.surfaces.cli.output import columns, show
from drumline.surfaces.cli.place import placed
from drumline.team.actor import Role
from drumline.team.effort import shown
from drumline.team.ids import TaskId
from drumline.team.manifest import Manifest
from drumline.team.prompt import SHARE, Side
from drumline.wiring import guards, memories


@click.group(name="prompt")
def command() -> None:
    """What members are told."""


@command.command(name="show")
@click.argument("task", type=TASK)
@click.option("--member", default="", metavar="NAME", help="For whom, if not its likely holder.")
@click.option("--section", default="", metavar="NAME", help="Only this section, or system or task.")
@placed
def show_prompt(task: TaskId, member: str, section: str, *, as_json: bool) -> None:
    """Show what a runtime would be given for TASK; nothing is spent."""
    settings, store = desk.here(), desk.library()
    manifest = wiring.manifest_of(settings)
    around = Surroundings(
        manifest=manifest,
        rules=policy.in_force(guards.policy_files(settings), manifest),
        learnings=memories.remembered(settings, manifest),
    )
    name = _for_whom(store, task, member, manifest)
    brief = store.ask(briefing.brief_for, task, name, around)
    if section:
        text = brief.prompt.part(section)
        show({"section": section, "text": text}, text.splitlines(), as_json=as_json)
        return
    show(briefing.brief_facts(brief), _lines(brief), as_json=as_json)


def _for_whom(store: Store, task: TaskId, member: str, manifest: Manifest) -> str:
    actor = desk.speaking(store, member)
    if member or actor.role is not Role.PERSON:
        return member or actor.name
    return store.ask(briefing.for_whom, task, manifest)


def _lines(brief: Brief) -> Iterator[str]:
    prompt, measure = brief.prompt, brief.measure
    for side in Side:
        text = prompt.text(side)
        yield f"=== {side} prompt for {prompt.member}: {len(text):,} characters"
        yield from text.splitlines()
        yield ""
    yield "=== sizes"
    yield from columns(
        (f"{size.tokens:>8,}", size.heading.side, size.heading.name, size.heading.title)
        for size in measure.sizes
    )
    yield f"{measure.tokens:>8,}  of {measure.limit:,} tokens, {SHARE} % of the context window"
    if brief.effort:
        yield f"effort: {shown(brief.runtime, brief.effort)}"
    if prompt.left_out:
        yield ""
        yield "=== left out"
        yield from columns((each.what, each.why) for each in prompt.left_out)
