"""Where a command acts: which folder, manifest and store, and for whom."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from drumline.errors import NotAllowed
from drumline.surfaces.cli.caller import caller
from drumline.surfaces.cli.output import json_flag

if TYPE_CHECKING:
    from drumline.settings import Settings

Command = TypeVar("Command", bound=Callable[..., Any])

MEMBER = ("DRUMLINE_MEMBER", "LOA_TEAM_MEMBER")


class Place:
    """What the operator said about where to act; empty means: find it."""

    directory = "."
    manifest = ""
    store = ""


def _keep(ctx: click.Context, param: click.Parameter, value: str) -> None:
    if not value:
        return
    name = str(param.name)
    typed = ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
    if typed and name != "directory" and (members := members_inside()):
        raise NotAllowed(
            f"{', '.join(sorted(members))} cannot choose the {name}",
            why="inside a member's own processes its team is fixed",
            next=f"leave --{name} out",
        )
    setattr(ctx.ensure_object(Place), name, value)


def member_in_environment() -> str:
    """The member whose process tree this is, if any; who is vouched for is nobody else."""
    if vouched := caller():
        return vouched.member
    return next((os.environ[name] for name in MEMBER if os.environ.get(name)), "")


def members_inside() -> set[str]:
    """The members in whose process trees this is, whatever name was dropped on the way."""
    if vouched := caller():
        return {vouched.member}
    from drumline.wiring import guards  # noqa: PLC0415 - only who brings something new pays for it

    return {*guards.members_above(), member_in_environment()} - {""}


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
    """Where this command acts; for a member it is its team's repository, wherever it stands."""
    if vouched := caller():
        return _team_place(vouched.settings)
    return click.get_current_context().ensure_object(Place)


def _team_place(settings: Settings) -> Place:
    found = Place()
    found.directory, found.manifest = settings.root, settings.manifest
    found.store = "" if settings.own_store else settings.store
    return found
