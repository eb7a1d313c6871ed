"""Where a command sits down: the team's store, and who is speaking."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import click

from drumline import settings, wiring
from drumline.control import roster
from drumline.errors import BadInput, BadManifest, NotAllowed, NotVerified, Unknown
from drumline.surfaces.cli.caller import caller
from drumline.surfaces.cli.place import member_in_environment, members_inside, place
from drumline.team.actor import Actor, Role
from drumline.team.member import HUMAN
from drumline.team.task import Holder

if TYPE_CHECKING:
    from drumline.control.ports import Store, Upkeep
    from drumline.team.handoff import Handoff, Kept
    from drumline.team.ids import TaskId
    from drumline.team.subagent import Answered, Errand

LIFE = "DRUMLINE_INCARNATION"
LONGEST_LIFE = 18  # digits: what a store can count


def here() -> settings.Settings:
    """The repository and store this command acts on."""
    if vouched := caller():
        return vouched.settings
    said = place()
    return settings.find(said.directory, manifest=said.manifest, store=said.store)


def here_or_none() -> settings.Settings | None:
    """The repository this command acts on, if there is a team at all."""
    try:
        return here()
    except Unknown:
        return None


def here_as_it_was() -> settings.Settings:
    """The repository this command acts on, though its manifest may be gone."""
    try:
        return here()
    except Unknown:
        said = place()
        return settings.find_left(said.directory, manifest=said.manifest, store=said.store)


def store() -> Store:
    """The team's store, to change something in it; closed when the command ends."""
    opened = wiring.open_store(here(), inside=lives_inside)
    click.get_current_context().call_on_close(opened.close)
    return opened


def store_as_it_was() -> Store:
    """The team's store, to stop something: a manifest that cannot be read keeps nobody from that."""
    try:
        return store()
    except (BadInput, BadManifest, Unknown):
        opened = wiring.open_as_it_was(here_as_it_was())
        click.get_current_context().call_on_close(opened.close)
        return opened


def stores_left(opened: Store) -> list[Store]:
    """The stores of teams that the manifest named before: stopping means them too."""
    found = wiring.open_left(here_as_it_was(), opened.ask(lambda tx: tx.team))
    for each in found:
        click.get_current_context().call_on_close(each.close)
    return found


def library() -> Store:
    """The team's store, to look at; closed when the command ends."""
    opened = wiring.open_store(here(), reading=True, inside=lives_inside)
    click.get_current_context().call_on_close(opened.close)
    return opened


def upkeep(url: str, tell: Callable[[str], None], *, create: bool = False) -> Upkeep:
    """A store as a whole; closed when the command ends."""
    opened = wiring.open_upkeep(url, tell, create=create)
    click.get_current_context().call_on_close(opened.close)
    return opened


def lives_inside() -> Mapping[str, int | None]:
    """The members in whose process trees this is, and the life this one says it is."""
    own = member_in_environment()
    return {name: _life() if name == own else None for name in members_inside()}


def refuse_teammates(deed: str) -> None:
    """What makes the team's rules is done by a person or the present lead."""
    from drumline.control import registration  # noqa: PLC0415 - only this rare question pays for it

    inside = lives_inside()
    if inside and not library().ask(registration.may_take_over, inside):
        raise NotAllowed(
            f"{', '.join(sorted(inside))} cannot {deed}",
            why="a team's rules are made by a person or its lead",
            next="ask the lead: drumline mail send --to lead …",
        )


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
        life, actor = _life(), opened.ask(roster.acting_as, inside)
        return actor if life is None else actor._replace(incarnation=life)
    return roster.person(wiring.operator())


def choosing(opened: Store, member: str) -> Actor:
    """Who claims a task: a lead chooses for others, anybody else only for itself."""
    actor = speaking(opened)
    return actor if actor.role is Role.LEAD else speaking(opened, member)


def speaking_as(opened: Store, name: str, *, naming: str = "") -> Actor:
    """A member as sender: itself, or the person at the terminal speaking for it."""
    actor = speaking(opened, name)
    if actor.role is not Role.PERSON:
        return actor
    try:
        spoken = opened.ask(roster.acting_as, name or HUMAN)
    except (Unknown, NotAllowed):
        if name:
            raise
        leader = opened.ask(roster.lead).name
        raise BadInput(
            "as whom?", why=f"{leader} leads this team, no person", next=naming
        ) from None
    return spoken._replace(by=str(actor))


def _life() -> int | None:
    """Which of its lives the member is, by its runner's word or else by the environment's."""
    if vouched := caller():
        return vouched.incarnation
    said = os.environ.get(LIFE, "")
    if not said:
        return None
    if said.isascii() and said.isdecimal() and len(said) <= LONGEST_LIFE:
        return int(said)
    raise BadInput(
        f"{LIFE} is {said[:40]!r}, which counts no life",
        why="a member acts only in its present life",
        next="start the member again: its launch sets the variable",
    )


def claimant(actor: Actor, member: str) -> Holder:
    """For whom a task is claimed; a member whose runner gives it tasks has one at a time."""
    vouched = caller()
    name = member or (actor.name if actor.role is not Role.PERSON else "")
    if not name:
        raise BadInput("who takes it?", next="name the member: --member NAME")
    return Holder(name, alone=vouched is not None and name == vouched.member)


def holder(actor: Actor, member: str, fence: int | None) -> Holder:
    """Whose claim a command writes to; who may speak for all and names nobody means its holder."""
    return Holder(actor.name if actor.role is Role.TEAMMATE else member, fence=fence)


def ask_subagent(errand: Errand) -> Answered:
    """The answer of a subagent of the member who speaks, started by its runner."""
    vouched = caller()
    if vouched is None or vouched.ask is None:
        raise NotAllowed(
            "only a member at work starts subagents",
            why="its runner holds them to its rules and counts what they cost",
            next="give the work to a member: drumline task add …",
        )
    return vouched.ask(errand)


def hand_off(opened: Store, actor: Actor, task: TaskId, holder: Holder, handoff: Handoff) -> Kept:
    """Keep and tell a handoff, and write its files, by whoever serves this command."""
    from drumline.wiring.handoffs import Hander  # noqa: PLC0415 - only this verb pays for it

    return Hander(here(), opened).submit(actor, task, holder, handoff)


def hand_in(task: TaskId, holder: Holder) -> bool:
    """Have the runner of the member who speaks take its work in; false where no runner speaks for it."""
    vouched = caller()
    if vouched is None or vouched.hand_in is None or holder.fence is None:
        return False
    taken = vouched.hand_in(task, holder.fence)
    if not taken.accepted:
        way_out = taken.next or "mend it, then say done again"
        raise NotVerified(taken.what, why=taken.why, next=way_out)
    return True
