"""How runs are driven on this machine: their moves, their files, and their delivery."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from drumline.control import context, recovering, runs
from drumline.control.loop import OF_THE_STORE
from drumline.errors import StoreTrouble, in_words
from drumline.team.moves import Deliver
from drumline.team.text import PATTERN_CAP, one_line
from drumline.wiring import open_again
from drumline.wiring.deliveries import Deliveries, deliver
from drumline.wiring.leading import LeadByHand
from drumline.wiring.run_folders import write

if TYPE_CHECKING:
    from drumline.control.ports import Store
    from drumline.settings import Settings
    from drumline.team.actor import Actor
    from drumline.team.run import Run
    from drumline.wiring.deliveries import GivenUp


log = logging.getLogger(__name__)


class Driving:
    """Brings every run at work a little further, as far as it goes now; deliveries go on beside it."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings, self._store = settings, store
        self._told: dict[str, str] = {}
        self._leader = LeadByHand(settings, store)
        team = store.ask(lambda tx: tx.team)
        self._deliveries = Deliveries(lambda: open_again(settings, team), self._deliver)

    def __call__(self) -> None:
        self._leader.stand()
        for name in self._store.ask(runs.working):
            if not self._deliveries.under_way(name):
                self._go_on(self._store, name, self._advance)

    def end(self) -> None:
        """Leave the runs to whoever drives them next."""
        self._deliveries.end()

    def _advance(self, store: Store, name: str) -> bool:
        """Whether that was all; where a delivery is due it is begun, and tells by itself how it went."""
        due = move_on(self._settings, store, name)
        if due:
            self._deliveries.begin(name)
        return not due

    def _deliver(self, store: Store, name: str, given_up: GivenUp) -> None:
        def step(store: Store, name: str) -> bool:
            _delivered(self._settings, store, name, given_up)
            return not given_up()

        self._go_on(store, name, step)

    def _go_on(self, store: Store, name: str, step: Callable[[Store, str], bool]) -> None:
        """Let a run go on by a step; what keeps it from that a person is asked about, once."""
        try:
            troubled = store.ask(runs.in_trouble, name)
            if troubled and not store.do(runs.heed_trouble, name, over=False):
                return
            if step(store, name):
                if troubled:
                    store.do(runs.heed_trouble, name, over=True)
                self._told.pop(name, None)
        except OF_THE_STORE:
            raise
        except Exception as error:  # noqa: BLE001 - one run that cannot go on ends no plane
            why = one_line(in_words(error), PATTERN_CAP)
            again, self._told[name] = self._told.get(name) == why, why
            if not again or not store.ask(runs.open_questions, name):
                _tell_trouble(store, name, why, again=again)


def _tell_trouble(store: Store, name: str, why: str, *, again: bool) -> None:
    """Ask a person about a run that cannot go on; of one that cannot even be read the plane's log tells, once."""
    try:
        store.do(runs.tell_trouble, name, why)
    except OF_THE_STORE:
        raise
    except StoreTrouble:
        if not again:
            log.warning("%s cannot be driven, and nobody can be asked: %s", name, why)


def advance(settings: Settings, store: Store, name: str) -> None:
    """Make the moves a run is due, its delivery too."""
    if move_on(settings, store, name):
        _delivered(settings, store, name)


def move_on(settings: Settings, store: Store, name: str) -> bool:
    """Make the moves of a run that are the store's; whether its delivery is due."""
    left = store.do(runs.advance, name)
    if store.ask(context.owing, name):
        store.do(context.offer, name)
    if store.ask(recovering.owing, name):
        store.do(recovering.recover, name)
    render(settings, store, name)
    return any(isinstance(move, Deliver) for move in left)


def _delivered(
    settings: Settings, store: Store, name: str, given_up: GivenUp = lambda: False
) -> None:
    deliver(settings, store, name, given_up)
    render(settings, store, name)


class TakenBack(NamedTuple):
    """A run that was taken back: by which commit, and what that undid, a file a line."""

    run: Run
    commit: str
    undone: list[str]


def take_back(settings: Settings, store: Store, actor: Actor, name: str) -> TakenBack:
    """Take a delivered run back out of the branch it was delivered to."""
    from drumline.runtimes.delivering import brought, refuse_beside, revert, tree_with

    run = store.ask(runs.revertible, actor, name)
    here = tree_with(Path(settings.root), run.branch)
    undone = brought(here, run.commit)
    refuse_beside(here, run.branch, run.commit)
    commit = revert(here, run.name, run.commit, run.base)
    after = store.do(runs.reverted, actor, run.name, commit)
    render(settings, store, run.name)
    return TakenBack(after, commit, undone)


def render(settings: Settings, store: Store, name: str) -> None:
    """Write a run's files as the store has them: whatever was there, they say what is so now."""
    from drumline.control.run_files import files_of

    for path, text in store.ask(files_of, name).items():
        write(settings, name, path, text)
