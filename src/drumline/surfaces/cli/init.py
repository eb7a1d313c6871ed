"""Write a team for this repository: show what would be written, ask, write."""

import sys
from collections.abc import Iterator

import click

from drumline import settings, wiring
from drumline.control import setup
from drumline.control.setup import Choice, Deed, Plan
from drumline.errors import NotAllowed
from drumline.surfaces.cli.output import columns, safe, show
from drumline.surfaces.cli.place import members_inside, place, placed
from drumline.team.rights import CONSTITUTIONS, DEFAULT_CONSTITUTION
from drumline.team.topology import PARALLEL_SPRINT, TOPOLOGIES

DONE = {Deed.WRITE: "wrote", Deed.APPEND: "added to", Deed.KEEP: "kept"}


@click.command(name="init")
@click.option(
    "--topology",
    type=click.Choice(list(TOPOLOGIES)),
    default=PARALLEL_SPRINT.name,
    show_default=True,
    help="The shape of the team.",
)
@click.option(
    "--constitution",
    type=click.Choice(list(CONSTITUTIONS)),
    default=DEFAULT_CONSTITUTION,
    show_default=True,
    help="The preset of rules and profiles.",
)
@click.option("--name", default="", metavar="TEAM", help="The team's name, if not the folder's.")
@click.option("--join", is_flag=True, help="Share the board of the team of that name on the store.")
@click.option("--yes", is_flag=True, help="Write without asking.")
@click.option("--dry-run", is_flag=True, help="Show the diff and write nothing.")
@placed
def command(*, join: bool, yes: bool, dry_run: bool, as_json: bool, **chosen: str) -> None:
    """Write a team for this repository; nothing that exists is overwritten."""
    if yes and dry_run:
        raise click.UsageError("--yes writes and --dry-run does not: choose one")
    here = place()
    target = settings.for_new_team(here.directory, manifest=here.manifest, store=here.store)
    repository = wiring.worktree(target)
    plan = setup.plan(repository, Choice(**chosen))
    if not plan.paths(Deed.WRITE, Deed.APPEND):
        click.echo("every file is there already: nothing to write", err=True)
    if dry_run:
        _show(plan, setup.difference(plan).split("\n")[:-1], dry=True, as_json=as_json)
        return
    if members := members_inside():
        raise NotAllowed(
            f"{', '.join(sorted(members))} cannot found or join a team",
            why="a team is a person's to make",
            next="drumline init --dry-run   # shows what a person would write",
        )
    wiring.refuse_taken(target, plan.team, joining=join)
    if not yes:
        _ask(plan, target.root)
    done = setup.carry_out(repository, plan)
    wiring.register_team(target, joining=join)
    _show(done, _done_lines(done), dry=False, as_json=as_json)


def _ask(plan: Plan, root: str) -> None:
    if not plan.paths(Deed.WRITE, Deed.APPEND):
        return
    if not sys.stdin.isatty():
        raise NotAllowed(
            "nothing was written: there is no terminal to ask at",
            next="drumline init --yes   # or --dry-run to see what it would write",
        )
    for line in columns((step.deed, step.path) for step in plan.steps):
        click.echo(line, err=True)
    if not click.confirm(f"Write team {plan.team} in {safe(root)}?", err=True):
        raise NotAllowed(
            "nothing was written", next="drumline init --dry-run   # shows the whole diff"
        )


def _show(plan: Plan, lines: Iterator[str] | list[str], *, dry: bool, as_json: bool) -> None:
    found = {
        "team": plan.team,
        "dry_run": dry,
        "written": plan.paths(Deed.WRITE),
        "appended": plan.paths(Deed.APPEND),
        "kept": plan.paths(Deed.KEEP),
        **({"diff": setup.difference(plan)} if dry else {}),
    }
    show(found, lines, as_json=as_json)


def _done_lines(plan: Plan) -> Iterator[str]:
    yield from columns((DONE[step.deed], step.path) for step in plan.steps)
    yield f"team {plan.team} is ready; next: drumline team check"
