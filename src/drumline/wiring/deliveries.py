"""Deliveries on this machine: hooks and checks take minutes, and all else a plane does goes on meanwhile."""

from __future__ import annotations

import logging
import shlex
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from drumline.control import deliveries, runs
from drumline.control.loop import OF_THE_STORE
from drumline.errors import Refused

if TYPE_CHECKING:
    from drumline.control.ports import Store
    from drumline.settings import Settings

GivenUp = Callable[[], bool]
log = logging.getLogger(__name__)


class Deliveries:
    """Those under way, each in a thread and on a store of its own; whoever leaves cuts them short."""

    def __init__(
        self, open_store: Callable[[], Store], deliver: Callable[[Store, str, GivenUp], None]
    ) -> None:
        self._open_store, self._deliver = open_store, deliver
        self._threads: dict[str, threading.Thread] = {}
        self._leaving = threading.Event()

    def under_way(self, name: str) -> bool:
        return name in self._threads and self._threads[name].is_alive()

    def begin(self, name: str) -> None:
        """Deliver a run that nobody delivers yet."""
        if not self.under_way(name):
            thread = threading.Thread(target=self._run, args=(name,), name=f"delivery-{name}")
            self._threads[name] = thread
            thread.start()

    def end(self) -> None:
        """Cut short what is under way: whoever looks at the runs next delivers them."""
        self._leaving.set()
        for thread in self._threads.values():
            thread.join()

    def _run(self, name: str) -> None:
        try:
            with closing(self._open_store()) as store:
                self._deliver(store, name, self._leaving.is_set)
        except OF_THE_STORE:  # the plane has the same store, and its own word for it
            log.exception("%s is not delivered now", name)


def deliver(settings: Settings, store: Store, name: str, given_up: GivenUp = lambda: False) -> None:
    """Bring a run's work into the user's branch; what stands in the way of that a person is asked about."""
    from drumline.runtimes.delivering import deliver as merge
    from drumline.runtimes.delivering import refuse_elsewhere, refuse_lost, tree_with

    run = store.ask(runs.find, name)
    here = tree_with(Path(settings.root), run.branch)
    looking = _Looking(settings, store, name, here, given_up)

    def refuse(new: str, base: str) -> None:
        looking.refuse_unproved(new, base)
        # hooks and checks take long: somebody may have ended the run, or be on another branch
        store.ask(runs.deliverable, name)
        refuse_elsewhere(here, run.branch)

    try:
        store.ask(runs.deliverable, name)
        refuse_elsewhere(here, run.branch)
        refuse_lost(here, store.ask(runs.merged, name))
        commit = merge(here, name, f"{name}: {run.title}", run.base, refuse)
    except Refused as refused:
        if not given_up():
            said = "; ".join(filter(None, (refused.what, refused.why, refused.next)))
            store.do(runs.not_delivered, name, said)
        return
    finally:
        store.do(deliveries.end_steps, name)
    store.do(runs.delivered, name, commit)


class _Looking(NamedTuple):
    """Looks at the merge of a run before it is kept, and tells what is run for that."""

    settings: Settings
    store: Store
    run: str
    tree: Path
    given_up: GivenUp

    def refuse_unproved(self, new: str, base: str) -> None:
        """Refuse a merge that a task's check or the user's own hooks refuse, run where work can harm nobody.

        Every check passed on the team's branch: it is run again where the user has gone on from there.
        """
        from drumline.runtimes.delivering import moved_meanwhile
        from drumline.runtimes.project_command import Terms
        from drumline.runtimes.project_hooks import (
            ON_DELIVERY,
            Bench,
            Joined,
            hooks_of,
            refuse_delivery,
        )
        from drumline.runtimes.verifying import Check, refuse_failing
        from drumline.wiring import manifest_of
        from drumline.wiring.quarters import Houses

        houses, checks = Houses(self.settings), self.store.ask(runs.checks, self.run)
        bench = Bench(
            repository=self.tree,
            folder=houses.checkout("delivery"),
            terms=Terms(confinement=houses.apart(ports=()), given_up=self.given_up),
            plan=manifest_of(self.settings).checkout,
        )
        if checks and moved_meanwhile(bench.repository, base):
            for argv, task in checks.items():
                self._tell(f"{task}'s check `{shlex.join(argv)}`")
                refuse_failing(str(task), Check(argv, new), bench)
        there = hooks_of(bench.repository)
        for hook in (each for each in ON_DELIVERY if each in there):
            self._tell(f"your hook {hook}")
        refuse_delivery(Joined(new, base), bench)

    def _tell(self, what: str) -> None:
        self.store.do(deliveries.begin_step, self.run, what)
