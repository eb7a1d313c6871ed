"""Members that join and leave a living team: the change of the manifest, planned and refused before it is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from drumline.errors import Conflict, NotReady, Unknown
from drumline.team.applicant import Applicant, checked, entry, is_said_of
from drumline.team.difference import difference
from drumline.team.member import HUMAN
from drumline.team.related_work import related_to

if TYPE_CHECKING:
    from drumline.control.ports import Transaction
    from drumline.team.manifest import Manifest, MemberEntry
    from drumline.team.task import Task


class ManifestText(Protocol):
    """A manifest as its text, which a person may be editing."""

    @property
    def file(self) -> str: ...
    def read(self) -> str: ...
    def meaning(self, text: str) -> Manifest:
        """What a text says, or a refusal that lists every problem of it."""
        ...

    def with_member(self, text: str, lines: Sequence[str]) -> str: ...
    def without_member(self, text: str, name: str) -> str: ...
    def replace(self, before: str, after: str) -> None:
        """Put the text in place, unless somebody changed what was read."""
        ...


class Change(NamedTuple):
    """A change of the manifest: its text before and after, and whom it is about.

    related  whose learnings a new member is given
    """

    file: str
    before: str
    after: str
    member: MemberEntry
    related: tuple[str, ...] = ()

    @property
    def diff(self) -> str:
        return difference(self.file, self.before, self.after)


def joining(manifest: ManifestText, who: Applicant) -> Change:
    """The change that puts a new member on the team."""
    before = manifest.read()
    was = manifest.meaning(before)
    if was.member(who.name) is not None:
        raise Conflict(
            f"{who.name} is on team {was.team} already",
            why=f"{manifest.file} names it",
            next=f"choose another name, or change its lines in {manifest.file}",
        )
    after = manifest.with_member(before, entry(checked(who, was.constitution)))
    now = manifest.meaning(after)
    new = now.member(who.name)
    if new is None or replace(now, members=now.members[:-1]) != was:
        raise _not_understood(manifest)
    return Change(manifest.file, before, after, new, tuple(related_to(new, was.members)))


def has_joined(manifest: ManifestText, who: Applicant) -> bool:
    """Whether a member stands in the manifest just as it is to join."""
    there = manifest.meaning(manifest.read()).member(who.name)
    return there is not None and is_said_of(who, there)


def leaving(manifest: ManifestText, name: str) -> Change:
    """The change that takes a member off the team."""
    before = manifest.read()
    was = manifest.meaning(before)
    found = was.member(name)
    if found is None:
        here = ", ".join(each.name for each in was.members)
        raise Unknown(
            f"no member {name[:80]!r} in {manifest.file}",
            why=f"there are: {here}",
            next="drumline team show",
        )
    if name == was.lead:
        raise Conflict(
            f"{name} leads team {was.team}",
            why="a team has exactly one lead",
            next=f"name another in {manifest.file} first: lead: NAME, or lead: {HUMAN}",
        )
    rest = tuple(each for each in was.members if each.name != name)
    if not any(each.name != was.lead for each in rest):
        raise Conflict(
            f"{name} is the last member of team {was.team} that works",
            why="a team without one could do nothing",
            next="add another first: drumline team add NAME --role TEXT --profile PROFILE",
        )
    after = manifest.without_member(before, name)
    if manifest.meaning(after) != replace(was, members=rest):
        raise _not_understood(manifest)
    return Change(manifest.file, before, after, found)


def held_by(tx: Transaction, name: str) -> list[Task]:
    """The tasks a member holds now."""
    return [task for task in tx.tasks.held() if task.owner == name]


def refuse_holder(tx: Transaction, name: str, *, release: bool) -> None:
    """Refuse to let a member go that leads a run, or that holds work nobody said to give back."""
    for run in tx.runs.working():
        found = tx.runs.get(run)
        if found is not None and found.lead == name:
            raise Conflict(
                f"{name} leads {run}",
                why="a run without its lead waits for ever",
                next=f"drumline run stop {run}   # or wait until it is delivered",
            )
    held = held_by(tx, name)
    if held and not release:
        told = ", ".join(f"{each.id}{f' of {each.run}' if each.run else ''}" for each in held)
        raise NotReady(
            f"{name} holds {told}",
            why="it would go back to the board unfinished; what was committed stays in its branch, and"
            " whoever takes it begins anew",
            next=f"drumline team remove {name} --release   # or wait until it is done",
        )


def _not_understood(manifest: ManifestText) -> Conflict:
    return Conflict(
        f"{manifest.file} cannot be changed without changing more than that member",
        why="its text and what it says do not go together line by line",
        next="edit the file by hand, then: drumline team check",
    )
