"""The rules of a team: read, rendered, compiled for those who judge, and asked."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from drumline.control.ports import Transaction
from drumline.control.roster import lead
from drumline.errors import Unknown
from drumline.team import advice, registry
from drumline.team.call import Call, World
from drumline.team.constraint import ROLES, accepted, read_registry
from drumline.team.document import Problem, Reading
from drumline.team.judge import Ruling, judge
from drumline.team.manifest import Manifest, MemberEntry
from drumline.team.membership import has_checkout
from drumline.team.ownership import normal
from drumline.team.presence import Enabled
from drumline.team.profile import Profile, read_profile
from drumline.team.registry import Registry
from drumline.team.rights import CONSTITUTIONS
from drumline.team.sheet import Sheet
from drumline.team.standing import Standing
from drumline.team.subagent import startable_facts, starts_any
from drumline.team.tier import Tier

TEAM_ACTIVE = "agent_teams_active"


class PolicyFiles(Protocol):
    """Where a team's own rules stand, and where the compiled ones go."""

    @property
    def own_file(self) -> str: ...
    def own(self) -> Reading | None: ...
    def agents(self) -> Sequence[Sheet]: ...
    def publish(self, name: str, policy: Mapping[str, Any]) -> None: ...
    def published(self) -> str: ...
    def place(self, member: str, standing: Mapping[str, Any]) -> None: ...


DELEGATES = "C-LEAD-001"  # the lead edits no project file itself


def problems(files: PolicyFiles) -> list[Problem]:
    """Everything wrong with the team's own rules."""
    own = files.own()
    return read_registry(own, registry.built_in())[1] if own is not None else []


def in_force(files: PolicyFiles, manifest: Manifest | None = None) -> Registry:
    """The rules that hold here: built-in, the team's own, and what the manifest chose."""
    base = registry.built_in()
    own = files.own()
    found = registry.joined(base, accepted(own, files.own_file, base) if own is not None else None)
    return found if manifest is None else _chosen(found, manifest)


def _chosen(found: Registry, manifest: Manifest) -> Registry:
    """A lead that may work delegates only while no task is its own; a team switched off has no team rules."""
    kept = found["constraints"]
    if manifest.settings.lead_works:
        kept = [_while_delegating(each) if each["id"] == DELEGATES else each for each in kept]
    if manifest.enabled is Enabled.NEVER:
        kept = [each for each in kept if "applies" not in each]
    return {**found, "constraints": kept}


def _while_delegating(rule: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**rule, "applies": {**rule["applies"], "delegating": True}}


def one(files: PolicyFiles, name: str, manifest: Manifest | None = None) -> Mapping[str, Any]:
    """A single rule by its id."""
    constraints = in_force(files, manifest)["constraints"]
    found = [each for each in constraints if name.upper() in {each["id"], each["name"].upper()}]
    if not found:
        ids = ", ".join(each["id"] for each in constraints)
        raise Unknown(f"no rule {name[:60]!r}", why=f"there are {ids}", next="drumline policy list")
    rule: Mapping[str, Any] = found[0]
    return rule


def advised(rules: Registry, manifest: Manifest | None) -> str:
    """The rules as text, in the words that hold for a team."""
    conditions = [TEAM_ACTIVE] if manifest is not None else []
    return advice.rendered(rules["constraints"], conditions=conditions)


def held_by(tx: Transaction) -> dict[str, list[str]]:
    """The files of the tasks members hold now, by member; one without a file set limits nobody."""
    held: dict[str, list[str]] = {}
    for _, owner, patterns in tx.tasks.held_files():
        held.setdefault(owner, []).extend(patterns)
    return {owner: patterns for owner, patterns in held.items() if patterns}


class Moment(NamedTuple):
    """What the store says of members: the files of the tasks each holds, who runs, who leaves changes to others."""

    tasks: Mapping[str, list[str]] = {}
    running: Collection[str] = ()
    delegating: Collection[str] = ()


def moment(tx: Transaction) -> Moment:
    """How members stand now."""
    running = {life.member for life in tx.lives.open()}
    return Moment(held_by(tx), running, delegating(tx))


def delegating(tx: Transaction) -> list[str]:
    """The lead, while its team is at a larger run and no task is its own: what it may work on is a small one."""
    at = [tx.runs.get(name) for name in tx.runs.working()]
    larger = any(run is not None and run.tier is not Tier.TRIVIAL for run in at)
    leader = lead(tx).name if larger else ""
    busy = any(task.owner == leader for task in tx.tasks.held()) if larger else False
    return [leader] if larger and not busy else []


def by_hand(
    manifest: Manifest, member: MemberEntry, now: Moment, profiles: Mapping[str, Profile]
) -> dict[str, Any]:
    """Where a member stands whom no runner speaks for."""
    facts = standing_of(manifest, member, files=now.tasks.get(member.name), profiles=profiles)
    return {**facts, "delegating": True} if member.name in now.delegating else facts


def publish(files: PolicyFiles, manifest: Manifest, libraries: Iterable[str], now: Moment) -> str:
    """Compile the rules and every member's standing for the hooks; the policy's name.

    Where those stand who run is told by their runners alone.
    """
    policy = {
        **registry.compiled(in_force(files, manifest)),
        "libraries": sorted(set(libraries)),
    }
    name = registry.digest(policy)
    files.publish(name, policy)
    profiles = profiles_for(files, manifest.members)
    for member in manifest.members:
        if member.name not in now.running:
            facts = by_hand(manifest, member, now, profiles)
            files.place(member.name, {**facts, "policy": name})
    return name


def stand(
    files: PolicyFiles, manifest: Manifest, member: MemberEntry, more: Mapping[str, Any]
) -> dict[str, Any]:
    """Write where one member stands now; `more` is what its life and its task add."""
    profiles = profiles_for(files, [member])
    facts = {**standing_of(manifest, member, profiles=profiles), **more}
    files.place(member.name, facts)
    return facts


def profiles_for(files: PolicyFiles, members: Iterable[MemberEntry]) -> dict[str, Profile]:
    """The repository's agent profiles by name, where any of these members may start one."""
    if not any(starts_any(member.tools) for member in members):
        return {}
    return {profile.name: profile for profile in map(read_profile, files.agents())}


def standing_of(
    manifest: Manifest,
    member: MemberEntry,
    *,
    files: list[str] | None = None,
    profiles: Mapping[str, Profile] | None = None,
) -> dict[str, Any]:
    """Where a member stands by what the manifest says of it."""
    leads = member.name == manifest.lead
    return {
        "member": member.name,
        "team": manifest.team,
        "role": "lead" if leads else "teammate",
        "isolation": "own" if has_checkout(manifest, member) else "shared",
        "preset": manifest.constitution,
        "owns": _spelled(member.owns),
        "tools": list(member.tools),
        "integrator": member.profile in CONSTITUTIONS[manifest.constitution].crossing,
        "branches": [f"drumline/{member.name}/*"],
        "files": None if files is None else _spelled(files),
        "protocol": "",
        "startable": startable_facts(member.tools, profiles or {}),
    }


def _spelled(patterns: Iterable[str]) -> list[str]:
    """Patterns in the one spelling the judge reads as the board does."""
    return [normal(pattern).replace("[^", "[!") for pattern in patterns]


def unreadable(row: Mapping[str, Any]) -> str:
    """Why a row cannot be judged, or nothing: whose call it is and what it is given must be said."""
    if not isinstance(row.get("tool"), str) or not row["tool"]:
        return "it has no tool"
    if not isinstance(row.get("input", {}), dict):
        return "its input is no object"
    if not row.get("member") and "role" not in row:
        return "it has neither a member nor a role"
    if not row.get("member") and row["role"] not in (*ROLES, ""):
        return f"its role is none of {', '.join(ROLES)} and no empty text for a person alone"
    if row.get("isolation") not in (None, "own", "shared"):
        return "its isolation is neither own nor shared"
    return ""


class Bench:
    """A judge for rows of a file or a conversation: each call with its caller named beside it."""

    def __init__(self, rules: Registry, manifest: Manifest | None, world: World) -> None:
        self._policy = registry.compiled(rules)
        self._manifest, self._world = manifest, world

    def rule(self, row: Mapping[str, Any], root_of: Callable[[str], str]) -> Ruling:
        """The ruling on one row; a member's standing is the manifest's, isolation is shared."""
        cwd = str(row.get("cwd") or root_of(""))
        given = row.get("input")
        call = Call(str(row.get("tool", "")), given if isinstance(given, dict) else {}, cwd)
        return judge(call, Standing(self._facts(row), root_of(cwd)), self._policy, self._world)

    def _facts(self, row: Mapping[str, Any]) -> dict[str, Any]:
        member = row.get("member")
        if not member:
            return {**row, "isolation": row.get("isolation", "shared")}
        entry = self._manifest.member(str(member)) if self._manifest else None
        if self._manifest is None or entry is None:
            raise Unknown(
                f"no member {str(member)[:60]!r}",
                next="name one of `drumline team show`, or give a role instead",
            )
        facts = standing_of(self._manifest, entry)
        chosen = {
            name: row[name]
            for name in ("isolation", "protocol", "files", "phase")
            if row.get(name) is not None
        }
        return {**facts, "isolation": "shared", **chosen}
