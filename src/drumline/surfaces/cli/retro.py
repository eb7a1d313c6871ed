"""The retrospective from the command line: shown as a diff, confirmed, carried out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from drumline.control import consolidating, retro, shelves
from drumline.control.retro import Confirms, Plan
from drumline.errors import NotAllowed
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.output import columns, safe, show
from drumline.surfaces.cli.place import placed
from drumline.team.retro import Step
from drumline.wiring import memories


@click.command(name="retro")
@click.option("--dry-run", is_flag=True, help="Show the diff and change nothing.")
@click.option("--yes", is_flag=True, help="Confirm every merge and promotion.")
@click.option(
    "--ask-lead", is_flag=True, help="Leave merges and promotions to a lead that is an agent."
)
@placed
def command(*, dry_run: bool, yes: bool, ask_lead: bool, as_json: bool) -> None:
    """Merge, archive, promote and settle what was learnt, and write the retrospective down."""
    if dry_run + yes + ask_lead > 1:
        raise click.UsageError("--dry-run, --yes and --ask-lead: choose one")
    store = desk.store()
    memory = memories.memory(desk.here(), store)
    if dry_run:
        whole = retro.plan(memory)
        diff = shelves.diff_of(whole.files)
        lines = [*_lines(whole), *diff.splitlines()] or ["nothing to do"]
        show({**_facts(whole), "dry_run": True, "diff": diff}, lines, as_json=as_json)
        return
    actor = desk.speaking(store)
    waits: Sequence[str] = ()
    unasked: Sequence[Step] = ()
    if ask_lead:
        done, waits = consolidating.hold_with_lead(memory, actor)
    else:
        done, unasked = retro.hold(memory, actor, retro.all_of if yes else _confirmed)
    if unasked and not done.steps:
        raise _needs_a_word(unasked)
    facts = {**_facts(done), "dry_run": False, "waits_for_lead": waits}
    facts |= {"needs_a_word": [each.key for each in unasked]} if unasked else {}
    lines = _lines(done) or ["nothing to do"]
    show(facts, [*lines, *_asked(waits), *_left(unasked)], as_json=as_json)


def _confirmed(plan: Plan) -> Confirms | None:
    """What a person wants of what was shown, if one is there to ask; the diff comes before the question."""
    if not plan.uncertain:
        return retro.nothing_uncertain
    if not sys.stdin.isatty():
        return None
    for line in shelves.diff_of(plan.files).splitlines():
        click.echo(safe(line), err=True)
    wanted = click.confirm("Merge and promote these as well?", err=True)
    return retro.all_of(plan) if wanted else retro.nothing_uncertain


def _needs_a_word(steps: Sequence[Step]) -> NotAllowed:
    return NotAllowed(
        f"nothing was changed: {len(steps)} merges and promotions need a word",
        why="\n".join(map(_line, steps)),
        next="drumline retro --yes   # or --dry-run for the diff, --ask-lead for an agent's word",
    )


def _left(steps: Sequence[Step]) -> list[str]:
    """What nobody could be asked about; all that needs nobody was done."""
    if not steps:
        return []
    return [
        f"{len(steps)} merges and promotions need a word: drumline retro --yes",
        *map(_line, steps),
    ]


def _asked(waits: Sequence[str]) -> list[str]:
    if not waits:
        return []
    return [f"the lead is asked about {len(waits)}; then: drumline retro --ask-lead"]


def _facts(plan: Plan) -> dict[str, Any]:
    return {"steps": [{**each._asdict(), "deed": each.deed.value} for each in plan.steps]}


def _lines(plan: Plan) -> list[str]:
    return columns((each.deed, each.member, each.learning, each.why) for each in plan.steps)


def _line(step: Step) -> str:
    return f"{step.deed} {step.member} {step.learning}: {step.text}"
