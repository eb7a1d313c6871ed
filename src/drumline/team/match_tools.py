"""Clauses about who may use which tool: lists of members and profiles, and how subagents are started."""

from __future__ import annotations

from drumline.team.facts import any_of, shown, texts
from drumline.team.standing import MAY_CHANGE, is_strongest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from drumline.team.facts import Facts

    Clause = Mapping[str, object]

SPAWNING = ("Agent", "Task")  # one tool under two names
GENERAL = "general-purpose"
OWN_SPAWN = "mcp__drumline__subagent_ask"
_QUIET = frozenset(
    "cd pushd popd echo printf true false : test [ [[ export set unset local declare pwd type command "
    "which exit return shift read alias umask wait break continue let eval source . exec".split()
)
_EDITS = frozenset({"MultiEdit", "NotebookEdit", "apply_patch"})  # editing by other names
_HARMLESS_TO_STATE = frozenset({"fetch", "index"})
_TO_ANSWER = ("StructuredOutput", "ToolSearch")
_EVERY_MEMBERS = (*_TO_ANSWER, "mcp__drumline__*")


def _tools_list(clause: Clause, facts: Facts) -> str:
    """A tool that is not on the member's list, or not on that of the subagent it is used by."""
    del clause
    standing, tool = facts.standing, facts.call.tool
    if any_of(tool, standing.denied_tools):
        return f"{tool}, which {_whose(facts)} is denied"
    if any_of(tool, _TO_ANSWER if standing.subagent else _EVERY_MEMBERS):
        return ""
    if tool in SPAWNING:
        return _unlisted_profile(facts)
    return _off(standing.tools, facts, "this member") or _off(
        standing.profile_tools, facts, standing.subagent
    )


def _whose(facts: Facts) -> str:
    return facts.standing.subagent or "this member"


def _off(listed: Sequence[str] | None, facts: Facts, whose: str) -> str:
    """What a list does not have, or has only for other commands."""
    tool = facts.call.tool
    if listed is None:
        return ""
    whole = [entry for entry in listed if "(" not in entry]
    if any_of(tool, whole) or (tool in _EDITS and any_of("Edit", whole)):
        return ""
    limits = [_limit(entry) for entry in listed if entry.startswith(f"{tool}(")]
    if not limits:
        return f"{tool}, which is not on {whose}'s list"
    return next((f"`{line}`" for line in _lines(facts) if not _allowed(line, limits)), "")


def _unlisted_profile(facts: Facts) -> str:
    """A subagent of a profile that the member's list does not name, or one that a subagent starts."""
    standing, profile = facts.standing, started_profile(facts)
    if standing.subagent:
        return f"a subagent of a subagent, {standing.subagent}"
    if standing.tools is None:
        return ""
    whole = [entry for entry in standing.tools if "(" not in entry]
    named = [
        name.strip()
        for entry in standing.tools
        if entry.startswith(("Agent(", "Task("))
        for name in _limit(entry).split(",")
    ]
    if any(any_of(each, whole) for each in SPAWNING) or any_of(profile, named):
        return ""
    return f"a subagent of {profile}, a profile that is not on this member's list"


def started_profile(facts: Facts) -> str:
    """The profile of the subagent that a call would start."""
    return facts.call.text("subagent_type") or GENERAL


def _spawn(clause: Clause, facts: Facts) -> str:
    """A subagent started otherwise than its profile says."""
    if facts.call.tool not in SPAWNING:
        return ""
    held = facts.standing.of_profile(started_profile(facts))
    for way in texts(clause["spawn"]):
        if found := _AGAINST_PROFILE[way](facts, held):
            return found
    return ""


def _in_background(facts: Facts, held: Mapping[str, object]) -> str:
    """Nobody waits for it; where nothing is said, a CLI may well not wait either."""
    waited_for = facts.call.input.get("run_in_background") is False
    return "" if waited_for or held.get("background") is True else "a subagent in the background"


def _in_foreground(facts: Facts, held: Mapping[str, object]) -> str:
    """Somebody waits for it: what says nothing may be waited for."""
    del held
    beside = facts.call.input.get("run_in_background") is True
    return "" if beside else "a subagent that is waited for"


def _with_model(facts: Facts, held: Mapping[str, object]) -> str:
    model = facts.call.text("model")
    granted = model == held.get("model")
    return f"a subagent with the model {model}" if is_strongest(model) and not granted else ""


_AGAINST_PROFILE: dict[str, Callable[[Facts, Mapping[str, object]], str]] = {
    "background": _in_background,
    "foreground": _in_foreground,
    "model": _with_model,
}
WAYS_TO_SPAWN = tuple(_AGAINST_PROFILE)


def _limit(entry: str) -> str:
    return entry.partition("(")[2].rstrip(")")


def _lines(facts: Facts) -> list[str]:
    return [
        " ".join(effect.words)
        for effect in facts.effects
        if effect.kind == "run" and effect.subject not in _QUIET
    ]


def _allowed(line: str, limits: Iterable[str]) -> bool:
    for limit in limits:
        start = limit.removesuffix("*").removesuffix(":").rstrip()
        rest = line.removeprefix(start)
        whole = not rest or not (rest[0].isalnum() or rest[0] in "-_")
        if line.startswith(start) and (
            line == start or (limit.endswith("*") and (whole or not start))
        ):
            return True
    return False


def _unverified(clause: Clause, facts: Facts) -> str:
    """A change, or a subagent started, before the member may change anything."""
    del clause
    if facts.standing.protocol in MAY_CHANGE:
        return ""
    return "starting a helper" if _starts_subagent(facts) else _change(facts)


def _starts_subagent(facts: Facts) -> bool:
    ours = ["drumline", "subagent"]
    said = any(effect.kind == "run" and list(effect.words[:2]) == ours for effect in facts.effects)
    return said or facts.call.tool in (*SPAWNING, OWN_SPAWN)


def _reads_only(clause: Clause, facts: Facts) -> str:
    """A change by a subagent that was asked only to read."""
    del clause
    return _change(facts) if facts.standing.reads_only else ""


def _change(facts: Facts) -> str:
    for effect in facts.effects:
        if effect.kind == "write" and not facts.ground.is_temporary(effect.subject):
            return f"changing {shown(effect.subject, facts)}"
        if effect.kind == "git" and effect.subject not in _HARMLESS_TO_STATE:
            return f"git {effect.subject}"
        if effect.kind == "undecided":
            return f"a command that cannot be verified ({effect.subject})"
    return ""


ON_TOOLS: dict[str, Callable[[Clause, Facts], str]] = {
    "tools_list": _tools_list,
    "spawn": _spawn,
    "unverified": _unverified,
    "reads_only": _reads_only,
}
