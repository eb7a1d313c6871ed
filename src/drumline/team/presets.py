"""Which profiles each constitution ships."""

from collections.abc import Iterable, Mapping

from drumline.team import constitution_4, constitution_10
from drumline.team.preset import PresetProfile
from drumline.team.text import is_name

PRESETS: Mapping[str, tuple[PresetProfile, ...]] = {
    "constitution-4": constitution_4.PROFILES,
    "constitution-10": constitution_10.PROFILES,
}


def preset(constitution: str, profile: str) -> PresetProfile | None:
    return next((one for one in PRESETS.get(constitution, ()) if one.name == profile), None)


def profiles_known(constitution: str, written: Iterable[str]) -> list[str]:
    """The profiles there are under a constitution: those it ships, and those written down here."""
    shipped = {each.name for each in PRESETS[constitution]}
    return sorted(shipped | {name for name in written if is_name(name)})
