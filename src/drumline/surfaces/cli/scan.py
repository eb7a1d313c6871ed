"""Scanning for secrets and protected files on request: before a commit, a merge or a push."""

import os

import click

from drumline import wiring
from drumline.control import policy
from drumline.control.scan import scan as scan_changes
from drumline.errors import BadInput
from drumline.surfaces.cli import desk
from drumline.surfaces.cli.output import columns, show
from drumline.surfaces.cli.place import place, placed
from drumline.team.scan import ALLOWED, Hit
from drumline.wiring import guards


@click.command()
@click.argument("words", nargs=-1, metavar="[RANGE | PATH...]")
@click.option("--staged", is_flag=True, help="What is staged; so it is when nothing is named.")
@click.option("--files", is_flag=True, help="The words are files, taken as they stand.")
@placed
@click.pass_context
def scan(
    ctx: click.Context, words: tuple[str, ...], *, staged: bool, files: bool, as_json: bool
) -> None:
    """Find secrets and protected files before they are kept; exit 1 when there are any.

    A..B looks at each commit, A...B at all that B would bring into A, a single name at that commit.
    """
    if (staged and (words or files)) or (files and not words) or (len(words) > 1 and not files):
        raise click.UsageError("say --staged, one RANGE, or --files and their names")
    found = _hits(words, files=files)
    rows = columns((hit.place(), hit.kind) for hit in found)
    show(
        {"ok": not found, "hits": [hit.facts() for hit in found]},
        rows or ["ok: no secrets and no protected files"],
        as_json=as_json,
    )
    if found:
        click.echo(f"next: take them out, or mark a false alarm: {ALLOWED}", err=True)
    ctx.exit(1 if found else 0)


def _hits(words: tuple[str, ...], *, files: bool) -> list[Hit]:
    settings = desk.here_or_none()
    manifest = wiring.manifest_of(settings) if settings is not None else None
    rules = policy.in_force(guards.policy_files(settings), manifest)
    folder = os.path.abspath(place().directory)  # noqa: PTH100 - links stay as they are written
    chosen = {"files": words} if files else {"commits": "".join(words)}
    try:
        return scan_changes(guards.changes(folder, **chosen), rules)
    except OSError as error:
        raise BadInput(
            "this cannot be scanned", why=str(error), next="name what is there, in a repository"
        ) from error
