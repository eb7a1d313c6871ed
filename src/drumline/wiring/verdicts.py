"""A guard that hears what was said of its member's understanding, in the midst of a turn too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from drumline.control import modes, protocol

if TYPE_CHECKING:
    from drumline.control.ports import Store, Transaction
    from drumline.runtimes.runtime import Guard
    from drumline.team.life import Life
    from drumline.team.manifest import MemberEntry
    from drumline.team.task import Task


class Place(Protocol):
    """Where members stand, and what each holds."""

    @property
    def store(self) -> Store: ...
    @property
    def stands(self) -> Mapping[str, Mapping[str, Any]]: ...
    @property
    def tasks(self) -> Mapping[str, Task | None]: ...
    def entry(self, member: str) -> MemberEntry: ...
    def stand(self, entry: MemberEntry, life: Life, task: Task | None) -> None: ...


class Hearing:
    """Whoever makes a call is looked at again before it.

    It may be verified meanwhile, or have said that it pauses; a run may have begun that is led otherwise.
    """

    def __init__(self, guard: Guard, place: Place, life: Life) -> None:
        self._guard, self._place, self._life = guard, place, life

    def before(self, event: Mapping[str, Any]) -> Mapping[str, str]:
        """The ruling on a call, by what is known of its member now."""
        self._hear()
        return self._guard.before(event)

    def after(self, event: Mapping[str, Any]) -> None:
        self._guard.after(event)

    def _hear(self) -> None:
        place, life = self._place, self._life
        task, stands = place.tasks.get(life.member), place.stands[life.member]
        known = (stands.get("protocol"), stands.get("mode"))
        if place.store.ask(_standing, life, task) != known:
            place.stand(place.entry(life.member), life, task)


def _standing(tx: Transaction, life: Life, task: Task | None) -> tuple[str, str]:
    """What may have changed since a member's last call: how far it is, and how its run is led."""
    return protocol.standing(tx, life, task), modes.at_work(tx)
