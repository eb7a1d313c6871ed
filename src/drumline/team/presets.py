"""Which profiles each constitution ships."""

from collections.abc import Mapping

from drumline.team import constitution_4, constitution_10
from drumline.team.preset import PresetProfile

PRESETS: Mapping[str, tuple[PresetProfile, ...]] = {
    "constitution-4": constitution_4.PROFILES,
    "constitution-10": constitution_10.PROFILES,
}


def preset(constitution: str, profile: str) -> PresetProfile | None:
    return next((one for one in PRESETS.get(constitution, ()) if one.name == profile), None)
