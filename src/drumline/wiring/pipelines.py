"""Where pipelines come from: the constitutions, and the files of a repository."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from drumline.wiring import manifest_of

if TYPE_CHECKING:
    from drumline.settings import Settings
    from drumline.team.pipelines import PipelineFile, Pipelines


def pipelines(settings: Settings | None) -> Pipelines:
    """What a team can choose from; outside one, what comes with Drumline."""
    from drumline.store.pipelines import own_pipelines
    from drumline.team.pipelines import Pipelines, read_own

    if settings is None:
        return Pipelines()
    own = read_own(own_pipelines(Path(settings.root)), _profiles(settings))
    return Pipelines(in_force=manifest_of(settings).constitution, own=own)


def pipeline_files(settings: Settings | None, files: Sequence[str]) -> tuple[PipelineFile, ...]:
    """The files named, each read as if it were the team's own."""
    from drumline.store.manifests import read_file
    from drumline.team.pipelines import read_own

    return read_own([(file, read_file(Path(file))) for file in files], _profiles(settings))


def _profiles(settings: Settings | None) -> list[str]:
    """The profiles a pipeline may name; where there is no team, those of every preset."""
    from drumline.store.profiles import agents
    from drumline.team.presets import PRESETS, profiles_known
    from drumline.team.profile import read_profile

    if settings is None:
        return sorted({each.name for profiles in PRESETS.values() for each in profiles})
    written = (read_profile(sheet).name for sheet in agents(Path(settings.root)))
    return profiles_known(manifest_of(settings).constitution, written)
