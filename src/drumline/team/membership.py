"""What to say about the members of a manifest together: the lead, their profiles, their files."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from drumline.team.finding import Finding, Level
from drumline.team.manifest import Manifest, MemberEntry
from drumline.team.ownership import overlap, owned
from drumline.team.presets import preset
from drumline.team.profile import Profile, denies
from drumline.team.rights import CONSTITUTIONS
from drumline.team.server import OURS, Registered, not_given, server_of
from drumline.team.task import Task
from drumline.team.tools import editing

LISTED = 10

Place = tuple[int, MemberEntry]


def lead_findings(manifest: Manifest, file: str) -> Iterator[Finding]:
    """The lead delegates: it has no editing tools and owns no files, unless the team lets it work."""
    if manifest.settings.lead_works:
        return
    for index, member in enumerate(manifest.members):
        if member.name != manifest.lead:
            continue
        way_out = "take them away, or set settings.lead-works: true"
        if tools := editing(member.tools):
            said = f"the lead {member.name} delegates, but has {', '.join(tools)}: {way_out}"
            yield _error(manifest, file, f"members[{index}].tools", said)
        if member.owns:
            said = f"the lead {member.name} delegates, but owns files: {way_out}"
            yield _error(manifest, file, f"members[{index}].owns", said)


def reference_findings(
    manifest: Manifest, profiles: Mapping[str, Profile], file: str
) -> Iterator[Finding]:
    """Profiles that members name: they exist, and deny nothing the member is given."""
    for index, member in enumerate(manifest.members):
        if not member.profile:
            continue
        at = f"members[{index}].profile"
        profile = profiles.get(member.profile)
        if profile is None:
            known = preset(manifest.constitution, member.profile)
            way_out = ": drumline init writes it" if known else ""
            said = f"{member.name} has the profile {member.profile}, which does not exist{way_out}"
            yield _error(manifest, file, at, said)
            continue
        if denied := [rule for rule in member.tools if denies(profile, rule)]:
            said = (
                f"{member.name} is given {', '.join(denied)}, denied by its profile {profile.name}"
            )
            line = manifest.line(f"members[{index}].tools")
            yield Finding(level=Level.WARNING, file=file, line=line, field=at, message=said)


def server_findings(manifest: Manifest, known: Registered, file: str) -> Iterator[Finding]:
    """MCP servers that members are given and cannot use, and tools of servers they are not given."""
    for index, member in enumerate(manifest.members):
        for name in member.mcp:
            if why := not_given(name, member.mcp, member.tools, known):
                said = f"{member.name} is given the MCP server {name} and cannot use it: {why}"
                yield _error(manifest, file, f"members[{index}].mcp", said)
        for name in dict.fromkeys(filter(None, map(server_of, member.tools))):
            if name not in {OURS, *member.mcp}:
                said = f"{member.name} may use tools of {name}, an MCP server it is not given"
                at = f"members[{index}].tools"
                yield _warning(manifest, file, at, f"{said}: name it in `mcp`")


def equipped(manifest: Manifest, servers: Collection[str], task: Task) -> list[str]:
    """Who may take a task and is given all of these servers."""
    return [
        each.name
        for each in manifest.members
        if task.profile in {"", each.profile} and set(servers) <= set(each.mcp)
    ]


def ownership_findings(manifest: Manifest, files: Sequence[str], file: str) -> Iterator[Finding]:
    """Members that can write at the same time and whose files can be the same."""
    if manifest.settings.max_parallel == 1:
        return
    crossing = CONSTITUTIONS[manifest.constitution].crossing
    writers = [
        (index, member)
        for index, member in enumerate(manifest.members)
        if member.writes and member.profile not in crossing
    ]
    meeting = [
        (one, other, patterns)
        for one, other in combinations(writers, 2)
        if (patterns := overlap(one[1].owns, other[1].owns))
    ]
    theirs = {
        member.name: {path for path in files if owned(member.owns, path)}
        for pair in meeting
        for _, member in pair[:2]
    }
    for one, other, patterns in meeting:
        shared = sorted(theirs[one[1].name] & theirs[other[1].name])
        yield _collision(manifest, file, (one, other), patterns, shared)


def _collision(
    manifest: Manifest,
    file: str,
    pair: tuple[Place, Place],
    patterns: tuple[str, str],
    shared: list[str],
) -> Finding:
    (first, one), (second, other) = pair
    field = f"members[{second}].owns"
    where = f"{patterns[0]} (line {manifest.line(f'members[{first}].owns')}) meets {patterns[1]}"
    if not shared:
        said = (
            f"{one.name} and {other.name} can own the same file: {where}; no such file exists today"
        )
        level = Level.NOTE
    else:
        more = f" and {len(shared) - LISTED} more" if len(shared) > LISTED else ""
        count = "1 file" if len(shared) == 1 else f"{len(shared)} files"
        said = f"{one.name} and {other.name} both own {count}: {', '.join(shared[:LISTED])}{more}; {where}"
        level = Level.ERROR
    return Finding(level=level, file=file, line=manifest.line(field), field=field, message=said)


def _error(manifest: Manifest, file: str, field: str, message: str) -> Finding:
    line = manifest.line(field)
    return Finding(level=Level.ERROR, file=file, line=line, field=field, message=message)


def _warning(manifest: Manifest, file: str, field: str, message: str) -> Finding:
    line = manifest.line(field)
    return Finding(level=Level.WARNING, file=file, line=line, field=field, message=message)


def has_checkout(manifest: Manifest, entry: MemberEntry) -> bool:
    """Whether a member works in a checkout of its own: who may write nothing needs none."""
    return entry.writes and (entry.name != manifest.lead or manifest.settings.lead_works)
