"""Agent profiles: what a kind of member may use, written down or in effect."""

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field

from drumline.team.finding import Finding, Level
from drumline.team.sheet import Sheet, head_findings
from drumline.team.tools import BROUGHT_BY_MEMORY, editing, spawned, tool

KNOWN = (
    *("name", "description", "tools", "disallowedTools", "model", "permissionMode", "mcpServers"),
    *("hooks", "maxTurns", "skills", "memory", "background", "isolation", "effort", "color"),
    "initialPrompt",
)
EVERY = "*"
BUILT_IN = frozenset({"general-purpose", "Explore", "Plan", "statusline-setup", EVERY})


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A tool set and a model under a name; `tools` None means every tool there is.

    `background` is whether its work may go on beside whoever started it, `words` what it is told.
    """

    name: str
    description: str = ""
    tools: tuple[str, ...] | None = None
    denied: tuple[str, ...] = ()
    model: str = ""
    memory: str = ""
    skills: tuple[str, ...] = ()
    background: bool = False
    words: str = field(default="", compare=False)


def read_profile(sheet: Sheet) -> Profile:
    """The profile a file describes."""
    return Profile(
        name=sheet.text("name").strip() or sheet.name,
        description=sheet.text("description"),
        tools=sheet.words("tools") if sheet.field("tools") else None,
        denied=sheet.words("disallowedTools"),
        model=sheet.text("model"),
        memory=sheet.text("memory"),
        skills=sheet.words("skills"),
        background=sheet.flag("background"),
        words=sheet.body.strip(),
    )


def declared_tools(profile: Profile) -> tuple[str, ...]:
    """The tools listed, without those denied; `*` stands for every tool."""
    listed = (EVERY,) if profile.tools is None else profile.tools
    return tuple(rule for rule in listed if not denies(profile, rule))


def denies(profile: Profile, rule: str) -> bool:
    return rule in profile.denied or tool(rule) in profile.denied


def effective_tools(profile: Profile) -> tuple[str, ...]:
    """What the runtime will really give: a `memory` brings Read, Write and Edit, denied or not."""
    return declared_tools(profile) + _brought(profile)


def gained_edits(profile: Profile) -> tuple[str, ...]:
    """The editing tools that a role without edits gets through its `memory`."""
    brought = editing(_brought(profile))
    if not editing(declared_tools(profile)):
        return brought
    return tuple(name for name in brought if denies(profile, name))


def _brought(profile: Profile) -> tuple[str, ...]:
    if not profile.memory:
        return ()
    had = {tool(rule) for rule in declared_tools(profile)}
    return tuple(
        name
        for name in BROUGHT_BY_MEMORY
        if name not in had and (EVERY not in had or denies(profile, name))
    )


def profile_findings(
    sheets: Iterable[Sheet], *, profiles: Container[str], skills: Container[str]
) -> Iterator[Finding]:
    """What to say about the profiles of a repository, one by one and together."""
    seen: dict[str, str] = {}
    for sheet in sheets:
        profile = read_profile(sheet)
        yield from head_findings(sheet, KNOWN, ("name", "description"))
        yield from _gained(sheet, profile)
        yield from _lost(sheet, profile, profiles=profiles, skills=skills)
        if profile.name in seen:
            said = f"profile {profile.name} is also in {seen[profile.name]}"
            yield _found(sheet, "name", said)
        seen.setdefault(profile.name, sheet.file)


def _gained(sheet: Sheet, profile: Profile) -> Iterator[Finding]:
    if gained := gained_edits(profile):
        said = f"{profile.name} may not edit, but memory gives it {' and '.join(gained)}"
        yield _found(sheet, "memory", said)


def _lost(
    sheet: Sheet, profile: Profile, *, profiles: Container[str], skills: Container[str]
) -> Iterator[Finding]:
    for name in profile.skills:
        if name not in skills:
            yield _found(
                sheet, "skills", f"{profile.name} names the skill {name}, which does not exist"
            )
    for name in spawned(profile.tools or ()):
        if name not in profiles and name not in BUILT_IN:
            said = f"{profile.name} may start {name}, a profile that does not exist"
            yield _found(sheet, "tools", said)


def _found(sheet: Sheet, field: str, message: str) -> Finding:
    return Finding(
        level=Level.WARNING, file=sheet.file, line=sheet.line(field), field=field, message=message
    )
