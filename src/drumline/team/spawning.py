"""Whether a member may be started as the manifest has it: its model, its tools, and no team of its own."""

from collections.abc import Iterator, Mapping

from drumline.errors import NotAllowed
from drumline.team.manifest import Manifest, MemberEntry
from drumline.team.profile import EVERY, Profile, effective_tools
from drumline.team.tools import tool

STRONGEST = ("opus", "o1-pro", "gpt-5-pro")  # parts of the names of the dearest models
OF_TEAMS = frozenset({"TeamCreate", "TeamDelete", "TeammateTool"})


def refuse_unruly(manifest: Manifest, entry: MemberEntry, profiles: Mapping[str, Profile]) -> None:
    """Refuse to start a member that breaks a rule of spawning, naming every one."""
    problems = list(unruly(manifest, entry, profiles))
    if problems:
        raise NotAllowed(
            f"{entry.name} is not started: {len(problems)} rule{'s' if problems[1:] else ''} of"
            " spawning would be broken",
            why="\n".join(problems),
            next="mend the manifest or the profile, then: drumline team check",
        )


def unruly(
    manifest: Manifest, entry: MemberEntry, profiles: Mapping[str, Profile]
) -> Iterator[str]:
    """Each rule a member's start would break, as a sentence."""
    profile = profiles.get(entry.profile)
    if _is_too_strong(manifest, entry, profile):
        yield f"{entry.model} is the lead's model: let its profile name it, or choose another"
    yield from _foreign_tools(entry, profile)
    for rule in entry.tools:
        if tool(rule) in OF_TEAMS:
            yield f"{rule} would make a team inside a team"


def _is_too_strong(manifest: Manifest, entry: MemberEntry, profile: Profile | None) -> bool:
    strong = any(part in entry.model.lower() for part in STRONGEST)
    named = profile is not None and profile.model == entry.model
    return strong and not named and entry.name != manifest.lead


def _foreign_tools(entry: MemberEntry, profile: Profile | None) -> Iterator[str]:
    if profile is None:
        return
    given = effective_tools(profile)
    known = {tool(rule) for rule in given}
    for rule in entry.tools:
        if EVERY not in known and rule not in given and tool(rule) not in given:
            yield f"{rule} is not a tool of its profile {profile.name}"
