"""Whether members can be started here, told before anything is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from drumline.wiring import manifest_of
from drumline.wiring.quarters import Houses

if TYPE_CHECKING:
    from drumline.settings import Settings


def check_launch(settings: Settings, names: Sequence[str]) -> None:
    """Refuse to start what could not run here, or may not run so."""
    from drumline.control.team_check import profiles_of
    from drumline.runtimes.checkout import current_commit
    from drumline.runtimes.programs import program
    from drumline.team.spawning import refuse_unruly
    from drumline.wiring import worktree
    from drumline.wiring.rehearsals import find_scenario

    manifest = manifest_of(settings)
    if any(each.writes for each in manifest.members if each.name in names):
        current_commit(Houses(settings).repository)  # a checkout begins at a commit
    profiles = {profile.name: profile for profile in profiles_of(worktree(settings))}
    scenario = cache(lambda name: find_scenario(name, settings.root))  # once, however many play it
    for entry in (each for each in manifest.members if each.name in names):
        refuse_unruly(manifest, entry, profiles)
        if entry.runtime == "scripted":
            scenario(entry.scenario)
        elif entry.runtime in {"claude", "codex"}:
            program(entry.runtime)
