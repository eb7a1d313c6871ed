"""Subagents: which profiles a member may start, what each is given of its starter's, and what it is told."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from drumline.errors import NotAllowed, NotVerified, Unknown
from drumline.team.language import Language, language_rule
from drumline.team.manifest import CLAUDES, MemberEntry
from drumline.team.match_tools import GENERAL, SPAWNING
from drumline.team.profile import EVERY, Profile, declared_tools
from drumline.team.quoting import inline, listed
from drumline.team.returned import RETURN_CAP
from drumline.team.spawning import OF_TEAMS
from drumline.team.standing import MAY_CHANGE
from drumline.team.text import BODY_CAP, checked
from drumline.team.tools import may_write, spawned, tool

LIKE_ITS_STARTER = Profile(name=GENERAL, description="Whatever needs no other profile.")
INHERIT = "inherit"
ALONE = (
    f"You answer one question, once, in at most {RETURN_CAP:,} characters. Whoever started you reads your"
    " answer and nothing else: put everything in it. You have no inbox, start nobody and use no drumline"
    " command; what your starter may not touch, you may not."
)
NOT_GIVEN = frozenset({*SPAWNING, *OF_TEAMS})


class Errand(NamedTuple):
    """One question to a subagent: of which profile, in which words, whether it may change anything."""

    profile: str
    prompt: str
    reads_only: bool = False


class Spawn(NamedTuple):
    """A subagent that may be started: its profile, its errand, its name in the books and its place.

    `left` is what it may cost in micro-USD, None where nobody set a budget.
    """

    profile: Profile
    errand: Errand
    name: str
    place: int
    left: int | None = None


class Answered(NamedTuple):
    """What a subagent returned: its words, or the reference to the file that holds all of them."""

    profile: str
    text: str
    characters: int
    file: str = ""


Ask = Callable[[Errand], Answered]  # how a member's question reaches a subagent


def startable(rules: Iterable[str], profiles: Mapping[str, Profile]) -> dict[str, Profile]:
    """The profiles a member with these tools may start: those it names, or each where it names none.

    One without a file of its own is like its starter in all but its own context.
    """
    rules = tuple(rules)
    known = {GENERAL: LIKE_ITS_STARTER, **profiles}
    named = spawned(rules)
    if EVERY in named or any(rule in SPAWNING for rule in rules):
        return known
    return {name: known[name] for name in named if name in known}


def starts_any(rules: Iterable[str]) -> bool:
    """Whether these tools let a member start subagents at all."""
    return any(tool(rule) in SPAWNING for rule in rules)


def startable_facts(
    rules: Iterable[str], profiles: Mapping[str, Profile]
) -> dict[str, dict[str, Any]]:
    """The same as standings have them, for the judge."""
    return {
        name: {
            "tools": None if profile.tools is None else list(given_tools(profile)),
            "denied_tools": list(profile.denied),
            "background": works_beside(profile),
            "model": profile.model,
        }
        for name, profile in startable(rules, profiles).items()
    }


def works_beside(profile: Profile) -> bool:
    """Whether nobody waits for it: its profile says so, and it changes nothing meanwhile."""
    tools = declared_tools(profile)
    return profile.background and EVERY not in tools and not may_write(tools)


def given_tools(profile: Profile) -> tuple[str, ...]:
    """The tools of a profile as a subagent has them: none to start others."""
    return tuple(rule for rule in declared_tools(profile) if tool(rule) not in NOT_GIVEN)


def shared_tools(member: MemberEntry, profile: Profile) -> tuple[str, ...]:
    """What a subagent's CLI is told it may use: its profile's rules about tools its starter has.

    How far each goes is decided call by call, by both lists.
    """
    if profile.tools is None:
        own = (rule for rule in member.tools if tool(rule) not in NOT_GIVEN)
        return tuple(rule for rule in own if tool(rule) not in profile.denied)
    return tuple(rule for rule in given_tools(profile) if _has(member.tools, tool(rule)))


def model_of(profile: Profile, starter: MemberEntry) -> str:
    """The model its profile names, where the starter's runtime knows it; else the starter's own."""
    named = "" if profile.model == INHERIT else profile.model
    unknown = named in CLAUDES and starter.runtime != "claude"
    return starter.model_told if unknown or not named else named


def chosen(starter: MemberEntry, errand: Errand, profiles: Mapping[str, Profile]) -> Profile:
    """The profile of an errand, or a refusal that says which there are."""
    checked(errand.prompt, "the prompt", cap=BODY_CAP)
    allowed = startable(starter.tools, profiles)
    if found := allowed.get(errand.profile):
        return found
    name = errand.profile[:80]
    if name in spawned(starter.tools):
        raise Unknown(f"no profile {name}", next=f"ask the lead for .claude/agents/{name}.md")
    why = f"its tools let it start {listed(allowed)}" if allowed else "its tools name no profile"
    raise NotAllowed(
        f"{starter.name} may not start a subagent of {inline(name)}",
        why=why,
        next="name one of those" if allowed else "do it yourself, or ask the lead",
    )


def refuse_unverified(member: str, protocol: str, deed: str = "start a subagent") -> None:
    """Only a member that may change something starts subagents, or hands something in."""
    if protocol not in MAY_CHANGE:
        raise NotVerified(
            f"{member} may not {deed} yet",
            why=f"it is {protocol}",
            next="submit your impact analysis, and wait for the verdict",
        )


def told(profile: Profile, starter: str, language: Language, rules: str) -> str:
    """What a subagent reads before its question."""
    said = [
        f"You are a subagent of {starter}, of the profile {profile.name}.\n{ALONE}",
        f"## Language\n\n{language_rule(language)}",
        f"## Team rules\n\n{rules}",
        profile.words and f"## Your profile\n\n{profile.words}",
    ]
    return "\n\n".join(part.strip() for part in said if part)


def _has(rules: Sequence[str], wanted: str) -> bool:
    return any(fnmatchcase(wanted, tool(rule)) for rule in rules)
