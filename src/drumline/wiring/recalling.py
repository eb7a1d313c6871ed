"""Recall on this machine: the index is brought up to this repository's files, then asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING

from drumline.control import recall, team_notes
from drumline.control.run_files import MEMORY
from drumline.errors import DrumlineError
from drumline.wiring.home import home_of
from drumline.wiring.memories import notebooks
from drumline.wiring.run_folders import write

if TYPE_CHECKING:
    from drumline.control.ports import Store
    from drumline.control.recall import Recalled, Wanted
    from drumline.control.team_notes import Noted, Saying
    from drumline.settings import Settings
    from drumline.team.actor import Actor
    from drumline.team.ids import MessageId
    from drumline.team.team_memory import Note, NoteId

BETWEEN = 5.0  # seconds between two looks of a plane


def search(settings: Settings, store: Store, wanted: Wanted) -> Recalled:
    """What the words find now, in what was written down here a moment ago too."""
    follow(settings, store)
    return store.ask(recall.search, wanted)


def follow(settings: Settings, store: Store) -> int:
    """Bring the index up to this repository's files; how many sources had changed."""
    from drumline.store.memory_files import MemoryFiles

    notebooks(settings).settle()
    return recall.follow(store, MemoryFiles(settings.state_root), home_of(settings))


def following(settings: Settings, store: Store, drain: Callable[[], bool]) -> Callable[[], bool]:
    """A plane's draining that now and then brings the index up too; what keeps it from that ends no plane."""
    next_at = 0.0

    def draining() -> bool:
        nonlocal next_at
        more = drain()
        if monotonic() >= next_at:
            next_at = monotonic() + BETWEEN
            try:
                follow(settings, store)
            except (DrumlineError, OSError):
                next_at += BETWEEN  # every search looks for itself, and says what is wrong
        return more

    return draining


def note(settings: Settings, store: Store, actor: Actor, said: Saying) -> Noted:
    """Write into the memory of the run at work, and render it."""
    from drumline.wiring.standing_manifest import StandingManifest

    known = StandingManifest(settings).known()
    entry = known.member(actor.name) if known else None
    written = store.do(team_notes.write, actor, said, writes=entry is None or entry.writes)
    _render(settings, store)
    return written


def relay(
    settings: Settings, store: Store, actor: Actor, messages: Sequence[MessageId]
) -> list[Note]:
    """Write what members reported into their sections, and render the memory."""
    notes = store.do(team_notes.relay, actor, messages)
    _render(settings, store)
    return notes


def settle(
    settings: Settings, store: Store, actor: Actor, notes: Sequence[NoteId], why: str
) -> list[Note]:
    """Archive notes that are over, and render the memory."""
    over = store.do(team_notes.settle, actor, notes, why)
    _render(settings, store)
    return over


def _render(settings: Settings, store: Store) -> None:
    """Write the memory of the run at work as its file, at once; a plane writes it again all the same."""
    from contextlib import suppress

    run = store.ask(lambda tx: tx.run_at_work())
    if run is not None:
        with suppress(OSError):
            write(settings, run[0], MEMORY, store.ask(team_notes.text_of, run[0]))
