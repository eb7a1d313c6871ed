"""A team's memory on this machine: its files in the main work tree, and the store that counts their use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drumline.wiring import manifest_of
from drumline.wiring.home import state_folder

if TYPE_CHECKING:
    from drumline.control.lessons import Memory, Remembered
    from drumline.control.ports import Store
    from drumline.control.ports_memory import Notebooks
    from drumline.settings import Settings
    from drumline.team.manifest import Manifest


def notebooks(settings: Settings) -> Notebooks:
    """The files of memory: in the main tree, whatever branch a worktree is on."""
    from drumline.store.notebooks import Notebooks as Files

    state_folder(settings)  # what is kept beside the files must not be seen by git
    return Files(settings.state_root)


def memory(settings: Settings, store: Store, manifest: Manifest | None = None) -> Memory:
    """What the verbs of memory stand on here."""
    from drumline.control.lessons import Memory

    chosen = manifest or manifest_of(settings)
    return Memory(store, notebooks(settings), chosen.settings.memory)


def remembered(settings: Settings, manifest: Manifest) -> Remembered:
    """What members learnt, for whoever briefs them."""
    from drumline.control.lessons import Remembered

    chosen = manifest.settings
    return Remembered(notebooks(settings), chosen.memory, chosen.context_window)
