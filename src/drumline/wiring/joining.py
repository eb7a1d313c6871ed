"""Members that join and leave on this machine: the manifest, the store, their memory and their checkout.

Whoever is cut off behind the manifest says it again, and only the rest is done.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from drumline.control import joining, lessons, transfer
from drumline.errors import Refused
from drumline.store.manifest_file import ManifestFile
from drumline.team.learning import learnings_file
from drumline.team.related_work import related_to, work_of
from drumline.team.text import is_name
from drumline.wiring import memories, open_store
from drumline.wiring.quarters import Houses

if TYPE_CHECKING:
    from drumline.control.joining import Change
    from drumline.control.lessons import Written
    from drumline.control.ports import Store
    from drumline.settings import Settings
    from drumline.team.applicant import Applicant


class Left(NamedTuple):
    """What was given on of a member that left; `kept` is why its checkout stays."""

    given_on: tuple[Written, ...]
    kept: str = ""


def to_join(settings: Settings, who: Applicant) -> Change:
    """The change that puts a new member on the team."""
    return joining.joining(_manifest(settings), who)


def join(settings: Settings, who: Applicant) -> tuple[Written, ...]:
    """Put a member on the team, and give it what related members learnt."""
    if not _is_unseeded(settings, who):
        change = to_join(settings, who)
        _manifest(settings).replace(change.before, change.after)
    return _seeded(settings, who.name)


def to_leave(settings: Settings, store: Store, name: str, *, release: bool) -> Change:
    """The change that takes a member off the team, if it may go now."""
    change = joining.leaving(_manifest(settings), name)
    store.ask(joining.refuse_holder, name, release=release)
    return change


def leave(
    settings: Settings, store: Store, name: str, end: Callable[[], None], *, release: bool
) -> Left:
    """Take a member off the team: `end` ends its process, its claims go back, its notes are given on."""
    if _is_unsettled(settings, name):
        return Left(_given_on(settings, name), _checkout(settings, name))
    change = to_leave(settings, store, name, release=release)
    end()
    _manifest(settings).replace(change.before, change.after)
    return Left(_given_on(settings, name), _checkout(settings, name))


def _manifest(settings: Settings) -> ManifestFile:
    """The manifest the team is taken from."""
    return ManifestFile(settings.ruling_manifest, settings.root)


def _is_unseeded(settings: Settings, who: Applicant) -> bool:
    """Whether a member is on the team and has no notebook: whoever added it was cut off."""
    there = joining.has_joined(_manifest(settings), who)
    return there and not memories.notebooks(settings).read(learnings_file(who.name))


def _seeded(settings: Settings, name: str) -> tuple[Written, ...]:
    """Take the manifest over, and give a member its notebook."""
    store = open_store(settings)
    try:
        memory = memories.memory(settings, store)
        here = _manifest(settings)
        said = here.meaning(here.read())
        entry = said.member(name)
        related = related_to(entry, said.members) if entry else []
        return tuple(transfer.seed(memory, name, related))
    finally:
        store.close()


def _is_unsettled(settings: Settings, name: str) -> bool:
    """Whether notes or a checkout of somebody who left are still there: whoever removed it was cut off."""
    here = _manifest(settings)
    if not is_name(name) or here.meaning(here.read()).member(name) is not None:
        return False
    if Houses(settings).checkout(name).is_dir():
        return True
    if name not in memories.notebooks(settings).members():
        return False
    store = open_store(settings)
    try:
        memory = memories.memory(settings, store)
        return any(each.note for each in lessons.known(memory, name))
    finally:
        store.close()


def _given_on(settings: Settings, name: str) -> tuple[Written, ...]:
    """Take the manifest over, and give on the notes of a member that left."""
    store = open_store(settings)
    try:
        here = _manifest(settings)
        rest = here.meaning(here.read()).members
        heirs = {each.name: work_of(each) for each in rest}
        return tuple(transfer.redistribute(memories.memory(settings, store), name, heirs))
    finally:
        store.close()


def _checkout(settings: Settings, name: str) -> str:
    """Remove a checkout that holds nothing more; why it stays, if it does."""
    from drumline.runtimes import checkout

    houses = Houses(settings)
    folder = houses.checkout(name)
    if not folder.exists():
        return ""
    try:
        checkout.remove(houses.repository, folder, name)
    except (Refused, OSError) as no:
        return no.what if isinstance(no, Refused) else str(no)
    return ""
