"""Where a command acts: which folder, manifest and store, and for whom."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from drumline.surfaces.cli.output import json_flag

Command = TypeVar("Command", bound=Callable[..., Any])


class Place:
    """What the operator said about where to act; empty means: find it."""

    directory = "."
    manifest = ""
    store = ""


def _keep(ctx: click.Context, param: click.Parameter, value: str) -> None:
    if value:
        setattr(ctx.ensure_object(Place), str(param.name), value)


def placed(command: Command) -> Command:
    """Add what every command takes: `--json` and where to act."""
    for flags, name, env, text in (
        (("-C", "--directory"), "directory", None, "Act as if started in this folder."),
        (
            ("--manifest",),
            "manifest",
            "DRUMLINE_MANIFEST",
            "The team's file, if not found by itself.",
        ),
        (
            ("--store",),
            "store",
            "DRUMLINE_STORE",
            "sqlite:///PATH or postgresql://… instead of the team's own.",
        ),
    ):
        command = click.option(
            *flags, name, envvar=env, metavar="", expose_value=False, callback=_keep, help=text
        )(command)
    return json_flag(command)


def place() -> Place:
    """Where this command acts."""
    return click.get_current_context().ensure_object(Place)
