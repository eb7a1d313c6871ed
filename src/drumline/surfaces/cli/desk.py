"""Where a command sits down: the team's store, and who is speaking."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from drumline import settings, wiring
from drumline.control import roster
from drumline.errors import BadInput, NotAllowed, Unknown
from drumline.surfaces.cli.place import place
from drumline.team.actor import Actor, Role
from drumline.team.member import HUMAN
from drumline.team.task import Holder

if TYPE_CHECKING:
    from drumline.control.ports import Store, Upkeep

MEMBER = ("DRUMLINE_MEMBER", "LOA_TEAM_MEMBER")
LIFE = "DRUMLINE_INCARNATION"


def here() -> settings.Settings:
    """The repository and store this command acts on."""
    said = place()
    return settings.find(said.directory, manifest=said.manifest, store=said.store)


def here_or_none() -> settings.Settings | None:
    """The repository this command acts on, if there is a team at all."""
    try:
        return here()
    except Unknown:
        return None


def store() -> Store:
    """The team's store, to change something in it; closed when the command ends."""
    opened = wiring.open_store(here())
    click.get_current_context().call_on_close(opened.close)
    return opened


def library() -> Store:
    """The team's store, to look at; closed when the command ends."""
    opened = wiring.open_store(here(), reading=True)
    click.get_current_context().call_on_close(opened.close)
    return opened


def upkeep(url: str, *, create: bool = False) -> Upkeep:
    """A store as a whole; closed when the command ends."""
    opened = wiring.open_upkeep(url, create=create)
    click.get_current_context().call_on_close(opened.close)
    return opened


def member_in_environment() -> str:
    """The member whose process tree this is, if any."""
    return next((os.environ[name] for name in MEMBER if os.environ.get(name)), "")


def speaking(opened: Store, claimed: str = "") -> Actor:
    """Who acts: the member this process belongs to, or the person at the terminal.

    Only a person may speak for a member.
    """
    inside = member_in_environment()
    if inside:
        if claimed and claimed != inside and opened.ask(roster.addressed, claimed).name != inside:
            raise NotAllowed(
                f"{inside} cannot speak for {claimed}",
                why="inside a member's own processes its name is fixed",
                next="leave the name out",
            )
        life = os.environ.get(LIFE, "")
        actor = opened.ask(roster.acting_as, inside)
        return actor._replace(incarnation=int(life[:18])) if life.isdecimal() else actor
    return roster.person(wiring.operator())


def speaking_as(opened: Store, name: str) -> Actor:
    """A member as sender: itself, or the person at the terminal speaking for it."""
    actor = speaking(opened, name)
    if actor.role is not Role.PERSON:
        return actor
    spoken = opened.ask(roster.acting_as, name or HUMAN)
    return spoken._replace(by=str(actor))


def claimant(actor: Actor, member: str) -> Holder:
    """For whom a task is claimed."""
    name = member or (actor.name if actor.role is not Role.PERSON else "")
    if not name:
        raise BadInput("who takes it?", next="name the member: --member NAME")
    return Holder(name)


def holder(actor: Actor, member: str, fence: int | None) -> Holder:
    """Whose claim a command writes to; who may speak for all and names nobody means its holder."""
    return Holder(actor.name if actor.role is Role.TEAMMATE else member, fence=fence)
