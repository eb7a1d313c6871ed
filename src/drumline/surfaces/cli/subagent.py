"""Subagents from a member's command line."""

from __future__ import annotations

import click

from drumline.control import subagents
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.kinds import TASK
from drumline.surfaces.cli.output import show
from drumline.surfaces.cli.place import placed
from drumline.surfaces.cli.words import words
from drumline.team.ids import TaskId
from drumline.team.subagent import Errand


@click.group()
def command() -> None:
    """Have a question answered by a subagent of yours; for members at work."""


@command.command()
@click.argument("profile")
@click.argument("prompt")
@click.option(
    "handed",
    "--handoff",
    type=TASK,
    multiple=True,
    help="Show it what was handed off of this task.",
)
@click.option("--reads-only", is_flag=True, help="Let it change nothing.")
@placed
def ask(
    profile: str, prompt: str, handed: tuple[TaskId, ...], *, reads_only: bool, as_json: bool
) -> None:
    """Ask a subagent of PROFILE, and wait for its answer; - reads PROMPT from stdin.

    It works in your checkout under your rules, and you pay for it. An answer of more than 30,000
    characters is written to a file, and only its place is shown.
    """
    errand = Errand(profile, words(prompt), reads_only)
    if handed:
        errand = desk.library().ask(subagents.with_handoffs, errand, handed)
    found = desk.ask_subagent(errand)
    show(found._asdict(), found.text.splitlines(), as_json=as_json)
