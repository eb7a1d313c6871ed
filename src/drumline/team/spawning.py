"""Whether a member may be started as the manifest has it: its model, its tools, and no team of its own."""

from collections.abc import Iterator, Mapping

from drumline.errors import NotAllowed
from drumline.team.manifest import Manifest, MemberEntry
from drumline.team.profile import BUILT_IN, EVERY, Profile, declared_tools, effective_tools
from drumline.team.standing import is_strongest
from drumline.team.tools import may_write, spawned, tool

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
    for name in spawned(entry.tools):
        yield from _unruly_subagent(name, profiles)


def _is_too_strong(manifest: Manifest, entry: MemberEntry, profile: Profile | None) -> bool:
    named = profile is not None and profile.model == entry.model
    return is_strongest(entry.model) and not named and entry.name != manifest.lead


def _unruly_subagent(name: str, profiles: Mapping[str, Profile]) -> Iterator[str]:
    """What keeps a member from starting subagents of a profile that its tools name."""
    profile = profiles.get(name)
    if profile is None:
        if name not in BUILT_IN:
            yield f"it may start {name}, a profile that does not exist"
        return
    tools = declared_tools(profile)
    if any(tool(rule) in OF_TEAMS for rule in tools):
        yield f"its subagents of {name} would make a team inside a team"
    if profile.background and (EVERY in tools or may_write(tools)):
        yield f"its subagents of {name} would write beside it: let {name} write nothing, or be waited for"


def _foreign_tools(entry: MemberEntry, profile: Profile | None) -> Iterator[str]:
    if profile is None:
        return
    given = effective_tools(profile)
    known = {tool(rule) for rule in given}
    for rule in entry.tools:
        if EVERY not in known and rule not in given and tool(rule) not in given:
            yield f"{rule} is not a tool of its profile {profile.name}"
