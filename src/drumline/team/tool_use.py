"""Tools of a phase: what its members were given, what they used, and what of that they owed.

A tool that is mandatory, there, and never used is a fact against the phase. One that is recommended is
a remark. One that a member does not have is shown, and is held against nobody.
"""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from drumline.team.gate import Point
from drumline.team.ids import TaskId
from drumline.team.pipeline import Obligation, Phase
from drumline.team.text import PATTERN_CAP, one_line
from drumline.team.tools import tool

TOOLS = "tools"  # the point of a checklist that tells of them
TOOL_CAP = 120
MOST_NAMES = 300  # of tools that one member uses in one phase; more are counted together
OTHERS = "(others)"


class Count(NamedTuple):
    """Calls of one tool, in work on a task, or for a run."""

    tool: str
    calls: int
    refused: int = 0
    task: TaskId | None = None
    run: str = ""


class Used(NamedTuple):
    """How often a member called a tool in a phase of a run, and how often it was refused."""

    run: str
    phase: str
    member: str
    tool: str
    calls: int
    refused: int


class Kit(NamedTuple):
    """What a member was given in a phase: rules about tools, and the servers that were there."""

    member: str
    tools: tuple[str, ...]
    servers: tuple[str, ...] = ()

    def has(self, pattern: str) -> bool:
        """Whether it can use what a pattern names; tools of a server only while that was there."""
        named = any(_meet(tool(rule), pattern) for rule in self.tools)
        server = server_of(pattern)
        return named and (not server or server in self.servers)


def server_of(pattern: str) -> str:
    """The MCP server whose tools a pattern names; empty where it names others."""
    parts = pattern.split("__")
    return parts[1] if parts[0] == "mcp" and len(parts) > 1 else ""


class Owed(NamedTuple):
    """Tools of a phase that were not used, each with who did not: of those who had them, and who had not."""

    mandatory: tuple[str, ...] = ()
    recommended: tuple[str, ...] = ()
    unavailable: tuple[str, ...] = ()


def owed(phase: Phase, kits: Sequence[Kit], used: Sequence[Used]) -> Owed:
    """What the members of a phase were to use and did not; a call that was refused is no use."""
    found: dict[str, list[str]] = {name: [] for name in Owed._fields}
    for kit in kits:
        did = [
            each.tool for each in used if each.member == kit.member and each.calls > each.refused
        ]
        for pattern, obligation in phase.tools.items():
            if obligation is Obligation.AS_NEEDED or any(fnmatchcase(one, pattern) for one in did):
                continue
            kind = obligation.value if kit.has(pattern) else "unavailable"
            found[kind].append(f"{kit.member} {pattern}")
    return Owed(**{name: tuple(said) for name, said in found.items()})


def tools_point(phase: Phase, kits: Sequence[Kit], used: Sequence[Used]) -> Point | None:
    """The point of a checklist about a phase's tools; none where there is nothing to say."""
    found = owed(phase, kits, used)
    parts = [
        f"{what}: {', '.join(said)}"
        for what, said in (
            ("mandatory and never used", found.mandatory),
            ("recommended and not used", found.recommended),
            ("not available", found.unavailable),
        )
        if said
    ]
    if not parts:
        return None
    why = one_line("; ".join(parts), PATTERN_CAP)
    return Point(TOOLS, holds=not found.mandatory, why=why, by="drumline")


def obliged(phase: Phase | None, kit: Kit) -> Mapping[str, Obligation]:
    """The tools a member is to use in a phase, of those it has."""
    tools = phase.tools if phase is not None else {}
    return {
        pattern: much
        for pattern, much in tools.items()
        if much is not Obligation.AS_NEEDED and kit.has(pattern)
    }


def _meet(one: str, other: str) -> bool:
    return fnmatchcase(one, other) or fnmatchcase(other, one)
