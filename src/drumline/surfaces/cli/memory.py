"""Memory from the command line: what members learnt, what it was good for, and putting it in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from drumline.control import shelves
from drumline.control.lessons import Memory
from drumline.control.shelves import Edit
from drumline.surfaces.cli import desk, recall
from drumline.surfaces.cli.output import columns, show
from drumline.surfaces.cli.place import placed
from drumline.surfaces.cli.words import words
from drumline.team.reflection import Category
from drumline.wiring import memories, operator

DECISIONS = "decisions"

dry_run_option = click.option("--dry-run", is_flag=True, help="Show the diff and write nothing.")
member_option = click.option(
    "--member", default="", metavar="NAME", help="Whose, where several have it."
)
category_kind = click.Choice([each.value for each in Category])


@click.group()
def command() -> None:
    """What members learnt: files in memory/ that people edit too, and counts of their use."""


for each_command in recall.COMMANDS:
    command.add_command(each_command)


@command.command("show")
@click.argument("member", default="")
@placed
def show_memory(member: str, *, as_json: bool) -> None:
    """The learnings of MEMBER, or of everyone, with their ids; or the team's `decisions`."""
    memory = memories.memory(desk.here(), desk.library())
    if member == DECISIONS:
        decided = shelves.decisions(memory)
        lines = columns((each["decided"] or "", each["by"] or "", each["text"]) for each in decided)
        show(decided, lines or ["nothing was decided yet"], as_json=as_json)
        return
    found = shelves.rows(memory, member)
    table = ((each["id"], each["member"], each["section"], _words(each)) for each in found)
    show(found, columns(table) or ["nothing was learnt yet"], as_json=as_json)


@command.command("stats")
@click.argument("member", default="")
@placed
def stats(member: str, *, as_json: bool) -> None:
    """Which learnings pay: how often each was used, in how many runs, and when last."""
    memory = memories.memory(desk.here(), desk.library())
    found = sorted(shelves.rows(memory, member), key=lambda each: -each["references"])
    table = (
        (
            f"{each['references']:>5} uses",
            f"{each['runs']:>3} runs",
            (each["last_used"] or "never")[:10],
            each["tier"],
            each["id"],
            each["member"],
            each["text"],
        )
        for each in found
    )
    show(found, columns(table) or ["nothing was learnt yet"], as_json=as_json)


@command.command("add")
@click.argument("text")
@click.option("--member", required=True, metavar="NAME", help="Whose it is to know.")
@click.option("--category", type=category_kind, default="codebase-pattern", show_default=True)
@dry_run_option
@placed
def add(text: str, member: str, category: str, *, dry_run: bool, as_json: bool) -> None:
    """Write a learning into a member's file."""
    said = words(text)
    _edit(
        lambda memory: shelves.adding(memory, member, Category(category), said),
        dry_run=dry_run,
        as_json=as_json,
    )


@command.command("decide")
@click.argument("text")
@click.option("--section", default="Architecture", show_default=True, metavar="TITLE")
@click.option("--by", default="", metavar="NAME", help="Who decided, if not you.")
@dry_run_option
@placed
def decide(text: str, section: str, by: str, *, dry_run: bool, as_json: bool) -> None:
    """Write a decision of the team down, with its day and its author."""
    said, author = words(text), by or operator()
    _edit(
        lambda memory: shelves.deciding(memory, section, said, author),
        dry_run=dry_run,
        as_json=as_json,
    )


@command.command("move")
@click.argument("learning")
@click.option("--category", type=category_kind, help="To this section.")
@click.option("--to", default="", metavar="MEMBER", help="To this member's file.")
@member_option
@dry_run_option
@placed
def move(learning: str, category: str | None, *, dry_run: bool, as_json: bool, **said: str) -> None:
    """Move a LEARNING, by its id, to another section or another member; its uses go with it."""
    section = Category(category) if category else None
    _edit(
        lambda memory: shelves.moving(memory, learning, section, **said),
        dry_run=dry_run,
        as_json=as_json,
    )


@command.command("archive")
@click.argument("learning")
@click.option("--why", required=True, metavar="TEXT", help="The reason, kept with it.")
@member_option
@dry_run_option
@placed
def archive(learning: str, why: str, member: str, *, dry_run: bool, as_json: bool) -> None:
    """Take a LEARNING, by its id, out of its file; the archive beside it keeps it."""
    _edit(
        lambda memory: shelves.archiving(memory, learning, words(why), member),
        dry_run=dry_run,
        as_json=as_json,
    )


def _edit(make: Callable[[Memory], Edit], *, dry_run: bool, as_json: bool) -> None:
    """Show what an edit would change, or make it."""
    store = desk.store()
    memory = memories.memory(desk.here(), store)
    edit = make(memory)
    facts = {"id": edit.learning, "member": edit.member, "dry_run": dry_run}
    if dry_run:
        diff = shelves.preview(memory, edit)
        show({**facts, "diff": diff}, diff.splitlines(), as_json=as_json)
        return
    archived = shelves.carry_out(memory, desk.speaking(store), edit)
    left = [f"archived, for its file was full: {', '.join(archived)}"] if archived else []
    done = f"{edit.learning}  {edit.verb.removeprefix('memory.')}  {edit.member}"
    show({**facts, "archived": archived}, [done, *left], as_json=as_json)


def _words(row: dict[str, Any]) -> str:
    sender = f"(from {row['from']}) " if row["from"] else ""
    return f"{sender}{row['text']}"
