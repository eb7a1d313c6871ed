"""How runs are driven on this machine: their moves, their files, and their delivery."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from drumline.control import context, recovering, runs
from drumline.control.loop import OF_THE_STORE
from drumline.errors import DrumlineError, Refused, StoreTrouble
from drumline.team.moves import Deliver
from drumline.team.text import PATTERN_CAP, one_line
from drumline.wiring.leading import LeadByHand
from drumline.wiring.run_folders import write

if TYPE_CHECKING:
    from drumline.control.ports import Store
    from drumline.settings import Settings
    from drumline.team.actor import Actor
    from drumline.team.ids import TaskId
    from drumline.team.run import Run


log = logging.getLogger(__name__)


def drives(settings: Settings, store: Store) -> Callable[[], None]:
    """What brings every run at work a little further, as far as it goes now."""
    told: dict[str, str] = {}
    leader = LeadByHand(settings, store)

    def drive() -> None:
        leader.stand()
        for name in store.ask(runs.working):
            try:
                troubled = store.ask(runs.in_trouble, name)
                if not troubled or store.do(runs.heed_trouble, name, over=False):
                    advance(settings, store, name)
                if troubled:
                    store.do(runs.heed_trouble, name, over=True)
                told.pop(name, None)
            except OF_THE_STORE:
                raise
            except Exception as error:  # noqa: BLE001 - one run that cannot go on ends no plane
                why = _in_one_line(error)
                again, told[name] = told.get(name) == why, why
                if not again or not store.ask(runs.open_questions, name):
                    _tell_trouble(store, name, why, again=again)

    return drive


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
    """Make the moves a run is due; what stands in the way of its delivery a person is asked about."""
    left = store.do(runs.advance, name)
    if store.ask(context.owing, name):
        store.do(context.offer, name)
    if store.ask(recovering.owing, name):
        store.do(recovering.recover, name)
    render(settings, store, name)
    if any(isinstance(move, Deliver) for move in left):
        _deliver(settings, store, name)
        render(settings, store, name)


def _deliver(settings: Settings, store: Store, name: str) -> None:
    from drumline.runtimes.delivering import deliver, refuse_elsewhere

    run = store.ask(runs.find, name)

    def refuse(new: str, base: str) -> None:
        _refuse_unproved(settings, store.ask(runs.checks, name), new, base)
        # hooks and checks take long: somebody may have ended the run, or be on another branch
        store.ask(runs.deliverable, name)
        refuse_elsewhere(Path(settings.root), run.branch)

    try:
        store.ask(runs.deliverable, name)
        refuse_elsewhere(Path(settings.root), run.branch)
        title = f"{name}: {run.title}"
        commit = deliver(Path(settings.root), name, title, run.base, refuse)
    except Refused as refused:
        said = "; ".join(filter(None, (refused.what, refused.why, refused.next)))
        store.do(runs.not_delivered, name, said)
        return
    store.do(runs.delivered, name, commit)


def _refuse_unproved(
    settings: Settings, checks: Mapping[tuple[str, ...], TaskId], new: str, base: str
) -> None:
    """Refuse a merge that a task's check or the user's own hooks refuse, run where work can harm nobody.

    Every check passed on the team's branch: it is run again where the user has gone on from there.
    """
    from drumline.runtimes.delivering import moved_meanwhile
    from drumline.runtimes.project_command import Terms
    from drumline.runtimes.project_hooks import Bench, Joined, refuse_delivery
    from drumline.runtimes.verifying import Check, refuse_failing
    from drumline.wiring import manifest_of
    from drumline.wiring.quarters import Houses

    houses = Houses(settings)
    bench = Bench(
        repository=Path(settings.root),
        folder=houses.checkout("delivery"),
        terms=Terms(confinement=houses.apart(ports=())),
        plan=manifest_of(settings).checkout,
    )
    if checks and moved_meanwhile(bench.repository, base):
        for argv, task in checks.items():
            refuse_failing(str(task), Check(argv, new), bench)
    refuse_delivery(Joined(new, base), bench)


class TakenBack(NamedTuple):
    """A run that was taken back: by which commit, and what that undid, a file a line."""

    run: Run
    commit: str
    undone: list[str]


def take_back(settings: Settings, store: Store, actor: Actor, name: str) -> TakenBack:
    """Take a delivered run back out of the branch it was delivered to."""
    from drumline.runtimes.delivering import brought, refuse_beside, revert

    run, here = store.ask(runs.revertible, actor, name), Path(settings.root)
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


def _in_one_line(error: Exception) -> str:
    if isinstance(error, DrumlineError):
        return one_line("; ".join(filter(None, (error.what, error.why, error.next))), PATTERN_CAP)
    return one_line(f"{type(error).__name__}: {error}", PATTERN_CAP)
