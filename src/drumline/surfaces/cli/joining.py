"""Members that join and leave, from the command line: shown as a diff first where one asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from drumline.control import joining, postings
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.output import columns, show
from drumline.surfaces.cli.place import placed
from drumline.team.applicant import Applicant
from drumline.team.manifest import RUNTIMES
from drumline.team.posting import Wanted

if TYPE_CHECKING:
    from drumline.control.lessons import Written

CHANGE = "change who is on the team"

dry_run_option = click.option("--dry-run", is_flag=True, help="Show the diff and change nothing.")


@click.command("add")
@click.argument("name")
@click.option("--role", required=True, metavar="TEXT", help="What it is responsible for.")
@click.option("--profile", default="", metavar="NAME", help="Its agent profile.")
@click.option(
    "--tool", "tools", multiple=True, metavar="RULE", help="A tool, if not its profile's."
)
@click.option("--owns", multiple=True, metavar="GLOB", help="Files it is responsible for.")
@click.option("--runtime", type=click.Choice(RUNTIMES), default=None, help="Where it lives.")
@click.option("--model", default="", metavar="NAME", help="Instead of the team's default.")
@click.option("--budget", type=float, default=None, help="USD, instead of the team's default.")
@click.option("--scenario", default="", metavar="FILE", help="What a scripted member plays.")
@dry_run_option
@placed
def add(name: str, runtime: str | None, *, dry_run: bool, as_json: bool, **said: Any) -> None:
    """Put a member on the living team, with what related members learnt."""
    from drumline.wiring import joining as here  # noqa: PLC0415 - only these commands pay for it

    desk.refuse_teammates(CHANGE)
    who = Applicant(name=name, runtime=runtime or "", **said)
    if dry_run:
        change = here.to_join(desk.here(), who)
        _dry(change, {"seeded_from": change.related}, _from(change.related), as_json=as_json)
        return
    seeded = here.join(desk.here(), who)
    told = {"member": name, "dry_run": False, "seeded": [each._asdict() for each in seeded]}
    lines = [f"{name} is on the team; next: drumline member start {name}", *_handed(seeded)]
    show(told, lines, as_json=as_json)


@click.command("remove")
@click.argument("name")
@click.option(
    "--release", is_flag=True, help="Also while it holds tasks: they go back to the board."
)
@dry_run_option
@placed
def remove(name: str, *, release: bool, dry_run: bool, as_json: bool) -> None:
    """Take a member off the team: it ends, its claims go back, its notes are given on."""
    from drumline.wiring import joining as here  # noqa: PLC0415 - as above

    desk.refuse_teammates(CHANGE)
    settings, store = desk.here(), desk.store()
    if dry_run:
        change = here.to_leave(settings, store, name, release=release)
        held = [str(each.id) for each in store.ask(joining.held_by, name)]
        _dry(change, {"released": held}, [f"released: {each}" for each in held], as_json=as_json)
        return
    done = here.leave(settings, store, name, lambda: _end(name), release=release)
    given = [each._asdict() for each in done.given_on]
    told = {"member": name, "dry_run": False, "given_on": given, "checkout_kept": done.kept or None}
    lines = [f"{name} is off the team; its learnings stay findable", *_handed(done.given_on)]
    kept = [f"its checkout stays: {done.kept}"] if done.kept else []
    show(told, [*lines, *kept], as_json=as_json)


COMMANDS = (add, remove)


def _end(name: str) -> None:
    """Let a member's process end in order, before its seat is taken away."""
    from drumline.surfaces.cli.member import await_end  # noqa: PLC0415 - as above

    store = desk.store()
    store.do(postings.want, desk.speaking(store), name, Wanted.STOPPED)
    await_end(store, [name])


def _dry(
    change: joining.Change, facts: dict[str, Any], more: Iterable[str], *, as_json: bool
) -> None:
    told = {"member": change.member.name, "dry_run": True, "diff": change.diff, **facts}
    show(told, [*change.diff.splitlines(), *more], as_json=as_json)


def _from(related: Sequence[str]) -> Iterator[str]:
    yield f"learnings from: {', '.join(related) or 'nobody, whose work is like its own'}"


def _handed(on: Iterable[Written]) -> list[str]:
    rows = [(each.id, f"to {each.member}", "" if each.new else "known already") for each in on]
    return columns(rows)
